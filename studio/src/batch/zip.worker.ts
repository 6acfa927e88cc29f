// Packs files into a zip in a thread of its own. Entries come one by one; the packed pieces become blobs, which browsers keep off the heap.

import { Zip, ZipDeflate } from "fflate";

export type ZipRequest = { name: string; bytes: Uint8Array } | { end: true };
export type ZipReply = { packed: number } | { blob: Blob } | { error: string };

/** Meshes and keys hardly get smaller by more effort. */
const LEVEL = 3;

let parts: Blob[] = [];
let packed = 0;
const zip = new Zip();
zip.ondata = (error, piece) => {
  if (error) postMessage({ error: error.message } satisfies ZipReply);
  else parts.push(new Blob([piece as BlobPart]));
};

self.onmessage = ({ data }: MessageEvent<ZipRequest>) => {
  if ("end" in data) {
    zip.end();
    postMessage({ blob: new Blob(parts, { type: "application/zip" }) } satisfies ZipReply);
    parts = [];
    return;
  }
  const entry = new ZipDeflate(data.name, { level: LEVEL });
  // The same input gives the same zip.
  entry.mtime = new Date(1980, 0, 1);
  zip.add(entry);
  entry.push(data.bytes, true);
  postMessage({ packed: ++packed } satisfies ZipReply);
};
