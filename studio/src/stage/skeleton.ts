// A skeleton drawn as slim double pyramids from joint to joint.

import {
  BufferGeometry,
  type Color,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  type Object3D,
  Quaternion,
  Vector3,
} from "three";
import type { RigDescription } from "rebone";

/** Where along a piece it is widest. */
const WAIST = 0.14;
/** Half its width there, of its length; at most the second, of the body's height. */
const WIDTH = 0.085;
const WIDEST = 0.014;

function pyramids(): BufferGeometry {
  const waist: [number, number, number][] = [
    [1, WAIST, 0],
    [0, WAIST, 1],
    [-1, WAIST, 0],
    [0, WAIST, -1],
  ];
  const points: number[] = [];
  waist.forEach((corner, index) => {
    const next = waist[(index + 1) % waist.length] ?? corner;
    points.push(0, 0, 0, ...corner, ...next, 0, 1, 0, ...next, ...corner);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const up = new Vector3(0, 1, 0);
const from = new Vector3();
const to = new Vector3();
const way = new Vector3();
const turn = new Quaternion();
const size = new Vector3();
const matrix = new Matrix4();

/** Shared by all: the graphics card keeps what it has made of them, whoever comes and goes. */
const piece = pyramids();
const plain = new MeshLambertMaterial({ flatShading: true });
/** Draws through meshes, so that both are seen. */
const through = new MeshLambertMaterial({ flatShading: true, depthTest: false, transparent: true, opacity: 0.75 });

export class SkeletonView {
  readonly mesh: InstancedMesh<BufferGeometry, MeshLambertMaterial>;
  /** Pieces: the joint at their thick end, and the one at their thin end. */
  readonly pieces: [number, number][] = [];

  constructor(description: RigDescription) {
    description.nodes.forEach((node, index) => {
      const above = node.parent === null ? undefined : description.nodes[node.parent];
      if (node.is_joint && above?.is_joint && node.parent !== null) this.pieces.push([node.parent, index]);
    });
    this.mesh = new InstancedMesh<BufferGeometry, MeshLambertMaterial>(piece, plain, Math.max(1, this.pieces.length));
    this.mesh.count = this.pieces.length;
    this.mesh.frustumCulled = false;
  }

  /** Colours each piece by its joint. */
  paint(colour: (joint: number) => Color): void {
    this.pieces.forEach(([joint], index) => this.mesh.setColorAt(index, colour(joint)));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** Draws through meshes, so that both are seen. */
  set onTop(isOnTop: boolean) {
    this.mesh.material = isOnTop ? through : plain;
    this.mesh.renderOrder = isOnTop ? 25 : 0;
  }

  /** `height` is that of the body as it is drawn. */
  update(nodes: readonly Object3D[], height: number): void {
    this.pieces.forEach(([joint, child], index) => {
      const start = nodes[joint];
      const end = nodes[child];
      if (!start || !end) return;
      from.setFromMatrixPosition(start.matrixWorld);
      to.setFromMatrixPosition(end.matrixWorld);
      way.subVectors(to, from);
      const length = way.length();
      if (length > 0) turn.setFromUnitVectors(up, way.divideScalar(length));
      const width = Math.min(length * WIDTH, height * WIDEST);
      this.mesh.setMatrixAt(index, matrix.compose(from, turn, size.set(width, length, width)));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  dispose(): void {
    this.mesh.dispose();
  }
}
