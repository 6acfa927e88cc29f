// How much room meshes take, from some of their vertices: a large mesh has more than can be looked at in an instant.

import { type Box3, type Mesh, type Object3D, type SkinnedMesh, Sphere, Vector3 } from "three";

/** Vertices that are looked at, at most. */
const MOST = 6000;

const isDrawn = (object: Object3D): object is Mesh => ((object as Partial<Mesh>).geometry?.getAttribute("position")?.count ?? 0) > 0;

/** Widens a box by what is drawn of an object in its pose. */
export function expandByVertices(root: Object3D, box: Box3): void {
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if (isDrawn(object)) meshes.push(object);
  });
  const all = meshes.reduce((sum, mesh) => sum + (mesh.geometry.getAttribute("position")?.count ?? 0), 0);
  const step = Math.max(1, Math.ceil(all / MOST));
  const at = new Vector3();
  for (const mesh of meshes) {
    const count = mesh.geometry.getAttribute("position")?.count ?? 0;
    for (let vertex = 0; vertex < count; vertex += step) box.expandByPoint(mesh.localToWorld(mesh.getVertexPosition(vertex, at)));
  }
}

/** Gives skinned meshes their place among what shines through, which three.js would find by every vertex in the middle of a picture. */
export function placeSkins(root: Object3D): void {
  root.traverse((object) => {
    const skinned = object as Partial<SkinnedMesh>;
    if (!skinned.isSkinnedMesh || !isDrawn(object)) return;
    const position = object.geometry.getAttribute("position");
    const step = Math.max(1, Math.ceil((position?.count ?? 0) / 500));
    const points: Vector3[] = [];
    for (let vertex = 0; vertex < (position?.count ?? 0); vertex += step)
      points.push((object as SkinnedMesh).getVertexPosition(vertex, new Vector3()));
    skinned.boundingSphere = new Sphere().setFromPoints(points);
  });
}
