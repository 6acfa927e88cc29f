// A second engine, in a thread of its own, for what takes long: the page's engine stays free for the work at hand.

import type { OpenOptions } from "rebone";
import type { GivenFile } from "../document";
import { keyOf } from "../files/store";
import type { Studio } from "../studio";
import { Engine } from "./client";
import type { Pair } from "./protocol";

/** The work was ended by a person. Nothing is wrong. */
export class Ended extends Error {}

export class Workshop {
  private engine: Engine | null = null;
  private end: (() => void) | null = null;

  constructor(private readonly studio: Studio) {}

  /** Does work with an engine that nobody else uses. Where none can be started, as without its server, the page's own does it. */
  async run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    this.close();
    const own = new Engine();
    this.engine = own;
    const ended = new Promise<never>((_, fail) => {
      this.end = () => fail(new Ended());
    });
    const isUp = await Promise.race([
      own.call("samples", null).then(
        () => true,
        () => false,
      ),
      ended,
    ]);
    try {
      return await Promise.race([work(isUp ? own : this.studio.engine), ended]);
    } finally {
      own.close();
      if (this.engine === own) this.engine = null;
    }
  }

  /** Ends the work at once. */
  close(): void {
    this.end?.();
    this.engine?.close();
    this.engine = null;
    this.end = null;
  }
}

/** Opens the present pair in another engine, with meshes for pictures. */
export async function openPair(engine: Engine, studio: Studio): Promise<Pair> {
  const { source, target } = studio.shown;
  const pair = await studio.pair();
  if (!source || !target) return pair;
  const keys: string[] = [];
  for (const file of [source.file, target.file]) keys.push(await openIn(engine, studio, file, { meshes: true }));
  const [first = pair.source, second = pair.target] = keys;
  return { ...pair, source: first, target: second };
}

/** Opens a file in an engine, beside what the page has of it; says its key. */
export async function openIn(engine: Engine, studio: Studio, file: GivenFile, options: OpenOptions): Promise<string> {
  const bytes = studio.store.bytesOf(file.id);
  if (!bytes) throw new Error(`${file.name} is not here any more; open it again`);
  const key = `workshop:${keyOf(file.id, file.role)}`;
  await engine.call("open", {
    key,
    bytes,
    options: { name: file.name, role: file.role, files: Object.fromEntries(studio.store.besideOf(file)), ...options },
  });
  return key;
}
