// Hands a file to the browser, which saves it where the person says.

import { t } from "../texts";
import { el } from "./dom";
import { note } from "./notices";

export function download(name: string, content: Uint8Array | string | Blob, type: string): void {
  const blob = content instanceof Blob ? content : new Blob([content as BlobPart], { type });
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  note(t("saved", { name }));
}

export const stem = (name: string): string => name.replace(/\.[^.]*$/, "");
/** A name that every system takes. */
export const safe = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, "_");
