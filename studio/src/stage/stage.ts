// The picture: scene, camera and light; draws only when something has changed.

import { Color, DirectionalLight, Fog, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Side } from "rebone";
import { pickJoint } from "./pick";
import { drawnScales } from "./sizes";
import { Floor } from "./floor";
import type { Puppet, Shown } from "./puppet";
import { Gizmo } from "./gizmo";
import { Marks } from "./marks";
import { PinMarks } from "./pinmarks";

export type Layout = "side-by-side" | "overlaid";

export interface View {
  layout: Layout;
  shown: Shown;
  follow: boolean;
  trails: boolean;
}

const sides: readonly Side[] = ["source", "target"];

export class Stage {
  readonly scene = new Scene();
  readonly marks: Marks;
  readonly gizmo: Gizmo;
  readonly pins: PinMarks;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 500);
  private readonly controls: OrbitControls;
  private readonly floor = new Floor();
  private readonly puppets = new Map<Side, Puppet>();
  private view: View = { layout: "side-by-side", shown: "both", follow: true, trails: false };
  private ground = 0;
  private isStanding = false;
  /** How many times larger each is drawn than it is. */
  scales = { source: 1, target: 1 };
  private needsPicture = true;
  private readonly seen = new Vector3();
  private readonly middle = new Vector3();
  private seconds = 0;
  /** Called before each picture, with the time since the last one. */
  onFrame: (seconds: number) => void = () => {};
  /** Called when a joint was clicked. */
  onPick: (side: Side, joint: number) => void = () => {};
  /** Pictures drawn so far. */
  pictures = 0;

  constructor(private readonly place: HTMLElement, canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.refresh());
    this.controls.maxPolarAngle = Math.PI * 0.95;
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(2, 5, 4);
    this.scene.add(new HemisphereLight(0xffffff, 0x888899, 1.6), sun, this.floor.group);
    this.marks = new Marks(this.scene);
    this.pins = new PinMarks(this.scene);
    this.gizmo = new Gizmo(this.scene, this.camera, canvas, this.controls, () => this.refresh());
    this.camera.position.set(1.2, 1.6, 5);
    this.controls.target.set(0, 0.85, 0);
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
    this.paint();
    canvas.addEventListener("click", (event) => this.pick(event));
    let before = performance.now();
    this.renderer.setAnimationLoop((now) => {
      const step = Math.min((now - before) / 1000, 0.25);
      before = now;
      this.onFrame(step);
      if (this.needsPicture) this.draw();
    });
  }

  /** The next chance is taken to draw. */
  refresh(): void {
    this.needsPicture = true;
  }

  /** Takes the page's colours. */
  paint(): void {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): Color => new Color(style.getPropertyValue(name).trim() || "#888888");
    this.scene.background = colour("--stage");
    const { near, far } = (this.scene.fog as Fog | null) ?? { near: 12, far: 30 };
    this.scene.fog = new Fog(colour("--stage"), near, far);
    this.floor.paint(colour("--grid"), colour("--grid-middle"));
    this.puppets.forEach((puppet, side) => puppet.paint(this.colourOf(side)));
    this.refresh();
  }

  colourOf(side: Side): Color {
    return new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${side}`).trim() || "#888888");
  }

  puppet(side: Side): Puppet | undefined {
    return this.puppets.get(side);
  }

  set(side: Side, puppet: Puppet | null): void {
    this.puppets.get(side)?.dispose();
    this.puppets.delete(side);
    if (puppet) {
      this.puppets.set(side, puppet);
      this.scene.add(puppet.group, puppet.skeleton.mesh);
      puppet.show(this.view.shown);
      puppet.trail(this.view.trails);
    }
    this.layOut();
  }

  get currentView(): View {
    return this.view;
  }

  setView(view: View): void {
    this.view = view;
    this.puppets.forEach((puppet) => {
      puppet.show(view.shown);
      puppet.trail(view.trails);
    });
    this.layOut();
  }

  /** Height of the source's floor in its own space, metres. */
  setGround(metres: number): void {
    this.ground = metres;
    this.layOut();
  }

  /** Whether they stand in their retarget poses, arms out and feet on the floor. */
  setStanding(isStanding: boolean): void {
    if (this.isStanding === isStanding) return;
    this.isStanding = isStanding;
    this.layOut();
    this.frameAll();
  }

  /** Width of one as it is drawn. */
  private widthOf(side: Side): number {
    const extent = this.puppets.get(side)?.extent;
    return extent ? (this.isStanding ? extent.height : extent.width) * this.scales[side] : 0;
  }

  /** Puts the puppets in their places. */
  layOut(): void {
    const [source, target] = sides.map((side) => this.puppets.get(side));
    this.scales = drawnScales(source?.description.height, target?.description.height);
    const widths = sides.map((side) => this.widthOf(side));
    const isApart = this.view.layout === "side-by-side" && this.puppets.size > 1;
    // Shoulder to shoulder with a step between them.
    const apart = isApart ? ((widths[0] ?? 0) + (widths[1] ?? 0)) * 0.25 + Math.max(...widths) * (this.isStanding ? 0.05 : 0.2) : 0;
    source?.stand(-apart, this.isStanding ? 0 : this.ground, this.scales.source);
    target?.stand(apart, 0, this.scales.target);
    this.refresh();
  }

  /** Moves the camera so that everybody is seen whole. */
  frameAll(): void {
    const extents = [...this.puppets].map(([side, puppet]) => ({ side, ...puppet.extent }));
    const height = Math.max(...extents.map((own) => own.height * this.scales[own.side]), 0.3);
    const widths = extents.map((own) => this.widthOf(own.side));
    const width = this.view.layout === "side-by-side" ? widths.reduce((sum, own) => sum + own, 0) * 1.25 : Math.max(...widths, 0.3) * 1.4;
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const distance = Math.max((height * 1.3) / (2 * half), width / (2 * half * this.camera.aspect));
    this.update();
    this.hipsMiddle(this.middle);
    this.controls.target.set(this.middle.x, height * 0.5, this.middle.z);
    this.camera.position.copy(this.controls.target).add(new Vector3(0.28, 0.16, 1).normalize().multiplyScalar(distance));
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.scene.fog = new Fog((this.scene.background as Color) ?? 0, distance * 2.2, distance * 6);
    this.seen.copy(this.middle);
    this.controls.update();
    this.refresh();
  }

  show(seconds: number): void {
    this.seconds = seconds;
    this.puppets.forEach((puppet) => puppet.pose(seconds));
    this.refresh();
  }

  /** Where the middle between two nodes is in the picture, pixels. */
  onScreen(side: Side, first: number, second: number): { x: number; y: number } | null {
    this.update();
    this.camera.updateMatrixWorld(true);
    const puppet = this.puppets.get(side);
    const at = new Vector3();
    const other = new Vector3();
    puppet?.placeOf(first, at);
    puppet?.placeOf(second, other);
    return this.project(at.lerp(other, 0.5));
  }

  private hipsMiddle(into: Vector3): void {
    const own = new Vector3();
    into.set(0, 0, 0);
    if (this.puppets.size === 0) return;
    this.puppets.forEach((puppet) => into.add(puppet.place(own)));
    into.divideScalar(this.puppets.size);
  }

  private update(): void {
    this.scene.updateMatrixWorld(true);
    this.puppets.forEach((puppet) => puppet.draw());
  }

  private draw(): void {
    this.needsPicture = false;
    this.update();
    if (this.view.follow) {
      this.hipsMiddle(this.middle);
      const x = this.middle.x - this.seen.x;
      const z = this.middle.z - this.seen.z;
      this.camera.position.x += x;
      this.camera.position.z += z;
      this.controls.target.x += x;
      this.controls.target.z += z;
      this.seen.copy(this.middle);
      this.controls.update();
      this.needsPicture = false;
    }
    this.floor.follow(this.controls.target.x, this.controls.target.z);
    this.marks.update(this.seconds, (side) => this.puppets.get(side));
    this.pins.update(this.seconds, this.puppets.get("target"));
    this.gizmo.follow((side) => this.puppets.get(side));
    this.renderer.render(this.scene, this.camera);
    this.pictures++;
  }

  private pick(event: MouseEvent): void {
    if (this.gizmo.tookClick()) return;
    const box = this.renderer.domElement.getBoundingClientRect();
    const found = pickJoint({ x: event.clientX - box.left, y: event.clientY - box.top }, this.puppets, (place) => this.project(place));
    if (found) this.onPick(found.side, found.joint);
  }

  /** Where a place of the world is in the picture, pixels; none behind the camera. */
  private project(place: Vector3): { x: number; y: number } | null {
    const at = place.clone().project(this.camera);
    if (at.z > 1) return null;
    return { x: ((at.x + 1) / 2) * this.place.clientWidth, y: ((1 - at.y) / 2) * this.place.clientHeight };
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.refresh();
  }
}
