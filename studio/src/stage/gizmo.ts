// Rings and arrows by which a joint is turned or a point is moved with the mouse.

import { Object3D, Quaternion, Vector3, type Camera, type Scene } from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Side } from "rebone";
import type { Puppet } from "./puppet";

/** Of the usual size of such controls. */
const SIZE = 0.75;

/** What is held: a node that is turned, or a point of a side's space in metres that is moved. */
export type Held =
  | { how: "turn"; side: Side; node: number; isLocal: boolean; take: (by: Quaternion) => void }
  | { how: "move"; side: Side; point: readonly [number, number, number]; take: (point: [number, number, number]) => void };

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly handle = new Object3D();
  private readonly begin = new Quaternion();
  private held: Held | null = null;
  private isDragged = false;
  private wasDragged = false;
  private puppet: Puppet | undefined;
  /** Called when a drag begins and when it ends. */
  onDrag: (isDragged: boolean) => void = () => {};

  constructor(scene: Scene, camera: Camera, canvas: HTMLCanvasElement, orbit: OrbitControls, refresh: () => void) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.size = SIZE;
    scene.add(this.handle, this.controls.getHelper());
    this.controls.addEventListener("change", refresh);
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      this.isDragged = value === true;
      orbit.enabled = !this.isDragged;
      if (this.isDragged) {
        this.begin.copy(this.handle.quaternion);
        this.wasDragged = true;
      }
      this.onDrag(this.isDragged);
    });
    this.controls.addEventListener("objectChange", () => this.changed());
  }

  get isHeld(): boolean {
    return this.isDragged;
  }

  /** Whether the click that ends a drag belongs to it; asked once. */
  tookClick(): boolean {
    const took = this.wasDragged;
    this.wasDragged = false;
    return took;
  }

  /** Shows the handles, or takes them away. */
  hold(held: Held | null): void {
    // What is being dragged stays in the hand.
    if (this.isDragged && held?.how === this.held?.how) {
      this.held = held;
      return;
    }
    this.held = held;
    if (!held) {
      this.controls.detach();
      return;
    }
    this.controls.setMode(held.how === "turn" ? "rotate" : "translate");
    this.controls.setSpace(held.how === "turn" && held.isLocal ? "local" : "world");
    this.controls.attach(this.handle);
  }

  /** Before each picture. */
  follow(puppetOf: (side: Side) => Puppet | undefined): void {
    const { held } = this;
    if (!held) return;
    this.puppet = puppetOf(held.side);
    const helper = this.controls.getHelper();
    helper.visible = this.puppet !== undefined;
    if (!this.puppet || this.isDragged) return;
    if (held.how === "turn") {
      const node = this.puppet.nodes[held.node];
      this.puppet.placeOf(held.node, this.handle.position);
      this.handle.quaternion.identity();
      if (held.isLocal && node) node.getWorldQuaternion(this.handle.quaternion);
    } else {
      this.handle.quaternion.identity();
      this.puppet.group.localToWorld(this.handle.position.fromArray(held.point));
    }
    this.handle.updateMatrixWorld(true);
    helper.updateMatrixWorld(true);
  }

  private changed(): void {
    const { held, puppet } = this;
    if (!held || !this.isDragged || !puppet) return;
    if (held.how === "turn") held.take(this.handle.quaternion.clone().multiply(this.begin.clone().invert()));
    else held.take(puppet.group.worldToLocal(new Vector3().copy(this.handle.position)).toArray());
  }
}
