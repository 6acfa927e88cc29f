// Which joint a click means: the one whose piece of skeleton is nearest to it in the picture, since pieces may be a pixel thin.

import { Vector3 } from "three";
import type { Side } from "rebone";
import type { Puppet } from "./puppet";

interface Point {
  x: number;
  y: number;
}

/** Furthest that a click may be from a piece, pixels. */
const NEAR = 12;
/** Share of a piece behind which the joint at its thin end is meant. */
const END = 0.85;

/** What joints of no slot are further away than they are, pixels: hair and cloth hang before the body. */
const BEHIND = 4;
/** How far beside a guest's joints a click still means it, pixels. */
const AROUND = 14;

/** Distance of a point from a line between two, and the share of the way at which it is nearest. */
function distance(point: Point, from: Point, to: Point): { pixels: number; share: number } {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const square = x * x + y * y;
  const share = square > 0 ? Math.min(Math.max(((point.x - from.x) * x + (point.y - from.y) * y) / square, 0), 1) : 0;
  return { pixels: Math.hypot(from.x + share * x - point.x, from.y + share * y - point.y), share };
}

/** None where no visible skeleton is near. */
export function pickJoint(
  click: Point,
  puppets: ReadonlyMap<Side, Puppet>,
  project: (place: Vector3) => Point | null,
): { side: Side; joint: number } | null {
  let best: { side: Side; joint: number; pixels: number } | null = null;
  const [start, end] = [new Vector3(), new Vector3()];
  for (const [side, puppet] of puppets) {
    if (!puppet.skeleton.mesh.visible) continue;
    for (const [joint, child] of puppet.skeleton.pieces) {
      const from = project(puppet.placeOf(joint, start));
      const to = project(puppet.placeOf(child, end));
      if (!from || !to) continue;
      const { pixels, share } = distance(click, from, to);
      if (pixels > NEAR) continue;
      const own = share > END ? child : joint;
      const counted = pixels + (puppet.isMapped(own) ? 0 : BEHIND);
      if (!best || counted < best.pixels) best = { side, joint: own, pixels: counted };
    }
  }
  return best;
}

/** The guest whose joints are around a place of the picture; none where nobody is there. */
export function pickGuest(
  { x, y }: Point,
  guests: readonly (readonly [string, { puppet: Puppet }])[],
  project: (place: Vector3) => Point | null,
): string | null {
  const own = new Vector3();
  for (const [key, { puppet }] of guests) {
    const places = puppet.nodes
      .flatMap((_, node) => (puppet.isMapped(node) ? [project(puppet.placeOf(node, own))] : []))
      .filter((place) => place !== null);
    const within = (value: number, all: number[]): boolean => value > Math.min(...all) - AROUND && value < Math.max(...all) + AROUND;
    if (
      within(
        x,
        places.map((place) => place.x),
      ) &&
      within(
        y,
        places.map((place) => place.y),
      )
    )
      return key;
  }
  return null;
}
