// When which foot stands, out of the report's series.

import type { RigDescription, Series, Side } from "rebone";
import type { FootContacts } from "./marks";

/** The slot whose joint a point lies at; of a foot without toes its ankle. */
function slotOf(point: string, description: RigDescription): string {
  const { slots } = description.map;
  if (slots[point]) return point;
  const foot = point.replace(/(Heel|Toes)$/, "Foot");
  return slots[foot] ? foot : point;
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
