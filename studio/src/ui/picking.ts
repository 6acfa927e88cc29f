// Joints chosen in the picture: a click names one, and gives it to the slot that waits for one.

import type { Side } from "rebone";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { t } from "../texts";
import { byId, el, fill } from "./dom";

export interface Waiting {
  side: Side;
  slot: string;
}

export class Picking {
  private slot: Waiting | null = null;
  /** Called with the joint that was clicked, where no slot waits for one. */
  onJoint: (side: Side, joint: string, slot: string | null) => void = () => {};

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    private readonly onChange: () => void,
  ) {
    this.stage.onPick = (side, joint) => this.pick(side, joint);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.slot) this.wait(null);
    });
  }

  get waiting(): Waiting | null {
    return this.slot;
  }

  /** The next click on that side is for this slot. */
  wait(slot: Waiting | null): void {
    const isSame = slot?.slot === this.slot?.slot && slot?.side === this.slot?.side;
    this.slot = isSame ? null : slot;
    // Joints are clicked on the skeleton.
    if (this.slot && this.stage.currentView.shown === "mesh") this.stage.setView({ ...this.stage.currentView, shown: "both" });
    this.render();
    this.onChange();
  }

  /** Says what is waited for. */
  render(): void {
    this.say(this.slot ? t("pickFor", { slot: this.slot.slot, side: t(this.slot.side) }) : "");
  }

  private pick(side: Side, joint: number): void {
    const puppet = this.stage.puppet(side);
    const name = puppet?.description.nodes[joint]?.name;
    if (!puppet || name === undefined) return;
    for (const own of ["source", "target"] as const) this.stage.puppet(own)?.highlight(own === side ? joint : null);
    this.stage.refresh();
    if (this.slot?.side === side) {
      const { slot } = this.slot;
      this.slot = null;
      this.say("");
      this.studio.setValue([side, "slots", slot], [name]);
      this.onChange();
      return;
    }
    const slots = this.studio.shown.map?.[side].slots ?? {};
    const found = Object.entries(slots).find(([, own]) => own.joints.includes(name))?.[0];
    this.say(`${t(side)}: ${name} · ${found ?? t("none")}`);
    this.onJoint(side, name, found ?? null);
  }

  private say(text: string): void {
    const place = byId("picked");
    place.hidden = text === "";
    fill(place, el("span", {}, text));
  }
}
