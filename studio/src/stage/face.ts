// What moves besides joints: the morph targets and expressions of a look, by the engine's numbers.

import type { ClipCurves } from "rebone";
import type { Poses } from "../engine/protocol";
import type { Look } from "./mesh";

/** The numbers of a moment, out of those of whole frames; between two frames it goes over evenly. */
function at(numbers: Float32Array, count: number, frame: number, into: number[]): void {
  const last = Math.max(Math.floor(numbers.length / count) - 1, 0);
  const from = Math.min(Math.floor(frame), last);
  const to = Math.min(from + 1, last);
  const share = Math.min(Math.max(frame - from, 0), 1);
  for (let index = 0; index < count; index++) {
    const start = numbers[from * count + index] ?? 0;
    into[index] = start + ((numbers[to * count + index] ?? 0) - start) * share;
  }
}

export class Face {
  private poses: Poses | null = null;
  private curves: ClipCurves | null = null;
  /** Weights of morph targets where nothing moves them. */
  private readonly rest = new Map<number, number[][]>();
  private readonly now: number[] = [];

  constructor(private readonly look: Look) {
    look.morphs.forEach((meshes, node) =>
      this.rest.set(
        node,
        meshes.map((mesh) => [...(mesh.morphTargetInfluences ?? [])]),
      ),
    );
  }

  /** Whether anything of the face moves in what is shown. */
  get moves(): boolean {
    return this.curves !== null && this.curves.weights.length + this.curves.expressions.length > 0;
  }

  setPoses(poses: Poses): void {
    this.calm();
    this.poses = poses;
    this.curves = poses.curves ?? null;
  }

  /** Everything as it is where nothing moves it. */
  private calm(): void {
    this.look.morphs.forEach((meshes, node) => {
      const rest = this.rest.get(node);
      meshes.forEach((mesh, index) =>
        rest?.[index]?.forEach((weight, target) => {
          if (mesh.morphTargetInfluences) mesh.morphTargetInfluences[target] = weight;
        }),
      );
    });
    this.curves?.expressions.forEach(({ name }) => this.look.vrm?.expressionManager?.setValue(name, 0));
  }

  /** Shows a moment. `update` is when the avatar's own expressions take effect. */
  pose(seconds: number, update: () => void): void {
    const { poses, curves } = this;
    if (!poses || !curves) {
      update();
      return;
    }
    const frame = Math.max((seconds - poses.start) * poses.rate, 0);
    for (const { name, numbers } of curves.expressions) {
      at(numbers, 1, frame, this.now);
      this.look.vrm?.expressionManager?.setValue(name, this.now[0] ?? 0);
    }
    // Expressions begin from nothing, and add what they do; weights of their own come on top.
    this.influence(curves, (list) => list.fill(0));
    update();
    for (const { node, targets, numbers } of curves.weights) {
      at(numbers, targets, frame, this.now);
      for (const mesh of this.look.morphs.get(node) ?? []) {
        mesh.morphTargetInfluences?.forEach((before, target, list) => (list[target] = before + (this.now[target] ?? 0)));
      }
    }
  }

  private influence(curves: ClipCurves, change: (list: number[]) => void): void {
    for (const { node } of curves.weights) {
      for (const { morphTargetInfluences: list } of this.look.morphs.get(node) ?? []) if (list) change(list);
    }
  }
}
