// All targets at once: each of them moved by its own recipe, beside the one that is worked on.

import { Color } from "three";
import { filesOf, type GivenFile, recipeText } from "../document";
import { Stale } from "../engine/client";
import type { Poses } from "../engine/protocol";
import { keyOf, type OpenedFile } from "../files/store";
import type { Cast } from "../stage/cast";
import { Puppet } from "../stage/puppet";
import type { Stage } from "../stage/stage";
import type { Studio } from "../studio";
import { remember, remembered } from "../ui/remembered";

/** Targets that are drawn at most: more would be too small to judge, and too much for usual graphics cards. */
export const MOST_DRAWN = 6;
const PAUSE_MS = 30;
const KEY = "rebone-everyone";
const COLOUR = "--target";
const guestKey = (id: string): string => `target:${id}`;

/** Somebody beside the chosen target. */
interface Member {
  file: OpenedFile;
  puppet: Puppet | null;
  /** What its motion was made of. */
  madeOf: string;
  /** Why it stands still. */
  trouble: string;
}

export class Troupe {
  private readonly members = new Map<string, Member>();
  private round = 0;
  private working = 0;
  private isOnNow = remembered(KEY) !== "no";
  private drawnBefore = 0;
  /** Several were there the last time. */
  private wasAmong = false;
  onChange: () => void = () => {};

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    private readonly cast: Cast,
  ) {}

  get isSettled(): boolean {
    return this.working === 0;
  }
  /** Whether all are wanted. */
  get isOn(): boolean {
    return this.isOnNow;
  }
  set isOn(isOn: boolean) {
    this.isOnNow = isOn;
    remember(KEY, isOn ? "yes" : "no");
    void this.update();
  }

  /** Targets in their order, of which so many are drawn; the chosen one is always among them. */
  get drawn(): GivenFile[] {
    const { document: doc } = this.studio;
    const all = filesOf(doc, "target");
    const isAll = this.isOnNow && this.stage.currentView.layout === "side-by-side";
    const others = all.filter((file) => file.id !== doc.target).slice(0, isAll ? MOST_DRAWN - 1 : 0);
    return all.filter((file) => file.id === doc.target || others.includes(file));
  }

  trouble(id: string): string {
    return this.members.get(id)?.trouble ?? "";
  }

  /** Where a target's puppet is. */
  puppet(id: string): Puppet | null {
    return id === this.studio.document.target ? (this.stage.puppet("target") ?? null) : (this.members.get(id)?.puppet ?? null);
  }

  /** The target that is chosen now and the one that was change their parts, so that nobody has to be brought in anew. */
  swap(target: OpenedFile | null): void {
    const own = target && this.members.get(target.file.id);
    if (!target || own?.file !== target || !own.puppet) return;
    const before = this.cast.on("target");
    const puppet = this.stage.swap(own.puppet, guestKey(target.file.id));
    this.members.delete(target.file.id);
    this.cast.taken("target", target);
    if (before && puppet) {
      this.members.set(before.file.id, { file: before, puppet, madeOf: "", trouble: "" });
      this.present(before.file.id);
    } else puppet?.dispose();
  }

  /** Brings in who is missing, sends away who is not wanted, and has everybody moved. */
  async update(): Promise<void> {
    const round = ++this.round;
    const { studio } = this;
    const doc = studio.document;
    const wanted = this.drawn;
    if (wanted.length < 2 && this.members.size === 0 && !this.wasAmong) return;
    this.wasAmong = wanted.length > 1;
    this.stage.targetOrder = wanted.findIndex((file) => file.id === doc.target);
    for (const id of [...this.members.keys()]) {
      if (id === doc.target || !wanted.some((file) => file.id === id)) {
        this.members.delete(id);
        this.stage.setGuest(guestKey(id), null);
      } else this.present(id);
    }
    this.onChange();
    this.framed();
    if (wanted.length < 2) return;
    this.working++;
    try {
      // The chosen one comes first; where it cannot be moved at all, the others are none the worse.
      while (!studio.shown.judged && !studio.isSettled && round === this.round)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (round !== this.round) return;
      for (const file of wanted) {
        if (file.id === doc.target) continue;
        await this.bring(file, () => round !== this.round);
        if (round !== this.round) return;
      }
    } finally {
      this.working--;
    }
  }

  private async bring(file: GivenFile, isOld: () => boolean): Promise<void> {
    const { studio } = this;
    const { shown, document: doc } = studio;
    const opened = await studio.store.open(file).catch(() => null);
    if (!opened || !shown.source || shown.clip === null || isOld()) return;
    const source = shown.source.file;
    const recipe = recipeText(doc.recipes[file.id] ?? {});
    const rate = shown.poses.source?.rate ?? 30;
    let member = this.members.get(file.id);
    if (member?.file !== opened) {
      member = { file: opened, puppet: null, madeOf: "", trouble: "" };
      this.members.set(file.id, member);
    }
    const madeOf = JSON.stringify([source.id, shown.clip, rate, recipe]);
    if (member.madeOf === madeOf && member.puppet) return;
    const pair = { source: keyOf(source.id, "source"), target: keyOf(file.id, "target"), recipe };
    const lane = `troupe:${file.id}`;
    let poses: Poses | undefined;
    try {
      await studio.store.open(source);
      poses = (await studio.engine.call("retarget", { pair, clips: [shown.clip], rate }, lane)).target[0];
      member.trouble = "";
    } catch (error) {
      if (error instanceof Stale || isOld()) return;
      // Who cannot be moved stands there as in the file, and says why.
      member.trouble = error instanceof Error ? error.message : String(error);
      poses = await studio.engine.call("own", { key: pair.target, clip: null, rate: 1 }, lane).catch(() => undefined);
    }
    if (isOld() || !poses) return;
    if (!member.puppet) {
      const look = await this.cast.look(opened);
      if (this.members.get(file.id) !== member) return;
      const colour = getComputedStyle(document.documentElement).getPropertyValue(COLOUR).trim();
      member.puppet ??= new Puppet(opened.description, look, new Color(colour || "#888888"));
    }
    member.madeOf = madeOf;
    member.puppet.setPoses(poses);
    this.present(file.id);
    this.onChange();
    this.framed();
  }

  private present(id: string): void {
    const puppet = this.members.get(id)?.puppet;
    if (!puppet) return;
    puppet.isSeen = true;
    const order = this.drawn.findIndex((file) => file.id === id);
    this.stage.setGuest(guestKey(id), { puppet, colour: COLOUR, isApart: true, isBare: false, order });
  }

  /** The camera steps back when somebody comes or goes. */
  private framed(): void {
    const count = [...this.members.values()].filter((own) => own.puppet).length;
    if (count !== this.drawnBefore) this.stage.frameAll();
    this.drawnBefore = count;
  }
}
