// The ways of feet and hands through the whole clip, as lines.

import { BufferGeometry, Color, Float32BufferAttribute, Group, Line, LineBasicMaterial, Matrix4, type Object3D, Vector3 } from "three";
import type { RigDescription } from "rebone";
import type { Poses } from "../engine/protocol";
import { putPose } from "./track";

/** Ends of limbs whose way is drawn; what a body lacks is left out. */
const SLOTS = ["Foot", "Hand", "FrontPaw", "HindPaw"].flatMap((end) => [`left${end}`, `right${end}`]);
/** Points of a line at most. */
const MOST_POINTS = 400;

/** Lines in the space of `group`. Leaves the nodes in the last pose: the caller poses them anew. */
export function trails(description: RigDescription, poses: Poses, nodes: readonly Object3D[], group: Object3D): Group {
  const ends = SLOTS.flatMap((slot) => {
    const name = description.map.slots[slot]?.joints[0];
    const node = description.nodes.findIndex((own) => own.name === name);
    return node >= 0 ? [{ node, isLeft: slot.startsWith("left"), points: [] as number[] }] : [];
  });
  const count = Math.min(poses.frames, MOST_POINTS);
  const seconds = (poses.frames - 1) / poses.rate;
  group.updateMatrixWorld(true);
  const groupFromWorld = new Matrix4().copy(group.matrixWorld).invert();
  const at = new Vector3();
  for (let point = 0; point < count; point++) {
    putPose(poses, poses.start + (seconds * point) / Math.max(count - 1, 1), nodes);
    group.updateMatrixWorld(true);
    for (const { node, points } of ends) {
      const own = nodes[node];
      if (own) points.push(...at.setFromMatrixPosition(own.matrixWorld).applyMatrix4(groupFromWorld).toArray());
    }
  }
  const style = getComputedStyle(document.documentElement);
  const made = new Group();
  for (const { isLeft, points } of ends) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    const colour = new Color(style.getPropertyValue(isLeft ? "--left" : "--right").trim() || "#888888");
    const line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8 }));
    line.frustumCulled = false;
    made.add(line);
  }
  return made;
}

export function disposeTrails(made: Group): void {
  made.removeFromParent();
  for (const line of made.children as Line[]) {
    line.geometry.dispose();
    (line.material as LineBasicMaterial).dispose();
  }
}
