// Rows of spans under the time line that are moved, stretched, added and removed, by mouse or keys.

import { t } from "../texts";
import { el, fill } from "../ui/dom";
import type { Clock } from "./clock";

export interface Span {
  from: number;
  until: number;
  /** What it is, for those who do not see it. */
  label: string;
  isChosen?: boolean;
}

export interface Lane {
  key: string;
  label: string;
  kind: "left" | "right" | "pin" | "other";
  spans: readonly Span[];
  /** Another span in place of one. `key` names a drag, so that it is one step of undo. */
  change: (index: number, from: number, until: number, key: string | null) => void;
  remove: (index: number) => void;
  /** Null where nothing can be added by drawing. */
  add: ((from: number, until: number) => void) | null;
  choose: (index: number) => void;
}

/** Pixels at a span's ends by which it is stretched. */
const EDGE = 6;
/** Pixels that a pointer moves before it drags. */
const STILL = 3;

export class Lanes {
  readonly place = el("div", { class: "lanes", hidden: true });
  private all: readonly Lane[] = [];
  private isDragging = false;
  private wantsRender = false;
  /** Called when a drag ends. */
  onSettle: () => void = () => {};

  constructor(private readonly clock: Clock) {}

  /** None hides them. */
  set(all: readonly Lane[]): void {
    if (this.all.length === 0 && all.length === 0) return;
    this.all = all;
    if (this.isDragging) this.wantsRender = true;
    else this.render();
  }

  private get length(): number {
    return Math.max(this.clock.end - this.clock.start, 1e-6);
  }

  private put(own: HTMLElement, from: number, until: number): void {
    const share = (seconds: number): number => Math.min(Math.max((seconds - this.clock.start) / this.length, 0), 1) * 100;
    own.style.left = `${share(from)}%`;
    own.style.width = `${Math.max(share(until) - share(from), 0.4)}%`;
  }

  private render(): void {
    this.wantsRender = false;
    const { place } = this;
    const focused = place.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["focus"] : undefined;
    place.hidden = this.all.length === 0;
    fill(
      place,
      this.all.map((lane) => this.row(lane)),
    );
    if (focused !== undefined) place.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(lane: Lane): HTMLElement {
    const row = el(
      "div",
      { class: `lane ${lane.kind}`, role: "group", "aria-label": lane.label, "data-lane": lane.key },
      el("span", { class: "lane-label", "aria-hidden": "true" }, lane.label),
      lane.spans.map((span, index) => this.span(lane, span, index)),
    );
    row.addEventListener("pointerdown", (event) => {
      if (event.target !== row || event.button !== 0) return;
      this.draw(row, lane, event);
    });
    return row;
  }

  private span(lane: Lane, span: Span, index: number): HTMLElement {
    const own = el("button", {
      class: `span ${span.isChosen === true ? "chosen" : ""}`,
      "data-focus": `span:${lane.key}:${index}`,
      "aria-label": `${lane.label}: ${span.label}, ${span.from.toFixed(2)} s – ${span.until.toFixed(2)} s. ${t("spanKeys")}`,
      title: `${span.label} · ${span.from.toFixed(2)} – ${span.until.toFixed(2)} s\n${t("spanKeys")}`,
    });
    this.put(own, span.from, span.until);
    own.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.drag(own, lane, span, index, event);
    });
    own.addEventListener("pointermove", (event) => {
      const box = own.getBoundingClientRect();
      const edge = Math.min(EDGE, box.width / 3);
      own.classList.toggle("edge", event.clientX - box.left < edge || box.right - event.clientX < edge);
    });
    own.addEventListener("keydown", (event) => this.key(lane, span, index, event));
    return own;
  }

  private secondsIn(row: HTMLElement, pixels: number): number {
    return (pixels / Math.max(row.clientWidth, 1)) * this.length;
  }

  private drag(own: HTMLElement, lane: Lane, span: Span, index: number, event: PointerEvent): void {
    const row = own.parentElement;
    if (!row) return;
    const box = own.getBoundingClientRect();
    const edge = Math.min(EDGE, box.width / 3);
    const how = event.clientX - box.left < edge ? "from" : box.right - event.clientX < edge ? "until" : "both";
    const key = `span:${lane.key}:${index}:${event.timeStamp}`;
    let now = { from: span.from, until: span.until };
    let moved = false;
    own.setPointerCapture(event.pointerId);
    this.isDragging = true;
    const move = (at: PointerEvent): void => {
      if (!moved && Math.abs(at.clientX - event.clientX) < STILL) return;
      moved = true;
      const by = this.secondsIn(row, at.clientX - event.clientX);
      now = this.moved(span, how, by);
      this.put(own, now.from, now.until);
      lane.change(index, now.from, now.until, key);
    };
    const end = (): void => {
      own.removeEventListener("pointermove", move);
      this.isDragging = false;
      if (moved) this.onSettle();
      else lane.choose(index);
      if (this.wantsRender) this.render();
    };
    own.addEventListener("pointermove", move);
    own.addEventListener("lostpointercapture", end, { once: true });
  }

  private moved(span: Span, how: "from" | "until" | "both", by: number): { from: number; until: number } {
    const { start, end, rate } = this.clock;
    const least = 1 / rate;
    if (how === "from") return { from: Math.min(Math.max(span.from + by, start), span.until - least), until: span.until };
    if (how === "until") return { from: span.from, until: Math.max(Math.min(span.until + by, end), span.from + least) };
    const own = Math.min(Math.max(by, start - span.from), end - span.until);
    return { from: span.from + own, until: span.until + own };
  }

  /** A new span is drawn; a click without moving goes to its moment. */
  private draw(row: HTMLElement, lane: Lane, event: PointerEvent): void {
    const box = row.getBoundingClientRect();
    const secondsAt = (x: number): number =>
      Math.min(Math.max(this.clock.start + this.secondsIn(row, x - box.left), this.clock.start), this.clock.end);
    const begun = secondsAt(event.clientX);
    let until = begun;
    const ghost = el("div", { class: "span" });
    row.setPointerCapture(event.pointerId);
    this.isDragging = true;
    const move = (at: PointerEvent): void => {
      until = secondsAt(at.clientX);
      if (!lane.add || Math.abs(at.clientX - event.clientX) < STILL) return;
      if (!ghost.isConnected) row.append(ghost);
      this.put(ghost, Math.min(begun, until), Math.max(begun, until));
    };
    const end = (): void => {
      row.removeEventListener("pointermove", move);
      this.isDragging = false;
      const wasDrawn = ghost.isConnected;
      ghost.remove();
      if (wasDrawn) lane.add?.(Math.min(begun, until), Math.max(begun, until));
      else {
        this.clock.pause();
        this.clock.go(begun);
      }
      if (this.wantsRender) this.render();
    };
    row.addEventListener("pointermove", move);
    row.addEventListener("lostpointercapture", end, { once: true });
  }

  private key(lane: Lane, span: Span, index: number, event: KeyboardEvent): void {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step !== 0) {
      const how = event.shiftKey ? "until" : event.altKey ? "from" : "both";
      const { from, until } = this.moved(span, how, step / this.clock.rate);
      lane.change(index, from, until, null);
    } else if (event.key === "Delete" || event.key === "Backspace") lane.remove(index);
    else if (event.key === "Enter") {
      lane.choose(index);
      this.clock.pause();
      this.clock.go(span.from);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
