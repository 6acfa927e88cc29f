// Values over time as the path of an SVG.

import type { Values } from "./curves";

/** Steps across and down in which paths are written; the picture is stretched over its place. */
export const WIDTH = 1000;
export const HEIGHT = 100;
/** Columns that are told apart; of longer clips each shows its lowest and highest value. */
const MOST_COLUMNS = 1200;

export interface Frame {
  seconds: readonly number[];
  /** First frames of stretches, between which nothing is known. */
  starts: readonly number[];
  from: number;
  until: number;
  low: number;
  high: number;
}

/** The lowest and the highest of several lines, with a little room. */
export function range(lines: readonly (Values | null)[], least: readonly [number, number]): [number, number] {
  let [low, high] = least;
  for (const line of lines) {
    for (const value of line ?? []) {
      if (value === null || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const room = (high - low) * 0.06;
  // What cannot be below zero is drawn from the bottom.
  return [low === 0 ? 0 : low - room, high + room];
}

export const across = (frame: Frame, seconds: number): number =>
  ((seconds - frame.from) / Math.max(frame.until - frame.from, 1e-6)) * WIDTH;
export const down = (frame: Frame, value: number): number => (1 - (value - frame.low) / Math.max(frame.high - frame.low, 1e-9)) * HEIGHT;

/** The path of a line: pieces between gaps. */
export function path(values: Values, frame: Frame): string {
  const breaks = new Set(frame.starts);
  const bundle = Math.max(1, Math.ceil(values.length / MOST_COLUMNS));
  const written: string[] = [];
  let isOpen = false;
  const put = (at: number, value: number): void => {
    written.push(`${isOpen ? "L" : "M"}${across(frame, frame.seconds[at] ?? 0).toFixed(1)} ${down(frame, value).toFixed(1)}`);
    isOpen = true;
  };
  for (let first = 0; first < values.length; first += bundle) {
    let low: number | null = null;
    let high: number | null = null;
    for (let at = first; at < Math.min(first + bundle, values.length); at++) {
      const value = values[at] ?? null;
      // A stretch that begins within a bundle is as good as one that begins with it.
      if (breaks.has(at) || value === null) isOpen = false;
      if (value === null) continue;
      low = low === null ? value : Math.min(low, value);
      high = high === null ? value : Math.max(high, value);
    }
    if (low === null || high === null) continue;
    put(first, high);
    if (high !== low) put(first, low);
  }
  return written.join("");
}

/** The frame nearest to a moment. */
export function frameAt(seconds: readonly number[], moment: number): number {
  let [low, high] = [0, seconds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seconds[middle] ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  return before >= 0 && moment - (seconds[before] ?? 0) < (seconds[low] ?? 0) - moment ? before : low;
}
