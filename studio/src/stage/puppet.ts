// A character on the stage: its look where it has one, its skeleton, and the poses that move both. The look may come later: until then
// the skeleton is seen.

import { Box3, Color, Group, Object3D, Vector3 } from "three";
import type { RigDescription } from "rebone";
import type { Poses } from "../engine/protocol";
import { expandByVertices } from "./bounds";
import { Face } from "./face";
import { type Look, disposeLook } from "./mesh";
import { SkeletonView } from "./skeleton";
import { putPose } from "./track";
import { disposeTrails, trails } from "./trails";

export type Shown = "mesh" | "skeleton" | "both";

/** Height of the lowest joint of who stands, at most, in heights of the body. */
const ANKLE = 0.1;

export class Puppet {
  /** Stands where the layout puts it. */
  readonly group = new Group();
  /** The engine's nodes in their order; others once the look has come. */
  readonly nodes: Object3D[] = [];
  readonly skeleton: SkeletonView;
  private look: Look | null = null;
  /** Morph targets and expressions; none where nothing is drawn but the skeleton. */
  private faceNow: Face | null = null;
  private readonly file = new Group();
  private poses: Poses | null = null;
  private readonly hips: number;
  private readonly start = new Vector3();
  private readonly room = new Vector3();
  private colour = new Color();
  private hasTrails = false;
  private lines: Group | null = null;
  private readonly mapped: ReadonlySet<string>;
  private shownAt = Number.NaN;
  private shown: Shown = "both";
  private isHidden = false;
  private hasLeft = false;
  private beside = 0;

  constructor(
    readonly description: RigDescription,
    look: Look | null,
    colour: Color,
  ) {
    this.mapped = new Set(Object.values(description.map.slots).flatMap((slot) => slot.joints));
    // The file's unit and axes become metres, +Y up and +Z forward.
    this.file.quaternion.fromArray(description.canonical_from_file);
    this.file.scale.setScalar(description.meters_per_unit);
    this.group.add(this.file);
    this.take(look);
    const first = description.nodes.findIndex((node) => node.is_joint);
    const named = description.map.slots["hips"]?.joints[0];
    const hips = description.nodes.findIndex((node) => node.name === named);
    this.hips = hips >= 0 ? hips : Math.max(first, 0);
    this.skeleton = new SkeletonView(description);
    this.paint(colour);
    this.show("both");
  }

  /** Its nodes are those of the look, and objects of its own where the look lacks them. */
  private take(look: Look | null): void {
    this.look = look;
    this.faceNow = look && new Face(look);
    this.file.clear();
    this.nodes.length = 0;
    if (look) this.file.add(look.root);
    for (const [index, { parent }] of this.description.nodes.entries()) {
      const found = look?.nodes[index];
      const own = found ?? new Object3D();
      if (!found) (parent === null ? this.file : (this.nodes[parent] ?? this.file)).add(own);
      this.nodes.push(own);
    }
  }

  /** Puts on its look, in the pose in which it is; one that has left the stage lets it go. */
  wear(look: Look): void {
    if (this.hasLeft || this.look) {
      disposeLook(look);
      return;
    }
    this.take(look);
    this.show(this.shown);
    const { poses, shownAt } = this;
    if (!poses) return;
    const place = this.group.position.clone();
    const scale = this.group.scale.x;
    // Measured as who came in with a look: where the clip begins.
    this.room.set(0, 0, 0);
    this.setPoses(poses);
    this.group.position.copy(place);
    this.group.scale.setScalar(scale);
    if (!Number.isNaN(shownAt)) this.pose(shownAt);
  }

  get face(): Face | null {
    return this.faceNow;
  }

  /** Whether a joint is in a slot, as the file's own map has it. */
  isMapped(joint: number): boolean {
    return this.mapped.has(this.description.nodes[joint]?.name ?? "");
  }

  paint(colour: Color): void {
    this.colour = colour;
    this.highlight(null);
  }

  /** Colours joints of slots, leaves the others grey, and marks one. */
  highlight(joint: number | null): void {
    const { colour } = this;
    const faint = colour.clone().lerp(new Color(0x808080), 0.75);
    const marked = new Color(0xffffff);
    this.skeleton.paint((own) => (own === joint ? marked : this.isMapped(own) ? colour : faint));
  }

  get hasMesh(): boolean {
    return this.look !== null;
  }

  get isSeen(): boolean {
    return !this.isHidden;
  }

  /** Takes it out of sight, or back. */
  set isSeen(isSeen: boolean) {
    this.isHidden = !isSeen;
    this.group.visible = isSeen;
    this.show(this.shown);
  }

  show(shown: Shown): void {
    this.shown = shown;
    if (this.look) this.look.root.visible = shown !== "skeleton";
    this.skeleton.mesh.visible = !this.isHidden && (shown !== "mesh" || !this.look);
    this.skeleton.onTop = shown === "both" && this.look !== null;
  }

  setPoses(poses: Poses): void {
    this.poses = poses;
    this.face?.setPoses(poses);
    this.shownAt = Number.NaN;
    this.pose(poses.start);
    this.group.position.set(0, 0, 0);
    this.group.scale.setScalar(1);
    this.group.updateMatrixWorld(true);
    this.place(this.start);
    this.trail(this.hasTrails);
    if (this.room.lengthSq() === 0) this.measure();
  }

  /** Draws the ways of feet and hands, or takes them away. */
  trail(isOn: boolean): void {
    this.hasTrails = isOn;
    if (this.lines) disposeTrails(this.lines);
    this.lines = null;
    if (!isOn || !this.poses || this.poses.frames < 2) return;
    this.lines = trails(this.description, this.poses, this.nodes, this.group);
    this.group.add(this.lines);
    putPose(this.poses, Number.isNaN(this.shownAt) ? this.poses.start : this.shownAt, this.nodes);
  }

  /** How much room the body takes where its clip begins, with hair and hat, which no joint tells. */
  private measure(): void {
    const box = new Box3();
    if (this.look) expandByVertices(this.look.root, box);
    const at = new Vector3();
    this.nodes.forEach((node, index) => {
      if (this.description.nodes[index]?.is_joint) box.expandByPoint(at.setFromMatrixPosition(node.matrixWorld));
    });
    if (!box.isEmpty()) box.getSize(this.room);
  }

  /** Height of the body as it is drawn, metres. */
  get height(): number {
    return this.description.height * this.group.scale.x;
  }

  /** Height and width of everything that is drawn of it in its first pose, metres, before it is drawn larger or smaller. */
  get extent(): { height: number; width: number } {
    const height = Math.max(this.room.y, this.description.height);
    return { height, width: Math.min(Math.max(this.room.x, this.room.z, height * 0.3), height) };
  }

  /** Stands the character so that its clip begins at a place of the floor, drawn so many times larger; `ground` is its floor's height. */
  stand(x: number, ground: number, scale: number): void {
    this.group.scale.setScalar(scale);
    this.group.position.set(x + this.beside - this.start.x * scale, -ground * scale, -this.start.z * scale);
  }

  /** How far beside its place it is, while it goes there. */
  get aside(): number {
    return this.beside;
  }

  set aside(metres: number) {
    this.group.position.x += metres - this.beside;
    this.beside = metres;
  }

  /** Where the hips are in the world. */
  place(into: Vector3): Vector3 {
    const hips = this.nodes[this.hips];
    return hips ? into.setFromMatrixPosition(hips.matrixWorld) : into.set(0, 0, 0);
  }

  /** Where the body begins and ends in height, metres, as it stands now; its matrices must be up to date. */
  span(): { bottom: number; top: number } {
    const at = new Vector3();
    const heights = this.nodes.flatMap((_, node) => (this.isMapped(node) ? [this.placeOf(node, at).y] : []));
    const lowest = heights.length > 0 ? Math.min(...heights) : 0;
    const height = this.extent.height * this.group.scale.x;
    // An ankle is above the floor where its foot stands.
    const lift = Math.max(lowest - height * ANKLE, 0);
    return { bottom: Math.min(lowest, 0), top: height + lift };
  }

  /** Where a node is in the world. */
  placeOf(node: number, into: Vector3): Vector3 {
    const own = this.nodes[node];
    return own ? into.setFromMatrixPosition(own.matrixWorld) : into.set(0, 0, 0);
  }

  pose(seconds: number): void {
    if (!this.poses) return;
    putPose(this.poses, seconds, this.nodes);
    const step = seconds - this.shownAt;
    this.face?.pose(seconds, () => this.swing(step));
    this.shownAt = seconds;
  }

  /** Hair and cloth swing along while it plays; after a jump they begin anew. */
  private swing(step: number): void {
    const vrm = this.look?.vrm;
    if (!vrm) return;
    if (step > 0 && step < 0.2) {
      vrm.update(step);
      return;
    }
    this.group.updateMatrixWorld(true);
    vrm.springBoneManager?.reset();
    vrm.update(0);
  }

  /** After the group's matrices are up to date. */
  draw(): void {
    if (this.skeleton.mesh.visible) this.skeleton.update(this.nodes, this.height);
  }

  /** Goes off the stage for good. */
  leave(): void {
    this.hasLeft = true;
    this.group.removeFromParent();
    this.skeleton.mesh.removeFromParent();
  }

  dispose(): void {
    this.leave();
    if (this.lines) disposeTrails(this.lines);
    this.skeleton.dispose();
    if (this.look) disposeLook(this.look);
  }
}
