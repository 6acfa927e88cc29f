// The work outlives a reload: the document and the bytes of its files in the browser's own database. Nothing leaves the machine. Each tab
// has its own document; a new tab begins with the one that was worked on last.

import type { StudioDocument } from "./document";
import { newId } from "./files/ids";
import { remember, remembered } from "./ui/remembered";

const NAME = "rebone-studio";
const FILES = "files";
const DOCUMENT = "document";
/** The document that was worked on last, in whichever tab. */
const LAST = "current";
const TAB = "rebone-tab";

const refused = (error: DOMException | null): Error => error ?? new Error("the browser's database refused");

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((take, fail) => {
    request.onsuccess = () => take(request.result);
    request.onerror = () => fail(refused(request.error));
  });
}

/** Whether there was room is known only when all is written. */
function written(work: IDBTransaction): Promise<void> {
  return new Promise((take, fail) => {
    work.oncomplete = () => take();
    work.onabort = () => fail(refused(work.error));
  });
}

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(FILES);
    request.result.createObjectStore(DOCUMENT);
  };
  return asked(request);
}

const lockOf = (tab: string): string => `${NAME}:${tab}`;
/** Only pages with a certificate have locks. */
const locks = (): LockManager | undefined => navigator.locks as LockManager | undefined;

/** Says to the other tabs that this one is there, as long as it is; false where another has its name: a tab that was doubled. */
function isOwn(tab: string): Promise<boolean> {
  return new Promise((take) => {
    const held = (lock: Lock | null): Promise<void> | undefined => {
      take(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    };
    const asking = locks()?.request(lockOf(tab), { ifAvailable: true }, held);
    if (asking) asking.catch(() => take(true));
    else take(true);
  });
}

interface Tab {
  id: string;
  /** Whose document it begins with. */
  before: string;
}

async function ownTab(): Promise<Tab> {
  const before = remembered(TAB, "tab") ?? newId();
  let id = before;
  while (!(await isOwn(id))) id = newId();
  remember(TAB, id, "tab");
  return { id, before };
}

/** Everything here may fail (private windows, full disks); the page then works without. */
export class Persistence {
  private readonly database = opened();
  private readonly tab = ownTab();
  private saving: Promise<unknown> = Promise.resolve();
  private newest: StudioDocument | null = null;

  constructor() {
    // Who asks for something is told.
    this.database.catch(() => {});
  }

  private async work(names: string[], mode: IDBTransactionMode): Promise<IDBTransaction> {
    return (await this.database).transaction(names, mode);
  }

  async saveFile(id: string, bytes: Uint8Array): Promise<void> {
    // A blob is stored elsewhere; bytes would be copied here, which takes as long as a large file is.
    const work = await this.work([FILES], "readwrite");
    work.objectStore(FILES).put(new Blob([bytes as BlobPart]), id);
    await written(work);
  }

  async file(id: string): Promise<Uint8Array | undefined> {
    const stored = (await asked((await this.work([FILES], "readonly")).objectStore(FILES).get(id))) as Blob | Uint8Array | undefined;
    return stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : stored;
  }

  /** Saves in the order of the calls; of those that come while one is being saved, the newest stands for all. */
  save(document: StudioDocument): Promise<unknown> {
    this.newest = document;
    const put = async (): Promise<void> => {
      if (this.newest !== document) return;
      const { id } = await this.tab;
      const work = await this.work([DOCUMENT], "readwrite");
      for (const key of [id, LAST]) work.objectStore(DOCUMENT).put(document, key);
      await written(work);
    };
    this.saving = this.saving.then(put, put);
    return this.saving;
  }

  /** As it was stored, whoever stored it: this tab, else the one that was worked in last. */
  async document(): Promise<unknown> {
    const { before } = await this.tab;
    const store = (await this.work([DOCUMENT], "readonly")).objectStore(DOCUMENT);
    const [own, last] = await Promise.all([asked(store.get(before)), asked(store.get(LAST))]);
    return own ?? last;
  }

  /** Throws away documents of tabs that are closed, and bytes of files that no document names; `document` is this tab's. */
  async tidy(document: StudioDocument): Promise<void> {
    const { id } = await this.tab;
    const held = (await locks()?.query())?.held ?? [];
    const open = new Set([LAST, id, ...held.map((lock) => (lock.name ?? "").slice(lockOf("").length))]);
    const work = await this.work([DOCUMENT, FILES], "readwrite");
    const [documents, files] = [work.objectStore(DOCUMENT), work.objectStore(FILES)];
    const known = new Set(idsOf(document));
    for (const key of await asked(documents.getAllKeys())) {
      if (open.has(String(key))) idsOf((await asked(documents.get(key))) as StudioDocument).forEach((own) => known.add(own));
      else documents.delete(key);
    }
    for (const key of await asked(files.getAllKeys())) if (!known.has(String(key))) files.delete(key);
    await written(work);
  }
}

/** Everything that a document names. */
const idsOf = (document: Partial<StudioDocument>): string[] =>
  (document.files ?? []).flatMap((file) => (file ? [file.id, ...(file.beside ?? []).map((part) => part.id)] : []));
