// The studio's state and what changes it: the document with its history, the opened files, and what the engine made of them.

import type { PairMap, Report, RetargetResult, Series, Side } from "rebone";
import {
  type GivenFile,
  type StudioDocument,
  type RecipeObject,
  emptyDocument,
  fileOf,
  recipeOf,
  recipeText,
  withRecipe,
  withValue,
  withoutFile,
} from "./document";
import { Engine, EngineError, Stale } from "./engine/client";
import type { Pair, Poses, Standing } from "./engine/protocol";
import type { Given } from "./files/drop";
import { FileStore, keyOf, type OpenedFile } from "./files/store";
import { History } from "./history";
import { Intake } from "./intake";
import { Persistence } from "./persistence";
import { t } from "./texts";
import { clearTrouble, during, trouble } from "./ui/notices";

/** Frames a second that are drawn at most. */
const MOST_RATE = 60;
/** Frames a second that are drawn while somebody drags, at most. */
const DRAGGED_RATE = 20;
/** After so long without a change somebody who drags has come to rest, milliseconds. */
const REST_MS = 150;
const SAMPLE = "sample:";
export const sampleId = (name: string): string => `${SAMPLE}${name}`;
export const isSample = (id: string): boolean => id.startsWith(SAMPLE);

/** What there is to be shown. Parts are missing while they are being made. */
export interface Shown {
  source: OpenedFile | null;
  target: OpenedFile | null;
  /** The source's clip. */
  clip: string | null;
  poses: { source: Poses | null; target: Poses | null };
  map: PairMap | null;
  result: RetargetResult | null;
  judged: { report: Report; series: Series } | null;
  /** Both in their retarget poses, while these are looked at. */
  standing: Standing | null;
}

/** What is drawn of each side. */
export const drawnPoses = ({ standing, poses }: Shown): { source: Poses | null; target: Poses | null } =>
  standing && poses.source && poses.target ? standing : poses;

const nothing: Shown = {
  source: null,
  target: null,
  clip: null,
  poses: { source: null, target: null },
  map: null,
  result: null,
  judged: null,
  standing: null,
};

export class Studio {
  readonly engine = new Engine();
  readonly store = new FileStore(this.engine);
  readonly history = new History<StudioDocument>(emptyDocument);
  private readonly persistence = new Persistence();
  readonly intake = new Intake(this, this.persistence);
  private begun: Promise<unknown> = Promise.resolve();
  private isRestoring = false;
  private shownNow: Shown = nothing;
  private readonly listeners: ((shown: Shown) => void)[] = [];
  private round = 0;
  private working = 0;
  private warnedOfStorage = false;
  private wantsStanding = false;
  private isHeld = false;
  /** Called when files are given, and when nothing is to be expected of them any more. */
  onTaking: (isTaking: boolean) => void = () => {};
  /** Called where work that outlives a reload cannot be stored. */
  onNotStored: () => void = () => {};

  constructor() {
    this.engine.onRestart = () => this.store.forget();
    this.history.onChange((doc, before) => {
      const isIn = (all: StudioDocument, id: string): boolean => all.files.some((file) => file.id === id);
      before.files.filter((file) => !isIn(doc, file.id)).forEach((file) => this.store.close(file));
      this.store.keep(this.history.values.flatMap((own) => own.files));
      if (!this.isRestoring) doc.files.filter((file) => fileOf(before, file.id) !== file).forEach((file) => this.keepBytes(file));
      this.stored(this.persistence.save(doc));
      void this.update();
    });
  }

  get document(): StudioDocument {
    return this.history.value;
  }
  /** Nothing is being made. */
  get isSettled(): boolean {
    return this.working === 0;
  }
  get shown(): Shown {
    return this.shownNow;
  }
  onShown(listener: (shown: Shown) => void): void {
    this.listeners.push(listener);
  }

  /** Shows both in their retarget poses, or in motion again. */
  stand(isWanted: boolean): void {
    if (this.wantsStanding === isWanted) return;
    this.wantsStanding = isWanted;
    if (!isWanted) this.tell({ standing: null });
    else if (this.document.files.length > 0) void this.update();
  }

  /** While somebody drags in the retarget pose, the motion waits. */
  hold(isHeld: boolean): void {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    if (!isHeld) {
      this.history.settle();
      void this.update();
    }
  }

  private tell(change: Partial<Shown>): void {
    this.shownNow = { ...this.shownNow, ...change };
    this.listeners.forEach((listener) => listener(this.shownNow));
  }

  /** Of a file and its parts. */
  private keepBytes(file: GivenFile): void {
    for (const id of [file.id, ...(file.beside ?? []).map((part) => part.id)]) {
      const bytes = this.store.bytesOf(id);
      if (bytes) this.stored(this.persistence.saveFile(id, bytes));
    }
  }

  private stored(saving: Promise<unknown>): void {
    saving.catch(() => {
      if (!this.warnedOfStorage) this.onNotStored();
      this.warnedOfStorage = true;
    });
  }

  /** What is given later waits until this is done: first comes what was there before. */
  begin(work: Promise<unknown>): void {
    this.begun = work.catch(() => {});
  }

  /** Opens what was there before the reload. False where nothing was. */
  async restore(): Promise<boolean> {
    const doc = await this.intake.before();
    if (!doc) return false;
    this.isRestoring = true;
    this.history.put(doc);
    this.isRestoring = false;
    await this.persistence.tidy(doc).catch(() => {});
    return true;
  }

  /** Takes files in. */
  async add(given: readonly Given[]): Promise<void> {
    await this.begun;
    this.onTaking(true);
    try {
      await this.intake.take(given);
    } finally {
      // What is taken in is being made ready; what changed nothing is not.
      if (this.isSettled) this.onTaking(false);
    }
  }

  async addSample(name: string, role: Side): Promise<void> {
    await this.begun;
    await this.intake.sample(name, role);
  }

  remove(id: string): void {
    this.history.change(withoutFile(this.document, id));
  }

  /** Another source or target of those that are there. */
  choose(id: string): void {
    const doc = this.document;
    const file = fileOf(doc, id);
    if (!file) return;
    this.history.change(file.role === "source" ? { ...doc, source: id, clip: null } : { ...doc, target: id });
  }

  /** Lets a file play the other part as well. */
  async useAs(id: string, role: Side): Promise<void> {
    const file = fileOf(this.document, id);
    const bytes = this.store.bytesOf(id);
    if (file && bytes) await this.add([{ name: file.name, bytes, role, beside: this.store.besideOf(file) }]);
  }

  chooseClip(name: string): void {
    this.history.change({ ...this.document, clip: name });
  }

  /** `target` is whose recipe it is: somebody else may be looked at by the time that it is known. */
  setRecipe(recipe: RecipeObject, key: string | null = null, target = this.document.target): void {
    this.history.change(withRecipe(this.document, recipe, target), key);
  }

  /** Changes one value of the recipe; `undefined` leaves it to be found. */
  setValue(path: readonly string[], value: unknown, key: string | null = null, target = this.document.target): void {
    this.setRecipe(withValue(recipeOf(this.document, target), path, value), key, target);
  }

  /** The pair as the engine knows it, with both files open. */
  async pair(of = this.document.target): Promise<Pair> {
    const doc = this.document;
    const source = fileOf(doc, doc.source);
    const target = fileOf(doc, of);
    if (!source || !target) throw new Error(t(source ? "dropCharacter" : "dropMotion"));
    await this.store.open(source);
    await this.store.open(target);
    return { source: keyOf(source.id, "source"), target: keyOf(target.id, "target"), recipe: recipeText(recipeOf(doc, of)) };
  }

  private async update(): Promise<void> {
    const round = ++this.round;
    const isOld = (): boolean => round !== this.round;
    const doc = this.document;
    const files = [fileOf(doc, doc.source), fileOf(doc, doc.target)] as const;
    this.working++;
    try {
      const [source, target] = await Promise.all(files.map((file) => (file ? this.store.open(file) : null)));
      if (isOld()) return;
      const clips = source?.description.clips ?? [];
      const clip = clips.find((own) => own.name === doc.clip) ?? clips.find((own) => own.joints > 0) ?? clips[0] ?? null;
      const isSame = this.shownNow.source === source && this.shownNow.clip === (clip?.name ?? null);
      const rate = clip && clip.seconds > 0 ? Math.min((clip.frames - 1) / clip.seconds, MOST_RATE) || MOST_RATE : MOST_RATE;
      if (!isSame && source && files[0]) {
        const own = await this.engine.call("own", { key: keyOf(files[0].id, "source"), clip: clip?.name ?? null, rate }, "own");
        if (isOld()) return;
        this.shownNow = { ...this.shownNow, poses: { ...this.shownNow.poses, source: own } };
      }
      const isSamePair = isSame && this.shownNow.target === target;
      // While a recipe's change is worked on, the last result stays in sight.
      const keep = isSamePair ? {} : { map: null, result: null, judged: null, standing: null };
      // Poses belong to the file they were made for.
      const poses = {
        source: source ? this.shownNow.poses.source : null,
        target: this.shownNow.target === target ? this.shownNow.poses.target : null,
      };
      if (!isSamePair || poses.target !== this.shownNow.poses.target)
        this.tell({ source: source ?? null, target: target ?? null, clip: clip?.name ?? null, poses, ...keep });
      if (this.wantsStanding && source && target) {
        const pair = await this.pair();
        const standing = await this.engine.call("stand", pair, "stand");
        // Without a clip nothing else asks for the map.
        const map = this.shownNow.map ?? (await this.engine.call("map", pair, "map"));
        if (isOld()) return;
        if (this.wantsStanding) this.tell({ standing, map });
        if (this.isHeld) return;
      } else if (this.shownNow.standing) this.tell({ standing: null });
      if (source && target && clip && files[0] && files[1]) await this.retarget(clip.name, rate, isOld);
      else if (target) await this.rest(isOld);
      if (source && !clip) trouble(t("noClip", { name: source.file.name }), "", "no-clip");
      else clearTrouble("no-clip");
    } catch (error) {
      if (error instanceof Stale || isOld()) return;
      const across = { text: t("goAcross"), act: () => this.setValue(["across_kinds"], true) };
      trouble(t("pairRefused"), error, "pair", error instanceof EngineError && error.code === "kinds-differ" ? across : null);
      if (this.shownNow.target && !this.shownNow.poses.target) await this.rest(isOld).catch(() => {});
    } finally {
      this.working--;
      // Who could not be moved, or judged, is shown as well.
      if (this.isSettled && this.shownNow.judged === null) this.tell({});
    }
  }

  /** Shows the target as it stands in its file. */
  private async rest(isOld: () => boolean): Promise<void> {
    const { target } = this.shownNow;
    if (!target) return;
    await this.store.open(target.file);
    const rest = await this.engine.call("own", { key: keyOf(target.file.id, "target"), clip: null, rate: 1 }, "rest");
    if (!isOld())
      this.tell({
        poses: { ...this.shownNow.poses, target: rest },
        map: this.shownNow.standing ? this.shownNow.map : null,
        result: null,
        judged: null,
      });
  }

  private async retarget(clip: string, rate: number, isOld: () => boolean): Promise<void> {
    const doc = this.document;
    const isDragged = this.history.isInRow;
    const pair = await this.pair();
    const drawn = isDragged ? rate / Math.ceil(rate / DRAGGED_RATE) : rate;
    const work = this.engine.call("retarget", { pair, clips: [clip], rate: drawn }, "retarget");
    const { result, target } = await during(t("retargeting"), work);
    // While somebody drags, what was made for a moment ago is nearer to the present than what is seen.
    const { source, target: own, clip: chosen } = this.document;
    const isNearer = isDragged && source === doc.source && own === doc.target && chosen === doc.clip;
    if (isOld() && !isNearer) return;
    clearTrouble("pair");
    this.tell({ poses: { ...this.shownNow.poses, target: target[0] ?? null }, result });
    const [made] = result.clips;
    if (isDragged && made) {
      await new Promise((done) => setTimeout(done, REST_MS));
      if (isOld()) return;
      const whole = await this.engine.call("poses", { pair, clips: [clip], made, rate }, "poses");
      if (isOld()) return;
      this.tell({ poses: { ...this.shownNow.poses, target: whole } });
    }
    const map = await this.engine.call("map", pair, "map");
    if (isOld()) return;
    // An equal map is the same one: nobody has to look at it again.
    if (JSON.stringify(map) !== JSON.stringify(this.shownNow.map)) this.tell({ map });
    const judged = await this.engine.call("judge", { pair, clip: made?.name ?? clip }, "judge");
    if (!isOld()) this.tell({ judged });
  }
}
