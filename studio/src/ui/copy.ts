// Text for another program. Pages without a certificate have no clipboard of their own, but may copy what is selected.

import { el } from "./dom";

export async function copy(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const focused = document.activeElement;
  const area = el("textarea", { "aria-hidden": "true", class: "copied" });
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isDone) throw new Error(text);
}
