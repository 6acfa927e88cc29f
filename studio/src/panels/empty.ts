// What a panel says that has nothing to show: what is missing, and how to give it.

import type { Side } from "rebone";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { byId, el, fill } from "../ui/dom";

/** The sides that have no file. */
function missing(studio: Studio): Side[] {
  const { source, target } = studio.document;
  return [...(source === null ? ["source" as const] : []), ...(target === null ? ["target" as const] : [])];
}

/** What a panel hangs on beside its own matters. */
export const missingKey = (studio: Studio): string => missing(studio).join();

/** What is missing and how to give it, for a person who came to a panel before there is anything in it. */
export function nothingYet(studio: Studio): HTMLElement {
  const sides = missing(studio);
  const text: TextKey =
    sides.length === 2 ? "needBoth" : sides[0] === "source" ? "needMotion" : sides[0] === "target" ? "needCharacter" : "notMade";
  return el(
    "div",
    { class: "nothing" },
    el("p", {}, t(text)),
    el(
      "div",
      { class: "downloads" },
      sides.map((side) =>
        el(
          "button",
          { class: "primary", "data-give": side, onclick: () => byId(`pick-${side}`).click() },
          t(side === "source" ? "chooseMotion" : "chooseCharacter"),
        ),
      ),
    ),
  );
}

/** A panel that needs both sides. */
export function needsPair(studio: Studio, isThere: () => boolean, render: (place: HTMLElement) => void): (place: HTMLElement) => void {
  return (place) => (missing(studio).length > 0 || !isThere() ? fill(place, nothingYet(studio)) : render(place));
}
