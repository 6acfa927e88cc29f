// Makes variants of GLB and VRM files as other tools would write them, for the test gltf_variants:
// compressed, quantised, sparse, with matrices, with odd but valid JSON, and as .gltf.
//
// usage: node xtask/make_variants.mjs OUT_DIR INPUT...
//
// Each input gives OUT_DIR/STEM.original.EXT and OUT_DIR/STEM.KIND.glb (or .gltf). Beside each stands
// FILE.baseline.json with the error codes of the Khronos validator, so that a check of what is made from
// it can tell old errors from new ones. Beside each file with meshopt's compression stands FILE.decoded:
// the same GLB with its buffer views decoded by meshopt's own decoder.
//
// Packages are looked for in the folder named by the environment variable REBONE_NODE_MODULES (a folder
// with node_modules in it), else in the working directory: @gltf-transform/core,
// @gltf-transform/extensions, @gltf-transform/functions, draco3dgltf, meshoptimizer, gltfpack,
// gltf-validator. The output depends on the inputs and the versions of the packages alone.

import { createRequire } from "node:module";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(resolve(process.env.REBONE_NODE_MODULES ?? "."), "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const { Logger, NodeIO, Verbosity } = await load("@gltf-transform/core");
const { ALL_EXTENSIONS, EXTMeshoptCompression, KHRDracoMeshCompression } = await load("@gltf-transform/extensions");
const { quantize, reorder } = await load("@gltf-transform/functions");
const { MeshoptDecoder, MeshoptEncoder } = await load("meshoptimizer");
const { pack } = await load("gltfpack");
const draco3d = require("draco3dgltf");
const validator = require("gltf-validator");

const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;
const CHUNK_NOTE = 0x45544f4e;
const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;

// ---- the container

const padded = (length) => Math.ceil(length / 4) * 4;

/** JSON and binary chunk of a GLB. */
function split(bytes) {
  if (bytes[0] !== 0x67 || bytes.length < 20) throw new Error("only GLB and VRM files have variants");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonEnd = 20 + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, jsonEnd)));
  const hasBin = bytes.length >= jsonEnd + 8 && view.getUint32(jsonEnd + 4, true) === CHUNK_BIN;
  const bin = hasBin ? bytes.subarray(jsonEnd + 8, jsonEnd + 8 + view.getUint32(jsonEnd, true)) : new Uint8Array();
  return { json, bin };
}

function joined(parts) {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A GLB of JSON (a value or its text), a binary chunk and further chunks, each `[kind, bytes]`. */
function glb(json, bin, others = []) {
  const text = new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
  const words = (...values) => new Uint8Array(Uint32Array.from(values).buffer);
  const chunk = (kind, content, fill) => {
    const rest = new Uint8Array(padded(content.length) - content.length).fill(fill);
    return [words(padded(content.length), kind), content, rest];
  };
  const chunks = [...chunk(CHUNK_JSON, text, 0x20)];
  if (bin.length > 0) chunks.push(...chunk(CHUNK_BIN, bin, 0));
  for (const [kind, content] of others) chunks.push(...chunk(kind, content, 0));
  const length = 12 + chunks.reduce((sum, part) => sum + part.length, 0);
  return joined([words(0x46546c67, 2, length), ...chunks]);
}

/** The binary chunk, and views into what is appended to it. */
class Growing {
  constructor({ json, bin }) {
    this.json = json;
    this.length = json.buffers[0].byteLength;
    this.parts = [bin.subarray(0, this.length)];
  }

  view(bytes) {
    const start = padded(this.length);
    this.parts.push(new Uint8Array(start - this.length), bytes);
    this.length = start + bytes.length;
    return this.json.bufferViews.push({ buffer: 0, byteOffset: start, byteLength: bytes.length }) - 1;
  }

  finish() {
    this.json.buffers[0].byteLength = this.length;
    return glb(this.json, joined(this.parts));
  }
}

// ---- variants made by hand

/** Numbers that come out the same on every run. */
function sequence(seed) {
  let state = 1;
  for (const letter of seed) state = (state * 31 + letter.codePointAt(0)) % 2147483647;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Accessors whose numbers lie elsewhere: junk in the dense array, the truth in the sparse one. */
function sparse(source) {
  const growing = new Growing(source);
  const { json } = source;
  const outputs = (json.animations ?? []).flatMap((animation) => animation.samplers.map((sampler) => sampler.output));
  const binds = (json.skins ?? []).map((skin) => skin.inverseBindMatrices);
  const positions = (json.meshes ?? []).flatMap((mesh) => mesh.primitives.map((each) => each.attributes.POSITION));
  // A file of many clips needs no more than some of them.
  const chosen = new Set([...outputs.filter((_, index) => index % 2 === 0).slice(0, 200), ...binds, ...positions]);
  let made = 0;
  for (const index of chosen) {
    const accessor = json.accessors[index];
    const view = json.bufferViews[accessor?.bufferView];
    if (!view || accessor.sparse || view.byteStride || accessor.componentType !== FLOAT) continue;
    const size = 4 * WIDTH[accessor.type];
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const dense = source.bin.slice(start, start + size * accessor.count);
    const places = Array.from({ length: accessor.count }, (_, place) => place).filter((place) => place % 3 === 1);
    if (places.length === 0) continue;
    const truth = joined(places.map((place) => dense.slice(size * place, size * (place + 1))));
    for (const place of places) dense.fill(0x3d, size * place, size * (place + 1));
    const marks = new Uint8Array(Uint16Array.from(places).buffer);
    accessor.sparse = {
      count: places.length,
      indices: { bufferView: growing.view(marks), componentType: UNSIGNED_SHORT },
      values: { bufferView: growing.view(truth) },
    };
    if (made % 4 === 3) {
      // Without a dense array everything else is zero, so all of it is sparse.
      const all = Uint16Array.from({ length: accessor.count }, (_, place) => place);
      const content = source.bin.slice(start, start + dense.length);
      accessor.sparse.count = accessor.count;
      accessor.sparse.indices.bufferView = growing.view(new Uint8Array(all.buffer));
      accessor.sparse.values.bufferView = growing.view(content);
      delete accessor.bufferView;
      delete accessor.byteOffset;
    } else {
      accessor.bufferView = growing.view(dense);
      accessor.byteOffset = 0;
      if (positions.includes(index)) json.bufferViews[accessor.bufferView].target = view.target;
    }
    made += 1;
  }
  return made > 0 ? growing.finish() : null;
}

/** Column-major matrix of translation, rotation and scale. */
function matrixOf({ translation: t = [0, 0, 0], rotation: [x, y, z, w] = [0, 0, 0, 1], scale: s = [1, 1, 1] }) {
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  return [...columns.flatMap((column, axis) => [...column.map((number) => number * s[axis]), 0]), ...t, 1];
}

/** Nodes with matrices. Animations go, because they may not move such nodes. */
function matrix({ json, bin }) {
  delete json.animations;
  for (const [index, node] of json.nodes.entries()) {
    if (node.matrix) continue;
    const { translation, rotation, scale, ...others } = node;
    json.nodes[index] = { matrix: matrixOf(node), extras: { was: index }, ...others };
  }
  return glb(json, bin);
}

const NESTED = 60;

/** What no reader knows, on every level. */
function addUnknown(json) {
  let nest = "\u{1F57A}\ud83d lone";
  for (let level = 0; level < NESTED; level += 1) nest = level % 2 ? [nest, level] : { [`k"${level}`]: nest };
  const big = Array.from({ length: 400 }, (_, index) => ({ index, ключ: [index / 7, -0, 1e300, null, true] }));
  json.extensionsUsed = [...(json.extensionsUsed ?? []), "ACME_everything"];
  json.extensions = { ...json.extensions, ACME_everything: { nest, big, bufferViews: [{ buffer: 99 }] } };
  json.extras = { nodes: [], "a/b\\c": '\u0000\u001f\u007f\u2028 tab\t "quoted" \u{1F3C3}', empty: {}, none: [] };
  const mark = (list, name) => {
    for (const [index, element] of (list ?? []).entries()) {
      element.extras = { note: `${name} ${index} – ünïcödé`, was: element.extras ?? null };
      element.extensions = { ...element.extensions, ACME_everything: { index, values: [1e2, 1.5e-7, -0, 0.1] } };
    }
  };
  for (const name of ["nodes", "skins", "meshes", "materials", "buffers", "scenes", "textures", "images"]) {
    mark(json[name], name);
  }
  for (const name of ["accessors", "bufferViews", "animations"]) mark((json[name] ?? []).slice(0, 20), name);
}

const SPACES = ["", "", "", " ", "\n", "\r\n\t", "   ", "\t"];

/** Writes JSON as nobody would: spaces, escapes and numbers vary, and members may stand twice. */
class OddWriter {
  constructor(seed, { twice }) {
    this.random = sequence(seed);
    this.twice = twice;
  }

  space() {
    return SPACES[this.random(SPACES.length)];
  }

  string(text) {
    let out = '"';
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const hex = unit.toString(16).padStart(4, "0");
      const plain = JSON.stringify(text[at]).slice(1, -1);
      const isSurrogate = unit >= 0xd800 && unit < 0xe000;
      const choice = this.random(8);
      if (choice === 0 || isSurrogate) out += `\\u${this.random(2) ? hex.toUpperCase() : hex}`;
      else if (text[at] === "/" && choice < 4) out += "\\/";
      else out += plain;
    }
    return `${out}"`;
  }

  number(value) {
    const plain = Object.is(value, -0) ? "-0" : JSON.stringify(value);
    if (this.random(2)) return plain;
    if (value === 0) return ["-0", "0.0", "-0.0e-7", "0E+2"][this.random(4)];
    const forms = [value.toExponential(), value.toExponential().toUpperCase()];
    if (!/[.e]/.test(plain)) forms.push(`${plain}.0`, `${plain}.000e0`);
    else if (!plain.includes("e")) forms.push(`${plain}00`);
    return forms[this.random(forms.length)];
  }

  /** A member that the one behind it overrules. */
  decoy(key) {
    const decoys = { name: '"decoy"', nodes: "[]", asset: '{"version":"1.0"}', buffers: "[{}]", byteLength: "7" };
    if (!this.twice || (!(key in decoys) && this.random(6) !== 0)) return "";
    return `${this.string(key)}${this.space()}:${decoys[key] ?? "null"}${this.space()},`;
  }

  value(value) {
    if (typeof value === "string") return this.string(value);
    if (typeof value === "number") return this.number(value);
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    const inner = Array.isArray(value)
      ? value.map((each) => this.value(each))
      : Object.entries(value).map(([key, each]) => {
          return `${this.decoy(key)}${this.string(key)}${this.space()}:${this.space()}${this.value(each)}`;
        });
    const list = inner.map((each) => this.space() + each + this.space());
    return open + (list.join(",") || this.space()) + close;
  }
}

/** Valid, but as no exporter writes it: also odd lengths and a chunk of unknown kind. */
function odd({ json, bin }, stem, options) {
  addUnknown(json);
  const length = json.buffers[0].byteLength;
  // The chunk ends 3 bytes behind the buffer.
  const start = padded(length);
  const longer = joined([bin.subarray(0, length), new Uint8Array(start - length), Uint8Array.of(0xab)]);
  json.buffers[0].byteLength = start + 1;
  json.bufferViews.push({ buffer: 0, byteOffset: start, byteLength: 1, name: "last" });
  const note = new TextEncoder().encode("kept as it is");
  return glb(new OddWriter(stem, options).value(json), longer, [[CHUNK_NOTE, note]]);
}

function embedded({ json, bin }) {
  const content = bin.subarray(0, json.buffers[0].byteLength);
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(content).toString("base64")}`;
  return new TextEncoder().encode(JSON.stringify(json, null, "\t"));
}

// ---- variants made by tools

const io = new NodeIO()
  .setLogger(new Logger(Verbosity.SILENT))
  .registerExtensions(ALL_EXTENSIONS)
  .registerDependencies({
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "draco3d.encoder": await draco3d.createEncoderModule(),
    "meshopt.decoder": MeshoptDecoder,
    "meshopt.encoder": MeshoptEncoder,
  });
await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);

/** Gives back the extensions that the tool does not know, where the indices in them still hold. */
function withLostExtensions(bytes, original, remark) {
  const lost = (original.extensionsUsed ?? []).filter((name) => /^VRM/.test(name));
  if (lost.length === 0) return bytes;
  const { json, bin } = split(bytes);
  const names = (list) => JSON.stringify((list ?? []).map((element) => element.name));
  const kept = original.nodes.length;
  if (names(original.nodes) !== names(json.nodes.slice(0, kept))) {
    remark("nodes have moved, so the VRM extensions are left out");
    return bytes;
  }
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), ...lost])];
  const giveBack = (from, to) => {
    for (const name of lost) {
      if (from?.extensions?.[name]) to.extensions = { ...to.extensions, [name]: from.extensions[name] };
    }
  };
  giveBack(original, json);
  for (const key of ["materials", "nodes"]) {
    if (names(original[key]) === names((json[key] ?? []).slice(0, original[key]?.length))) {
      (original[key] ?? []).forEach((element, index) => giveBack(element, json[key][index]));
    } else {
      remark(`${key} have moved, so their VRM extensions are left out`);
    }
  }
  return glb(json, bin);
}

/** Rotations of animations as normalised 16-bit numbers; cubic ones stay, for tangents are no rotations. */
function quantizeRotations(document) {
  for (const animation of document.getRoot().listAnimations()) {
    for (const channel of animation.listChannels()) {
      const sampler = channel.getSampler();
      const output = sampler?.getOutput();
      const isFree = channel.getTargetPath() === "rotation" && sampler.getInterpolation() !== "CUBICSPLINE";
      if (!isFree || output.getComponentType() !== FLOAT) continue;
      output.setArray(Int16Array.from(output.getArray(), (number) => Math.round(number * 32767))).setNormalized(true);
    }
  }
}

const TRANSFORMS = {
  draco: async (document) => {
    document.createExtension(KHRDracoMeshCompression).setRequired(true);
  },
  meshopt: async (document) => {
    await document.transform(reorder({ encoder: MeshoptEncoder, target: "size" }), quantize());
    const { FILTER } = EXTMeshoptCompression.EncoderMethod;
    document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method: FILTER });
  },
  quantized: async (document) => {
    await document.transform(quantize());
    quantizeRotations(document);
  },
};

const MESHOPT = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/** The same GLB without meshopt's compression; null where there is none. */
function decoded({ json, bin }) {
  const compression = (view) => MESHOPT.map((name) => view.extensions?.[name]).find((found) => found);
  if (!(json.bufferViews ?? []).some(compression)) return null;
  const parts = [];
  let length = 0;
  for (const view of json.bufferViews) {
    const how = compression(view);
    const start = (how ?? view).byteOffset ?? 0;
    let content = bin.subarray(start, start + (how ?? view).byteLength);
    if (how) {
      const packed = content;
      content = new Uint8Array(how.count * how.byteStride);
      MeshoptDecoder.decodeGltfBuffer(content, how.count, how.byteStride, packed, how.mode, how.filter);
    }
    parts.push(content, new Uint8Array(padded(content.length) - content.length));
    for (const name of MESHOPT) delete view.extensions?.[name];
    Object.assign(view, { buffer: 0, byteOffset: length, byteLength: content.length });
    length += padded(content.length);
  }
  json.buffers = [{ byteLength: length }];
  for (const key of ["extensionsUsed", "extensionsRequired"]) {
    json[key] = (json[key] ?? []).filter((name) => !MESHOPT.includes(name));
    if (json[key].length === 0) delete json[key];
  }
  return glb(json, joined(parts));
}

const KEEP = ["-kn", "-km", "-ke", "-ac"];
const PACKS = {
  gltfpack: ["-cc", ...KEEP],
  "gltfpack-khr": ["-cz", ...KEEP],
  "gltfpack-fallback": ["-cf", ...KEEP],
  "gltfpack-float": ["-noq", "-cc", ...KEEP],
  "gltfpack-quantized": KEEP,
  "gltfpack-noq": ["-noq", ...KEEP],
};

/** Files that gltfpack writes, by name. */
async function packed(bytes, name, settings) {
  const files = new Map();
  const files_of_pack = {
    read: (path) => {
      if (path !== "in.glb") throw new Error(`${path} is no file`);
      return bytes;
    },
    write: (path, content) => files.set(path, content.slice()),
  };
  await pack(["-i", "in.glb", "-o", name, ...settings], files_of_pack);
  return files;
}

// ---- all together

const [outDir, ...inputs] = process.argv.slice(2);
if (!outDir || inputs.length === 0) {
  console.error("usage: node xtask/make_variants.mjs OUT_DIR INPUT...");
  process.exit(2);
}
await mkdir(outDir, { recursive: true });
let written = 0;

async function write(name, bytes, beside = new Map()) {
  for (const [file, content] of beside) await writeFile(join(outDir, file), content);
  await writeFile(join(outDir, name), bytes);
  const report = await validator.validateBytes(bytes, {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(await readFile(join(outDir, decodeURIComponent(uri)))),
  });
  const errors = report.issues.messages.filter((issue) => issue.severity === 0).map((issue) => issue.code);
  const codes = [...new Set(errors)].sort();
  const plain = name.endsWith(".gltf") ? null : decoded(split(bytes));
  if (plain) await writeFile(join(outDir, `${name}.decoded`), plain);
  await writeFile(join(outDir, `${name}.baseline.json`), `${JSON.stringify({ errors: codes })}\n`);
  if (codes.length > 0) console.log(`${name}: the validator already says ${codes.join(", ")}`);
  written += 1;
}

const stems = new Set();
for (const input of inputs) {
  const original = new Uint8Array(await readFile(input));
  const extension = extname(input);
  const base = basename(input, extension).replaceAll(".", "_");
  let stem = base;
  for (let copy = 2; stems.has(stem); copy += 1) stem = `${base}-${copy}`;
  stems.add(stem);
  const remark = (kind) => (text) => console.log(`${stem}.${kind}: ${text}`);
  await write(`${stem}.original${extension}`, original);

  const byHand = {
    sparse,
    matrix,
    odd: (parts) => odd(parts, stem, { twice: false }),
    "duplicate-keys": (parts) => odd(parts, stem, { twice: true }),
  };
  for (const [kind, make] of Object.entries(byHand)) {
    const bytes = make(split(original));
    if (bytes) await write(`${stem}.${kind}${extension}`, bytes);
    else remark(kind)("nothing to change");
  }
  await write(`${stem}.embedded.gltf`, embedded(split(original)));
  const { json, bin } = split(original);
  const content = bin.subarray(0, json.buffers[0].byteLength);
  json.buffers[0].uri = `${encodeURIComponent(stem)}.external%20data.bin`;
  const beside = new Map([[`${stem}.external data.bin`, content]]);
  await write(`${stem}.external.gltf`, new TextEncoder().encode(JSON.stringify(json, null, 2)), beside);

  for (const [kind, transform] of Object.entries(TRANSFORMS)) {
    const document = await io.readBinary(original);
    document.setLogger(new Logger(Verbosity.SILENT));
    await transform(document);
    const bytes = await io.writeBinary(document);
    await write(`${stem}.${kind}${extension}`, withLostExtensions(bytes, split(original).json, remark(kind)));
  }
  for (const [kind, settings] of Object.entries(PACKS)) {
    const name = `${stem}.${kind}.glb`;
    try {
      const files = await packed(original, name, settings);
      const bytes = files.get(name);
      files.delete(name);
      await write(name, bytes, files);
      const lost = (split(original).json.extensionsUsed ?? []).filter((used) => /^VRM/.test(used));
      if (lost.length > 0) remark(kind)(`nodes are renumbered, so ${lost.join(", ")} are left out`);
    } catch (error) {
      remark(kind)(`gltfpack refuses the file: ${String(error.message ?? error).trim()}`);
    }
  }
}
console.log(`${written} files written to ${outDir}`);
