// One figure over time: its lines, its bounds, its worst moments, and the value at the moment that is looked at.

import type { Report, Series } from "rebone";
import { unitName } from "../report-texts";
import { t } from "../texts";
import { el, fill } from "../ui/dom";
import { type Curve, curveText, type Values } from "./curves";
import { across, down, type Frame, frameAt, HEIGHT, path, range, WIDTH } from "./path";
import { partName } from "./names";

const SVG = "http://www.w3.org/2000/svg";

function shape<K extends "svg" | "path" | "line" | "rect">(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** A motion whose figures are drawn as a further line. */
export interface Other {
  name: string;
  series: Series;
  report: Report;
}

interface Line {
  who: "source" | "target" | "other";
  name: string;
  seconds: readonly number[];
  values: Values;
}

export interface LaneInput {
  curve: Curve;
  /** The same figure of what is compared with. */
  otherCurve: Curve | null;
  series: Series;
  report: Report;
  other: Other | null;
  choice: string;
  span: readonly [number, number];
}

export class Lane {
  readonly place: HTMLElement;
  private readonly reading = el("output", { class: "reading" });
  private readonly lines: Line[];
  private readonly input: LaneInput;

  constructor(input: LaneInput, onChoice: (choice: string) => void, goTo: (seconds: number) => void) {
    this.input = input;
    const { curve, otherCurve, series, report, other, choice, span } = input;
    const own = curve.values(choice);
    const lines: (Line | null)[] = [
      own.source && { who: "source", name: t("source"), seconds: series.seconds, values: own.source },
      other &&
        otherCurve && { who: "other", name: other.name, seconds: other.series.seconds, values: otherCurve.values(choice).target ?? [] },
      own.target && { who: "target", name: t("target"), seconds: series.seconds, values: own.target },
    ];
    this.lines = lines.filter((line): line is Line => line !== null);
    const [low, high] = range(
      this.lines.map((line) => line.values),
      curve.least,
    );
    const frame: Frame = { seconds: series.seconds, starts: series.starts, from: span[0], until: span[1], low, high };
    const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    for (const [start, end] of this.contacts()) {
      const x = across(frame, start);
      picture.append(shape("rect", { class: "standing", x, y: 0, width: Math.max(across(frame, end) - x, 0.5), height: HEIGHT }));
    }
    for (const bound of curve.bounds) {
      if (bound.value <= low || bound.value >= high) continue;
      const y = down(frame, bound.value);
      picture.append(shape("line", { class: `bound ${bound.meaning}`, x1: 0, x2: WIDTH, y1: y, y2: y }));
    }
    for (const line of this.lines) {
      const starts = line.who === "other" ? (other?.series.starts ?? []) : series.starts;
      picture.append(shape("path", { class: line.who, d: path(line.values, { ...frame, seconds: line.seconds, starts }) }));
    }
    const list =
      curve.choices.length > 1 &&
      el(
        "select",
        { class: "which", "aria-label": t("plotWhich", { name: t(curveText(curve.key)) }) },
        curve.choices.map((own) => el("option", { value: own, selected: own === choice }, partName(own))),
      );
    if (list) list.addEventListener("change", () => onChoice(list.value));
    const place = el("div", { class: "graph" });
    place.append(picture);
    place.append(el("span", { class: "high" }, this.words(high)), el("span", { class: "low" }, this.words(low)));
    for (const moment of report.moments.filter(({ kind }) => curve.moments.includes(kind))) {
      const text = t("plotMoment", {
        seconds: moment.seconds.toFixed(2),
        name: partName(moment.slot ?? moment.point ?? ""),
        value: `${this.words(moment.value)} ${unitName(moment.unit)}`,
      });
      const mark = el(
        "button",
        {
          class: "worst",
          title: text,
          "aria-label": text,
          onclick: (event: Event) => {
            event.stopPropagation();
            goTo(moment.seconds);
          },
        },
        "▾",
      );
      mark.style.left = `${(across(frame, moment.seconds) / WIDTH) * 100}%`;
      place.append(mark);
    }
    this.place = el(
      "div",
      { class: "plot", "data-curve": curve.key },
      el(
        "div",
        { class: "head" },
        el(
          "span",
          { class: "name", title: t(`${curveText(curve.key)}_what` as "curve_slide_what") },
          `${t(curveText(curve.key))} (${curve.unit})`,
        ),
        list,
        this.reading,
      ),
      place,
    );
  }

  /** Says the values at a moment. */
  read(seconds: number): void {
    fill(
      this.reading,
      this.lines.map((line) => {
        const value = line.values[frameAt(line.seconds, seconds)] ?? null;
        return el("span", { class: line.who }, `${line.name} ${value === null ? "–" : this.words(value)}`);
      }),
    );
  }

  private words(value: number): string {
    const { unit } = this.input.curve;
    // No number is less than nothing by a hair.
    return value.toFixed(unit === "L" ? 2 : Math.abs(value) >= 100 ? 0 : 1).replace(/^-(0\.?0*)$/, "$1");
  }

  /** When the foot that is looked at stands, of a figure of feet. */
  private contacts(): [number, number][] {
    const { series, choice } = this.input;
    const foot = series.feet.find((own) => own.point === choice);
    return (foot?.contacts.source ?? []).map(([first, last]) => [series.seconds[first] ?? 0, series.seconds[last] ?? 0]);
  }
}
