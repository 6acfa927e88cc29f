// The present state beside another one: one that was kept as A, or the same motion as copied, without corrections.

import type { Report, Series } from "rebone";
import { fileOf, type GivenFile, type RecipeObject, recipeOf, recipeText, withValue } from "../document";
import { Stale } from "../engine/client";
import type { Poses } from "../engine/protocol";
import { keyOf, type OpenedFile } from "../files/store";
import type { Studio } from "../studio";
import { t } from "../texts";
import { trouble } from "../ui/notices";
import { remember, remembered } from "../ui/remembered";

const KEY = "rebone-kept";

/** What is compared with. */
export type Which = "kept" | "copied";
/** What of it is seen. */
export type Seen = "now" | "other" | "both";

interface Kept {
  target: string;
  recipe: RecipeObject;
}

/** The other state, as the engine made it. */
export interface Made {
  which: Which;
  file: OpenedFile;
  poses: Poses;
  report: Report;
  series: Series;
}

/** Everything that goes beyond copying the motion, taken out of a recipe. */
export function asCopied(recipe: RecipeObject): RecipeObject {
  const off: [string, unknown][] = [
    ["feet", false],
    ["ground", false],
    ["own_body", false],
    ["twist", false],
    ["hands", { mode: "off" }],
    ["limits", { use: "none" }],
    ["pins", undefined],
  ];
  return off.reduce((own, [key, value]) => withValue(own, [key], value), recipe);
}

export class Comparison {
  private kept: Kept | null = null;
  private which: Which | null = null;
  private seenNow: Seen = "now";
  private madeNow: Made | null = null;
  private madeOf = "";
  private round = 0;
  private working = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly studio: Studio) {
    try {
      this.kept = JSON.parse(remembered(KEY) ?? "null") as Kept | null;
    } catch {
      remember(KEY, null);
    }
    if (this.kept) this.which = "kept";
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  get made(): Made | null {
    return this.madeNow;
  }
  get seen(): Seen {
    return this.madeNow ? this.seenNow : "now";
  }
  get chosen(): Which | null {
    return this.which;
  }
  get hasKept(): boolean {
    return this.kept !== null && fileOf(this.studio.document, this.kept.target) !== undefined;
  }
  get isSettled(): boolean {
    return this.working === 0;
  }

  /** What the other state is called. */
  get name(): string {
    return this.which === "copied" ? t("asCopied") : "A";
  }

  /** Keeps the present state as A. */
  keep(): void {
    const { document: doc } = this.studio;
    if (doc.target === null) return;
    this.kept = { target: doc.target, recipe: recipeOf(doc) };
    this.stored();
    this.which = "kept";
    this.changed();
  }

  forget(): void {
    this.kept = null;
    this.stored();
    if (this.which === "kept") this.which = null;
    this.seenNow = "now";
    this.changed();
  }

  /** The document becomes A again; that can be undone. */
  takeBack(): void {
    if (!this.kept || !this.hasKept) return;
    const { history, document: doc } = this.studio;
    const { target, recipe } = this.kept;
    history.change({ ...doc, target, recipes: { ...doc.recipes, [target]: recipe } });
  }

  /** Shows the present state, or another in its place. */
  show(which: Which | null): void {
    if (which) this.which = which;
    this.seenNow = which ? "other" : "now";
    this.changed();
  }

  /** Both at once, or only the present state. */
  showBoth(isOn: boolean): void {
    this.which ??= this.hasKept ? "kept" : "copied";
    this.seenNow = isOn ? "both" : "now";
    this.changed();
  }

  /** There and back again. */
  flip(): void {
    this.show(this.seenNow === "other" ? null : (this.which ?? (this.hasKept ? "kept" : "copied")));
  }

  /** Makes what is missing, as soon as the present state has been judged. */
  update(): void {
    const wanted = this.wanted();
    if (!wanted) {
      this.round++;
      this.madeOf = "";
      if (this.madeNow) {
        this.madeNow = null;
        this.tell();
      }
      return;
    }
    const { source, target, recipe, clip, rate } = wanted;
    const key = JSON.stringify([this.which, source.id, target.id, recipe, clip, rate]);
    if (key === this.madeOf || !this.studio.shown.judged) return;
    this.madeOf = key;
    void this.make(++this.round, wanted);
  }

  private changed(): void {
    this.tell();
    this.update();
  }

  private wanted(): { which: Which; source: GivenFile; target: GivenFile; recipe: string; clip: string; rate: number } | null {
    const { document: doc, shown } = this.studio;
    const { which, kept } = this;
    const source = shown.source?.file;
    const rate = shown.poses.source?.rate;
    const target = which === "kept" ? fileOf(doc, kept?.target ?? null) : fileOf(doc, doc.target);
    if (!which || !source || !target || shown.clip === null || rate === undefined) return null;
    const recipe = which === "kept" ? (kept?.recipe ?? {}) : asCopied(recipeOf(doc));
    return { which, source, target, recipe: recipeText(recipe), clip: shown.clip, rate };
  }

  private async make(
    round: number,
    { which, source, target, recipe, clip, rate }: NonNullable<ReturnType<Comparison["wanted"]>>,
  ): Promise<void> {
    const { engine, store } = this.studio;
    const isOld = (): boolean => round !== this.round;
    this.working++;
    try {
      await store.open(source);
      const file = await store.open(target);
      const pair = { source: keyOf(source.id, "source"), target: keyOf(target.id, "target"), recipe, variant: "other" };
      const { result, target: poses } = await engine.call("retarget", { pair, clips: [clip], rate }, "other");
      if (isOld()) return;
      const judged = await engine.call("judge", { pair, clip: result.clips[0]?.name ?? clip }, "judge-other");
      if (isOld() || !poses[0]) return;
      this.madeNow = { which, file, poses: poses[0], ...judged };
      this.tell();
    } catch (error) {
      if (error instanceof Stale || isOld()) return;
      this.madeOf = "";
      this.madeNow = null;
      this.which = null;
      this.tell();
      trouble(t("comparisonRefused"), error, "comparison");
    } finally {
      this.working--;
    }
  }

  private stored(): void {
    remember(KEY, this.kept && JSON.stringify(this.kept));
  }

  private tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}
