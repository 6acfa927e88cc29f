// What was dropped, with the files of dropped folders.

export interface Dropped {
  file: File;
  /** With the folders that it was dropped in. */
  path: string;
  /** Whether somebody chose it, and not only the folder it is in. */
  isChosen: boolean;
}

/** Files that are looked at in folders, at most. */
const MOST_FILES = 5000;
/** What is taken out of folders, where much lies that is nothing to us. */
const IN_FOLDERS = /\.(fbx|glb|gltf|vrm|vrma|bvh|urdf|toml|bin|png|jpe?g|webp|ktx2|tga|bmp|tiff?|dds|psd)$/i;

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((take, fail) => entry.file(take, fail));

/** A folder is read in parts, until an empty one. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function within(entry: FileSystemEntry, isChosen: boolean, into: Dropped[]): Promise<void> {
  if (into.length >= MOST_FILES) return;
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile && (isChosen || IN_FOLDERS.test(entry.name)))
    into.push({ file: await fileOf(entry as FileSystemFileEntry), path, isChosen });
  else if (entry.isDirectory) for (const own of await entriesOf(entry as FileSystemDirectoryEntry)) await within(own, false, into);
}

/** To be called while the drop is told of: later its content is gone. */
export function dropped(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files].map((file) => ({ file, path: file.name, isChosen: true }));
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(plain);
  const all: Dropped[] = [];
  const walk = async (): Promise<Dropped[]> => {
    for (const entry of entries) if (entry) await within(entry, true, all);
    return all;
  };
  return walk();
}
