// Files that are parts of others: buffers and pictures of a glTF, textures of an FBX. They come in any order and from any folder.

import type { Given } from "./drop";

/** Whether a file is a part of another, by its name. */
export const isPart = (name: string): boolean =>
  /\.(bin|png|jpe?g|webp|ktx2|basis|avif|gif|bmp|tga|tiff?|dds|psd|exr|hdr|stl|obj|mtl|dae)$/i.test(name);

/** Ends of a path, the longest first: `a/b/c.png`, `b/c.png`, `c.png`. */
function ends(path: string): string[] {
  const parts = path
    .replaceAll("\\", "/")
    .replace(/^(\.?\/)+/, "")
    .split("/");
  return parts.map((_, index) => parts.slice(index).join("/"));
}

/** An address without percent signs, where they mean something. */
export const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

/** A glTF's own text, out of a `.gltf` or a GLB; none of other files and of broken ones. */
function textOf(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.length >= 20 && view.getUint32(0, true) === 0x46546c67;
  if (isGlb) return new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true)));
  const start = new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .replace(/^\ufeff/, "")
    .trimStart();
  return start.startsWith("{") ? new TextDecoder().decode(bytes) : null;
}

/** Files that a glTF names, as it calls them; none of other formats, which the engine asks for by itself. */
export function partNames(bytes: Uint8Array): string[] {
  const text = textOf(bytes);
  if (text === null || !text.includes('"uri"')) return [];
  try {
    const json = JSON.parse(text.replace(/^\ufeff/, "")) as { buffers?: { uri?: unknown }[]; images?: { uri?: unknown }[] };
    const all = [...(json.buffers ?? []), ...(json.images ?? [])].map((own) => own.uri);
    const outside = all.filter((uri): uri is string => typeof uri === "string" && !/^(data|blob|https?|file):/i.test(uri));
    return [...new Set(outside.map(decoded))];
  } catch {
    return [];
  }
}

export const folderOf = (path: string): string => path.replaceAll("\\", "/").split("/").slice(0, -1).join("/");

/** A path without `.` and `..`. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/**
 * Of files by name the one that a reference means: the one that is there as seen from the folder of the file that refers to it, else one
 * with its folders, else one with its own name.
 */
export function partOf<T>(files: ReadonlyMap<string, T>, name: string, folder = ""): T | undefined {
  const there = plain(`${folder}/${name}`);
  for (const [path, own] of files) if (plain(path) === there) return own;
  const wanted = ends(name);
  for (const end of wanted) {
    for (const [path, own] of files) if (ends(path).includes(end)) return own;
  }
  // Tools on systems that do not care write another case.
  const last = wanted.at(-1)?.toLowerCase();
  for (const [path, own] of files) if (ends(path).at(-1)?.toLowerCase() === last) return own;
  return undefined;
}

/** What is there of the files that a file refers to, by the names it has for them, and what is missing. */
export interface Found {
  parts: Map<string, Uint8Array>;
  missing: string[];
}

/** Parts that were given, and files that wait for theirs. */
export class Parts {
  private readonly loose = new Map<string, Uint8Array>();
  private waiting: Given[] = [];

  take(part: Given): void {
    this.loose.set(part.path ?? part.name, part.bytes);
  }

  /** A file that can only be opened with parts that are missing. */
  wait(file: Given): void {
    this.waiting = [...this.waiting.filter((own) => own.name !== file.name), file];
  }

  /** Files whose parts have all come; they wait no longer. */
  complete(): Given[] {
    const isComplete = (own: Given): boolean => this.of(own).missing.length === 0;
    const done = this.waiting.filter(isComplete);
    this.waiting = this.waiting.filter((own) => !isComplete(own));
    return done;
  }

  /** Of an FBX those that are named anywhere in it: it states paths of the machine that it was made on, which only the engine reads. */
  private namedIn(bytes: Uint8Array): [string, Uint8Array][] {
    if (this.loose.size === 0) return [];
    const text = new TextDecoder("latin1").decode(bytes);
    const asBytes = (name: string): string => new TextDecoder("latin1").decode(new TextEncoder().encode(name));
    return [...this.loose].filter(([path]) => text.includes(asBytes(ends(path).at(-1) ?? path)));
  }

  of(file: Pick<Given, "bytes" | "name" | "path"> & { beside?: ReadonlyMap<string, Uint8Array> | undefined }): Found {
    const parts = new Map(file.beside ?? []);
    const names = partNames(file.bytes);
    if (/\.fbx$/i.test(file.name)) for (const [path, bytes] of this.namedIn(file.bytes)) parts.set(path, bytes);
    const missing: string[] = [];
    for (const name of names) {
      const own = parts.get(name) ?? partOf(parts, name) ?? partOf(this.loose, name, folderOf(file.path ?? ""));
      if (own) parts.set(name, own);
      else missing.push(name);
    }
    return { parts, missing };
  }
}
