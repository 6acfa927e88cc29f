// Puts on the stage what the studio has opened: a puppet for each file, with its mesh where that can be drawn.

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

export class Cast {
  private readonly playing = new Map<Side, OpenedFile | null>();

  constructor(
    private readonly stage: Stage,
    private readonly store: FileStore,
  ) {}

  /** Whether the puppet of a file, and no other, is on the stage. */
  isOn(side: Side, file: OpenedFile | null): boolean {
    return (this.playing.get(side) ?? null) === file && (this.stage.puppet(side)?.description ?? null) === (file?.description ?? null);
  }

  /** Whose puppet plays a part. */
  on(side: Side): OpenedFile | null {
    return this.playing.get(side) ?? null;
  }

  /** Somebody who was on the stage already has taken a part. */
  taken(side: Side, file: OpenedFile): void {
    this.playing.set(side, file);
  }

  /** Brings in the puppet of a file, unless it is there. True where it is new. */
  async bring(side: Side, file: OpenedFile | null): Promise<boolean> {
    if (this.playing.get(side) === file) return false;
    this.playing.set(side, file);
    if (!file) {
      this.stage.set(side, null);
      return true;
    }
    const look = await during(t("reading", { name: file.file.name }), this.prepared(file));
    await others();
    if (this.playing.get(side) !== file) {
      if (look) disposeLook(look);
      return false;
    }
    this.stage.set(side, new Puppet(file.description, look, this.stage.colourOf(side)));
    return true;
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
    if (missing.length > 0) trouble(t("missingParts", { name: file.name }), t("missingPartsAre", { files: [...new Set(missing)].join(", ") }), key);
    else clearTrouble(key);
  }
}
