// Plays animations as a browser would and prints where joints are: VRM avatars in @pixiv/three-vrm, VRM
// animations through @pixiv/three-vrm-animation, clips inside of a file by three.js itself.
//
// usage: node xtask/play_vrm.mjs REQUEST.json
//
// The request is a list of
//   {"avatar": "a.vrm", "animation": "b.vrma", "clip": "walk", "times": [0, 0.5], "joints": ["hips"]}
// Without "animation" a clip of the avatar's own file is played: the one of that name, or the last.
// "joints" are VRM's names of human bones. For each entry one JSON line is printed:
//   {"version": "1", "duration": 1.5, "joints": {"hips": [[x, y, z], ...]},
//    "expressions": {"happy": [0, ...]}, "morphs": {"Face": [[w, ...], ...]}}
// with places in metres in the file's own axes, one a time.
//
// Materials and images are left out before loading, for there is nothing to draw with. Packages (three,
// @pixiv/three-vrm, @pixiv/three-vrm-animation) are looked for in the folder named by the environment
// variable REBONE_NODE_MODULES (a folder with node_modules in it), else in the working directory.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const home = join(resolve(process.env.REBONE_NODE_MODULES ?? "."), "node_modules");
const load = (path) => import(pathToFileURL(join(home, path)).href);

const THREE = await load("three/build/three.module.js");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { VRMLoaderPlugin } = await load("@pixiv/three-vrm/lib/three-vrm.module.js");
const { VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy, createVRMAnimationClip } = await load(
  "@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js",
);

const CHUNK_BIN = 0x004e4942;

/** JSON and binary chunk of a GLB. */
function split(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonEnd = 20 + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, jsonEnd)));
  const hasBin = bytes.length >= jsonEnd + 8 && view.getUint32(jsonEnd + 4, true) === CHUNK_BIN;
  return { json, bin: hasBin ? bytes.subarray(jsonEnd + 8, jsonEnd + 8 + view.getUint32(jsonEnd, true)) : null };
}

/** A GLB without anything that needs a picture. */
function withoutPictures(bytes) {
  const { json, bin } = split(bytes);
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  const { VRM: old, VRMC_vrm: current } = json.extensions ?? {};
  if (old) {
    old.materialProperties = [];
    delete old.meta?.texture;
    for (const group of old.blendShapeMaster?.blendShapeGroups ?? []) delete group.materialValues;
  }
  if (current) {
    delete current.meta?.thumbnailImage;
    const { preset, custom } = current.expressions ?? {};
    for (const expression of [...Object.values(preset ?? {}), ...Object.values(custom ?? {})]) {
      delete expression.materialColorBinds;
      delete expression.textureTransformBinds;
    }
  }
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const total = 20 + padded + (bin ? 8 + bin.length : 0);
  const out = new Uint8Array(total).fill(0x20);
  const view = new DataView(out.buffer);
  [0x46546c67, 2, total, padded, 0x4e4f534a].forEach((word, index) => view.setUint32(4 * index, word, true));
  out.set(text, 20);
  if (bin) {
    view.setUint32(20 + padded, bin.length, true);
    view.setUint32(24 + padded, CHUNK_BIN, true);
    out.set(bin, 28 + padded);
  }
  return out.buffer;
}

async function open(path) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  return loader.parseAsync(withoutPictures(new Uint8Array(await readFile(path))), "");
}

async function play({ avatar, animation, clip: name, times, joints }) {
  const gltf = await open(avatar);
  const { vrm } = gltf.userData;
  if (!vrm) throw new Error(`${avatar} is no VRM avatar`);
  let clip;
  if (animation) {
    const { vrmAnimations } = (await open(animation)).userData;
    if (!vrmAnimations?.length) throw new Error(`${animation} is no VRM animation`);
    if (vrm.lookAt) {
      const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt);
      proxy.name = "lookAtQuaternionProxy";
      vrm.scene.add(proxy);
    }
    clip = createVRMAnimationClip(vrmAnimations[0], vrm);
  } else {
    clip = gltf.animations.find((each) => each.name === name) ?? gltf.animations.at(-1);
    if (!clip) throw new Error(`${avatar} has no animation`);
  }
  const mixer = new THREE.AnimationMixer(vrm.scene);
  const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  const found = { version: vrm.meta.metaVersion, duration: clip.duration, joints: {}, expressions: {}, morphs: {} };
  const place = new THREE.Vector3();
  const push = (list, key, value) => {
    list[key] ??= [];
    list[key].push(value);
  };
  for (const time of times) {
    action.reset().play();
    mixer.setTime(time);
    if (animation) {
      vrm.humanoid.update();
      vrm.expressionManager?.update();
    }
    vrm.scene.updateMatrixWorld(true);
    for (const joint of joints) {
      const node = vrm.humanoid.getRawBoneNode(joint);
      if (node) push(found.joints, joint, node.getWorldPosition(place).toArray());
    }
    for (const expression of vrm.expressionManager?.expressions ?? []) {
      push(found.expressions, expression.expressionName, expression.weight);
    }
    vrm.scene.traverse((object) => {
      if (object.morphTargetInfluences) push(found.morphs, object.name, [...object.morphTargetInfluences]);
    });
  }
  return found;
}

const [path] = process.argv.slice(2);
if (!path) {
  console.error("usage: node xtask/play_vrm.mjs REQUEST.json");
  process.exit(2);
}
console.warn = () => {};
for (const request of JSON.parse(await readFile(path, "utf8"))) {
  console.log(JSON.stringify(await play(request)));
}
