// The retarget pose by hand: which slot is chosen, and what turns it. The engine works the angles out.

import type { SlotCalibration, Side } from "rebone";
import type { Quaternion } from "three";
import { recipeOf, recipeText, valueAt, withValue, type RecipeObject } from "../document";
import type { Axes, Pair } from "../engine/protocol";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { t } from "../texts";
import { trouble } from "./notices";

export interface Chosen {
  side: Side;
  slot: string;
}

/** Angles that nobody would see are none, degrees. */
const NOTHING = 5e-4;
/** Angles that are worth a line of a recipe when all slots are snapped, degrees. */
const SEEN = 0.01;
const round = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** The three angles of a calibration, and about which axes they are. */
export function anglesOf(own: SlotCalibration | undefined): { axes: Axes; degrees: [number, number, number] } {
  if (own && "world" in own) return { axes: "world", degrees: own.world };
  return { axes: "local", degrees: own && "local" in own ? own.local : [0, 0, 0] };
}

/** As it is written; `undefined` where it turns nothing. */
function written(axes: Axes, degrees: readonly number[], replaces: boolean): SlotCalibration | undefined {
  const [x = 0, y = 0, z = 0] = degrees.map(round);
  if (!replaces && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < NOTHING) return undefined;
  const turn: SlotCalibration = axes === "world" ? { world: [x, y, z] } : { local: [x, y, z] };
  return replaces ? { ...turn, replace: true } : turn;
}

const tidy = (own: SlotCalibration): SlotCalibration | undefined => {
  const { axes, degrees } = anglesOf(own);
  return written(axes, degrees, own.replace === true);
};

export class Posing {
  private chosenNow: Chosen | null = null;
  private isOpen = false;
  /** Which axes new turns are about, and the rings of the gizmo. */
  axes: Axes = "world";
  /** The side whose slots are listed. */
  side: Side = "target";
  /** What was copied. */
  copied: SlotCalibration | null = null;
  /** The pair as it was when a drag began. */
  private before: Promise<Pair> | null = null;
  private dragged = 0;
  private wasHeld = false;

  /** Called when the retarget poses come into sight and when they go. */
  onOpen: (isOpen: boolean) => void = () => {};

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    private readonly onChange: () => void,
  ) {}

  get chosen(): Chosen | null {
    return this.chosenNow;
  }

  get isDragging(): boolean {
    return this.isOpen && this.stage.gizmo.isHeld;
  }

  open(isOpen: boolean): void {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.studio.stand(isOpen);
    this.onOpen(isOpen);
    this.grip();
  }

  /** A joint of this slot was clicked. */
  clicked(side: Side, slot: string | null): void {
    if (this.isOpen && slot !== null) this.choose({ side, slot });
  }

  /** `isQuiet` where the page shows it by itself. */
  choose(chosen: Chosen | null, isQuiet = false): void {
    const isSame = chosen?.side === this.chosenNow?.side && chosen?.slot === this.chosenNow?.slot;
    this.chosenNow = isSame ? this.chosenNow : chosen;
    if (chosen) this.side = chosen.side;
    this.mark();
    this.grip();
    if (!isQuiet) this.onChange();
  }

  setSide(side: Side): void {
    this.side = side;
    if (this.chosenNow && this.chosenNow.side !== side) this.choose({ side, slot: this.chosenNow.slot });
    else this.onChange();
  }

  setAxes(axes: Axes): void {
    this.axes = axes;
    this.grip();
    this.onChange();
  }

  calibration({ side, slot }: Chosen): SlotCalibration | undefined {
    return valueAt(recipeOf(this.studio.document), [side, "calibration", slot]) as SlotCalibration | undefined;
  }

  type(chosen: Chosen, axis: number, degrees: number): void {
    const own = this.calibration(chosen);
    const now = anglesOf(own);
    const angles = [...now.degrees];
    angles[axis] = degrees;
    this.put(chosen, written(own ? now.axes : this.axes, angles, own?.replace === true));
  }

  replace(chosen: Chosen, replaces: boolean): void {
    const { axes, degrees } = anglesOf(this.calibration(chosen));
    this.put(chosen, written(axes, degrees, replaces));
  }

  reset(chosen: Chosen): void {
    this.put(chosen, undefined);
  }

  resetAll(side: Side): void {
    this.studio.setValue([side, "calibration"], undefined);
  }

  copy(chosen: Chosen): void {
    this.copied = this.calibration(chosen) ?? { local: [0, 0, 0] };
    this.onChange();
  }

  paste(chosen: Chosen): void {
    if (this.copied) this.put(chosen, tidy(this.copied));
  }

  /** Tells the same turn about other axes. */
  async tell(chosen: Chosen, axes: Axes): Promise<void> {
    await this.attempt(async (of) => {
      if (!this.calibration(chosen)) return;
      const made = await this.studio.engine.call("turned", { pair: await this.studio.pair(), ...chosen, by: [0, 0, 0, 1], axes });
      this.put(chosen, tidy(made), of);
    });
  }

  async mirror(chosen: Chosen): Promise<void> {
    await this.attempt(async (of) => {
      const { slot, calibration } = await this.studio.engine.call("mirrored", { pair: await this.studio.pair(), ...chosen });
      this.put({ side: chosen.side, slot }, calibration ? tidy(calibration) : undefined, of);
    });
  }

  /** All slots of the side where none is named. */
  async snap(side: Side, slots: string[]): Promise<void> {
    await this.attempt(async (of) => {
      const made = await this.studio.engine.call("t_pose", { pair: await this.studio.pair(), side, slots });
      const now = recipeOf(this.studio.document, of);
      let recipe: RecipeObject = now;
      for (const [slot, own] of Object.entries(made)) {
        const before = anglesOf(valueAt(now, [side, "calibration", slot]) as SlotCalibration | undefined).degrees;
        // What nobody would see clutters a recipe.
        if (anglesOf(own).degrees.some((angle, axis) => Math.abs(angle - (before[axis] ?? 0)) > SEEN))
          recipe = withValue(recipe, [side, "calibration", slot], tidy(own));
      }
      this.studio.setRecipe(recipe, null, of);
    });
  }

  /** Puts the gizmo where the chosen slot is. */
  grip(): void {
    const { chosenNow: chosen } = this;
    const node = chosen && this.isOpen && this.studio.shown.standing ? this.nodeOf(chosen) : -1;
    if (!chosen || node < 0) {
      if (this.isOpen || this.wasHeld) this.stage.gizmo.hold(null);
      this.wasHeld = false;
    } else {
      this.wasHeld = true;
      this.stage.gizmo.onDrag = (isDragged) => this.drag(isDragged);
      this.stage.gizmo.hold({
        how: "turn",
        side: chosen.side,
        node,
        isLocal: this.axes === "local",
        take: (by) => void this.turn(chosen, by),
      });
    }
    this.stage.refresh();
  }

  private nodeOf({ side, slot }: Chosen): number {
    const joint = this.studio.shown.map?.[side].slots[slot]?.joints[0];
    return this.studio.shown[side]?.description.nodes.findIndex((node) => node.name === joint) ?? -1;
  }

  private mark(): void {
    for (const side of ["source", "target"] as const) {
      const isOwn = this.chosenNow?.side === side;
      this.stage.puppet(side)?.highlight(isOwn && this.chosenNow ? this.nodeOf(this.chosenNow) : null);
    }
  }

  private drag(isDragged: boolean): void {
    if (isDragged) {
      this.before = this.studio.pair();
      this.studio.history.settle();
      this.studio.hold(true);
    } else {
      // The last answer may be under way.
      const last = ++this.dragged;
      void this.studio.engine
        .call("samples", null)
        .catch(() => {})
        .finally(() => {
          if (last === this.dragged) this.studio.hold(false);
        });
    }
  }

  private async turn(chosen: Chosen, by: Quaternion): Promise<void> {
    this.dragged++;
    await this.attempt(async (of) => {
      const pair = await (this.before ?? this.studio.pair());
      const axes = this.axesOf(chosen);
      const made = await this.studio.engine.call("turned", { pair, ...chosen, by: by.toArray(), axes }, "turn");
      const now = recipeOf(this.studio.document, of);
      const recipe = withValue(now, [chosen.side, "calibration", chosen.slot], tidy(made));
      if (recipeText(recipe) !== recipeText(now)) this.studio.setRecipe(recipe, `turn:${chosen.side}:${chosen.slot}`, of);
    });
  }

  private axesOf(chosen: Chosen): Axes {
    const own = this.calibration(chosen);
    return own ? anglesOf(own).axes : this.axes;
  }

  private put({ side, slot }: Chosen, own: SlotCalibration | undefined, of = this.studio.document.target): void {
    this.studio.setValue([side, "calibration", slot], own, null, of);
  }

  /** Work that waits for the engine; it is about the target that is looked at when it begins, whoever is when it ends. */
  private async attempt(work: (of: string | null) => Promise<void>): Promise<void> {
    try {
      await work(this.studio.document.target);
    } catch (error) {
      trouble(t("poseRefused"), error, "pose");
    }
  }
}
