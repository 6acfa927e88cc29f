// The studio's state and what changes it: the document with its history, the opened files, and what the engine made of them.

import type { PairMap, Report, RetargetResult, RigDescription, Series, Side } from "rebone";
import { type StudioDocument, type RecipeObject, emptyDocument, fileOf, recipeOf, recipeText, withFile, withRecipe, withValue, withoutFile } from "./document";
import { Engine, EngineError, Stale } from "./engine/client";
import type { Pair, Poses, Standing } from "./engine/protocol";
import type { Given } from "./files/drop";
import { Parts, isPart } from "./files/parts";
import { certainRole, inTurn, roleOf } from "./files/roles";
import { FileStore, keyOf, type OpenedFile } from "./files/store";
import { History } from "./history";
import { Persistence } from "./persistence";
import { t } from "./texts";
import { clearTrouble, during, note, trouble } from "./ui/notices";
import { others } from "./ui/pauses";

/** Frames a second that are drawn at most. */
const MOST_RATE = 60;
const SAMPLE = "sample:";
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

const nothing: Shown = { source: null, target: null, clip: null, poses: { source: null, target: null }, map: null, result: null, judged: null, standing: null };

export class Studio {
  readonly engine = new Engine();
  readonly store = new FileStore(this.engine);
  readonly history = new History<StudioDocument>(emptyDocument);
  private readonly persistence = new Persistence();
  private readonly parts = new Parts();
  /** Parts that are stored: a picture of many files is stored once. */
  private readonly partIds = new WeakMap<Uint8Array, string>();
  private shownNow: Shown = nothing;
  private readonly listeners: ((shown: Shown) => void)[] = [];
  private round = 0;
  private working = 0;
  private warnedOfStorage = false;
  private wantsStanding = false;
  private isHeld = false;
  /** Called where work that outlives a reload cannot be stored. */
  onNotStored: () => void = () => {};

  constructor() {
    this.engine.onRestart = () => this.store.forget();
    this.history.onChange((doc) => {
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

  private stored(saving: Promise<unknown>): void {
    saving.catch(() => {
      if (!this.warnedOfStorage) this.onNotStored();
      this.warnedOfStorage = true;
    });
  }

  /** Opens what was there before the reload. False where nothing was. */
  async restore(): Promise<boolean> {
    try {
      const doc = await this.persistence.document();
      if (!doc || doc.files.length === 0) return false;
      for (const file of doc.files) {
        const bytes = await this.persistence.file(file.id);
        if (!bytes) return false;
        this.store.put(file.id, bytes);
        for (const { id } of file.beside ?? []) {
          const part = await this.persistence.file(id);
          if (!part) continue;
          this.store.put(id, part);
          this.partIds.set(part, id);
        }
      }
      this.history.put(doc);
      await this.persistence.tidy(doc);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes files in; a file that cannot be read changes nothing. Samples give way to a person's own files. */
  async add(given: readonly Given[]): Promise<void> {
    const rigs: Given[] = [];
    const texts: Given[] = [];
    for (const own of given) {
      if (isPart(own.name)) this.parts.take(own);
      else if (own.role === "recipe" || isRecipe(own.name)) texts.push(own);
      else rigs.push(own);
    }
    rigs.push(...this.parts.complete());
    let doc = this.withParts(this.document);
    // Parts of other files mean nothing alone; the engine says what they are.
    if (rigs.length + texts.length === 0 && doc === this.document) rigs.push(...given);
    const describe = async (own: Given, id: string): Promise<RigDescription> => (await during(t("reading", { name: own.name }), this.described(own, id))).description;
    for (const { own, id } of await inTurn(rigs, describe)) {
      try {
        doc = await during(t("reading", { name: own.name }), this.withGiven(doc, own, id));
        clearTrouble(`file:${own.name}`);
      } catch (error) {
        const { missing } = this.parts.of(own);
        if (missing.length > 0) this.parts.wait(own);
        else trouble(t("fileRefused", { name: own.name }), error, `file:${own.name}`);
      }
      this.tellMissing(own.name, this.parts.of(own).missing);
    }
    this.history.change(doc);
    await this.tellParts(rigs, doc);
    for (const own of texts) await this.takeRecipe(new TextDecoder().decode(own.bytes), own.name);
  }

  /** Says which part files got that may play either, and offers the other one. */
  private async tellParts(given: readonly Given[], doc: StudioDocument): Promise<void> {
    for (const { name } of given.filter((own) => own.role === null)) {
      const file = doc.files.findLast((own) => own.name === name);
      if (!file || certainRole((await this.store.open(file)).description)) continue;
      const isMotion = file.role === "source";
      note(t(isMotion ? "tookAsMotion" : "tookAsCharacter", { name }), { text: t(isMotion ? "asCharacterInstead" : "asMotionInstead"), act: () => void this.playInstead(file.id) });
    }
  }

  /** A file leaves its part for the other one. */
  async playInstead(id: string): Promise<void> {
    const file = fileOf(this.document, id);
    if (!file) return;
    const changed = { ...file, role: file.role === "source" ? ("target" as const) : ("source" as const) };
    try {
      await during(t("reading", { name: file.name }), this.store.open(changed));
      const doc = withoutFile(this.document, id);
      const place = changed.role === "source" ? doc.source : doc.target;
      this.history.change(withFile(place !== null && isSample(place) ? withoutFile(doc, place) : doc, changed));
    } catch (error) {
      trouble(t("fileRefused", { name: file.name }), error, `file:${file.name}`);
    }
  }

  async addSample(name: string, role: Side): Promise<void> {
    const id = `${SAMPLE}${name}`;
    if (!this.store.has(id)) this.store.put(id, await this.engine.call("sample", { name }));
    const doc = this.document;
    const file = { id, name, role };
    await this.store.open(file);
    this.keepBytes(id);
    this.history.change(withFile(doc, file));
  }

  private keepBytes(id: string): void {
    const bytes = this.store.bytesOf(id);
    if (bytes) this.stored(this.persistence.saveFile(id, bytes));
  }

  private tellMissing(name: string, missing: readonly string[]): void {
    const key = `missing:${name}`;
    if (missing.length > 0) trouble(t("missingParts", { name }), t("missingPartsAre", { files: missing.join(", ") }), key);
    else clearTrouble(key);
  }

  /** The document with parts that have come since their files were opened. */
  private withParts(doc: StudioDocument): StudioDocument {
    const files = doc.files.map((file) => {
      const bytes = this.store.bytesOf(file.id);
      if (!bytes || isSample(file.id)) return file;
      const known = this.store.besideOf(file);
      const { parts, missing } = this.parts.of({ name: file.name, bytes, beside: known });
      if ([...parts.keys()].every((name) => known.has(name))) return file;
      this.tellMissing(file.name, missing);
      this.store.reopen(file.id);
      return { ...file, beside: this.keepParts(parts) };
    });
    return files.every((file, index) => file === doc.files[index]) ? doc : { ...doc, files };
  }

  private keepParts(parts: ReadonlyMap<string, Uint8Array>): { name: string; id: string }[] {
    return [...parts].map(([name, bytes]) => {
      const id = this.partIds.get(bytes) ?? crypto.randomUUID();
      if (!this.partIds.has(bytes)) {
        this.store.put(id, bytes);
        this.keepBytes(id);
      }
      this.partIds.set(bytes, id);
      return { name, id };
    });
  }

  private async described(given: Given, id: string): Promise<OpenedFile> {
    this.store.put(id, given.bytes);
    const { parts } = this.parts.of(given);
    return this.store.open({ id, name: given.name, role: "source", ...(parts.size > 0 ? { beside: this.keepParts(parts) } : {}) });
  }

  private async withGiven(doc: StudioDocument, given: Given, id: string): Promise<StudioDocument> {
    this.store.put(id, given.bytes);
    const { parts } = this.parts.of(given);
    const beside = parts.size > 0 ? { beside: this.keepParts(parts) } : {};
    let role: Side | null = given.role === "source" || given.role === "target" ? given.role : null;
    if (!role) {
      const first = await this.store.open({ id, name: given.name, role: "source", ...beside });
      role = roleOf(first.description, doc, isSample);
    }
    const file = { id, name: given.name, role, ...beside };
    await this.store.open(file);
    await others();
    this.keepBytes(id);
    await others();
    const sample = role === "source" ? doc.source : doc.target;
    const without = sample !== null && isSample(sample) ? withoutFile(doc, sample) : doc;
    return withFile(without, file);
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

  setRecipe(recipe: RecipeObject, key: string | null = null): void {
    this.history.change(withRecipe(this.document, recipe), key);
  }

  /** Changes one value of the recipe; `undefined` leaves it to be found. */
  setValue(path: readonly string[], value: unknown, key: string | null = null): void {
    this.setRecipe(withValue(recipeOf(this.document), path, value), key);
  }

  async takeRecipe(text: string, name: string): Promise<void> {
    try {
      const recipe = await this.engine.call("read_recipe", { pair: await this.pair().catch(() => null), text });
      this.setRecipe(recipe);
      clearTrouble("recipe");
    } catch (error) {
      trouble(`${t("recipeRefused")}: ${name}`, error, "recipe");
    }
  }

  /** The pair as the engine knows it, with both files open. */
  async pair(): Promise<Pair> {
    const doc = this.document;
    const source = fileOf(doc, doc.source);
    const target = fileOf(doc, doc.target);
    if (!source || !target) throw new Error(t(source ? "dropCharacter" : "dropMotion"));
    await this.store.open(source);
    await this.store.open(target);
    return { source: keyOf(source.id, "source"), target: keyOf(target.id, "target"), recipe: recipeText(recipeOf(doc)) };
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
    }
  }

  /** Shows the target as it stands in its file. */
  private async rest(isOld: () => boolean): Promise<void> {
    const { target } = this.shownNow;
    if (!target) return;
    await this.store.open(target.file);
    const rest = await this.engine.call("own", { key: keyOf(target.file.id, "target"), clip: null, rate: 1 }, "rest");
    if (!isOld()) this.tell({ poses: { ...this.shownNow.poses, target: rest }, map: this.shownNow.standing ? this.shownNow.map : null, result: null, judged: null });
  }

  private async retarget(clip: string, rate: number, isOld: () => boolean): Promise<void> {
    const pair = await this.pair();
    const work = this.engine.call("retarget", { pair, clips: [clip], rate }, "retarget");
    const { result, target } = await during(t("retargeting"), work);
    if (isOld()) return;
    clearTrouble("pair");
    this.tell({ poses: { ...this.shownNow.poses, target: target[0] ?? null }, result });
    const map = await this.engine.call("map", pair, "map");
    if (isOld()) return;
    // An equal map is the same one: nobody has to look at it again.
    if (JSON.stringify(map) !== JSON.stringify(this.shownNow.map)) this.tell({ map });
    const made = result.clips[0]?.name ?? clip;
    const judged = await this.engine.call("judge", { pair, clip: made }, "judge");
    if (!isOld()) this.tell({ judged });
  }
}

const isRecipe = (name: string): boolean => /\.(toml|json|xml|bonemap|hsk)$/i.test(name) && !/\.mjcf\.xml$/i.test(name);
