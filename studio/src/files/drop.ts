// Files from a drop, a dialog or the server that opened the page.

import type { Side } from "rebone";
import { areMany, type Found } from "./folder";
import { type Dropped, dropped } from "./folders";
import { t } from "../texts";
import { trouble } from "../ui/notices";

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

/** Reads files; what cannot be read, because it was moved away or is somebody else's, is told and left out. */
async function readAll<T extends { file: File }>(files: readonly T[], own: (file: T, bytes: Uint8Array) => Given): Promise<Given[]> {
  const all = await Promise.all(
    files.map(async (one) => {
      try {
        return [own(one, await bytesOf(one.file))];
      } catch (error) {
        trouble(t("fileRefused", { name: one.file.name }), error, `file:${one.file.name}`);
        return [];
      }
    }),
  );
  return all.flat();
}

/** Of a dialog. */
export const read = (files: Iterable<File>, role: Side | null): Promise<Given[]> =>
  readAll(
    [...files].map((file) => ({ file })),
    ({ file }, bytes) => ({ name: file.name, bytes, role }),
  );

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
    const own = ({ file, path }: Dropped, bytes: Uint8Array): Given => ({ name: file.name, path, bytes, role: part });
    void all.then(
      (files) => (areMany(files) ? takeFolder(files) : take(readAll(files, own))),
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
      const held = await Promise.all(
        here.map(async ({ called, answer }): Promise<[string, Uint8Array]> => [called, await bytesOf(answer)]),
      );
      return { name, role, bytes: await bytesOf(own), beside: new Map(held) };
    }),
  );
}
