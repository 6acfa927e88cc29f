// Names at the feet of the targets, where there are several: a click chooses one.

import { Vector3 } from "three";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { t } from "../texts";
import { byId, el, fill } from "../ui/dom";
import type { Troupe } from "./troupe";

const at = new Vector3();

export class Tags {
  private tags = new Map<string, HTMLElement>();

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    private readonly troupe: Troupe,
  ) {
    stage.onDrawn = () => this.place();
    stage.onGuest = (key) => {
      const id = key.replace(/^target:/, "");
      if (id !== key) studio.choose(id);
    };
  }

  render(): void {
    const { studio, troupe } = this;
    const drawn = troupe.drawn.length > 1 ? troupe.drawn : [];
    const { target } = studio.document;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["tag"] : undefined;
    this.tags = new Map(drawn.map((file) => {
      const trouble = troupe.trouble(file.id);
      return [file.id, el("button", {
        "data-tag": file.id, class: trouble ? "troubled" : "", "aria-pressed": String(file.id === target), title: trouble || t("chooseTarget", { name: file.name }),
        onclick: () => studio.choose(file.id),
      }, trouble ? `⚠ ${file.name}` : file.name)];
    }));
    fill(byId("tags"), [...this.tags.values()]);
    if (focused !== undefined) this.tags.get(focused)?.focus();
    this.place();
  }

  private place(): void {
    const width = byId("tags").clientWidth;
    for (const [id, tag] of this.tags) {
      const puppet = this.troupe.puppet(id);
      const found = puppet && this.stage.project(puppet.place(at).setY(0));
      tag.hidden = !found;
      if (found) tag.style.transform = `translate(-50%, 6px) translate(${Math.min(Math.max(found.x, 50), width - 50).toFixed(0)}px, ${found.y.toFixed(0)}px)`;
    }
  }
}
