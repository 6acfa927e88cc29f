// Undo and redo: a line of values, with a place on it.

/** Steps that can be undone. */
const MOST_STEPS = 200;

export class History<T> {
  private past: T[] = [];
  private future: T[] = [];
  private lastKey: string | null = null;
  private readonly listeners: ((value: T, before: T) => void)[] = [];

  constructor(private present: T) {}

  get value(): T {
    return this.present;
  }
  /** All that can be come to. */
  get values(): readonly T[] {
    return [...this.past, this.present, ...this.future];
  }
  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Whether the last change belongs to a row that may go on. */
  get isInRow(): boolean {
    return this.lastKey !== null;
  }

  onChange(listener: (value: T, before: T) => void): void {
    this.listeners.push(listener);
  }

  /** Takes a new value. Changes in a row with the same key, as those of a slider that is dragged, are undone together. */
  change(value: T, key: string | null = null): void {
    if (value === this.present) return;
    if (key === null || key !== this.lastKey) this.past = [...this.past, this.present].slice(-MOST_STEPS);
    this.lastKey = key;
    this.future = [];
    this.go(value);
  }

  /** Ends a row of changes with the same key. */
  settle(): void {
    this.lastKey = null;
  }

  /** Takes a value that is no step of a person: what was stored, or what only says where somebody looks. */
  put(value: T): void {
    this.go(value);
  }

  /** The present becomes the beginning. */
  forget(): void {
    this.past = [];
    this.future = [];
    this.put(this.present);
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.present);
    this.lastKey = null;
    this.go(before);
  }

  redo(): void {
    const next = this.future.pop();
    if (next === undefined) return;
    this.past.push(this.present);
    this.lastKey = null;
    this.go(next);
  }

  private go(value: T): void {
    const before = this.present;
    this.present = value;
    this.listeners.forEach((listener) => listener(value, before));
  }
}
