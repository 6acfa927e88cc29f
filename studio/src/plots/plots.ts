// The report's series below the time line, on the same scale of time: which are seen is chosen, a click goes to the moment.

import type { Report, Series } from "rebone";
import type { Clock } from "../timeline/clock";
import { t } from "../texts";
import { el, fill } from "../ui/dom";
import { type CurveKey, curveKeys, curvesOf, curveText } from "./curves";
import { Lane, type Other } from "./lane";
import { remember, remembered } from "../ui/remembered";

const KEY = "rebone-plots";

interface Choices {
  isOpen: boolean;
  curves: CurveKey[];
  /** The point or slot of a curve. */
  which: Partial<Record<CurveKey, string>>;
}

function stored(): Choices {
  const standard: Choices = { isOpen: true, curves: ["slide"], which: {} };
  try {
    const own = JSON.parse(remembered(KEY) ?? "{}") as Partial<Choices>;
    const curves = Array.isArray(own.curves) ? curveKeys.filter((key) => own.curves?.includes(key)) : standard.curves;
    return { isOpen: own.isOpen !== false, curves, which: own.which ?? {} };
  } catch {
    return standard;
  }
}

export interface Judged {
  report: Report;
  series: Series;
}

export class Plots {
  private choices = stored();
  private judged: Judged | null = null;
  private other: Other | null = null;
  private lanes: Lane[] = [];
  private hovered: number | null = null;
  private readonly head = el("div", { class: "row" });
  private readonly body = el("div", { class: "plot-list", id: "plot-list" });
  private readonly playhead = el("div", { class: "playhead" });
  private readonly hover = el("div", { class: "playhead hover", hidden: true });
  private drawn: readonly unknown[] = [];

  constructor(
    place: HTMLElement,
    private readonly clock: Clock,
    private readonly goTo: (seconds: number) => void,
  ) {
    const inner = el("div", { class: "inner" });
    inner.append(this.body, this.playhead, this.hover);
    fill(place, this.head, inner);
    this.body.addEventListener("pointermove", (event) => this.point(this.secondsAt(event)));
    this.body.addEventListener("pointerleave", () => this.point(null));
    this.body.addEventListener("click", (event) => {
      const seconds = this.secondsAt(event);
      if (seconds !== null && event.target instanceof Element && event.target.closest(".graph")) this.goTo(seconds);
    });
    clock.onChange(() => this.follow());
    this.words();
  }

  /** Says everything in the language of the moment. */
  words(): void {
    this.renderHead();
    this.draw(true);
  }

  /** What is drawn; `other` is a further line, of a motion to compare with. */
  set(judged: Judged | null, other: Other | null): void {
    const isNew = judged !== this.judged;
    this.judged = judged;
    this.other = other;
    if (isNew) this.renderHead();
    this.draw(false);
  }

  private choose(change: Partial<Choices>): void {
    this.choices = { ...this.choices, ...change };
    remember(KEY, JSON.stringify(this.choices));
    this.renderHead();
    this.draw(true);
  }

  private renderHead(): void {
    const { isOpen, curves } = this.choices;
    const focused = this.head.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const there = this.judged ? curvesOf(this.judged.series).map((curve) => curve.key) : [];
    const toggled = (key: CurveKey): CurveKey[] =>
      curves.includes(key) ? curves.filter((own) => own !== key) : curveKeys.filter((own) => own === key || curves.includes(own));
    fill(
      this.head,
      el(
        "button",
        {
          id: "plots-open",
          "aria-expanded": String(isOpen),
          "aria-controls": "plot-list",
          onclick: () => this.choose({ isOpen: !isOpen }),
        },
        `${isOpen ? "▾" : "▸"} ${t("plots")}`,
      ),
      isOpen &&
        el(
          "div",
          { class: "chips", role: "group", "aria-label": t("plots") },
          there.map((key) =>
            el(
              "button",
              {
                id: `plot-${key}`,
                "aria-pressed": String(curves.includes(key)),
                title: t(`${curveText(key)}_what` as "curve_slide_what"),
                onclick: () => this.choose({ curves: toggled(key) }),
              },
              t(curveText(key)),
            ),
          ),
        ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  private draw(isForced: boolean): void {
    const span = [this.clock.start, this.clock.end] as const;
    const now = [this.judged, this.other?.series, this.other?.name, ...span];
    if (!isForced && now.every((own, index) => Object.is(own, this.drawn[index]))) return;
    this.drawn = now;
    const { judged, other } = this;
    const { isOpen, which } = this.choices;
    const others = other ? curvesOf(other.series) : [];
    this.lanes =
      judged && isOpen && span[1] > span[0]
        ? curvesOf(judged.series)
            .filter((curve) => this.choices.curves.includes(curve.key))
            .map((curve) => {
              const wanted = which[curve.key];
              const choice = wanted !== undefined && curve.choices.includes(wanted) ? wanted : (curve.choices[0] ?? "");
              const otherCurve = others.find((own) => own.key === curve.key) ?? null;
              return new Lane(
                { curve, otherCurve, series: judged.series, report: judged.report, other, choice, span },
                (own) => this.choose({ which: { ...which, [curve.key]: own } }),
                this.goTo,
              );
            })
        : [];
    fill(
      this.body,
      this.lanes.map((lane) => lane.place),
    );
    this.playhead.hidden = this.lanes.length === 0;
    this.follow();
  }

  private secondsAt(event: MouseEvent): number | null {
    const box = this.body.getBoundingClientRect();
    if (box.width === 0) return null;
    const share = Math.min(Math.max((event.clientX - box.left) / this.body.clientWidth, 0), 1);
    return this.clock.start + share * (this.clock.end - this.clock.start);
  }

  private point(seconds: number | null): void {
    this.hovered = seconds;
    this.hover.hidden = seconds === null;
    if (seconds !== null) this.hover.style.left = this.share(seconds);
    this.read();
  }

  private follow(): void {
    if (this.lanes.length === 0) return;
    this.playhead.style.left = this.share(this.clock.seconds);
    this.read();
  }

  private read(): void {
    const seconds = this.hovered ?? this.clock.seconds;
    this.lanes.forEach((lane) => lane.read(seconds));
  }

  private share(seconds: number): string {
    const length = this.clock.end - this.clock.start;
    return `${length > 0 ? ((seconds - this.clock.start) / length) * 100 : 0}%`;
  }
}
