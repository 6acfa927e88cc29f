// The look of a character: its file drawn by three.js and three-vrm, posed from outside.

import { type Material, type Mesh, type Object3D, LoadingManager, type ShaderMaterial, type SkinnedMesh, type Texture } from "three";
import { GLTFLoader, type GLTF } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { VRMLoaderPlugin, type VRM } from "@pixiv/three-vrm";
import type { RigDescription } from "rebone";
import { decoded, partOf } from "../files/parts";
import type { OpenedFile } from "../files/store";
import { others } from "../ui/pauses";

export interface Look {
  root: Object3D;
  /** Where each of the engine's nodes is in the picture; none where the file's picture lacks it. */
  nodes: (Object3D | null)[];
  vrm: VRM | null;
  /** Meshes with morph targets, by the place of their node in the file. */
  morphs: ReadonlyMap<number, Mesh[]>;
}

/** Formats that three.js draws. */
export const isDrawn = (format: string): boolean => ["glb", "gltf", "vrm"].includes(format.toLowerCase());
/** Formats that have meshes, of which the engine reads those that three.js does not. Others are shown as skeletons. */
export const hasMeshes = ({ description, bytes }: Pick<OpenedFile, "description" | "bytes">): boolean =>
  isDrawn(description.format) || (description.format.toLowerCase() === "fbx" && says(bytes, "Vertices"));

/** Bytes that are looked through together. */
const CHUNK = 1 << 20;

/** Whether a word stands in a file. An FBX calls the vertices of every mesh by theirs; reading a motion's meshes to find none takes long. */
function says(bytes: Uint8Array, word: string): boolean {
  const letters = new TextDecoder("latin1");
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (letters.decode(bytes.subarray(at, at + CHUNK + word.length)).includes(word)) return true;
  }
  return false;
}

interface FileNode {
  name: string;
  parent: number | null;
}

function fileNodes(json: { nodes?: { name?: string; children?: number[] }[] }): FileNode[] {
  const nodes: FileNode[] = (json.nodes ?? []).map((node, index) => ({ name: node.name ? node.name : `node_${index}`, parent: null }));
  (json.nodes ?? []).forEach((node, index) => {
    for (const child of node.children ?? []) {
      const own = nodes[child];
      if (own) own.parent = index;
    }
  });
  return nodes;
}

/** Whether a name, or the end of a path, is that of a node of the file. */
function isCalled(nodes: FileNode[], index: number, path: string): boolean {
  let rest = path;
  for (let at: number | null = index; at !== null; ) {
    const node: FileNode | undefined = nodes[at];
    if (!node) return false;
    if (rest === node.name) return true;
    if (!rest.endsWith(`/${node.name}`)) return false;
    rest = rest.slice(0, -node.name.length - 1);
    at = node.parent;
  }
  return false;
}

function nodesByDescription(gltf: GLTF, description: RigDescription): (Object3D | null)[] {
  const nodes = fileNodes(gltf.parser.json);
  const byName = new Map<string, number[]>();
  nodes.forEach((node, index) => byName.set(node.name, [...(byName.get(node.name) ?? []), index]));
  const objects = new Map<number, Object3D>();
  gltf.scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined && !objects.has(index)) objects.set(index, object);
  });
  return description.nodes.map(({ name }) => {
    const direct = byName.get(name);
    const found = direct?.length === 1 ? direct[0] : nodes.findIndex((_, index) => isCalled(nodes, index, name));
    return (found === undefined ? undefined : objects.get(found)) ?? null;
  });
}

/** Meshes with morph targets by the file's nodes: a node's own, not those of nodes below it. */
function morphsByNode(gltf: GLTF): Map<number, Mesh[]> {
  const found = new Map<number, Mesh[]>();
  gltf.scene.traverse((object) => {
    const { associations } = gltf.parser;
    const node = associations.get(object)?.nodes;
    if (node === undefined) return;
    const parts = [object, ...object.children.filter((child) => associations.get(child)?.nodes === undefined)];
    const meshes = parts.filter((part) => (part as Partial<Mesh>).morphTargetInfluences !== undefined) as Mesh[];
    if (meshes.length > 0) found.set(node, [...(found.get(node) ?? []), ...meshes]);
  });
  return found;
}

/** Reads a file's meshes. `files` are those that it refers to, by name. */
export async function loadLook(bytes: Uint8Array, description: RigDescription, files: ReadonlyMap<string, Uint8Array>): Promise<Look> {
  const addresses: string[] = [];
  const manager = new LoadingManager();
  manager.setURLModifier((address) => {
    if (/^(blob|data):/.test(address)) return address;
    const own = partOf(files, address) ?? partOf(files, decoded(address));
    // Nothing is fetched: what is not there stays away.
    if (!own) return "data:,";
    const made = URL.createObjectURL(new Blob([own as BlobPart]));
    addresses.push(made);
    return made;
  });
  const loader = new GLTFLoader(manager);
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  try {
    const isWhole = bytes.byteLength === bytes.buffer.byteLength;
    await others();
    const gltf = await loader.parseAsync((isWhole ? bytes : bytes.slice()).buffer as ArrayBuffer, "");
    await others();
    const vrm = (gltf.userData.vrm as VRM | undefined) ?? null;
    // The engine poses the joints themselves.
    if (vrm?.humanoid) vrm.humanoid.autoUpdateHumanBones = false;
    gltf.scene.traverse((object) => {
      object.frustumCulled = false;
    });
    return { root: gltf.scene, nodes: nodesByDescription(gltf, description), vrm, morphs: morphsByNode(gltf) };
  } finally {
    addresses.forEach((address) => URL.revokeObjectURL(address));
  }
}

/** Gives back what a look holds on the graphics card. */
export function disposeLook(look: Look): void {
  look.root.traverse((object) => {
    const mesh = object as Partial<Mesh>;
    mesh.geometry?.dispose();
    (object as Partial<SkinnedMesh>).skeleton?.dispose();
    const materials: Material[] = Array.isArray(mesh.material) ? mesh.material : mesh.material ? [mesh.material] : [];
    for (const material of materials) {
      // Those of an avatar's own shading are among its uniforms.
      const uniforms = Object.values((material as Partial<ShaderMaterial>).uniforms ?? {}).map((own) => own.value as unknown);
      for (const value of [...Object.values(material), ...uniforms]) if ((value as Texture | null)?.isTexture) (value as Texture).dispose();
      material.dispose();
    }
  });
}
