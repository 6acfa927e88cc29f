// The picture: scene, camera and light; draws only when something has changed.

import { Color, DirectionalLight, Fog, HemisphereLight, type Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Side } from "rebone";
import { placeSkins } from "./bounds";
import { pickGuest, pickJoint } from "./pick";
import { coveredOf, STEP_AMONG, wholeOf } from "./framing";
import { drawnBeside, drawnScales } from "./sizes";
import { Floor } from "./floor";
import { Glide } from "./glide";
import { type Guest, Guests } from "./guests";
import { Lull } from "./lull";
import type { Puppet, Shown } from "./puppet";
import { Gizmo } from "./gizmo";
import { Marks } from "./marks";
import { PinMarks } from "./pinmarks";
import { upload } from "./upload";

export type Layout = "side-by-side" | "overlaid";

export interface View {
  layout: Layout;
  shown: Shown;
  follow: boolean;
  trails: boolean;
}

const sides: readonly Side[] = ["source", "target"];
/** Room between two that stand beside each other, of the widest. */
const STEP = 0.4;
/** The same between two with their arms stretched out. */
const STEP_STANDING = 0.1;
/** How far below the middle of that height is looked, of the height: more room is needed for feet than for heads. */
const LOWER = 0.05;

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
  /** Who has left, and is not let go yet. */
  private readonly gone: Puppet[] = [];
  private readonly glide = new Glide();
  /** While new files are made ready. */
  readonly lull = new Lull();
  /** Nobody has moved the camera since it was put where everybody is seen. */
  private isFramed = false;
  private waiting: (() => void)[] = [];
  readonly guests = new Guests();
  private view: View = { layout: "side-by-side", shown: "mesh", follow: true, trails: false };
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
  /** Called when a guest was clicked. */
  onGuest: (key: string) => void = () => {};
  /** Called after each picture. */
  onDrawn: () => void = () => {};
  /** Place of the target among the guests that stand beside it. */
  targetOrder = 0;
  /** Pictures drawn so far. */
  pictures = 0;

  constructor(
    private readonly place: HTMLElement,
    canvas: HTMLCanvasElement,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    // Asking for a program's faults waits until it is made.
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.refresh());
    this.controls.addEventListener("start", () => {
      this.isFramed = false;
      this.lull.end();
    });
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
      if (this.lull.isOn) return;
      this.onFrame(step);
      if (!this.glide.isOver) {
        this.glide.step(step);
        this.refresh();
      }
      this.lull.drew(now, this.needsPicture);
      if (this.needsPicture) this.draw();
    });
  }

  /** The next chance is taken to draw. */
  refresh(): void {
    this.needsPicture = true;
  }

  /** After the next picture. */
  afterPicture(): Promise<void> {
    this.refresh();
    return new Promise((done) => this.waiting.push(done));
  }

  /** Nothing is on its way to its place. */
  get isSettled(): boolean {
    return this.glide.isOver;
  }

  /** Makes ready for the graphics card what will be drawn, while the picture goes on. */
  async prepare(root: Object3D): Promise<void> {
    root.updateMatrixWorld(true);
    placeSkins(root);
    await upload(root, this.scene, this.renderer, this.camera);
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
    this.guests.paint((name) => colour(name));
    this.refresh();
  }

  colourOf(side: Side): Color {
    return new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${side}`).trim() || "#888888");
  }

  puppet(side: Side): Puppet | undefined {
    return this.puppets.get(side);
  }

  set(side: Side, puppet: Puppet | null): void {
    const before = this.puppets.get(side);
    before?.leave();
    if (before) this.gone.push(before);
    this.puppets.delete(side);
    if (puppet) {
      this.puppets.set(side, puppet);
      this.scene.add(puppet.group, puppet.skeleton.mesh);
      puppet.show(this.view.shown);
      puppet.trail(this.view.trails);
    }
    this.layOut();
  }

  /** Lets those go who have left. */
  sweep(): void {
    this.gone.splice(0).forEach((puppet) => puppet.dispose());
  }

  /** Somebody needs another room than before. Everybody goes where there is enough, the camera too unless a person has moved it. */
  fit(puppet: Puppet): void {
    this.refresh();
    const all = [...this.puppets.values(), ...this.guests.puppets];
    if (!all.includes(puppet)) return;
    this.glide.end();
    const { position } = this.camera;
    const { target } = this.controls;
    const before = { places: all.map((own) => own.group.position.x), camera: position.clone(), target: target.clone() };
    this.layOut();
    if (this.isFramed) this.frameAll();
    const ways = all.map((own, index) => (before.places[index] ?? 0) - own.group.position.x);
    const cameraWay = before.camera.sub(position);
    const targetWay = before.target.sub(target);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.glide.begin((share, change) => {
      all.forEach((own, index) => (own.aside = (ways[index] ?? 0) * share));
      position.addScaledVector(cameraWay, change);
      target.addScaledVector(targetWay, change);
    });
  }

  /** Brings in somebody beside the pair, changes how somebody stands, or takes somebody away. */
  setGuest(key: string, guest: Guest | null): void {
    const before = this.guests.get(key)?.puppet;
    this.guests.set(key, guest);
    if (guest) {
      const { puppet } = guest;
      if (puppet !== before) {
        this.scene.add(puppet.group, puppet.skeleton.mesh);
        puppet.trail(this.view.trails);
      }
      puppet.show(guest.isBare && this.view.layout === "overlaid" ? "skeleton" : this.view.shown);
      puppet.pose(this.seconds);
    }
    this.layOut();
  }

  /** A guest becomes the target; says who was it. */
  swap(puppet: Puppet, key: string): Puppet | undefined {
    const before = this.puppets.get("target");
    this.guests.release(key);
    this.puppets.set("target", puppet);
    puppet.show(this.view.shown);
    puppet.trail(this.view.trails);
    return before;
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
    this.guests.puppets.forEach((puppet) => puppet.trail(view.trails));
    this.guests.keys.forEach((key) => this.setGuest(key, this.guests.get(key) ?? null));
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

  /** How much room one takes: with arms stretched out as much as the body is high. */
  private widthOf(puppet: Puppet): number {
    return this.isStanding ? puppet.extent.height : puppet.extent.width;
  }

  /** Puts the puppets in their places. */
  layOut(): void {
    const [source, target] = sides.map((side) => this.puppets.get(side));
    const beside = this.guests.apart;
    const [own = 1, ...others] = drawnBeside([
      ...(target ? [target.description.height] : []),
      ...beside.map(([, { puppet }]) => puppet.description.height),
    ]);
    const alone = drawnScales(source?.description.height, target?.description.height);
    this.scales =
      beside.length === 0 || !target
        ? alone
        : { source: drawnScales(source?.description.height, target.description.height * own).source, target: own };
    const guests = beside.map(([, { puppet, order }], index) => ({
      puppet,
      order,
      ground: 0,
      scale: (target ? others[index] : [own, ...others][index]) ?? 1,
    }));
    const targets = [{ puppet: target, order: this.targetOrder, ground: 0, scale: this.scales.target }, ...guests].sort(
      (a, b) => a.order - b.order,
    );
    const standing = [{ puppet: source, ground: this.isStanding ? 0 : this.ground, scale: this.scales.source }, ...targets].flatMap(
      ({ puppet, ...own }) => (puppet ? [{ puppet, ...own, width: this.widthOf(puppet) * own.scale }] : []),
    );
    const widest = Math.max(...standing.map((own) => own.width), 0);
    const step = this.isStanding ? STEP_STANDING : standing.length > 2 ? STEP_AMONG : STEP;
    let x = 0;
    const places = standing.map(({ width }, index) => {
      // Shoulder to shoulder with a step between them.
      if (index > 0 && this.view.layout === "side-by-side") x += (width + (standing[index - 1]?.width ?? 0)) * 0.5 + widest * step;
      return x;
    });
    standing.forEach(({ puppet, ground, scale }, index) => puppet.stand((places[index] ?? 0) - x / 2, ground, scale));
    const place = (target ? places[standing.findIndex(({ puppet }) => puppet === target)] : 0) ?? 0;
    this.guests.inPlace.forEach(({ puppet }) => puppet.stand(place - x / 2, 0, this.scales.target));
    this.refresh();
  }

  /** Moves the camera so that everybody is seen whole. */
  frameAll(): void {
    this.glide.end();
    this.isFramed = true;
    const everyone = [...this.puppets.values(), ...this.guests.apart.map(([, own]) => own.puppet)];
    this.update();
    const about = {
      isBeside: this.view.layout === "side-by-side",
      widthOf: (puppet: Puppet) => this.widthOf(puppet),
      half: Math.tan((this.camera.fov * Math.PI) / 360),
      aspect: this.camera.aspect,
    };
    const { above, below, whole } = coveredOf(this.place);
    const { bottom, height, distance } = wholeOf(everyone, { ...about, free: Math.max(1 - above - below, 0.3) });
    this.hipsMiddle(this.middle);
    // The middle of what the bars leave free, not that of the picture.
    const shift = whole > 0 ? (above - below) * about.half * distance : 0;
    this.controls.target.set(this.middle.x, bottom + height * (0.5 - LOWER) + shift, this.middle.z);
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
    this.guests.puppets.forEach((puppet) => puppet.isSeen && puppet.pose(seconds));
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
    const everyone = [...this.puppets.values(), ...this.guests.apart.map(([, guest]) => guest.puppet)];
    everyone.forEach((puppet) => into.add(puppet.place(own)));
    into.divideScalar(everyone.length);
  }

  private update(): void {
    this.scene.updateMatrixWorld(true);
    this.puppets.forEach((puppet) => puppet.draw());
    this.guests.puppets.forEach((puppet) => puppet.draw());
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
    this.onDrawn();
    this.waiting.splice(0).forEach((done) => done());
  }

  private pick(event: MouseEvent): void {
    if (this.gizmo.tookClick()) return;
    const box = this.renderer.domElement.getBoundingClientRect();
    const found = pickJoint({ x: event.clientX - box.left, y: event.clientY - box.top }, this.puppets, (place) => this.project(place));
    if (found) {
      this.onPick(found.side, found.joint);
      return;
    }
    const key = pickGuest({ x: event.clientX - box.left, y: event.clientY - box.top }, this.guests.apart, (place) => this.project(place));
    if (key !== null) this.onGuest(key);
  }

  /** Where a place of the world is in the picture, pixels; none behind the camera. */
  project(place: Vector3): { x: number; y: number } | null {
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
    // Another size empties the canvas; waiting for the next chance would show it empty.
    if (this.pictures > 0) this.draw();
    else this.refresh();
  }
}
