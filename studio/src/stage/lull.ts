// Where pictures are slow to draw, they are what keeps new ones waiting: while new files are made ready, nothing is drawn for a moment.

/** How long nothing is drawn at most, milliseconds. */
const MOST_MS = 800;
/** Time between pictures above which they are slow, milliseconds. */
const SLOW_MS = 25;
/** How much the newest picture counts in the usual time between pictures. */
const NEWEST = 0.2;

export class Lull {
  private usual = 0;
  private before: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Called when drawing goes on. */
  onEnd: () => void = () => {};

  get isOn(): boolean {
    return this.timer !== undefined;
  }

  /** A picture was drawn at a time, or none was needed. */
  drew(now: number, isDrawn: boolean): void {
    if (isDrawn && this.before !== null) this.usual += (now - this.before - this.usual) * NEWEST;
    this.before = isDrawn ? now : null;
  }

  /** Files are being made ready. */
  begin(): void {
    if (this.usual < SLOW_MS) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), MOST_MS);
  }

  /** They are there, or they are not to be had. */
  end(): void {
    if (!this.isOn) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.before = null;
    this.onEnd();
  }
}
