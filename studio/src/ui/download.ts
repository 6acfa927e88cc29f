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
/** Bytes of a name at most: systems take 255, with what is put behind it. */
const LONGEST = 120;
/** Names that mean devices to Windows, with whatever end. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name that every system takes. The end of a long one, with its extension, stays. */
export function safe(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+|\.+$/g, "_");
  const end = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? "";
  const length = (text: string): number => new TextEncoder().encode(text).length;
  const start = [...plain.slice(0, plain.length - end.length)];
  while (length(start.join("")) + length(end) > LONGEST) start.pop();
  const own = `${start.join("")}${end}`;
  return own === "" || DEVICES.test(own) ? `_${own}` : own;
}
