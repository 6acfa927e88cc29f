// Plays a re-based character and a retargeted one in three.js and prints how far their skinned vertices are apart.
//
// usage: node xtask/skinned_vertices.mjs REQUEST.json
//
// The request is a list of
//   {"rebound": "a.glb", "retargeted": "b.glb", "source": "c.glb", "clip": "walk", "times": [0, 0.5]}
// For each entry one JSON line is printed:
//   {"vertices": 4000, "meshes": 3, "unmatched": 0, "tracks": 60, "height": 1.7, "worst": 1e-6, "mean": 1e-7,
//    "moved": 0.8}
// "worst" and "mean" are distances in metres over all times. With "source" only the keys of rotation come from
// that file, by the names of its nodes; the hips' place is the re-based file's own. Without it the re-based
// file's own clip is played. Meshes are matched by their vertices in the bind pose.
//
// Materials are left out before loading. The package three is looked for in the folder named by the environment
// variable REBONE_NODE_MODULES (a folder with node_modules in it), else in the working directory.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const home = join(resolve(process.env.REBONE_NODE_MODULES ?? "."), "node_modules");
const load = (path) => import(pathToFileURL(join(home, path)).href);

const THREE = await load("three/build/three.module.js");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");

/** A GLB without anything that needs a picture. */
function withoutPictures(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 20 + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, end)));
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  delete json.extensions;
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(20 + padded + bytes.length - end).fill(0x20);
  const head = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded, 0x4e4f534a].forEach((word, index) => head.setUint32(4 * index, word, true));
  out.set(text, 20);
  out.set(bytes.subarray(end), 20 + padded);
  return out.buffer;
}

const open = async (path) => new GLTFLoader().parseAsync(withoutPictures(new Uint8Array(await readFile(path))), "");

function skinnedMeshes(gltf) {
  const meshes = [];
  gltf.scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
  return meshes;
}

function same(one, two) {
  const [a, b] = [one.geometry.attributes.position, two.geometry.attributes.position];
  if (a.count !== b.count) return false;
  const size = new THREE.Box3().setFromBufferAttribute(a).getSize(new THREE.Vector3()).length();
  const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let index = 0; index < a.count; index++) {
    if (p.fromBufferAttribute(a, index).distanceTo(q.fromBufferAttribute(b, index)) > 1e-6 * size) return false;
  }
  return true;
}

/** The clip that drives the re-based character. */
function driving(rebound, source, name) {
  const own = rebound.animations.find((clip) => clip.name === name) ?? rebound.animations[0];
  if (!source) return own;
  const raw = source.animations.find((clip) => clip.name === name) ?? source.animations[0];
  const nodes = new Set();
  rebound.scene.traverse((object) => nodes.add(object.name));
  const tracks = own.tracks.filter((track) => track.name.endsWith(".position"));
  for (const track of raw.tracks.filter((each) => each.name.endsWith(".quaternion"))) {
    const joint = track.name.slice(0, -".quaternion".length);
    // Copies of a joint have a number behind the name.
    for (let copy = 1, node = joint; copy === 1 || nodes.has(node); node = `${joint}_${++copy}`) {
      if (!nodes.has(node)) continue;
      const driven = track.clone();
      driven.name = `${node}.quaternion`;
      tracks.push(driven);
    }
  }
  return new THREE.AnimationClip("raw", -1, tracks);
}

function player(gltf, clip) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  return (time) => {
    action.reset().play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
  };
}

async function compare({ rebound, retargeted, source, clip, times }) {
  const [one, two] = [await open(rebound), await open(retargeted)];
  const driven = driving(one, source ? await open(source) : null, clip);
  const wanted = two.animations.find((each) => each.name === clip) ?? two.animations.at(-1);
  const plays = [player(one, driven), player(two, wanted)];
  const left = skinnedMeshes(one);
  const pairs = [];
  let unmatched = 0;
  for (const mesh of skinnedMeshes(two)) {
    const found = left.findIndex((other) => same(other, mesh));
    if (found < 0) unmatched++;
    else pairs.push([left.splice(found, 1)[0], mesh]);
  }
  const vertices = pairs.reduce((sum, [mesh]) => sum + mesh.geometry.attributes.position.count, 0);
  const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
  const box = new THREE.Box3();
  const first = [];
  let [worst, sum, moved] = [0, 0, 0];
  for (const [frame, time] of times.entries()) {
    for (const play of plays) play(time);
    let at = 0;
    for (const [mine, theirs] of pairs) {
      for (let index = 0; index < mine.geometry.attributes.position.count; index++) {
        mine.getVertexPosition(index, p).applyMatrix4(mine.matrixWorld);
        theirs.getVertexPosition(index, q).applyMatrix4(theirs.matrixWorld);
        const apart = p.distanceTo(q);
        worst = Math.max(worst, apart);
        sum += apart;
        if (frame === 0) {
          box.expandByPoint(q);
          first.push(q.clone());
        } else {
          moved = Math.max(moved, q.distanceTo(first[at]));
        }
        at++;
      }
    }
  }
  const size = box.getSize(new THREE.Vector3());
  return {
    vertices,
    meshes: pairs.length,
    unmatched,
    tracks: driven.tracks.length,
    height: Math.max(size.x, size.y, size.z),
    worst,
    mean: sum / (vertices * times.length),
    moved,
  };
}

const [path] = process.argv.slice(2);
if (!path) {
  console.error("usage: node xtask/skinned_vertices.mjs REQUEST.json");
  process.exit(2);
}
console.warn = () => {};
for (const request of JSON.parse(await readFile(path, "utf8"))) {
  console.log(JSON.stringify(await compare(request)));
}
