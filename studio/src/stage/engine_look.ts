// The look of a character out of what the engine read of its meshes: for formats that three.js does not read as the engine does, and
// where it refuses a file.

import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  RepeatWrapping,
  Skeleton,
  SkinnedMesh,
  SRGBColorSpace,
  Texture,
} from "three";
import type { RigDescription, RigMesh, RigMeshes } from "rebone";
import { pauses } from "../ui/pauses";
import type { Look } from "./mesh";

type Material = RigMeshes["materials"][number];
const PLAIN: Material = { name: "", base_color: [0.5, 0.53, 0.58, 1], image: null, alpha_cutoff: null, double_sided: true };

function geometryOf(mesh: RigMesh): BufferGeometry {
  const made = new BufferGeometry();
  const put = (name: string, numbers: Float32Array | Uint16Array | null, size: number): void => {
    if (numbers) made.setAttribute(name, new BufferAttribute(numbers, size));
  };
  put("position", mesh.positions, 3);
  put("normal", mesh.normals, 3);
  put("uv", mesh.uvs, 2);
  put("color", mesh.colors, 4);
  put("skinIndex", mesh.joints, 4);
  put("skinWeight", mesh.weights, 4);
  made.setIndex(new BufferAttribute(mesh.indices, 1));
  return made;
}

/** A picture that cannot be decoded leaves the plain colour. */
async function textureOf(image: RigMeshes["images"][number]): Promise<Texture | null> {
  try {
    const bitmap = await createImageBitmap(new Blob([image.bytes as BlobPart], { type: image.type }), { colorSpaceConversion: "none" });
    const made = new Texture(bitmap);
    made.flipY = false;
    made.colorSpace = SRGBColorSpace;
    made.wrapS = made.wrapT = RepeatWrapping;
    made.needsUpdate = true;
    made.addEventListener("dispose", () => bitmap.close());
    return made;
  } catch {
    return null;
  }
}

function materialOf(own: Material, textures: readonly (Texture | null)[], hasColours: boolean): MeshStandardMaterial {
  const [red, green, blue, alpha] = own.base_color;
  return new MeshStandardMaterial({
    name: own.name,
    color: new Color(red, green, blue),
    map: own.image === null ? null : (textures[own.image] ?? null),
    roughness: 0.85,
    metalness: 0,
    vertexColors: hasColours,
    opacity: alpha,
    transparent: alpha < 1,
    alphaTest: own.alpha_cutoff ?? 0,
    side: own.double_sided ? DoubleSide : FrontSide,
  });
}

/** Its vertices are told in the space of the model. */
function skinned(geometry: BufferGeometry, material: MeshStandardMaterial, skeleton: Skeleton): SkinnedMesh {
  const made = new SkinnedMesh(geometry, material);
  made.bind(skeleton, new Matrix4());
  return made;
}

/** None where there is nothing to be drawn. */
export async function engineLook(read: RigMeshes, description: RigDescription): Promise<Look | null> {
  if (read.meshes.length === 0) return null;
  const pause = pauses();
  const root = new Group();
  const nodes = description.nodes.map(({ name }) => {
    const own = new Bone();
    own.name = name;
    return own;
  });
  description.nodes.forEach(({ parent }, index) => {
    const own = nodes[index];
    if (own) ((parent === null ? root : nodes[parent]) ?? root).add(own);
  });
  const textures = await Promise.all(read.images.map(textureOf));
  const skeletons = read.skins.map(({ nodes: joints, inverse_binds }) => {
    const inverses = joints.map((_, slot) => new Matrix4().fromArray(inverse_binds, 16 * slot));
    return new Skeleton(
      joints.map((joint) => nodes[joint] ?? new Bone()),
      inverses,
    );
  });
  const materials = new Map<string, MeshStandardMaterial>();
  for (const own of read.meshes) {
    const key = `${own.material}:${own.colors !== null}`;
    const material =
      materials.get(key) ??
      materialOf((own.material === null ? undefined : read.materials[own.material]) ?? PLAIN, textures, own.colors !== null);
    materials.set(key, material);
    const skeleton = own.skin === null ? undefined : skeletons[own.skin];
    const geometry = geometryOf(own);
    const carrier = (own.node === null || skeleton ? root : nodes[own.node]) ?? root;
    const drawn = skeleton ? skinned(geometry, material, skeleton) : new Mesh(geometry, material);
    drawn.name = own.name;
    drawn.frustumCulled = false;
    carrier.add(drawn);
    await pause();
  }
  return { root, nodes, vrm: null, morphs: new Map() };
}
