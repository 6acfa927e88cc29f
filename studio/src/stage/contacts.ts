// When which foot stands, out of the report's series.

import type { RigDescription, Series, Side } from "rebone";
import type { FootContacts } from "./marks";

/** Slots at which a point may lie, the best first; of a body without toes its ankle or paw. */
function slotOf(point: string, description: RigDescription): string {
  const part = /^(front)?(left|right)(heel|toes)$/i.exec(point);
  if (!part) return point;
  const [, front, side, end] = part;
  const isLeft = side?.toLowerCase() === "left";
  const start = isLeft ? "left" : "right";
  const isToes = end?.toLowerCase() === "toes";
  const upright = isToes ? [`${start}Toes`, `${start}Foot`] : [`${start}Foot`];
  const limb = front ? "Front" : "Hind";
  const fourLegged = isToes ? [`${start}${limb}Toes`, `${start}${limb}Paw`] : [`${start}${limb}Paw`];
  const all = front ? fourLegged : [...upright, ...fourLegged];
  return all.find((slot) => description.map.slots[slot]) ?? point;
}

export function footContacts(series: Series, rigs: Record<Side, RigDescription | undefined>): FootContacts[] {
  const sides: readonly Side[] = ["source", "target"];
  return sides.flatMap((side) => {
    const description = rigs[side];
    if (!description) return [];
    return series.feet.map((foot) => ({
      side,
      slot: slotOf(foot.point, description),
      isLeft: /left/i.test(foot.point),
      spans: foot.contacts[side].map(([first, last]): [number, number] => [series.seconds[first] ?? 0, series.seconds[last] ?? 0]),
    }));
  });
}
