// Keys that work anywhere on the page but in fields for text and lists.

import type { Clock } from "./clock";

export interface KeyActions {
  clock: Clock;
  undo: () => void;
  redo: () => void;
  frameAll: () => void;
  /** By key. */
  others?: Readonly<Record<string, () => void>>;
}

export function listen({ clock, undo, redo, frameAll, others }: KeyActions): void {
  addEventListener("keydown", (event) => {
    const place = event.target instanceof HTMLElement ? event.target : null;
    const isText = place?.matches("input:not([type=range]):not([type=checkbox]), textarea, [contenteditable]") ?? false;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !isText && (key === "z" || key === "y")) {
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
      return;
    }
    if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
    // Buttons, boxes and tabs take the space key themselves, lists the arrows.
    const takesSpace = place?.matches("button, select, input[type=checkbox], summary, a, [role=tab]") ?? false;
    // A list is gone through by the letters that its words begin with.
    const takesLetters = place?.matches("select") ?? false;
    const takesArrows = place?.matches("select, [role=tab], input[type=range]:not(#scrub)") ?? false;
    const actions: Record<string, () => void> = {
      ...(takesSpace ? {} : { " ": () => clock.toggle() }),
      ...(takesArrows
        ? {}
        : {
            arrowleft: () => clock.step(event.shiftKey ? -10 : -1),
            arrowright: () => clock.step(event.shiftKey ? 10 : 1),
            home: () => clock.go(clock.start),
            end: () => clock.go(clock.end),
          }),
      ...(takesLetters ? {} : { f: frameAll, ...others }),
    };
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
