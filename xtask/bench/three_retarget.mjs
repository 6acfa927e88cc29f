// The peer of the bench: three.js reads two GLBs, retargets the first clip of one onto the other with
// SkeletonUtils.retargetClip, and writes a GLB with the result.
//
// usage: node xtask/bench/three_retarget.mjs SOURCE.glb TARGET.glb SETTINGS.json OUT.glb
//
// three is looked for in the folder named by the environment variable REBONE_NODE_MODULES (a folder with
// node_modules in it, or a node_modules folder), else in the working directory.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const home = resolve(process.env.REBONE_NODE_MODULES ?? ".");
const modules = existsSync(join(home, "node_modules")) ? join(home, "node_modules") : home;
const load = (path) => import(pathToFileURL(join(modules, "three", path)).href);

// The exporter wants the browser's way of reading a blob.
globalThis.FileReader = class {
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then((buffer) => {
      this.result = buffer;
      this.onloadend?.();
    });
  }
};

const [sourcePath, targetPath, settingsPath, outPath] = process.argv.slice(2);
const [{ Matrix4, PropertyBinding, Quaternion }, { GLTFLoader }, { GLTFExporter }, { retargetClip }] = await Promise.all([
  load("build/three.module.js"),
  load("examples/jsm/loaders/GLTFLoader.js"),
  load("examples/jsm/exporters/GLTFExporter.js"),
  load("examples/jsm/utils/SkeletonUtils.js"),
]);

async function read(path) {
  const bytes = await readFile(path);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const file = await new GLTFLoader().parseAsync(buffer, "");
  let skinned;
  file.scene.traverse((node) => {
    if (node.isSkinnedMesh) skinned = node;
  });
  if (!skinned) throw new Error(`${path} holds no skinned mesh`);
  return { file, skinned };
}

const source = await read(sourcePath);
const target = await read(targetPath);
const settings = JSON.parse(await readFile(settingsPath, "utf8"));

const names = {};
const localOffsets = {};
for (const joint of settings.joints) {
  const name = PropertyBinding.sanitizeNodeName(joint.target);
  names[name] = PropertyBinding.sanitizeNodeName(joint.source);
  localOffsets[name] = new Matrix4().makeRotationFromQuaternion(new Quaternion(...joint.offset));
}

const clip = retargetClip(target.skinned, source.skinned, source.file.animations[0], {
  names,
  localOffsets,
  hip: PropertyBinding.sanitizeNodeName(settings.hip),
  useFirstFramePosition: false,
});
// Its tracks address bones through the mesh; a file addresses nodes.
for (const track of clip.tracks) {
  track.name = track.name.replace(/^\.bones\[(.+)\]/, "$1");
}
target.skinned.skeleton.pose();

const written = await new GLTFExporter().parseAsync(target.file.scene, {
  binary: true,
  animations: [clip],
});
await writeFile(outPath, new Uint8Array(written));
