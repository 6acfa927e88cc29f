// Many motions at once: a folder that was dropped or chosen, with everything below it.

import type { Dropped } from "./folders";

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
/** In a folder fewer do: one is a file with its parts, more are a collection. */
const MANY_IN_FOLDERS = 2;

export const isMotion = (name: string): boolean => MOTIONS.test(name);
export const isBeside = (name: string): boolean => COMPANIONS.test(name);

/** Whether what was dropped is a collection. */
export function areMany(files: readonly Dropped[]): boolean {
  const motions = files.filter(({ path }) => isMotion(path));
  return (
    motions.filter(({ path }) => MOSTLY_MOTIONS.test(path)).length >= MANY ||
    motions.filter(({ isChosen }) => !isChosen).length >= MANY_IN_FOLDERS
  );
}

/** Of a dialog. */
export const chosenFolder = (files: Iterable<File>): Found[] =>
  sorted([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

export const sorted = (all: Found[]): Found[] => all.sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
