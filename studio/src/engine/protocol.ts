// What the page and the engine's worker say to each other.

import type {
  ClipCurves,
  GifOptions,
  MirroredSlot,
  OpenOptions,
  PairMap,
  PairPoses,
  Report,
  RetargetResult,
  RigDescription,
  RigMeshes,
  Series,
  Side,
  SlotCalibration,
  SlotRanges,
  WrittenFormat,
} from "rebone";

/** A source, a target and their recipe (JSON or TOML). Rigs are named by the keys they were opened under. */
export interface Pair {
  source: string;
  target: string;
  recipe: string;
  /** Keeps results of another recipe beside those of the pair itself. */
  variant?: string;
}

/** Local poses of a clip, frame after frame: ten numbers a node (translation, rotation x y z w, scale). */
export interface Poses {
  start: number;
  rate: number;
  frames: number;
  numbers: Float32Array;
  /** What moves besides joints. */
  curves?: ClipCurves;
}

/** A clip that was made, as the result tells it. */
export type MadeClip = Pick<RetargetResult["clips"][number], "name" | "start" | "seconds">;

/** A file to be downloaded, with what it could not hold. */
export interface Made {
  bytes: Uint8Array;
  remarks: string[];
}

/** Both sides in their retarget poses, one frame each. */
export interface Standing {
  about: PairPoses;
  source: Poses;
  target: Poses;
}

/** Which axes a calibration turns about: the joint's or the body's. */
export type Axes = "local" | "world";

/** Every call that the worker answers: its argument, and what it gives back. */
export interface Calls {
  open: { ask: { key: string; bytes: Uint8Array; options: OpenOptions }; answer: RigDescription };
  close: { ask: { key: string }; answer: null };
  format: { ask: { bytes: Uint8Array }; answer: string };
  sample: { ask: { name: string }; answer: Uint8Array };
  samples: { ask: null; answer: { name: string; role: Side }[] };
  /** Own poses of a rig; the rest pose, one frame, where no clip is named. */
  own: { ask: { key: string; clip: string | null; rate: number }; answer: Poses };
  meshes: { ask: { key: string }; answer: RigMeshes };
  map: { ask: Pair; answer: PairMap };
  align: { ask: Pair; answer: PairPoses };
  retarget: { ask: { pair: Pair; clips: string[]; rate: number }; answer: { result: RetargetResult; target: Poses[] } };
  /** Poses of a clip that was made of these clips. */
  poses: { ask: { pair: Pair; clips: string[]; made: MadeClip; rate: number }; answer: Poses };
  judge: { ask: { pair: Pair; clip: string }; answer: { report: Report; series: Series } };
  write: { ask: { pair: Pair; clips: string[]; format: WrittenFormat }; answer: Made };
  /** A clip brought over, judged by a sample of its frames, and written into a file of its own. */
  deliver: { ask: { pair: Pair; clip: string; format: WrittenFormat }; answer: Made & { report: Report } };
  plan: { ask: { pair: Pair }; answer: Made };
  gif: { ask: { pair: Pair; clip: string; options: GifOptions }; answer: Uint8Array };
  page: { ask: { pair: Pair; clips: string[] }; answer: string };
  /** The recipe with every joint that was found, as TOML. */
  recipe: { ask: Pair; answer: string };
  /** A recipe's JSON as TOML. */
  toml: { ask: { json: string }; answer: string };
  command: { ask: { pair: Pair; output: string }; answer: string };
  /** A recipe's text, or another tool's map, as a plain object. Throws where it is neither. */
  stand: { ask: Pair; answer: Standing };
  /** A slot's calibration after a further turn (x, y, z, w) about the body's axes. */
  turned: { ask: { pair: Pair; side: Side; slot: string; by: readonly number[]; axes: Axes }; answer: SlotCalibration };
  mirrored: { ask: { pair: Pair; side: Side; slot: string }; answer: MirroredSlot };
  /** Calibrations that bring slots into the T-pose; all where the list is empty. */
  t_pose: { ask: { pair: Pair; side: Side; slots: string[] }; answer: Record<string, SlotCalibration> };
  /** Where an end is at a time of a clip that was made, as a pin's point. */
  pin_place: { ask: { pair: Pair; clip: string; end: string; seconds: number }; answer: [number, number, number] };
  slot_limits: { ask: Pair; answer: Record<string, SlotRanges> };
  /** A recipe's text as a plain object; throws where it does not fit the pair. */
  check_recipe: { ask: { pair: Pair | null; text: string }; answer: Record<string, unknown> };
  read_recipe: { ask: { pair: Pair | null; text: string }; answer: Record<string, unknown> };
}

export type CallName = keyof Calls;

export interface Request<C extends CallName = CallName> {
  id: number;
  call: C;
  ask: Calls[C]["ask"];
  /** A later request of the same lane makes this one needless, unless it has begun. */
  lane: string | null;
}

/** An error in the engine's words. After the code `internal` the engine is loaded anew. */
export interface Trouble {
  code: string;
  message: string;
  remedy: string;
}

export type Reply = { id: number; answer: unknown } | { id: number; trouble: Trouble } | { id: number; stale: true };
