// Lets what has found another place come there bit by bit: who looks sees no jump.

/** How long that takes, seconds. */
const LENGTH = 0.3;

/** Share of the way that is still to be gone, by the share of the time that is over: slow at both ends. */
const left = (time: number): number => 1 - time * time * (3 - 2 * time);

export class Glide {
  private time = 1;
  private share = 0;
  private put: (share: number, change: number) => void = () => {};

  get isOver(): boolean {
    return this.share === 0;
  }

  /** `put` gets the share of the way that is left, and by how much that has changed. */
  begin(put: (share: number, change: number) => void): void {
    this.end();
    this.put = put;
    this.time = 0;
    this.go(1);
  }

  /** Goes on by so many seconds. */
  step(seconds: number): void {
    if (this.isOver) return;
    this.time = Math.min(this.time + seconds / LENGTH, 1);
    this.go(left(this.time));
  }

  /** Everything is where it belongs. */
  end(): void {
    if (this.isOver) return;
    this.time = 1;
    this.go(0);
  }

  private go(share: number): void {
    const change = share - this.share;
    this.share = share;
    this.put(share, change);
  }
}
