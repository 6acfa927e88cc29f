// Browsers make code fast while it is used. An FBX is read by code that nothing has used before the first one comes; so that this is read as
// fast as the second, the engine reads one of its own making, while nobody asks it for anything.

import type { Studio } from "../studio";

/** Nothing is asked for so long before each step, milliseconds. */
const QUIET_MS = 1500;
const PAUSE_MS = 40;
/** How often the file is read: browsers count. */
const TIMES = 3;
const SOURCE = "walk.bvh";
const TARGET = "chibi.vrm";
const RATE = 60;

/** Waits until nobody has asked for anything for a while. */
async function quiet(studio: Studio, milliseconds: number): Promise<void> {
  for (let rest = milliseconds; rest > 0; rest = studio.isSettled ? rest - PAUSE_MS : QUIET_MS)
    await new Promise((done) => setTimeout(done, PAUSE_MS));
}

/** Fails where the engine does. */
export async function warmUp(studio: Studio): Promise<void> {
  const { engine } = studio;
  await quiet(studio, QUIET_MS);
  const keys = { source: "warm:source", target: "warm:target" };
  try {
    for (const [role, name] of [
      ["source", SOURCE],
      ["target", TARGET],
    ] as const) {
      await engine.call("open", { key: keys[role], bytes: await engine.call("sample", { name }), options: { name, role } });
      await quiet(studio, PAUSE_MS);
    }
    const pair = { ...keys, recipe: "" };
    const { result } = await engine.call("retarget", { pair, clips: [], rate: RATE });
    await quiet(studio, PAUSE_MS);
    const { bytes } = await engine.call("write", { pair, clips: result.clips.map((clip) => clip.name), format: "fbx" });
    for (let time = 0; time < TIMES; time++) {
      await quiet(studio, PAUSE_MS);
      const { clips } = await engine.call("open", { key: keys.source, bytes, options: { name: "own.fbx", role: "source" } });
      await engine.call("own", { key: keys.source, clip: clips[0]?.name ?? null, rate: RATE });
    }
  } finally {
    for (const key of Object.values(keys)) await engine.call("close", { key });
  }
}
