// A clip's poses as they come from the engine, put onto objects of a scene at any moment.

import { Quaternion, type Object3D } from "three";
import type { Poses } from "../engine/protocol";

const A_NODE = 10;

/** Sets the nodes' local transforms to those at a moment; between two frames it goes over evenly. */
export function putPose(poses: Poses, seconds: number, nodes: readonly Object3D[]): void {
  const size = nodes.length * A_NODE;
  const last = poses.frames - 1;
  const at = Math.min(Math.max((seconds - poses.start) * poses.rate, 0), Math.max(last, 0));
  const frame = Math.min(Math.floor(at), Math.max(last, 0));
  const weight = frame < last ? at - frame : 0;
  const from = frame * size;
  const to = frame < last ? from + size : from;
  const { numbers } = poses;
  const mix = (index: number): number => {
    const start = numbers[from + index] ?? 0;
    return start + ((numbers[to + index] ?? 0) - start) * weight;
  };
  const turn = [0, 0, 0, 1];
  nodes.forEach((node, index) => {
    const own = index * A_NODE;
    node.position.set(mix(own), mix(own + 1), mix(own + 2));
    Quaternion.slerpFlat(turn, 0, numbers as unknown as number[], from + own + 3, numbers as unknown as number[], to + own + 3, weight);
    node.quaternion.fromArray(turn);
    node.scale.set(mix(own + 7), mix(own + 8), mix(own + 9));
  });
}
