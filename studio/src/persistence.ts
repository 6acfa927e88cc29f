// The work outlives a reload: the document and the bytes of its files in the browser's own database. Nothing leaves the machine.

import type { StudioDocument } from "./document";

const NAME = "rebone-studio";
const FILES = "files";
const DOCUMENT = "document";
const KEY = "current";

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((take, fail) => {
    request.onsuccess = () => take(request.result);
    request.onerror = () => fail(request.error ?? new Error("the browser's database refused"));
  });
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(FILES);
    request.result.createObjectStore(DOCUMENT);
  };
  return asked(request);
}

/** Everything here may fail (private windows, full disks); the page then works without. */
export class Persistence {
  private readonly database = opened();
  private saving: Promise<unknown> = Promise.resolve();

  private async store(name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.database).transaction(name, mode).objectStore(name);
  }

  async saveFile(id: string, bytes: Uint8Array): Promise<void> {
    // A blob is stored elsewhere; bytes would be copied here, which takes as long as a large file is.
    await asked((await this.store(FILES, "readwrite")).put(new Blob([bytes as BlobPart]), id));
  }

  async file(id: string): Promise<Uint8Array | undefined> {
    const stored = (await asked((await this.store(FILES, "readonly")).get(id))) as Blob | Uint8Array | undefined;
    return stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : stored;
  }

  /** Saves in the order of the calls. */
  save(document: StudioDocument): Promise<unknown> {
    const put = async () => asked((await this.store(DOCUMENT, "readwrite")).put(document, KEY));
    this.saving = this.saving.then(put, put);
    return this.saving;
  }

  async document(): Promise<StudioDocument | undefined> {
    return (await asked((await this.store(DOCUMENT, "readonly")).get(KEY))) as StudioDocument | undefined;
  }

  /** Throws away bytes of files that a document does not name. */
  async tidy(document: StudioDocument): Promise<void> {
    const keys = await asked((await this.store(FILES, "readonly")).getAllKeys());
    const known = new Set(document.files.flatMap((file) => [file.id, ...(file.beside ?? []).map((part) => part.id)]));
    const files = await this.store(FILES, "readwrite");
    await Promise.all(keys.filter((key) => !known.has(String(key))).map((key) => asked(files.delete(key))));
  }
}
