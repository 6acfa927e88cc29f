// Takes files into the document: what is dropped or chosen, samples, and what was there before a reload. Reading takes its time, and the
// document goes on meanwhile: what was read is put into the one that is there when it is done.

import type { RigDescription, Side } from "rebone";
import { type GivenFile, type StudioDocument, fileOf, soundDocument, withFile, withoutFile } from "./document";
import type { Given } from "./files/drop";
import { newId } from "./files/ids";
import { Parts, isPart } from "./files/parts";
import { certainRole, inTurn, roleOf } from "./files/roles";
import type { Persistence } from "./persistence";
import { isSample, sampleId, type Studio } from "./studio";
import { t } from "./texts";
import { clearTrouble, during, note, trouble } from "./ui/notices";
import { others } from "./ui/pauses";

const isRecipe = (name: string): boolean => /\.(toml|json|xml|bonemap|hsk)$/i.test(name) && !/\.mjcf\.xml$/i.test(name);

/** With a file of somebody's own in a sample's place. */
function withOwn(doc: StudioDocument, file: GivenFile): StudioDocument {
  const sample = file.role === "source" ? doc.source : doc.target;
  return withFile(sample !== null && isSample(sample) ? withoutFile(doc, sample) : doc, file);
}

export class Intake {
  private readonly parts = new Parts();
  /** Parts that are stored: a picture of many files is stored once. */
  private readonly partIds = new WeakMap<Uint8Array, string>();

  constructor(
    private readonly studio: Studio,
    private readonly persistence: Persistence,
  ) {}

  /** A file that cannot be read changes nothing. Samples give way to a person's own files. */
  async take(given: readonly Given[]): Promise<void> {
    const { studio } = this;
    const rigs: Given[] = [];
    const texts: Given[] = [];
    for (const own of given) {
      if (isPart(own.name)) this.parts.take(own);
      else if (own.role === "recipe" || isRecipe(own.name)) texts.push(own);
      // An avatar is a character whatever is in it: it is not read as a motion first.
      else rigs.push(own.role === null && /\.vrm$/i.test(own.name) ? { ...own, role: "target" } : own);
    }
    rigs.push(...this.parts.complete());
    const completed = this.completed();
    // Parts of other files mean nothing alone; the engine says what they are.
    if (rigs.length + texts.length + completed.size === 0) rigs.push(...given);
    const made: GivenFile[] = [];
    const describe = async (own: Given, id: string): Promise<RigDescription> => {
      studio.store.put(id, own.bytes);
      return (await during(t("reading", { name: own.name }), studio.store.open(this.asSource(own, id)))).description;
    };
    for (const { own, id } of await inTurn(rigs, describe)) {
      try {
        made.push(await during(t("reading", { name: own.name }), this.read(made.reduce(withOwn, studio.document), own, id)));
        clearTrouble(`file:${own.name}`);
      } catch (error) {
        const { missing } = this.parts.of(own);
        if (missing.length > 0) this.parts.wait(own);
        else trouble(t("fileRefused", { name: own.name }), error, `file:${own.name}`);
      }
      this.tellMissing(own.name, this.parts.of(own).missing);
    }
    const doc = studio.document;
    const files = completed.size === 0 ? doc.files : doc.files.map((file) => completed.get(file.id) ?? file);
    studio.history.change(made.reduce(withOwn, files === doc.files ? doc : { ...doc, files }));
    const free = new Set(rigs.filter((own) => own.role === null).map((own) => own.name));
    for (const file of made) if (free.has(file.name)) await this.tellPart(file);
    for (const own of texts) await this.recipe(new TextDecoder().decode(own.bytes), own.name);
  }

  /** Says which part a file got that may play either, and offers the other one. */
  private async tellPart(file: GivenFile): Promise<void> {
    if (certainRole((await this.studio.store.open(file)).description)) return;
    const isMotion = file.role === "source";
    const { name } = file;
    note(t(isMotion ? "tookAsMotion" : "tookAsCharacter", { name }), {
      text: t(isMotion ? "asCharacterInstead" : "asMotionInstead"),
      act: () => void this.playInstead(file.id),
    });
  }

  /** A file leaves its part for the other one. */
  private async playInstead(id: string): Promise<void> {
    const { studio } = this;
    const file = fileOf(studio.document, id);
    if (!file) return;
    const changed = { ...file, role: file.role === "source" ? ("target" as const) : ("source" as const) };
    try {
      await during(t("reading", { name: file.name }), studio.store.open(changed));
      studio.history.change(withOwn(withoutFile(studio.document, id), changed));
    } catch (error) {
      trouble(t("fileRefused", { name: file.name }), error, `file:${file.name}`);
    }
  }

  async sample(name: string, role: Side): Promise<void> {
    const { store, engine, history } = this.studio;
    const id = sampleId(name);
    const file = { id, name, role };
    if (!store.has(id)) store.put(id, await engine.call("sample", { name }));
    await store.open(file);
    history.change(withFile(this.studio.document, file));
  }

  /** A recipe, or another tool's map, for the target that is looked at now. */
  private async recipe(text: string, name: string): Promise<void> {
    const { studio } = this;
    const { target } = studio.document;
    try {
      studio.setRecipe(await studio.engine.call("read_recipe", { pair: await studio.pair().catch(() => null), text }), null, target);
      clearTrouble("recipe");
    } catch (error) {
      trouble(`${t("recipeRefused")}: ${name}`, error, "recipe");
    }
  }

  /** What was there before the reload, without files whose bytes are gone. None where nothing was. */
  async before(): Promise<StudioDocument | null> {
    const { store } = this.studio;
    try {
      let doc = soundDocument(await this.persistence.document());
      for (const file of doc.files) {
        const bytes = await this.persistence.file(file.id);
        if (!bytes) {
          doc = withoutFile(doc, file.id);
          trouble(t("fileRefused", { name: file.name }), t("openAgain", { name: file.name }), `file:${file.name}`);
          continue;
        }
        store.put(file.id, bytes);
        for (const { id } of file.beside ?? []) {
          const part = await this.persistence.file(id);
          if (!part) continue;
          store.put(id, part);
          this.partIds.set(part, id);
        }
      }
      return doc.files.length > 0 ? doc : null;
    } catch {
      return null;
    }
  }

  private tellMissing(name: string, missing: readonly string[]): void {
    const key = `missing:${name}`;
    if (missing.length > 0) trouble(t("missingParts", { name }), t("missingPartsAre", { files: missing.join(", ") }), key);
    else clearTrouble(key);
  }

  /** Files of the document with parts that have come since they were opened. */
  private completed(): Map<string, GivenFile> {
    const { store, document: doc } = this.studio;
    const found = new Map<string, GivenFile>();
    for (const file of doc.files) {
      const bytes = store.bytesOf(file.id);
      if (!bytes || isSample(file.id)) continue;
      const known = store.besideOf(file);
      const { parts, missing } = this.parts.of({ name: file.name, bytes, beside: known });
      if ([...parts.keys()].every((name) => known.has(name))) continue;
      this.tellMissing(file.name, missing);
      store.reopen(file.id);
      found.set(file.id, { ...file, beside: this.keepParts(parts) });
    }
    return found;
  }

  private keepParts(parts: ReadonlyMap<string, Uint8Array>): { name: string; id: string }[] {
    return [...parts].map(([name, bytes]) => {
      const id = this.partIds.get(bytes) ?? newId();
      this.studio.store.put(id, bytes);
      this.partIds.set(bytes, id);
      return { name, id };
    });
  }

  /** A file with its parts, as a motion. */
  private asSource(given: Given, id: string): GivenFile {
    const { parts } = this.parts.of(given);
    return { id, name: given.name, role: "source", ...(parts.size > 0 ? { beside: this.keepParts(parts) } : {}) };
  }

  /** Opens a file, and finds its part where it was given none. */
  private async read(doc: StudioDocument, given: Given, id: string): Promise<GivenFile> {
    const { store } = this.studio;
    store.put(id, given.bytes);
    try {
      const asSource = this.asSource(given, id);
      if (given.role !== "target") {
        const { description } = await store.open(asSource);
        if (given.role === "source" || roleOf(description, doc, isSample) === "source") return asSource;
        store.close(asSource);
      }
      const asTarget: GivenFile = { ...asSource, role: "target" };
      await store.open(asTarget);
      await others();
      return asTarget;
    } catch (error) {
      store.drop(id);
      throw error;
    }
  }
}
