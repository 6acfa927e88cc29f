/** What transforms are relative to: the parent (ten numbers a node: translation x y z, rotation x y z w, scale x y z) or the
 * character (sixteen: a matrix column by column, as three.js takes it). Nodes stand in the order of `RigDescription.nodes`. */
export type PoseSpace = "local" | "model";

/** A side of a pair. */
export type Side = "source" | "target";

/** Formats that are written. */
export type WrittenFormat = "fbx" | "glb" | "gltf" | "vrm" | "vrma" | "bvh";

/** How a file is opened. */
export interface OpenOptions {
  /** The file's name with its extension; clips of a BVH are called by it. */
  name?: string;
  /** The part it plays; it decides which skeleton is taken where there are several. Default: source. */
  role?: Side;
  /** The skeleton, by name. Default: the best for the role. */
  skeleton?: string;
  /** The profile by which joints are found: auto, humanoid, quadruped, or the text of a profile's file. Default: auto. */
  profile?: string;
  /** Also meshes, for GIFs and reports with skins. Default: false. */
  meshes?: boolean;
  /** Files that it refers to, by their names. */
  files?: Record<string, Uint8Array> | Map<string, Uint8Array>;
}

/** What every function of this package throws. */
export interface ReboneError extends Error {
  name: "ReboneError";
  /** Stable. After `internal` the module has to be loaded anew. */
  code:
    | "file-malformed"
    | "file-unsupported"
    | "file-request"
    | "file-limit"
    | "nothing-in-common"
    | "kinds-differ"
    | "slots-missing"
    | "recipe"
    | "clip"
    | "request"
    | "plan"
    | "picture"
    | "internal";
  /** What to do about it, in words that name no option. */
  remedy: string;
  /** What the remedy speaks of, for words of your own. */
  actions: Action[];
}

/** A doubt; its code has a page in the documentation. */
export interface Warning {
  code: string;
  joint: string | null;
  message: string;
  hint: string;
  actions: Action[];
}

/** Something to do about an error or a warning, in stable words. */
export type Action =
  | "choose-clip"
  | "choose-rest-frame"
  | "choose-skeleton"
  | "compare-links"
  | "connect-kinds"
  | "draw-readings"
  | "give-rest-pose"
  | "keep-in-place"
  | "learn-limits"
  | "list-clips"
  | "list-contact-points"
  | "list-joints"
  | "list-settings"
  | "lower-rate"
  | "mirror-exactly"
  | "name-joints"
  | "name-twins"
  | "prepare-mirror"
  | "retarget"
  | "retarget-layer"
  | "save-profile"
  | "scale-by-legs"
  | "state-floor";

/** Translation, rotation (x, y, z, w), scale. */
export interface Transform {
  t: [number, number, number];
  r: [number, number, number, number];
  s: [number, number, number];
}

/** A joint, or a node above the skeleton. */
export interface Node {
  /** Unique in the skeleton. */
  name: string;
  /** Place of the parent in the list of nodes; parents stand before children. */
  parent: number | null;
  /** False for a node above the skeleton. */
  is_joint: boolean;
  /** Relative to the parent, in the file's unit. */
  rest: Transform;
}

/** What was found for a slot. */
export interface Slot {
  joints: string[];
  /** 0 to 1. */
  confidence: number;
  evidence: string;
  /** The second choice, where there was one. */
  runner_up: { joint: string; margin: number } | null;
}

/** Which joint is which part of the body. */
export interface RigMap {
  file: string;
  profile: string;
  kind: string;
  confidence: number;
  slots: Record<string, Slot>;
  unmapped: string[];
  warnings: Warning[];
}

/** A clip of a file. */
export interface ClipDescription {
  name: string;
  /** Time of its first key, seconds. */
  start: number;
  seconds: number;
  frames: number;
  /** How many joints it moves. */
  joints: number;
}

/** What is in a file. */
export interface RigDescription {
  /** Number of these shapes; it stays while keys are only added. */
  schema: 1;
  name: string;
  format: string;
  /** The skeleton that was taken. */
  skeleton: string;
  /** All of them. */
  skeletons: string[];
  meters_per_unit: number;
  /** False where it is guessed from the body. */
  unit_is_stated: boolean;
  up: string;
  forward: string;
  /** Rotation that makes +Y up and +Z forward: x, y, z, w. */
  canonical_from_file: [number, number, number, number];
  /** Metres. */
  height: number;
  nodes: Node[];
  map: RigMap;
  clips: ClipDescription[];
  skins: number;
  /** What is worth knowing about unit, axes and nodes above the skeleton. */
  space: { code: string; joint: string | null; message: string }[];
}

/** A surface with one material. Lists of what it has not are null. */
export interface RigMesh {
  name: string;
  /** Place in `RigMeshes.materials`. */
  material: number | null;
  /** Place in `RigMeshes.skins`; positions are then in the space of the skin. */
  skin: number | null;
  /** The node that carries it where there is no skin; positions are then in its space. */
  node: number | null;
  positions: Float32Array;
  normals: Float32Array;
  /** (0, 0) is the upper left corner of the image. */
  uvs: Float32Array | null;
  /** Linear RGBA. */
  colors: Float32Array | null;
  /** Four slots of the skin a vertex. */
  joints: Uint16Array | null;
  /** Their shares, which sum to 1. */
  weights: Float32Array | null;
  /** Three a triangle. */
  indices: Uint32Array;
}

/** The look of a character, to be drawn in the poses of its nodes. */
export interface RigMeshes {
  meshes: RigMesh[];
  /** For each slot its node, and sixteen numbers column by column: joint space from mesh space where the skin was bound. */
  skins: { name: string; nodes: number[]; inverse_binds: Float32Array }[];
  materials: {
    name: string;
    /** Linear RGBA. */
    base_color: [number, number, number, number];
    /** Place in `images`. */
    image: number | null;
    /** Below it nothing is drawn. */
    alpha_cutoff: number | null;
    double_sided: boolean;
  }[];
  /** PNG or JPEG, as they stand in the file. */
  images: { type: "image/png" | "image/jpeg"; bytes: Uint8Array }[];
  /** What of the look is in the file but not here (`morph targets`, `normal maps`). */
  left_out: string[];
  /** Pictures that are missing, and what else cannot be drawn. */
  warnings: Warning[];
}

/** What moves in the picture besides joints, frame after frame like poses of the same rate. */
export interface ClipCurves {
  /** Of nodes with morph targets, by their place in the glTF: all weights of a frame together. */
  weights: { node: number; targets: number; numbers: Float32Array }[];
  /** Of a VRM avatar; presets are called as in VRM 1.0. */
  expressions: { name: string; numbers: Float32Array }[];
}

/** The slots of both sides with the recipe's joints. */
export interface PairMap {
  /** Number of these shapes; it stays while keys are only added. */
  schema: 1;
  source: RigMap;
  target: RigMap;
  /** Which joints move which. */
  links: { slot: string; source: string[]; target: string[] }[];
  /** Those that a person has linked; without source, the target's joint is taken out. */
  by_hand: { source: string | null; target: string }[];
}

/** How a joint was turned to make both characters look alike. */
export interface SlotPose {
  slot: string;
  joint: string;
  swing_degrees: number;
  roll_degrees: number;
  evidence: string;
  /** Deserves a look. */
  look: boolean;
}

/** The retarget pose of a side. */
export interface RetargetPose {
  pose: string;
  pose_seconds: number | null;
  pose_choice: string;
  rest_pose: string;
  plausibility: number;
  up: string;
  forward: string;
  meters_per_unit: number;
  /** In the file's unit. */
  measures: {
    leg: number;
    hip_width: number;
    ankle_height: number;
    ankle_found: string;
    hips_height: number;
    head_height: number;
  };
  slots: SlotPose[];
}

/** The retarget poses of both sides. */
export interface PairPoses {
  /** Number of these shapes; it stays while keys are only added. */
  schema: 1;
  source: RetargetPose;
  target: RetargetPose;
}

/** A turn of a slot's retarget pose as it stands in a recipe: degrees about x, y and z, of the joint or of the body. */
export type SlotCalibration = ({ local: [number, number, number] } | { world: [number, number, number] }) & { replace?: true };

/** A slot's turn on the other side of the body. */
export interface MirroredSlot {
  slot: string;
  calibration: SlotCalibration | null;
}

/** How far a slot may turn, degrees: least and most. */
export interface SlotRanges {
  hinge: boolean;
  from: [number, number];
  bend: [number, number];
  side: [number, number];
  twist: [number, number];
  soft: number;
}

/** Whether somebody should look at it. */
export type Verdict = "pass" | "look" | "fail";

/** A figure of both sides. */
export interface Both {
  source: number;
  target: number;
}

/** The figures of a clip. */
export interface Report {
  mean_direction_degrees: number;
  max_direction_degrees: number;
  direction: Record<string, { mean_degrees: number; max_degrees: number }>;
  /** By how much a part is off all the time, the worst first. Kinds: arm, leg, head, palm. */
  constant: { slot: string; kind: string; degrees: number }[];
  verdict: Verdict;
  frames: number;
  frames_measured: number;
  figures: Record<string, { value: number; source: number | null; unit: string; verdict: string }>;
  feet: {
    points: Record<string, { contact_seconds: number; slide_percent_per_second: Both; drift_percent: Both }>;
    contacts: {
      point: string;
      start_seconds: number;
      end_seconds: number;
      slide_percent_per_second: Both;
      drift_percent: Both;
    }[];
  } | null;
  /** When which point of the source touches. */
  contacts: {
    ground_meters: number;
    drift_meters_per_second: [number, number];
    points: Record<string, { start_seconds: number; end_seconds: number; height_meters: number; how: string }[]>;
  } | null;
  penetration_max_percent: Record<string, Both>;
  limits: Record<string, { frames_percent: number; max_degrees: number }>;
  step_max_degrees: Record<string, Both>;
  /** The moments that deserve a look most. */
  moments: {
    kind: string;
    seconds: number;
    value: number;
    unit: string;
    slot?: string;
    point?: string;
  }[];
}

/** What a retarget has made. */
export interface RetargetResult {
  /** Number of these shapes; it stays while keys are only added. */
  schema: 1;
  clips: {
    name: string;
    start: number;
    seconds: number;
    frames: number;
    verdict: Verdict;
    /** Of a sample of the frames; `Session.report` measures all. */
    report: Report;
  }[];
  /** The motion scale. */
  root_scale: { horizontal: number; vertical: number };
  warnings: { source: Warning[]; target: Warning[]; pair: Warning[] };
}

/** What the figures are made of, over time. Lists are as long as `seconds`. */
export interface Series {
  seconds: number[];
  /** First frames of stretches: between them and the frame before nothing is known. */
  starts: number[];
  feet: {
    point: string;
    height_percent: { source: number[]; target: number[] };
    speed_percent_per_second: { source: number[]; target: number[] };
    /** First and last frames. */
    contacts: { source: [number, number][]; target: [number, number][] };
  }[];
  direction_degrees: number[];
  knees: { slot: string; degrees: { source: number[]; target: number[] } }[];
  /** Over the ground, to the left and forwards, in legs. */
  hips_path: { source: [number, number][]; target: [number, number][] };
  /** In legs. */
  hips_height: { source: number[]; target: number[] };
}

/** A file with what it could not hold. */
export interface WrittenFile {
  bytes: Uint8Array;
  warnings: Warning[];
}

/** How a GIF is drawn. */
export interface GifOptions {
  /** Default: three-quarter. */
  view?: "front" | "side" | "three-quarter";
  /** Pixels. */
  height?: number;
  /** Frames a second. Default: 20. */
  rate?: number;
  /** Length. Default: the clip's, at most 10. */
  seconds?: number;
}
