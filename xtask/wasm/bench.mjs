// Times of one clip in this JavaScript engine: the package, and three.js's SkeletonUtils.retargetClip, in turns in one process; only the
// retarget, without reading and writing. Medians, milliseconds, as one line of JSON.
//
// usage: node xtask/wasm/bench.mjs SOURCE.glb TARGET.glb SETTINGS.json [ROUNDS]
//
// Environment: REBONE_PACKAGE, the package's folder; REBONE_NODE_MODULES, a folder with three.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const given = resolve(process.env.REBONE_NODE_MODULES ?? ".");
const modules = existsSync(join(given, "node_modules")) ? join(given, "node_modules") : given;
const load = (path) => import(pathToFileURL(join(modules, "three", path)).href);
const [{ Matrix4, PropertyBinding, Quaternion }, { GLTFLoader }, { retargetClip }] = await Promise.all([
  load("build/three.module.js"),
  load("examples/jsm/loaders/GLTFLoader.js"),
  load("examples/jsm/utils/SkeletonUtils.js"),
]);
const rebone = await import(pathToFileURL(join(resolve(process.env.REBONE_PACKAGE), "node.js")));

const [sourcePath, targetPath, settingsPath, rounds = "9"] = process.argv.slice(2);
const [sourceBytes, targetBytes] = [sourcePath, targetPath].map((path) => new Uint8Array(readFileSync(path)));
const settings = JSON.parse(readFileSync(settingsPath, "utf8"));

async function skinned(bytes) {
  const file = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
  let found;
  file.scene.traverse((node) => {
    if (node.isSkinnedMesh) found = node;
  });
  return { found, clip: file.animations[0] };
}

const source = await skinned(sourceBytes);
const target = await skinned(targetBytes);
const names = {};
const localOffsets = {};
for (const joint of settings.joints) {
  const name = PropertyBinding.sanitizeNodeName(joint.target);
  names[name] = PropertyBinding.sanitizeNodeName(joint.source);
  localOffsets[name] = new Matrix4().makeRotationFromQuaternion(new Quaternion(...joint.offset));
}
const options = { names, localOffsets, hip: PropertyBinding.sanitizeNodeName(settings.hip), useFirstFramePosition: false };

const begin = performance.now();
await rebone.load();
const loading = performance.now() - begin;
const time = (job) => {
  const start = performance.now();
  job();
  return performance.now() - start;
};
const times = { open: [], plain: [], full: [], write: [], three: [] };
for (let round = 0; round < Number(rounds); round += 1) {
  let rigs;
  times.open.push(time(() => {
    rigs = [
      rebone.Rig.open(sourceBytes, { name: "source.glb" }),
      rebone.Rig.open(targetBytes, { name: "target.glb", role: "target" }),
    ];
  }));
  const session = new rebone.Session(...rigs);
  times.full.push(time(() => session.retarget()));
  times.write.push(time(() => session.write("glb")));
  // What three.js does: turns alone, no feet and no hands.
  session.setRecipe("feet = false\n[hands]\nmode = \"off\"\n");
  times.plain.push(time(() => session.retarget()));
  times.three.push(time(() => retargetClip(target.found, source.found, source.clip, options)));
  session.free();
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const medians = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.round(median(list) * 10) / 10]));
console.log(JSON.stringify({ loading: Math.round(loading), ...medians }));
