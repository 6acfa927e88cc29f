// What of a report's series can be looked at over time, each as lines of source and target.

import type { Series, Side } from "rebone";
import type { TextKey } from "../texts";

/** A value a frame; `null` where there is nothing to say. */
export type Values = readonly (number | null)[];

/** A line across, at a value that means something. */
export interface Bound {
  value: number;
  meaning: "good" | "fail" | "floor";
}

export interface Curve {
  key: CurveKey;
  unit: string;
  /** Points or slots of which one is looked at; the first is chosen unless somebody chooses. `worst` is the worst of all others. */
  choices: readonly string[];
  bounds: readonly Bound[];
  /** The range of values that is shown in any case. */
  least: readonly [number, number];
  /** Kinds of the report's moments that belong here. */
  moments: readonly string[];
  values: (choice: string) => Readonly<Record<Side, Values | null>>;
}

export const curveKeys = ["direction", "slide", "sole", "footSpeed", "knee", "snap", "hipsHeight", "hipsForward", "hipsLeft"] as const;
export type CurveKey = (typeof curveKeys)[number];
export const curveText = (key: CurveKey): TextKey => `curve_${key}`;

const WORST = "worst";
const sides: readonly Side[] = ["source", "target"];
type Feet = Series["feet"];

/** Of several lines the value that is worst in each frame. */
function worst(lines: readonly Values[], pick: (values: number[]) => number): Values {
  return (lines[0] ?? []).map((_, frame) => {
    const known = lines.map((line) => line[frame] ?? null).filter((value): value is number => value !== null);
    return known.length === 0 ? null : pick(known);
  });
}

const most = (values: number[]): number => Math.max(...values);
const lowest = (values: number[]): number => Math.min(...values);

/** Values of one of the feet's points, or of the worst. */
function ofFeet(
  feet: Feet,
  choice: string,
  line: (foot: Feet[number], side: Side) => Values,
  pick: (values: number[]) => number,
): Record<Side, Values | null> {
  const chosen = choice === WORST ? feet : feet.filter((foot) => foot.point === choice);
  const of = (side: Side): Values | null =>
    chosen.length === 0
      ? null
      : worst(
          chosen.map((foot) => line(foot, side)),
          pick,
        );
  return { source: of("source"), target: of("target") };
}

/** A line only in the frames in which the source's foot stands: only there does a foot slide. */
function whileStanding(values: readonly number[], contacts: readonly (readonly [number, number])[]): Values {
  const made: (number | null)[] = values.map(() => null);
  for (const [first, last] of contacts) for (let frame = first; frame <= last; frame++) made[frame] = values[frame] ?? null;
  return made;
}

/** |k(i−1) − 2 k(i) + k(i+1)|: how abruptly an angle changes; nothing at the ends of stretches. */
export function snaps(degrees: readonly number[], starts: readonly number[]): Values {
  const breaks = new Set(starts);
  return degrees.map((own, frame) => {
    const [before, after] = [degrees[frame - 1], degrees[frame + 1]];
    if (before === undefined || after === undefined || breaks.has(frame) || breaks.has(frame + 1)) return null;
    return Math.abs(before - 2 * own + after);
  });
}

/** Those that the series has anything for. */
export function curvesOf(series: Series): Curve[] {
  const { feet, knees, starts } = series;
  const points = [WORST, ...feet.map((foot) => foot.point)];
  const slots = knees.map((knee) => knee.slot);
  const path = (side: Side, axis: 0 | 1): Values => series.hips_path[side].map((place) => place[axis]);
  const both = (line: (side: Side) => Values): Record<Side, Values | null> => ({ source: line("source"), target: line("target") });
  const kneeOf = (choice: string) => knees.find((knee) => knee.slot === choice);
  const all: (Curve | false)[] = [
    {
      key: "direction",
      unit: "°",
      choices: [],
      least: [0, 5],
      moments: ["direction"],
      bounds: [
        { value: 10, meaning: "good" },
        { value: 30, meaning: "fail" },
      ],
      values: () => ({ source: null, target: series.direction_degrees }),
    },
    feet.length > 0 && {
      // What slides less counts as standing in the report's ratios.
      key: "slide",
      unit: "% L/s",
      choices: points,
      least: [0, 5],
      moments: ["slide"],
      bounds: [{ value: 1, meaning: "good" }],
      values: (choice) =>
        ofFeet(feet, choice, (foot, side) => whileStanding(foot.speed_percent_per_second[side], foot.contacts.source), most),
    },
    feet.length > 0 && {
      key: "sole",
      unit: "% L",
      choices: points,
      least: [-2, 4],
      moments: ["penetration"],
      bounds: [{ value: 0, meaning: "floor" }],
      values: (choice) => ofFeet(feet, choice, (foot, side) => foot.height_percent[side], lowest),
    },
    feet.length > 0 && {
      key: "footSpeed",
      unit: "% L/s",
      choices: points.slice(1),
      least: [0, 20],
      moments: [],
      bounds: [],
      values: (choice) => ofFeet(feet, choice, (foot, side) => foot.speed_percent_per_second[side], most),
    },
    slots.length > 0 && {
      key: "knee",
      unit: "°",
      choices: slots,
      least: [0, 10],
      moments: [],
      bounds: [],
      values: (choice) => both((side) => kneeOf(choice)?.degrees[side] ?? []),
    },
    slots.length > 0 && {
      key: "snap",
      unit: "°",
      choices: [WORST, ...slots],
      least: [0, 5],
      moments: ["pop"],
      bounds: [],
      values: (choice) =>
        both((side) =>
          worst(
            knees.filter((knee) => choice === WORST || knee.slot === choice).map((knee) => snaps(knee.degrees[side], starts)),
            most,
          ),
        ),
    },
    {
      key: "hipsHeight",
      unit: "L",
      choices: [],
      least: [0.8, 1.1],
      moments: [],
      bounds: [],
      values: () => both((side) => series.hips_height[side]),
    },
    {
      key: "hipsForward",
      unit: "L",
      choices: [],
      least: [-0.1, 0.1],
      moments: [],
      bounds: [],
      values: () => both((side) => path(side, 1)),
    },
    { key: "hipsLeft", unit: "L", choices: [], least: [-0.1, 0.1], moments: [], bounds: [], values: () => both((side) => path(side, 0)) },
  ];
  const isThere = (curve: Curve): boolean => {
    const values = curve.values(curve.choices[0] ?? "");
    return sides.some((side) => values[side]?.some((value) => value !== null));
  };
  return all.filter((curve): curve is Curve => curve !== false && isThere(curve));
}
