// How far away a camera must be to see everybody whole.

import type { Puppet } from "./puppet";

/** Room between several who stand beside each other, of the widest. */
export const STEP_AMONG = 0.15;
/** Height that is framed, of the highest: arms go up, and a foot that is set nearer is lower in the picture. */
const HEADROOM = 1.3;

interface About {
  /** They stand beside each other. */
  isBeside: boolean;
  /** How much room one takes, metres, before it is drawn larger or smaller. */
  widthOf: (puppet: Puppet) => number;
  /** Tangent of half the camera's angle. */
  half: number;
  /** Width of the picture by its height. */
  aspect: number;
  /** Share of the picture's height that nothing covers. */
  free: number;
}

/** Where everybody begins in height, how high all are, and the distance, metres. Their matrices must be up to date. */
export function wholeOf(
  everyone: readonly Puppet[],
  { isBeside, widthOf, half, aspect, free }: About,
): { bottom: number; height: number; distance: number } {
  const extents = everyone.map((puppet) => ({
    height: puppet.extent.height * puppet.group.scale.x,
    width: widthOf(puppet) * puppet.group.scale.x,
  }));
  const span = everyone.map((puppet) => puppet.span());
  // Who begins in the air or below the floor is seen together with the floor.
  const bottom = Math.min(0, ...span.map((own) => own.bottom));
  const height = Math.max(...extents.map((own) => own.height), ...span.map((own) => own.top), 0.3) - bottom;
  const widths = extents.map((own) => own.width);
  const widest = Math.max(...widths, 0);
  const steps = Math.max(everyone.length - 2, 0) * widest * STEP_AMONG;
  const width = isBeside ? widths.reduce((sum, own) => sum + own, 0) * 1.25 + steps : Math.max(widest, 0.3) * 1.4;
  // Who stands in front of the middle is nearer than it is.
  const nearer = widest * 0.4;
  return { bottom, height, distance: Math.max((height * HEADROOM) / (2 * half * free), width / (2 * half * aspect)) + nearer };
}

/** Shares of the picture's height that the bars over it cover, and that height in pixels. */
export function coveredOf(place: HTMLElement): { above: number; below: number; whole: number } {
  const box = place.getBoundingClientRect();
  const bar = (selector: string): DOMRect | undefined => place.querySelector(selector)?.getBoundingClientRect();
  const [over, legend] = [bar("#over"), bar("#legend")];
  if (box.height === 0) return { above: 0, below: 0, whole: 0 };
  return {
    above: over ? Math.max(over.bottom - box.top, 0) / box.height : 0,
    below: legend ? Math.max(box.bottom - legend.top, 0) / box.height : 0,
    whole: box.height,
  };
}
