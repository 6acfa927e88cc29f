// Files from a drop, a dialog or the server that opened the page.

import type { Side } from "rebone";
import { areMany, type Found } from "./folder";
import { type Dropped, dropped } from "./folders";

export interface Given {
  name: string;
  bytes: Uint8Array;
  role: Side | "recipe" | null;
  /** With its folders, where it was dropped with them. */
  path?: string;
  /** Files that it refers to, by the names that it has for them. */
  beside?: ReadonlyMap<string, Uint8Array>;
}

const bytesOf = async (own: Blob | Response): Promise<Uint8Array> => new Uint8Array(await own.arrayBuffer());

export async function read(files: Iterable<File>, role: Side | null): Promise<Given[]> {
  return Promise.all([...files].map(async (file) => ({ name: file.name, bytes: await bytesOf(file), role })));
}

/** Takes drops on the whole page; places with `data-role` say which part the files play. */
export function takeDrops(take: (files: Promise<Given[]>) => void, takeFolder: (found: Found[]) => void): void {
  let depth = 0;
  const mark = (isOver: boolean): void => {
    document.body.classList.toggle("dropping", isOver);
  };
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (holdsFiles(event) && ++depth > 0) mark(true);
  });
  addEventListener("dragleave", (event) => {
    if (holdsFiles(event) && --depth <= 0) mark(false);
  });
  addEventListener("dragover", (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    depth = 0;
    mark(false);
    if (!holdsFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    const all = dropped(event.dataTransfer);
    const place = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-role]") : null;
    const role = place?.dataset["role"];
    const part = role === "source" || role === "target" ? role : null;
    const own = async ({ file, path }: Dropped): Promise<Given> => ({ name: file.name, path, bytes: await bytesOf(file), role: part });
    void all.then(
      (files) => (areMany(files) ? takeFolder(files) : take(Promise.all(files.map(own)))),
      (error: unknown) => take(Promise.reject(error)),
    );
  });
}

interface Listed {
  files: { name: string; url: string; role: "source" | "target" | "recipe"; beside?: { name: string; url: string }[] }[];
}

/** Files that the page was opened with; none where it comes from a plain host. */
export async function givenByServer(): Promise<Given[]> {
  const response = await fetch("given.json").catch(() => null);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return [];
  const { files } = (await response.json()) as Listed;
  return Promise.all(
    files.map(async ({ name, url, role, beside }) => {
      const own = await fetch(url);
      if (!own.ok) throw new Error(`${name}: ${own.status}`);
      const parts = await Promise.all((beside ?? []).map(async (part) => ({ ...part, answer: await fetch(part.url).catch(() => null) })));
      // What is missing is told when the file is opened.
      const here = parts.flatMap(({ name: called, answer }) => (answer?.ok ? [{ called, answer }] : []));
      const held = await Promise.all(here.map(async ({ called, answer }): Promise<[string, Uint8Array]> => [called, await bytesOf(answer)]));
      return { name, role, bytes: await bytesOf(own), beside: new Map(held) };
    }),
  );
}
