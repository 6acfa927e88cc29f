// Panels side by side, of which one is seen.

import { t, type TextKey } from "../texts";
import { byId, el, fill, onlyWhenChanged } from "../ui/dom";
import { remember, remembered } from "../ui/remembered";

export interface Panel {
  key: TextKey;
  /** Fills its place anew. Called only while it is seen. */
  render: (place: HTMLElement) => void;
  /** What it shows; as long as that stays the same it is not made anew. */
  keys: () => readonly unknown[];
  /** Called when it comes into sight and when it goes. */
  open?: (isOpen: boolean) => void;
}

const KEY = "rebone-panel";

export function tabs(panels: readonly Panel[]): () => void {
  let chosen = panels.find((own) => own.key === remembered(KEY)) ?? panels[0];
  const body = el("div", { role: "tabpanel", id: "panel", tabindex: -1 });
  const heads = el("div", { role: "tablist" });
  let seen: Panel | undefined;
  const renderHeads = onlyWhenChanged(
    () => {
      fill(
        heads,
        panels.map((own, index) => {
          const isChosen = own === chosen;
          const head = el(
            "button",
            {
              role: "tab",
              id: `tab-${own.key}`,
              "aria-selected": String(isChosen),
              "aria-controls": "panel",
              tabindex: isChosen ? 0 : -1,
              onclick: () => choose(own),
            },
            t(own.key),
          );
          head.addEventListener("keydown", (event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            const next = panels[(index + step + panels.length) % panels.length];
            if (step === 0 || !next) return;
            choose(next);
            byId(`tab-${next.key}`).focus();
          });
          return head;
        }),
      );
    },
    () => [chosen],
  );
  const render = (): void => {
    if (!chosen) return;
    if (seen !== chosen) {
      seen?.open?.(false);
      seen = chosen;
      panels.forEach((own) => own !== chosen && own.open?.(false));
      chosen.open?.(true);
    }
    renderHeads();
    body.setAttribute("aria-labelledby", `tab-${chosen.key}`);
    const focused = body.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["focus"] : undefined;
    const scroll = body.scrollTop;
    chosen.render(body);
    body.scrollTop = scroll;
    // Who works with the keyboard keeps the place.
    if (focused !== undefined) body.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  const choose = (own: Panel): void => {
    chosen = own;
    remember(KEY, own.key);
    body.scrollTop = 0;
    render();
  };
  fill(byId("panels"), heads, body);
  return onlyWhenChanged(render, () => [chosen, ...(chosen?.keys() ?? [])]);
}
