// Long work in slices, so that the page goes on answering.

/** Work goes on for so long before others get their turn. */
const SLICE_MS = 12;

/** Lets others have their turn. */
export const others = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

/** A pause for long work to be called often: it waits only where a slice is over. */
export function pauses(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    await others();
    begun = performance.now();
  };
}
