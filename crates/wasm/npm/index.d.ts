import type { InitInput } from "./rebone.js";

export * from "./rebone.js";

/** Loads the engine, once. Everything else works after that. `source` is its address, response, bytes or module where it lies elsewhere. */
export function load(source?: InitInput | Promise<InitInput>): Promise<void>;

/** Characters and motions that are part of the package. */
export const samples: readonly { readonly name: string; readonly role: "source" | "target" }[];

/** The bytes of a sample. */
export function sample(name: string): Promise<Uint8Array>;
