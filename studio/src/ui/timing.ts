// What is said about stretches of time: contacts of the source, and pins of the target's ends.

import type { Report } from "rebone";
import { recipeOf, valueAt } from "../document";
import type { Held } from "../stage/gizmo";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { t } from "../texts";
import type { Clock } from "../timeline/clock";
import type { Lane } from "../timeline/lanes";
import { trouble } from "./notices";

type Three = [number, number, number];

/** One of `[[pins]]`. */
export interface Pin {
  end: string;
  to?: string;
  point?: Three;
  joint?: string;
  offset?: Three;
  scale?: Three;
  from?: number;
  until?: number;
  blend_in?: number;
  blend_out?: number;
  weight?: number;
}

/** Start and end in seconds, and how high, metres. */
export type Touch = [number, number] | [number, number, number];

export const POINTS = ["leftHeel", "leftToes", "rightHeel", "rightToes"] as const;
export const MORE_POINTS = [
  "leftHand",
  "rightHand",
  "leftKnee",
  "rightKnee",
  "seat",
  "frontLeftHeel",
  "frontRightHeel",
  "frontLeftToes",
  "frontRightToes",
] as const;
/** How long what is added at the play head lasts, seconds. */
const NEW_SECONDS = 0.3;

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** What a pin is pinned to, where it does not say so itself. */
export const goalOf = (pin: Pin): string => pin.to ?? (pin.point ? "point" : pin.joint !== undefined ? "joint" : "own");

export class Timing {
  private isOpen = false;
  chosenPin: number | null = null;
  private hadGrip = false;
  /** Points without contacts that somebody wants to give some. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  open(isOpen: boolean): void {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.grip();
    this.onChange();
  }

  get isSeen(): boolean {
    return this.isOpen;
  }

  // Contacts.

  private get report(): Report | undefined {
    const { judged, result } = this.studio.shown;
    return judged?.report ?? result?.clips[0]?.report;
  }

  private pathOf(point: string): readonly string[] {
    return ["contacts", "clips", this.studio.shown.clip ?? "", point];
  }

  isByHand(point: string): boolean {
    return valueAt(recipeOf(this.studio.document), this.pathOf(point)) !== undefined;
  }

  /** Points that are shown: feet, those that touch something, and those that a person has asked for. */
  points(): string[] {
    const found = Object.entries(this.report?.contacts?.points ?? {})
      .filter(([name, spans]) => spans.length > 0 || this.isByHand(name))
      .map(([name]) => name);
    const edited = Object.keys((valueAt(recipeOf(this.studio.document), this.pathOf("").slice(0, -1)) as object | undefined) ?? {});
    const isPerson = this.studio.shown.map?.source.kind === "humanoid";
    return [...new Set([...(isPerson ? POINTS : []), ...found, ...edited, ...this.asked])];
  }

  ask(point: string): void {
    this.asked.add(point);
    this.onChange();
  }

  touches(point: string): Touch[] {
    const own = valueAt(recipeOf(this.studio.document), this.pathOf(point));
    if (Array.isArray(own)) return own as Touch[];
    return (this.report?.contacts?.points[point] ?? []).map(
      (span): Touch => [round(span.start_seconds), round(span.end_seconds), round(span.height_meters)],
    );
  }

  setTouches(point: string, all: readonly Touch[], key: string | null = null): void {
    const sorted = key === null ? [...all].sort((a, b) => a[0] - b[0]) : [...all];
    this.studio.setValue(
      this.pathOf(point),
      sorted.map(([from, until, ...height]) => [round(from), round(until), ...height]),
      key,
    );
  }

  changeTouch(point: string, index: number, from: number, until: number, key: string | null = null): void {
    const all = this.touches(point);
    const own = all[index];
    if (!own) return;
    all[index] = own.length === 3 ? [from, until, own[2]] : [from, until];
    this.setTouches(point, all, key);
  }

  removeTouch(point: string, index: number): void {
    this.setTouches(
      point,
      this.touches(point).filter((_, at) => at !== index),
    );
  }

  addTouch(point: string, from: number, until: number): void {
    this.setTouches(point, [...this.touches(point), [from, until]]);
  }

  addTouchHere(point: string): void {
    const { seconds, start, end } = this.clock;
    const from = Math.max(start, Math.min(seconds, end - NEW_SECONDS));
    this.addTouch(point, from, Math.min(from + NEW_SECONDS, end));
  }

  backToFound(point: string): void {
    this.studio.setValue(this.pathOf(point), undefined);
  }

  // Pins.

  get pins(): readonly Pin[] {
    return (valueAt(recipeOf(this.studio.document), ["pins"]) as Pin[] | undefined) ?? [];
  }

  setPins(pins: readonly Pin[], key: string | null = null): void {
    this.studio.setValue(["pins"], pins.length === 0 ? undefined : pins, key);
    this.grip();
  }

  changePin(index: number, change: { [K in keyof Pin]?: Pin[K] | undefined }, key: string | null = null): void {
    this.setPins(
      this.pins.map((pin, at) => {
        if (at !== index) return pin;
        const all = Object.entries({ ...pin, ...change }).filter(([, value]) => value !== undefined);
        return Object.fromEntries(all) as unknown as Pin;
      }),
      key,
    );
  }

  choosePin(index: number | null): void {
    this.chosenPin = index;
    this.grip();
    this.onChange();
  }

  removePin(index: number): void {
    this.chosenPin = null;
    this.setPins(this.pins.filter((_, at) => at !== index));
  }

  /** Pins an end to where it is now, from now on. */
  async addPin(end: string): Promise<void> {
    try {
      const { seconds, start, end: last } = this.clock;
      const { target } = this.studio.document;
      const point = await this.placeOf(end);
      if (this.studio.document.target !== target) return;
      const from = Math.max(start, Math.min(seconds, last - NEW_SECONDS));
      this.chosenPin = this.pins.length;
      this.setPins([...this.pins, { end, to: "point", point, from: round(from), until: round(Math.min(from + NEW_SECONDS, last)) }]);
    } catch (error) {
      trouble(t("pinRefused"), error, "pin");
    }
  }

  /** Puts a pin's point to where its end is now. */
  async pinHere(index: number): Promise<void> {
    const pin = this.pins[index];
    if (!pin) return;
    try {
      const { target } = this.studio.document;
      const point = await this.placeOf(pin.end);
      // Another target, or another pin in its place, was not meant.
      if (this.studio.document.target === target && this.pins[index]?.end === pin.end)
        this.changePin(index, { to: "point", point, joint: undefined });
    } catch (error) {
      trouble(t("pinRefused"), error, "pin");
    }
  }

  /** Another goal; a point begins where the end is, a joint with the hips. */
  async pinTo(index: number, to: string): Promise<void> {
    if (to === "point") await this.pinHere(index);
    else this.changePin(index, { to, point: undefined, joint: to === "joint" ? "hips" : undefined });
  }

  private async placeOf(end: string): Promise<Three> {
    const clip = this.studio.shown.result?.clips[0]?.name ?? "";
    const found = await this.studio.engine.call("pin_place", { pair: await this.studio.pair(), clip, end, seconds: this.clock.seconds });
    return found.map((own) => Math.round(own * 10_000) / 10_000) as Three;
  }

  /** Arrows at the point of the chosen pin. */
  grip(): void {
    if (!this.isOpen && !this.hadGrip) return;
    const index = this.chosenPin;
    const pin = index === null ? undefined : this.pins[index];
    this.hadGrip = this.isOpen && pin?.point !== undefined && index !== null;
    if (!this.hadGrip || !pin?.point || index === null) {
      this.stage.gizmo.hold(null);
    } else {
      const take = (point: Three): void =>
        this.changePin(index, { point: point.map((own) => Math.round(own * 10_000) / 10_000) as Three }, `pin:${index}`);
      const held: Held = { how: "move", side: "target", point: pin.point, take };
      this.stage.gizmo.onDrag = (isDragged) => {
        if (isDragged) return;
        this.studio.history.settle();
        this.onChange();
      };
      this.stage.gizmo.hold(held);
    }
    this.stage.refresh();
  }

  /** Rows under the time line. */
  lanes(): Lane[] {
    if (!this.isOpen || !this.studio.shown.result) return [];
    const { start, end } = this.clock;
    const touching = this.points().map(
      (point): Lane => ({
        key: point,
        label: point,
        kind: /left/i.test(point) ? "left" : /right/i.test(point) ? "right" : "other",
        spans: this.touches(point).map(([from, until]) => ({ from, until, label: t("contact") })),
        change: (index, from, until, key) => this.changeTouch(point, index, from, until, key),
        remove: (index) => this.removeTouch(point, index),
        add: (from, until) => this.addTouch(point, from, until),
        choose: () => {},
      }),
    );
    const pinned = this.pins.map(
      (pin, index): Lane => ({
        key: `pin${index}`,
        label: `${t("pin")} ${index + 1}: ${pin.end}`,
        kind: "pin",
        spans: [{ from: pin.from ?? start, until: pin.until ?? end, label: goalOf(pin), isChosen: index === this.chosenPin }],
        change: (_, from, until, key) => this.changePin(index, { from: round(from), until: round(until) }, key),
        remove: () => this.removePin(index),
        add: null,
        choose: () => this.choosePin(index),
      }),
    );
    return [...touching, ...pinned];
  }
}
