// The package in Node.js: the same, read from the disk.
import { readFile } from "node:fs/promises";
import { initSync } from "./rebone.js";
import { samples } from "./samples.js";

export * from "./rebone.js";
export { samples };

let loading;

/** Loads the engine, once; `source` is its bytes or module where it lies elsewhere. */
export function load(source) {
  loading ??= (async () => {
    const module = source ?? (await readFile(new URL("./rebone_bg.wasm", import.meta.url)));
    initSync({ module });
  })();
  return loading;
}

/** The bytes of a sample. */
export async function sample(name) {
  if (!samples.some((known) => known.name === name)) throw new Error(`there is no sample "${name}"`);
  return new Uint8Array(await readFile(new URL(`./samples/${name}`, import.meta.url)));
}
