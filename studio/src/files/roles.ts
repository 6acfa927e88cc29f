// Which part a file plays that nobody gave a part.

import type { RigDescription, Side } from "rebone";
import type { StudioDocument } from "../document";

/** Formats that hold motions and no character to be moved. */
const MOTIONS = ["vrma", "bvh"];
const CHARACTERS = ["vrm", "urdf", "mjcf"];

/**
 * Motions and characters by their format; else what has clips and no skin is a motion, what has a skin and no clips a character. A file
 * with both fills the empty place: the samples' places count as empty.
 */
export function roleOf(description: RigDescription, doc: StudioDocument, isSample: (id: string) => boolean): Side {
  const format = description.format.toLowerCase();
  if (MOTIONS.includes(format) && description.clips.length > 0) return "source";
  if (CHARACTERS.includes(format)) return "target";
  const hasClips = description.clips.length > 0;
  const hasSkin = description.skins > 0;
  if (hasClips && !hasSkin) return "source";
  if (hasSkin && !hasClips) return "target";
  if (!hasClips) return "target";
  return doc.source === null || isSample(doc.source) ? "source" : "target";
}
