// The package in browsers and workers.
import init from "./rebone.js";
import { samples } from "./samples.js";

export * from "./rebone.js";
export { samples };

/** Loads the engine, once; `source` is its address, response, bytes or module where it lies elsewhere. */
export async function load(source) {
  await init({ module_or_path: source ?? new URL("./rebone_bg.wasm", import.meta.url) });
}

/** The bytes of a sample. */
export async function sample(name) {
  const response = await fetch(new URL(`./samples/${name}`, import.meta.url));
  if (!response.ok) throw new Error(`there is no sample "${name}"`);
  return new Uint8Array(await response.arrayBuffer());
}
