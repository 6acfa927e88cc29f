// Many motions at once: a folder that was dropped or chosen, with everything below it.

/** A file with its place in the folder. */
export interface Found {
  path: string;
  file: File;
}

const MOTIONS = /\.(bvh|fbx|glb|gltf|vrm|vrma)$/i;
const COMPANIONS = /\.(bin|png|jpe?g|webp)$/i;
/** Formats of which several at once are motions rather than characters. */
const MOSTLY_MOTIONS = /\.(bvh|fbx|vrma)$/i;
/** So many motions at once are a folder's worth: they are not opened one by one beside each other. */
const MANY = 9;

export const isMotion = (name: string): boolean => MOTIONS.test(name);
export const isBeside = (name: string): boolean => COMPANIONS.test(name);
export const areMany = (files: Iterable<{ name: string }>): boolean => [...files].filter((file) => MOSTLY_MOTIONS.test(file.name)).length >= MANY;

/** What was dropped, where there is a folder among it or where it is very much. Has to be asked while the drop is told. */
export function droppedFolder(event: DragEvent): Promise<Found[]> | null {
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry): entry is FileSystemEntry => entry !== null);
  if (!entries.some((entry) => entry.isDirectory)) {
    const files = event.dataTransfer?.files ?? [];
    return areMany(files) ? Promise.resolve(chosenFolder(files)) : null;
  }
  return Promise.all(entries.map(within)).then((all) => sorted(all.flat()));
}

/** Of a dialog. */
export const chosenFolder = (files: Iterable<File>): Found[] => sorted([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

const sorted = (all: Found[]): Found[] => all.sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));

async function within(entry: FileSystemEntry): Promise<Found[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((take, fail) => (entry as FileSystemFileEntry).file(take, fail));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Found[] = [];
  // A reader tells only some at a time, and nothing at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail));
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.map(within))).flat());
  }
}
