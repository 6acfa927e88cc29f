// Which moment of the clip is shown, and whether it goes on.

export class Clock {
  private span: [number, number] = [0, 0];
  private at = 0;
  private isRunning = false;
  private readonly listeners: (() => void)[] = [];
  loop = true;
  speed = 1;
  rate = 30;

  get seconds(): number {
    return this.at;
  }
  get start(): number {
    return this.span[0];
  }
  get end(): number {
    return this.span[1];
  }
  get playing(): boolean {
    return this.isRunning;
  }

  /** Gives what ends it. */
  onChange(listener: () => void): () => void {
    this.listeners.push(listener);
    return () => void this.listeners.splice(this.listeners.indexOf(listener), 1);
  }

  /** Takes another clip; the moment is kept where the clip has it. */
  setSpan(start: number, end: number, rate: number): void {
    this.span = [start, Math.max(start, end)];
    this.rate = rate > 0 ? rate : 30;
    this.go(this.at);
  }

  go(seconds: number): void {
    this.at = Math.min(Math.max(seconds, this.start), this.end);
    this.tell();
  }

  play(): void {
    if (this.end <= this.start) return;
    if (this.at >= this.end && !this.loop) this.at = this.start;
    this.isRunning = true;
    this.tell();
  }

  pause(): void {
    this.isRunning = false;
    this.tell();
  }

  toggle(): void {
    if (this.isRunning) this.pause();
    else this.play();
  }

  /** Goes so many frames on, onto a frame, and halts. */
  step(frames: number): void {
    this.isRunning = false;
    this.go(this.start + (Math.round((this.at - this.start) * this.rate) + frames) / this.rate);
  }

  /** Time has gone by. */
  tick(seconds: number): void {
    if (!this.isRunning) return;
    const next = this.at + seconds * this.speed;
    const length = this.end - this.start;
    if (next <= this.end) this.go(next);
    else if (this.loop && length > 0) this.go(this.start + ((next - this.start) % length));
    else {
      this.isRunning = false;
      this.go(this.end);
    }
  }

  private tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}
