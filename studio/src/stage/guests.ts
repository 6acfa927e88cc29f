// Characters on the stage beside the pair that is worked on: what is compared with, and further targets.

import type { Color } from "three";
import type { Puppet } from "./puppet";

export interface Guest {
  puppet: Puppet;
  /** The page's variable of its colour. */
  colour: string;
  /** Stands in a place of its own beside the others; else where the target stands. */
  isApart: boolean;
  /** Only its skeleton is drawn, through what stands in the same place. */
  isBare: boolean;
  /** Place among those that stand beside each other; the target has `Stage.targetOrder`. */
  order: number;
}

export class Guests {
  private readonly all = new Map<string, Guest>();

  get(key: string): Guest | undefined {
    return this.all.get(key);
  }

  set(key: string, guest: Guest | null): void {
    const before = this.all.get(key);
    if (before && before.puppet !== guest?.puppet) before.puppet.dispose();
    if (guest) this.all.set(key, guest);
    else this.all.delete(key);
  }

  /** Lets a puppet go without an end to it. */
  release(key: string): void {
    this.all.delete(key);
  }

  get keys(): string[] {
    return [...this.all.keys()];
  }

  get puppets(): Puppet[] {
    return [...this.all.values()].map((own) => own.puppet);
  }

  /** Those that are seen and have places of their own. */
  get apart(): [string, Guest][] {
    return [...this.all].filter(([, own]) => own.isApart && own.puppet.isSeen);
  }

  /** Those that are seen where the target stands. */
  get inPlace(): Guest[] {
    return [...this.all.values()].filter((own) => !own.isApart && own.puppet.isSeen);
  }

  paint(colour: (name: string) => Color): void {
    this.all.forEach((own) => own.puppet.paint(colour(own.colour)));
  }
}
