// Names at the feet of the targets, where there are several: a click chooses one.

import { Vector3 } from "three";
import type { GivenFile } from "../document";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { t } from "../texts";
import { byId, el, fill } from "../ui/dom";
import type { Troupe } from "./troupe";

/** Half of the widest tag, pixels. */
const HALF = 72;
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
    this.tags = new Map(
      drawn.map((file) => {
        const trouble = troupe.trouble(file.id);
        return [
          file.id,
          el(
            "button",
            {
              "data-tag": file.id,
              class: trouble ? "troubled" : "",
              "aria-pressed": String(file.id === target),
              title: trouble || t("chooseTarget", { name: file.name }),
              onclick: () => studio.choose(file.id),
            },
            this.name(file, trouble),
          ),
        ];
      }),
    );
    fill(byId("tags"), [...this.tags.values()]);
    // Neighbours' names do not cover each other.
    if (drawn.length === 0) return;
    const room = byId("tags").clientWidth / (drawn.length + 1);
    this.tags.forEach((tag) => (tag.style.maxWidth = `${Math.min(2 * HALF, Math.max(room, 60)).toFixed(0)}px`));
    if (focused !== undefined) this.tags.get(focused)?.focus();
    this.place();
  }

  /** What is not drawn as large as it is says so. */
  private name(file: GivenFile, trouble: string): string {
    const scale = this.troupe.puppet(file.id)?.group.scale.x ?? 1;
    const size = Math.abs(scale - 1) < 1e-6 ? "" : ` ×${scale.toPrecision(2)}`;
    return `${trouble ? "⚠ " : ""}${file.name}${size}`;
  }

  private place(): void {
    if (this.tags.size === 0) return;
    const width = byId("tags").clientWidth;
    for (const [id, tag] of this.tags) {
      const puppet = this.troupe.puppet(id);
      const found = puppet && this.stage.project(puppet.place(at).setY(0));
      tag.hidden = !found;
      if (found)
        tag.style.transform = `translate(-50%, 6px) translate(${Math.min(Math.max(found.x, HALF), width - HALF).toFixed(0)}px, ${found.y.toFixed(0)}px)`;
    }
  }
}
