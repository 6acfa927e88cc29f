// How large characters are drawn: as large as they are, unless they could not be seen beside each other.

/** Metres within which a body is drawn as it is. */
const SMALLEST = 0.15;
const LARGEST = 8;
/** Height of others, metres. */
const USUAL = 1.6;
/** How many times one may be higher than the other. */
const MOST_TIMES = 4;
/** How many times higher or lower than most a character may be among several. */
const MOST_AMONG = 2.5;

const alone = (height: number): number => (height > 0 && (height < SMALLEST || height > LARGEST) ? USUAL / height : 1);

/** Factors of characters that are looked at together, whoever of them is chosen: who is far larger or smaller than most is drawn as high as they are. */
export function drawnBeside(heights: readonly number[]): number[] {
  // Who has no height, because all joints are in one place, is no measure for the others.
  const drawn = heights
    .filter((height) => height > 0)
    .map((height) => height * alone(height))
    .sort((a, b) => a - b);
  const middle = drawn[Math.floor((drawn.length - 1) / 2)] ?? USUAL;
  return heights.map((height) => {
    const own = height * alone(height);
    const isFar = own > middle * MOST_AMONG || own * MOST_AMONG < middle;
    return isFar && height > 0 ? middle / height : alone(height);
  });
}

/** Factors of source and target, from their heights in metres; none where one is missing. */
export function drawnScales(source: number | undefined, target: number | undefined): { source: number; target: number } {
  if (source === undefined || target === undefined) return { source: alone(source ?? 1), target: alone(target ?? 1) };
  const scale = alone(target);
  const drawn = target * scale;
  const ratio = source / drawn;
  const isFar = source > 0 && drawn > 0 && (ratio > MOST_TIMES || ratio < 1 / MOST_TIMES);
  return { source: isFar ? 1 / ratio : 1, target: scale };
}
