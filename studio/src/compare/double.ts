// The compared state as a character on the stage.

import { Color } from "three";
import type { Cast } from "../stage/cast";
import { Puppet } from "../stage/puppet";
import type { Stage } from "../stage/stage";
import type { OpenedFile } from "../files/store";
import type { Comparison, Made } from "./comparison";

const KEY = "other";
const COLOUR = "--other";

export class Double {
  private file: OpenedFile | null = null;
  private puppet: Puppet | null = null;
  private poses: Made["poses"] | null = null;
  private working = 0;
  private wasBoth = false;

  constructor(
    private readonly stage: Stage,
    private readonly cast: Cast,
    private readonly comparison: Comparison,
  ) {}

  get isSettled(): boolean {
    return this.working === 0;
  }

  /** Puts on the stage what is to be seen. */
  async update(): Promise<void> {
    this.working++;
    try {
      const { made } = this.comparison;
      if (made?.file !== this.file && (made === null || this.comparison.seen !== "now")) await this.enter(made?.file ?? null);
      this.present();
    } finally {
      this.working--;
    }
  }

  private async enter(file: OpenedFile | null): Promise<void> {
    this.file = file;
    this.puppet = null;
    this.poses = null;
    const look = file && (await this.cast.look(file));
    if (this.file !== file) return;
    const colour = getComputedStyle(document.documentElement).getPropertyValue(COLOUR).trim();
    this.puppet = file && new Puppet(file.description, look, new Color(colour || "#888888"));
    if (!this.puppet) this.stage.setGuest(KEY, null);
  }

  private present(): void {
    const { made, seen } = this.comparison;
    const { puppet, stage } = this;
    const isThere = puppet !== null && made !== null && made.file === this.file;
    if (isThere && made.poses !== this.poses) {
      this.poses = made.poses;
      puppet.setPoses(made.poses);
    }
    const target = stage.puppet("target");
    const isSeen = isThere && seen !== "now";
    if (puppet) {
      puppet.isSeen = isSeen;
      stage.setGuest(KEY, { puppet, colour: COLOUR, isApart: seen === "both", isBare: seen === "both", order: stage.targetOrder + 0.5 });
    }
    if (target) target.isSeen = !(isSeen && seen === "other");
    const isBoth = isSeen && seen === "both";
    if (isBoth !== this.wasBoth) stage.frameAll();
    this.wasBoth = isBoth;
    stage.refresh();
  }
}
