// Files from a drop, a dialog or the server that opened the page.

import type { Side } from "rebone";
import { droppedFolder, type Found } from "./folder";

export interface Given {
  name: string;
  bytes: Uint8Array;
  role: Side | "recipe" | null;
}

export async function read(files: Iterable<File>, role: Side | null): Promise<Given[]> {
  return Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), role })));
}

/** Takes drops on the whole page; places with `data-role` say which part the files play. */
export function takeDrops(take: (files: Promise<Given[]>) => void, takeFolder: (found: Promise<Found[]>) => void): void {
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
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    event.preventDefault();
    const folder = droppedFolder(event);
    if (folder) return takeFolder(folder);
    const place = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-role]") : null;
    const role = place?.dataset["role"];
    take(read(files, role === "source" || role === "target" ? role : null));
  });
}

interface Listed {
  files: { name: string; url: string; role: "source" | "target" | "recipe" }[];
}

/** Files that the page was opened with; none where it comes from a plain host. */
export async function givenByServer(): Promise<Given[]> {
  const response = await fetch("given.json").catch(() => null);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return [];
  const { files } = (await response.json()) as Listed;
  return Promise.all(
    files.map(async ({ name, url, role }) => {
      const own = await fetch(url);
      if (!own.ok) throw new Error(`${name}: ${own.status}`);
      return { name, role, bytes: new Uint8Array(await own.arrayBuffer()) };
    }),
  );
}
