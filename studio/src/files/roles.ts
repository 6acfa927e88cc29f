// Which part a file plays that nobody gave a part.

import type { RigDescription, Side } from "rebone";
import type { StudioDocument } from "../document";
import type { Given } from "./drop";
import { newId } from "./ids";

/** Formats that hold motions and no character to be moved. */
const MOTIONS = ["vrma", "bvh"];
const CHARACTERS = ["vrm", "urdf", "mjcf"];
/** The format in which libraries hand out motions together with a body that wears them. */
const LIBRARIES = ["fbx"];

/** The part that a file's format and contents tell; none where it holds both clips and a body, and may play either. */
export function certainRole(description: RigDescription): Side | null {
  const format = description.format.toLowerCase();
  const hasClips = description.clips.length > 0;
  if (MOTIONS.includes(format) && hasClips) return "source";
  if (CHARACTERS.includes(format)) return "target";
  if (!hasClips) return "target";
  return description.skins > 0 ? null : "source";
}

/**
 * A file that may play either part fills the place that is empty: the samples' places count as empty. Where both are, it is a motion in the
 * format of motion libraries, else the character that somebody came with.
 */
export function roleOf(description: RigDescription, doc: StudioDocument, isSample: (id: string) => boolean): Side {
  const certain = certainRole(description);
  if (certain) return certain;
  const isFree = (id: string | null): boolean => id === null || isSample(id);
  if (!isFree(doc.source)) return "target";
  if (!isFree(doc.target)) return "source";
  return LIBRARIES.includes(description.format.toLowerCase()) ? "source" : "target";
}

/** Those with one part only first, then motions of libraries. */
function turnOf(description: RigDescription): number {
  if (certainRole(description)) return 0;
  return LIBRARIES.includes(description.format.toLowerCase()) ? 1 : 2;
}

interface Turn {
  own: Given;
  id: string;
}

/** Files that came together, in the order in which they choose their parts, each with a new id. */
export async function inTurn(given: readonly Given[], describe: (own: Given, id: string) => Promise<RigDescription>): Promise<Turn[]> {
  const all = given.map((own) => ({ own, id: newId(), turn: 0 }));
  for (const one of given.length > 1 ? all : []) {
    if (one.own.role !== null) continue;
    try {
      one.turn = turnOf(await describe(one.own, one.id));
    } catch {
      // What is wrong with it is told when it is taken in.
    }
  }
  return all.sort((a, b) => a.turn - b.turn);
}
