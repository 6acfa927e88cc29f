// The engine, in a thread of its own: one request after the other, those that became needless left out.

import address from "rebone/rebone_bg.wasm?url";
import { load, Rig, Session, formatOf, recipeToJson, recipeToToml, sample, samples } from "rebone";
import type { ClipCurves, Side } from "rebone";
import type { CallName, Calls, MadeClip, Pair, Poses, Reply, Request, Trouble } from "./protocol";

/** Numbers of poses that one clip may take; above it frames are taken more rarely. */
const MOST_NUMBERS = 24_000_000;
const NUMBERS_A_NODE = 10;

const rigs = new Map<string, Rig>();
/** Sessions that are kept; the one that was not used longest gives way. */
const MOST_SESSIONS = 8;

interface Kept {
  pair: Pair;
  session: Session;
  /** Which clips it holds results of. */
  made: string;
}

/** The one used last comes last. */
const sessions = new Map<string, Kept>();
const waiting: Request[] = [];
let busy = false;
const engine = load(new URL(address, import.meta.url));
// Who asks for anything is told why it cannot be had.
engine.catch(() => {});

function rig(key: string): Rig {
  const found = rigs.get(key);
  if (!found) throw new Error(`no rig is open as "${key}"`);
  return found;
}

/** Ends the sessions of a rig. */
function forget(key: string): void {
  for (const [name, own] of sessions) {
    if (own.pair.source !== key && own.pair.target !== key) continue;
    own.session.free();
    sessions.delete(name);
  }
}

function kept(pair: Pair): Kept {
  const name = JSON.stringify([pair.source, pair.target, pair.variant ?? ""]);
  const own = sessions.get(name) ?? { pair: { ...pair, recipe: "" }, session: new Session(rig(pair.source), rig(pair.target)), made: "" };
  sessions.delete(name);
  sessions.set(name, own);
  for (const [oldest, { session }] of sessions) {
    if (sessions.size <= MOST_SESSIONS) break;
    session.free();
    sessions.delete(oldest);
  }
  if (own.pair.recipe !== pair.recipe) {
    own.session.setRecipe(pair.recipe);
    own.pair = pair;
    own.made = "";
  }
  return own;
}

const session = (pair: Pair): Session => kept(pair).session;

/** A session that holds results of exactly these clips; of all where the list is empty. */
function done(pair: Pair, clips: string[]): Session {
  const own = kept(pair);
  const wanted = JSON.stringify(clips);
  if (own.made !== wanted) {
    own.session.retarget(clips);
    own.made = wanted;
  }
  return own.session;
}

function posesOf(
  nodes: number,
  clip: { start: number; seconds: number },
  rate: number,
  take: (rate: number) => Float32Array,
  curves: (rate: number) => ClipCurves,
): Poses {
  const most = MOST_NUMBERS / Math.max(1, nodes * NUMBERS_A_NODE) / Math.max(clip.seconds, 1 / rate);
  const used = Math.min(rate, most);
  const numbers = take(used);
  return { start: clip.start, rate: used, frames: Math.round(numbers.length / (nodes * NUMBERS_A_NODE)), numbers, curves: curves(used) };
}

const nodeCounts = new Map<string, number>();

function madePoses({ target }: Pair, own: Session, clip: MadeClip, rate: number): Poses {
  return posesOf(
    nodeCounts.get(target) ?? 0,
    clip,
    rate,
    (used) => own.poses("target", clip.name, used, "local"),
    (used) => own.curves("target", clip.name, used),
  );
}

const answers: { [C in CallName]: (ask: Calls[C]["ask"]) => Calls[C]["answer"] | Promise<Calls[C]["answer"]> } = {
  open({ key, bytes, options }) {
    const opened = Rig.open(bytes, options);
    const description = opened.describe();
    forget(key);
    rigs.get(key)?.free();
    rigs.set(key, opened);
    nodeCounts.set(key, description.nodes.length);
    return description;
  },
  close({ key }) {
    forget(key);
    rigs.get(key)?.free();
    rigs.delete(key);
    nodeCounts.delete(key);
    return null;
  },
  format: ({ bytes }) => formatOf(bytes),
  sample: ({ name }) => sample(name),
  samples: () => samples.map((own) => ({ ...own })),
  own({ key, clip, rate }) {
    const nodes = nodeCounts.get(key) ?? 0;
    if (clip === null) return { start: 0, rate: 1, frames: 1, numbers: rig(key).pose(null, 0, "local") };
    const about = rig(key)
      .describe()
      .clips.find((own) => own.name === clip);
    return posesOf(
      nodes,
      about ?? { start: 0, seconds: 0 },
      rate,
      (used) => rig(key).poses(clip, used, "local"),
      (used) => rig(key).curves(clip, used),
    );
  },
  meshes: ({ key }) => rig(key).meshes(),
  map: (pair) => session(pair).map(),
  align: (pair) => session(pair).align(),
  stand(pair) {
    const own = session(pair);
    const one = (side: Side): Poses => ({ start: 0, rate: 1, frames: 1, numbers: own.retargetPose(side, "local") });
    return { about: own.align(), source: one("source"), target: one("target") };
  },
  turned: ({ pair, side, slot, by, axes }) => session(pair).turnedSlot(side, slot, Float32Array.from(by), axes),
  mirrored: ({ pair, side, slot }) => session(pair).mirroredSlot(side, slot),
  t_pose: ({ pair, side, slots }) => session(pair).tPose(side, slots),
  pin_place: ({ pair, clip, end, seconds }) => done(pair, [clip]).pinPlace(end, clip, seconds),
  slot_limits: (pair) => session(pair).slotLimits(),
  check_recipe({ pair, text }) {
    const recipe = recipeToJson(text);
    if (!pair) return recipe;
    const trial = new Session(rig(pair.source), rig(pair.target));
    try {
      trial.setRecipe(text);
      // Names of slots and joints are looked at when a pair is compiled.
      trial.writePlan();
      return recipe;
    } catch (error) {
      if ((error as Partial<Trouble>).code === "recipe" || (error as Partial<Trouble>).code === "request") throw error;
      // What else keeps the pair from going together is said where it is used.
      return recipe;
    } finally {
      trial.free();
    }
  },
  retarget({ pair, clips, rate }) {
    const { session: own } = kept(pair);
    const result = own.retarget(clips);
    kept(pair).made = JSON.stringify(clips);
    return { result, target: result.clips.map((clip) => madePoses(pair, own, clip, rate)) };
  },
  poses({ pair, clips, made, rate }) {
    return madePoses(pair, done(pair, clips), made, rate);
  },
  judge({ pair, clip }) {
    const own = done(pair, [clip]);
    return { report: own.report(clip), series: own.series(clip) };
  },
  write({ pair, clips, format }) {
    const { bytes, warnings } = done(pair, clips).write(format);
    return { bytes, remarks: warnings.map((own) => own.message) };
  },
  deliver({ pair, clip, format }) {
    const own = kept(pair);
    const [made] = own.session.retarget([clip]).clips;
    own.made = JSON.stringify([clip]);
    if (!made) throw new Error(`no clip is called "${clip}"`);
    const { bytes, warnings } = own.session.write(format);
    return { report: made.report, bytes, remarks: warnings.map((warning) => warning.message) };
  },
  plan({ pair }) {
    const { bytes, warnings } = session(pair).writePlan();
    return { bytes, remarks: warnings.map((own) => own.message) };
  },
  gif: ({ pair, clip, options }) => done(pair, [clip]).gif(clip, options),
  page: ({ pair, clips }) => done(pair, clips).reportPage(),
  recipe: (pair) => session(pair).recipe(),
  toml: ({ json }) => recipeToToml(json),
  command: ({ pair, output }) => session(pair).commandLine(output),
  read_recipe({ pair, text }) {
    try {
      return recipeToJson(text);
    } catch (error) {
      if (!pair) throw error;
      // Maps of other tools need the rigs; the engine says what is wrong with a text that is neither.
      const trial = new Session(rig(pair.source), rig(pair.target));
      try {
        trial.setRecipe(text);
        return recipeToJson(trial.recipe());
      } finally {
        trial.free();
      }
    }
  },
};

function trouble(error: unknown): Trouble {
  const own = error as Partial<Trouble> & { message?: string };
  const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  return { code: own.code ?? (isTrap ? "internal" : "page"), message: own.message ?? String(error), remedy: own.remedy ?? "" };
}

/** What of an answer is handed over instead of copied: the arrays of bytes and numbers in it. */
function handed(answer: unknown, depth = 0): Transferable[] {
  if (answer instanceof Float32Array || answer instanceof Uint8Array) return [answer.buffer as ArrayBuffer];
  if (answer === null || typeof answer !== "object" || depth === 3) return [];
  return Object.values(answer).flatMap((inner) => handed(inner, depth + 1));
}

function reply(message: Reply, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let request = waiting.shift(); request; request = waiting.shift()) {
    try {
      await engine;
      const run = answers[request.call] as (ask: unknown) => unknown;
      const answer = await run(request.ask);
      reply({ id: request.id, answer }, handed(answer));
    } catch (error) {
      reply({ id: request.id, trouble: trouble(error) });
    }
    // Lets newer requests come in, so that they can make waiting ones needless.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  busy = false;
}

self.onmessage = ({ data }: MessageEvent<Request>) => {
  if (data.lane !== null) {
    for (let at = waiting.length - 1; at >= 0; at--) {
      const other = waiting[at];
      if (other && other.lane === data.lane) {
        waiting.splice(at, 1);
        reply({ id: other.id, stale: true });
      }
    }
  }
  waiting.push(data);
  void work();
};
