// How large characters are drawn: as large as they are, unless they could not be seen beside each other.

/** Metres within which a body is drawn as it is. */
const SMALLEST = 0.15;
const LARGEST = 8;
/** Height of others, metres. */
const USUAL = 1.6;
/** How many times one may be higher than the other. */
const MOST_TIMES = 4;

/** Factors of source and target, from their heights in metres; none where one is missing. */
export function drawnScales(source: number | undefined, target: number | undefined): { source: number; target: number } {
  const own = (height: number): number => (height > 0 && (height < SMALLEST || height > LARGEST) ? USUAL / height : 1);
  if (source === undefined || target === undefined) return { source: own(source ?? 1), target: own(target ?? 1) };
  const scale = own(target);
  const drawn = target * scale;
  const ratio = source / drawn;
  const isFar = source > 0 && drawn > 0 && (ratio > MOST_TIMES || ratio < 1 / MOST_TIMES);
  return { source: isFar ? 1 / ratio : 1, target: scale };
}
