// All motions of a folder brought onto the chosen characters, file after file, in an engine of their own. What fails is told, and the rest goes on.

import type { ClipDescription, Report, Verdict, WrittenFormat } from "rebone";
import { fileOf, filesOf, type GivenFile, recipeText } from "../document";
import { type Engine, EngineError } from "../engine/client";
import { Ended, openIn, Workshop } from "../engine/workshop";
import { type Found, isBeside, isMotion } from "../files/folder";
import { folderOf, partNames, partOf } from "../files/parts";
import { isSample, type Studio } from "../studio";
import { figureName, unitName } from "../report-texts";
import { safe, stem } from "../ui/download";
import { t } from "../texts";
import { Zipper } from "./zipper";

/** A file of motions: of the folder, or of those that the page has open. */
export interface Motion {
  path: string;
  bytes: () => Promise<Uint8Array>;
  /** The page's own file. */
  given: GivenFile | null;
}

export type Row =
  | { motion: Motion; state: "found"; clip: ClipDescription }
  | {
      motion: Motion;
      state: "made";
      clip: ClipDescription;
      target: GivenFile;
      verdict: Verdict;
      worst: string;
      name: string;
      bytes: number;
      remarks: string[];
    }
  | { motion: Motion; state: "failed"; clip: ClipDescription | null; target: GivenFile | null; error: string; remedy: string };

export interface Progress {
  done: number;
  of: number;
  what: string;
}

/** The figure that decided a verdict, in words; the first where all are good. */
export function worstFigure(report: Report): string {
  const all = Object.entries(report.figures);
  const [name, figure] =
    all.find(([, own]) => own.verdict === report.verdict && report.verdict !== "pass") ??
    all.find(([own]) => own === "mean_direction") ??
    [];
  return name && figure ? `${figureName(name)} ${figure.value.toPrecision(3)} ${unitName(figure.unit)}`.trim() : "";
}

const KEY = "batch:source";

export class Batch {
  private folder: Motion[] = [];
  private companions = new Map<string, File>();
  private rowsNow: Row[] = [];
  private progressNow: Progress | null = null;
  private current: Promise<void> = Promise.resolve();
  /** Somebody has ended it before its end. */
  isCancelled = false;
  /** The rows tell of clips that were made, not only of those that were found. */
  hasRun = false;
  /** What its zip is called. */
  name = "rebone";
  private readonly workshop: Workshop;
  /** What was packed, when it is there to be saved. */
  zip: Blob | null = null;
  /** How many files are in it. */
  packed = 0;
  /** Files that were left out because they hold no motions. */
  leftOut = 0;
  onChange: () => void = () => {};

  constructor(private readonly studio: Studio) {
    this.workshop = new Workshop(studio);
  }

  get rows(): readonly Row[] {
    return this.rowsNow;
  }
  get progress(): Progress | null {
    return this.progressNow;
  }
  get hasFolder(): boolean {
    return this.folder.length > 0;
  }

  /** Takes a folder in place of the one before, and lists its clips. */
  async take(found: readonly Found[]): Promise<void> {
    this.cancel();
    await this.current;
    this.zip = null;
    this.name = found[0]?.path.includes("/") ? (found[0].path.split("/")[0] ?? this.name) : this.name;
    this.hasRun = false;
    this.folder = found
      .filter(({ path }) => isMotion(path))
      .map(({ path, file }) => ({ path, given: null, bytes: async () => new Uint8Array(await file.arrayBuffer()) }));
    this.companions = new Map(found.filter(({ path }) => isBeside(path)).map(({ path, file }) => [path, file]));
    this.leftOut = found.length - this.folder.length - this.companions.size;
    await this.alone(() =>
      this.each(async (engine, motion) => {
        const { clips } = await this.open(engine, motion);
        this.rowsNow.push(...clips.map((clip): Row => ({ motion, state: "found", clip })));
      }),
    );
  }

  /** Brings every clip onto every one of the targets. */
  async run(targets: readonly GivenFile[], format: WrittenFormat): Promise<void> {
    if (this.progressNow === null) await this.alone(() => this.made(targets, format));
  }

  private async made(targets: readonly GivenFile[], format: WrittenFormat): Promise<void> {
    const { document: doc, engine: own } = this.studio;
    const recipes = new Map(targets.map((target) => [target.id, recipeText(doc.recipes[target.id] ?? {})]));
    const zipper = new Zipper();
    this.hasRun = true;
    this.zip = null;
    try {
      const opened = new Map<string, string>();
      await this.each(async (engine, motion) => {
        const { clips } = await this.open(engine, motion);
        for (const target of targets) {
          // After a defect the engine is another one, in which nothing is open.
          if (!opened.has(target.id)) opened.set(target.id, await openIn(engine, this.studio, target, {}));
          for (const clip of clips) {
            if (this.isCancelled) return;
            try {
              const pair = { source: KEY, target: opened.get(target.id) ?? "", recipe: recipes.get(target.id) ?? "" };
              const { report, bytes, remarks } = await engine.call("deliver", { pair, clip: clip.name, format });
              const size = bytes.length;
              const folder = targets.length > 1 ? `${safe(stem(target.name))}/` : "";
              const path = stem(motion.path).split("/").map(safe).join("/");
              const name = await zipper.add(`${folder}${path}${clips.length > 1 ? `_${safe(clip.name)}` : ""}.${format}`, bytes);
              this.rowsNow.push({
                motion,
                state: "made",
                clip,
                target,
                verdict: report.verdict,
                worst: worstFigure(report),
                name,
                bytes: size,
                remarks,
              });
            } catch (error) {
              this.failed(motion, clip, target, error);
              if (error instanceof EngineError && error.code === "internal") {
                opened.clear();
                throw new Skipped();
              }
            }
            this.onChange();
          }
        }
      });
      this.packed = zipper.count;
      if (zipper.count > 0) this.zip = await zipper.end();
    } finally {
      zipper.close();
      // The page's own engine may have done the work.
      void own.call("close", { key: KEY }).catch(() => {});
      this.onChange();
    }
  }

  /** Ends the work after the clip that is being made; what is done stays. */
  cancel(): void {
    this.isCancelled = true;
    this.onChange();
  }

  /** Opens what a row tells of in the page: its motion, its clip, its target. */
  async show(row: Row): Promise<void> {
    const { studio } = this;
    let { given } = row.motion;
    if (!given || !studio.document.files.some((file) => file.id === given?.id)) {
      const before = new Set(studio.document.files.map((file) => file.id));
      const bytes = await row.motion.bytes();
      const beside = new Map(Object.entries(await this.partsOf(bytes, row.motion.path)));
      await studio.add([{ name: row.motion.path.split("/").pop() ?? row.motion.path, bytes, role: "source", beside }]);
      given = studio.document.files.find((file) => file.role === "source" && !before.has(file.id)) ?? null;
      row.motion.given = given;
    }
    if (!given) return;
    const doc = studio.document;
    // Who was taken away since is not chosen.
    const target = row.state === "found" ? null : (fileOf(doc, row.target?.id ?? null)?.id ?? null);
    studio.history.change({ ...doc, source: given.id, clip: row.clip?.name ?? null, target: target ?? doc.target });
  }

  /** Those of the folder; without one, those that the page has open. */
  private motions(): Motion[] {
    if (this.folder.length > 0) return this.folder;
    const own = filesOf(this.studio.document, "source");
    const mine = own.filter((file) => !isSample(file.id));
    return (mine.length > 0 ? mine : own).map((given) => ({
      path: given.name,
      given,
      bytes: async () => {
        const bytes = this.studio.store.bytesOf(given.id);
        if (!bytes) throw new Error(t("openAgain", { name: given.name }));
        return bytes;
      },
    }));
  }

  private async open(engine: Engine, motion: Motion) {
    const bytes = await motion.bytes();
    const files = motion.given ? Object.fromEntries(this.studio.store.besideOf(motion.given)) : await this.partsOf(bytes, motion.path);
    const description = await engine.call("open", {
      key: KEY,
      bytes,
      options: { name: motion.path.split("/").pop() ?? motion.path, role: "source", files },
    });
    const clips = description.clips.filter((clip) => clip.joints > 0);
    if (clips.length === 0) throw new Error(t("noClip", { name: motion.path }));
    return { clips };
  }

  /** Files of the folder that a motion names. */
  private async partsOf(bytes: Uint8Array, path: string): Promise<Record<string, Uint8Array>> {
    const files: Record<string, Uint8Array> = {};
    for (const name of partNames(bytes)) {
      const file = partOf(this.companions, name, folderOf(path));
      if (file) files[name] = new Uint8Array(await file.arrayBuffer());
    }
    return files;
  }

  /** One piece of work at a time. */
  private alone(work: () => Promise<void>): Promise<void> {
    const done = work();
    this.current = done.catch(() => {});
    return done;
  }

  private async each(work: (engine: Engine, motion: Motion) => Promise<void>): Promise<void> {
    const all = this.motions();
    this.rowsNow = [];
    this.isCancelled = false;
    try {
      await this.workshop.run(async (engine) => {
        for (const [done, motion] of all.entries()) {
          if (this.isCancelled) return;
          this.progressNow = { done, of: all.length, what: motion.path };
          this.onChange();
          try {
            await work(engine, motion);
          } catch (error) {
            if (error instanceof Ended) throw error;
            if (!(error instanceof Skipped)) this.failed(motion, null, null, error);
          }
        }
      });
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    } finally {
      this.progressNow = null;
      this.onChange();
    }
  }

  private failed(motion: Motion, clip: ClipDescription | null, target: GivenFile | null, error: unknown): void {
    const own = error instanceof Error ? error : new Error(String(error));
    this.rowsNow.push({ motion, state: "failed", clip, target, error: own.message, remedy: own instanceof EngineError ? own.remedy : "" });
  }
}

/** The rest of a file is left out; why has been told. */
class Skipped extends Error {}
