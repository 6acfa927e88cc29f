// Bytes of the files that were given, and what the engine says is in them.

import type { RigDescription, RigMeshes, Side } from "rebone";
import type { Engine } from "../engine/client";
import type { GivenFile } from "../document";

export interface OpenedFile {
  readonly file: GivenFile;
  readonly bytes: Uint8Array;
  readonly description: RigDescription;
}

export class FileStore {
  private readonly bytes = new Map<string, Uint8Array>();
  private readonly opened = new Map<string, Promise<OpenedFile>>();
  /** What documents have named so far. */
  private named: ReadonlySet<string> = new Set();

  constructor(private readonly engine: Engine) {}

  put(id: string, bytes: Uint8Array): void {
    this.bytes.set(id, bytes);
  }

  has(id: string): boolean {
    return this.bytes.has(id);
  }

  bytesOf(id: string): Uint8Array | undefined {
    return this.bytes.get(id);
  }

  /** Opens a file in the engine, once for each role. */
  open(file: GivenFile): Promise<OpenedFile> {
    const key = keyOf(file.id, file.role);
    const known = this.opened.get(key);
    if (known) return known;
    const opening = this.read(file, key);
    this.opened.set(key, opening);
    opening.catch(() => this.opened.delete(key));
    return opening;
  }

  /** The meshes of a file, as the engine reads them. */
  async meshes(file: GivenFile): Promise<RigMeshes> {
    await this.open(file);
    return this.engine.call("meshes", { key: keyOf(file.id, file.role) });
  }

  /** Bytes of the files that a file refers to, by the names it has for them. */
  besideOf(file: GivenFile): Map<string, Uint8Array> {
    return new Map(
      (file.beside ?? []).flatMap(({ name, id }) => {
        const bytes = this.bytes.get(id);
        return bytes ? [[name, bytes] as const] : [];
      }),
    );
  }

  /** Opens a file anew the next time it is asked for. */
  reopen(id: string): void {
    for (const role of ["source", "target"] as const) this.opened.delete(keyOf(id, role));
  }

  /** Closes a file in the engine; it is opened anew when it is asked for. */
  close(file: GivenFile): void {
    const key = keyOf(file.id, file.role);
    if (this.opened.delete(key)) void this.engine.call("close", { key }).catch(() => {});
  }

  /** A file that could not be used. */
  drop(id: string): void {
    this.bytes.delete(id);
  }

  /** Lets bytes go that documents have named, and none names any more. */
  keep(files: readonly GivenFile[]): void {
    const named = new Set(files.flatMap((file) => [file.id, ...(file.beside ?? []).map((part) => part.id)]));
    for (const id of this.named) if (!named.has(id)) this.bytes.delete(id);
    this.named = named;
  }

  /** The engine was loaded anew. */
  forget(): void {
    this.opened.clear();
  }

  private async read(file: GivenFile, key: string): Promise<OpenedFile> {
    const bytes = this.bytes.get(file.id);
    if (!bytes) throw new Error(`${file.name} is not here any more; open it again`);
    const files = Object.fromEntries(this.besideOf(file));
    const description = await this.engine.call("open", { key, bytes, options: { name: file.name, role: file.role, files } });
    return { file, bytes, description };
  }
}

/** What a rig is called in the engine: a file may play both parts. */
export const keyOf = (id: string, role: Side): string => `${role}:${id}`;
