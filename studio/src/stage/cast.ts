// Puts on the stage what the studio has opened: a puppet for each file. It comes as its skeleton and moves at once; its mesh, where it has
// one that can be drawn, is put on when that is ready.

import type { Side, Warning } from "rebone";
import { namesIn } from "../engine-texts";
import type { FileStore, OpenedFile } from "../files/store";
import { t } from "../texts";
import { clearTrouble, during, trouble } from "../ui/notices";
import { others } from "../ui/pauses";
import { engineLook } from "./engine_look";
import { type Look, disposeLook, hasMeshes, isDrawn, loadLook } from "./mesh";
import { Puppet } from "./puppet";
import type { Stage } from "./stage";

/** A look is begun when its skeleton moves; where that takes longer than this, milliseconds, it is not waited for. */
const HEAD_START_MS = 250;

/** Somebody whose look is being made. */
interface Coming {
  readonly file: OpenedFile;
  /** Where he has come onto the stage by now. */
  readonly puppet: Promise<Puppet | null>;
  /** He is there; none where he is not wanted any more. */
  readonly enter: (puppet: Puppet | null) => void;
  isWanted: boolean;
}

function coming(file: OpenedFile): Coming {
  let enter: (puppet: Puppet | null) => void = () => {};
  const puppet = new Promise<Puppet | null>((take) => (enter = take));
  return { file, puppet, enter, isWanted: true };
}

export class Cast {
  private readonly playing = new Map<Side, OpenedFile | null>();
  private readonly expected = new Map<Side, Coming>();
  private dressing = 0;

  constructor(
    private readonly stage: Stage,
    private readonly store: FileStore,
  ) {}

  /** Nobody's look is being made. */
  get isSettled(): boolean {
    return this.dressing === 0;
  }

  /** Whose puppet plays a part. */
  on(side: Side): OpenedFile | null {
    return this.playing.get(side) ?? null;
  }

  /** Somebody who was on the stage already has taken a part. */
  taken(side: Side, file: OpenedFile): void {
    this.playing.set(side, file);
  }

  /** Somebody will be brought in, unless he is there: his look is made meanwhile. */
  expect(side: Side, file: OpenedFile | null): void {
    const before = this.expected.get(side);
    if (before?.file === file) return;
    if (before) this.dismiss(side, before);
    if (!file || this.on(side) === file) return;
    const own = coming(file);
    this.expected.set(side, own);
    void this.dress(own);
  }

  /** Brings in the skeleton of a file, unless it is there. True where it is new. */
  bring(side: Side, file: OpenedFile | null): boolean {
    this.expect(side, file);
    if (this.on(side) === file) return false;
    this.playing.set(side, file);
    const puppet = file && new Puppet(file.description, null, this.stage.colourOf(side));
    this.stage.set(side, puppet);
    this.expected.get(side)?.enter(puppet);
    this.expected.delete(side);
    this.sweep();
    return true;
  }

  private dismiss(side: Side, own: Coming): void {
    own.isWanted = false;
    own.enter(null);
    this.expected.delete(side);
  }

  private async dress(own: Coming): Promise<void> {
    this.dressing++;
    try {
      // First the skeleton moves: making looks takes the time that this needs.
      await Promise.race([own.puppet.then(() => this.stage.afterPicture()), new Promise((done) => setTimeout(done, HEAD_START_MS))]);
      if (!own.isWanted) return;
      const look = await during(t("reading", { name: own.file.file.name }), this.prepared(own.file));
      const puppet = await own.puppet;
      if (!look) return;
      await others();
      if (!puppet) return disposeLook(look);
      puppet.wear(look);
      this.stage.fit(puppet);
    } finally {
      this.dressing--;
      this.sweep();
    }
  }

  /** Those who have left are let go once all looks are made: what the graphics card has for them is not made twice. */
  private sweep(): void {
    if (this.dressing === 0) this.stage.sweep();
  }

  private async prepared(file: OpenedFile): Promise<Look | null> {
    const look = await this.look(file);
    if (look) await this.stage.prepare(look.root);
    return look;
  }

  /** What a file looks like; none where it is shown as a skeleton. */
  async look(file: OpenedFile): Promise<Look | null> {
    const key = `mesh:${file.file.name}`;
    const { format } = file.description;
    if (!hasMeshes(file)) return null;
    let refused: unknown = null;
    try {
      if (isDrawn(format)) {
        const look = await loadLook(file.bytes, file.description, this.store.besideOf(file.file));
        clearTrouble(key);
        return look;
      }
    } catch (error) {
      refused = error;
    }
    try {
      const read = await this.store.meshes(file.file);
      this.tellMissing(file, read.warnings);
      const look = await engineLook(read, file.description);
      if (!look && refused) throw refused;
      clearTrouble(key);
      return look;
    } catch (error) {
      trouble(t("meshRefused", { name: file.file.name }), error, key);
      return null;
    }
  }

  /** Pictures that an FBX lacks are known only once its meshes are read; those of a glTF were told when it was opened. */
  private tellMissing({ file, description }: OpenedFile, warnings: readonly Warning[]): void {
    if (isDrawn(description.format)) return;
    const key = `missing:${file.name}`;
    // The texture's own name stands first, its file's last.
    const missing = warnings.filter((own) => own.code === "image-missing").flatMap((own) => namesIn(own.message).slice(-1));
    if (missing.length > 0)
      trouble(t("missingParts", { name: file.name }), t("missingPartsAre", { files: [...new Set(missing)].join(", ") }), key);
    else clearTrouble(key);
  }
}
