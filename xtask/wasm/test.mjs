// The package beside the command line: what both write is the same, byte for byte, and what the package hands out has the shape that
// its types say.
//
// Environment: REBONE_PACKAGE, the package's folder; REBONE_BINARY, the command; REBONE_NODE_MODULES, a folder with three and
// typescript (what needs them is skipped without). The corpus is looked for beside the workspace.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");
const home = resolve(process.env.REBONE_PACKAGE);
const binary = resolve(process.env.REBONE_BINARY);
const corpus = join(root, "../shared/corpus");
const data = (name) => join(root, "data", name);
const folder = mkdtempSync(join(tmpdir(), "rebone-package-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const rebone = await import(pathToFileURL(join(home, "node.js")));
await rebone.load();

const native = (...words) => execFileSync(binary, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

/** The files beside one, as a page gets them when a folder is dropped. */
function beside(path) {
  const isPart = (name) => [".bin", ".png", ".jpg", ".jpeg"].includes(extname(name).toLowerCase());
  const names = readdirSync(dirname(path)).filter(isPart);
  return Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(dirname(path), name)))]));
}

function open(path, role, more = {}) {
  const files = extname(path) === ".gltf" ? beside(path) : {};
  return rebone.Rig.open(new Uint8Array(readFileSync(path)), { name: basename(path), role, files, ...more });
}

/** Fails with the place and the size of what differs. */
function same(ours, theirs, what) {
  const [one, other] = [Buffer.from(ours), Buffer.from(theirs)];
  if (one.equals(other)) return;
  let first = 0;
  while (first < one.length && one[first] === other[first]) first += 1;
  let differing = 0;
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) differing += one[at] === other[at] ? 0 : 1;
  assert.fail(`${what}: ${one.length} and ${other.length} bytes; ${differing} differ, the first at ${first}`);
}

let count = 0;

/** Retargets with both and compares the files and the figures. */
function compare(source, target, format, recipe = "", clips = []) {
  count += 1;
  const out = join(folder, `${count}.${format}`);
  const report = join(folder, `${count}.json`);
  const words = ["retarget", source, target, "-o", out, "--report", report];
  if (recipe !== "") {
    const path = join(folder, `${count}.toml`);
    writeFileSync(path, recipe);
    words.push("--recipe", path);
  }
  native(...words, ...clips.flatMap((clip) => ["--clip", clip]));
  const session = new rebone.Session(open(source, "source"), open(target, "target"));
  session.setRecipe(recipe);
  const result = session.retarget(clips);
  same(session.write(format).bytes, readFileSync(out), `${basename(source)} onto ${basename(target)}`);
  const figures = JSON.parse(readFileSync(report, "utf8"));
  assert.deepEqual(result.root_scale, figures.root_scale);
  for (const clip of figures.clips) assert.deepEqual(session.report(clip.name), clip.report);
  session.free();
}

const MOTIONS = ["carry", "clap", "jump", "sit_stand", "walk", "wave"];
const TARGETS = [
  ["adult.glb", "glb"],
  ["brute.glb", "gltf"],
  ["chibi.vrm", "vrm"],
];

for (const [target, format] of TARGETS) {
  test(`samples onto ${target}: the bytes of the command line`, () => {
    for (const motion of MOTIONS) {
      compare(data(`${motion}.bvh`), data(target), format);
      compare(data(`${motion}.glb`), data(target), format);
    }
  });
}

test("every format as source, target and result: the bytes of the command line", () => {
  const walk = join(folder, "walk.fbx");
  const adult = join(folder, "adult.fbx");
  const gesture = join(folder, "wave.vrma");
  native("convert", data("walk.glb"), walk);
  native("convert", data("adult.glb"), adult);
  native("retarget", data("wave.bvh"), data("chibi.vrm"), "-o", gesture);
  compare(walk, data("chibi.vrm"), "vrm");
  compare(walk, adult, "fbx");
  compare(data("wave.bvh"), adult, "fbx");
  compare(data("wave.bvh"), adult, "glb");
  compare(data("wave.bvh"), data("adult.glb"), "fbx");
  compare(data("wave.bvh"), data("chibi.vrm"), "vrma");
  compare(data("wave.glb"), data("carry.bvh"), "bvh");
  compare(gesture, data("brute.glb"), "bvh");
});

test("recipes: the bytes of the command line", () => {
  for (const recipe of [
    'preset = "mixamo"\n',
    'preset = "humanik"\nroot_scale = 0.7\n',
    'preset = "match-source"\nrate_hz = 30\n',
    'method = "rest-delta"\nmirror = true\n',
    "ground = 1.0\n[target.calibration]\nleftHand = { local = [0, 0, 10] }\n",
  ]) {
    compare(data("walk.bvh"), data("brute.glb"), "glb", recipe);
  }
});

/** Real characters and motions, of many makers. */
const CORPUS = [
  ["ozz/media/fbx/pab/walk.fbx", "vrm/bevy_vrm/assets/cool_loops.vrm", "vrm"],
  ["ozz/media/fbx/pab/walk.fbx", "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb", "glb"],
  ["bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh", "gltf_misc/wicked/Content/models/CesiumMan.glb", "glb"],
  ["bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh", "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm", "vrma"],
  ["raylib/examples/models/resources/models/gltf/robot.glb", "quaternius/public/glb/cyberpunk_pack/Character.glb", "glb"],
];

test("files of the corpus: the bytes of the command line", (context) => {
  if (!existsSync(corpus)) {
    context.skip("no ../shared/corpus");
    return;
  }
  let compared = 0;
  for (const [source, target, format] of CORPUS) {
    const paths = [source, target].map((name) => join(corpus, name));
    const missing = paths.find((path) => !existsSync(path));
    if (missing) {
      context.diagnostic(`SKIPPED: no ${missing}`);
      continue;
    }
    compare(...paths, format);
    compared += 1;
  }
  assert.ok(compared > 0, "the corpus is there, but none of its files");
});

test("plans are those of the command line, and run", () => {
  const out = join(folder, "pair.retarget");
  native("compile", data("walk.bvh"), data("adult.glb"), "-o", out);
  const source = open(data("walk.bvh"), "source");
  const session = new rebone.Session(source, open(data("adult.glb"), "target"));
  const plan = session.writePlan().bytes;
  same(plan, readFileSync(out), "pair.retarget");
  const applied = join(folder, "applied.glb");
  native("apply", out, data("walk.bvh"), "-o", applied);
  same(rebone.applyPlan(plan, source, "glb").bytes, readFileSync(applied), "applied.glb");
  assert.throws(() => rebone.applyPlan(new Uint8Array(8), source, "glb"), { code: "plan" });
});

test("maps and poses are those of the command line", () => {
  const [source, target] = [data("walk.bvh"), data("chibi.vrm")];
  const session = new rebone.Session(open(source, "source"), open(target, "target"));
  const map = session.map();
  const alone = JSON.parse(native("map", target, "--json"));
  assert.deepEqual(map.target.slots, alone.slots);
  const align = JSON.parse(native("align", source, target, "--json")).files;
  const poses = session.align();
  for (const [own, known] of [
    [poses.source, align[0]],
    [poses.target, align[1]],
  ]) {
    const { file, warnings, ...rest } = known;
    assert.deepEqual(own, rest);
  }
  const recipe = join(folder, "map.toml");
  native("map", source, target, "-o", recipe);
  assert.equal(session.recipe(), readFileSync(recipe, "utf8"));
});

test("poses lie where the clip says", () => {
  const source = open(data("walk.bvh"), "source");
  const session = new rebone.Session(source, open(data("adult.glb"), "target"));
  session.retarget();
  const nodes = source.describe().nodes.length;
  const all = session.poses("source", "walk", 30, "model");
  const one = session.pose("source", "walk", 0.5, "model");
  assert.equal(all.length % (16 * nodes), 0);
  assert.deepEqual(all.subarray(15 * 16 * nodes, 16 * 16 * nodes), one);
  assert.deepEqual(source.pose("walk", 0.5, "model"), one);
  const local = session.pose("target", "walk", 0.5, "local");
  const turn = [...local.subarray(3, 7)];
  assert.ok(Math.abs(Math.hypot(...turn) - 1) < 1e-5, `${turn}`);
  assert.equal(session.retargetPose("source", "model").length, 16 * nodes);
});

test("a slot of the retarget pose is turned, mirrored and snapped to T", () => {
  const session = new rebone.Session(open(data("walk.bvh"), "source"), open(data("chibi.vrm"), "target"));
  const recipe = (calibration) => session.setRecipe(JSON.stringify({ target: { calibration } }));
  recipe({ leftUpperArm: { local: [0, 0, 20] } });
  const half = Math.SQRT1_2;
  const same = session.turnedSlot("target", "leftUpperArm", [0, 0, 0, 1], "local");
  assert.deepEqual(
    same.local.map((angle) => Math.round(angle * 1e4) / 1e4 + 0),
    [0, 0, 20],
  );
  const quarter = session.turnedSlot("target", "leftUpperArm", [0, half, 0, half], "world");
  assert.equal(quarter.world.length, 3);
  const before = session.retargetPose("target", "model");
  recipe({ leftUpperArm: session.turnedSlot("target", "leftUpperArm", [0, 0, 0, 1], "world") });
  const after = session.retargetPose("target", "model");
  assert.ok(
    before.every((value, at) => Math.abs(value - after[at]) < 1e-4),
    "told about other axes, the pose is the same",
  );
  const twin = session.mirroredSlot("target", "leftUpperArm");
  assert.equal(twin.slot, "rightUpperArm");
  assert.throws(() => session.mirroredSlot("target", "head"), { code: "request" });
  const straight = session.tPose("target", ["leftUpperArm"]);
  assert.deepEqual(Object.keys(straight), ["leftUpperArm"]);
  assert.deepEqual(Object.keys(session.tPose("target", ["head"])), []);
  assert.throws(() => session.turnedSlot("target", "leftUpperArm", [0, 0, 0], "world"), { code: "request" });
  assert.throws(() => session.turnedSlot("target", "leftArm", [0, 0, 0, 1], "world"), { code: "request" });
});

test("a pin to where an end is moves nothing at that moment", () => {
  const session = new rebone.Session(open(data("walk.bvh"), "source"), open(data("chibi.vrm"), "target"));
  session.retarget();
  for (const end of ["leftHand", "rightFoot", "head"]) {
    session.setRecipe("");
    session.retarget();
    const free = session.pose("target", "walk", 0.5, "model");
    const point = session.pinPlace(end, "walk", 0.5);
    session.setRecipe(JSON.stringify({ pins: [{ end, to: "point", point }] }));
    session.retarget();
    const pinned = session.pose("target", "walk", 0.5, "model");
    const off = Math.max(...free.map((value, at) => Math.abs(value - pinned[at])));
    assert.ok(off < 1e-3, `${end}: ${off}`);
    const elsewhere = session.pose("target", "walk", 0.9, "model");
    session.setRecipe("");
    session.retarget();
    const other = session.pose("target", "walk", 0.9, "model");
    assert.ok(Math.max(...other.map((value, at) => Math.abs(value - elsewhere[at]))) > 1e-3, `${end} is pinned at other moments`);
  }
  assert.throws(() => session.pinPlace("leftLowerArm", "walk", 0.5), { name: "ReboneError" });
});

test("the ranges of limits are those of the recipe", () => {
  const session = new rebone.Session(open(data("walk.bvh"), "source"), open(data("chibi.vrm"), "target"));
  assert.deepEqual(session.slotLimits(), {});
  session.setRecipe('limits = { use = "human", slots = { leftLowerLeg = { bend = [0, 90] }, neck = "none" } }');
  const ranges = session.slotLimits();
  assert.deepEqual(ranges.leftLowerLeg.bend, [0, 90]);
  assert.equal(ranges.leftLowerLeg.hinge, true);
  assert.ok(ranges.rightLowerLeg.bend[1] > 90);
  assert.equal(ranges.neck, undefined);
});

test("a wrong recipe is refused, and the session goes on with the old one", () => {
  const session = new rebone.Session(open(data("walk.bvh"), "source"), open(data("adult.glb"), "target"));
  session.setRecipe('{"preset": "mixamo"}');
  const before = session.recipe();
  assert.match(before, /preset = "mixamo"/);
  for (const [text, code] of [
    ["preset = ", "recipe"],
    ['{"preset": 3}', "recipe"],
    ["{", "request"],
    ['[source.slots]\nhips = ["Nobody"]\n', "recipe"],
    ['profile = "mine.toml"\n', "request"],
  ]) {
    assert.throws(
      () => session.setRecipe(text),
      (error) => {
        assert.equal(error.name, "ReboneError");
        assert.equal(error.code, code, `${text}: ${error.message}`);
        assert.ok(error.remedy.length > 10 && error.message.length > 10);
        return true;
      },
    );
    assert.equal(session.recipe(), before);
  }
  assert.throws(() => session.write("glb"), { code: "request" });
  const json = rebone.recipeToJson(before);
  assert.equal(json.preset, "mixamo");
  assert.match(rebone.recipeToToml(JSON.stringify(json)), /preset = "mixamo"/);
  assert.equal(session.commandLine("my out.glb"), "rebone retarget walk.bvh adult.glb -o 'my out.glb' --recipe recipe.toml");
});

test("broken files are errors with a remedy, and nothing is lost", () => {
  const good = open(data("walk.bvh"), "source");
  const bytes = new Uint8Array(readFileSync(data("adult.glb")));
  const cases = [
    new Uint8Array(),
    new TextEncoder().encode("not a file of any kind"),
    bytes.subarray(0, 1000),
    new TextEncoder().encode("Kaydara FBX Binary  \x00\x1a\x00garbage"),
    new TextEncoder().encode("HIERARCHY\nROOT"),
  ];
  for (const broken of cases) {
    assert.throws(
      () => rebone.Rig.open(broken, { name: "x" }),
      (error) => {
        assert.equal(error.name, "ReboneError");
        assert.match(error.code, /^file-/);
        assert.ok(error.remedy.length > 0);
        return true;
      },
    );
  }
  assert.throws(() => rebone.Rig.open(bytes, { role: "hero" }), { code: "request" });
  assert.throws(() => rebone.Rig.open(bytes, { role: "target", skeleton: "nobody" }), { code: "request" });
  assert.equal(good.describe().clips.length, 1);
});

test("meshes are sound, and the same whenever they are read", (context) => {
  const files = [
    data("adult.glb"),
    data("chibi.vrm"),
    join(corpus, "ozz/media/fbx/pab/arnaud.fbx"),
    join(corpus, "ufbx/data/blender_293_barbarian_7400_binary.fbx"),
  ];
  for (const path of files) {
    if (!existsSync(path)) {
      context.diagnostic(`SKIPPED ${basename(path)}: the corpus is missing`);
      continue;
    }
    const rig = open(path, "target");
    const nodes = rig.describe().nodes.length;
    const read = rig.meshes();
    assert.deepEqual(open(path, "target", { meshes: true }).meshes(), read);
    assert.ok(read.meshes.length > 0);
    for (const mesh of read.meshes) {
      const vertices = mesh.positions.length / 3;
      assert.equal(mesh.normals.length, 3 * vertices);
      assert.ok(mesh.indices.length > 0 && mesh.indices.length % 3 === 0 && mesh.indices.every((at) => at < vertices));
      assert.ok(mesh.material === null || read.materials[mesh.material]);
      assert.ok(mesh.node === null || mesh.node < nodes);
      const skin = mesh.skin === null ? null : read.skins[mesh.skin];
      assert.equal(mesh.joints === null, skin === null);
      if (!skin) continue;
      assert.equal(skin.inverse_binds.length, 16 * skin.nodes.length);
      assert.ok(skin.nodes.every((node) => node < nodes));
      assert.ok(mesh.joints.every((slot) => slot < skin.nodes.length));
      for (let vertex = 0; vertex < vertices; vertex += 1) {
        const sum = mesh.weights.subarray(4 * vertex, 4 * vertex + 4).reduce((all, weight) => all + weight, 0);
        assert.ok(Math.abs(sum - 1) < 1e-5, `${basename(path)}: vertex ${vertex} weighs ${sum}`);
      }
    }
  }
  assert.deepEqual(open(data("walk.bvh"), "source").meshes().meshes, []);
});

test("curves have the frames of the poses, and find their expression in an avatar of VRM 0", (context) => {
  const [motion, avatar] = [
    "three-vrm/packages/three-vrm-animation/examples/models/test.vrma",
    "godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
  ].map((path) => join(corpus, "vrm", path));
  const walk = open(data("walk.bvh"), "source");
  assert.deepEqual(walk.curves("walk", 30), { weights: [], expressions: [] });
  assert.throws(() => walk.curves("run", 30), { code: "request" });
  if (!existsSync(motion)) return context.skip("SKIPPED: the corpus is missing");
  const source = open(motion, "source");
  const session = new rebone.Session(source, open(avatar, "target"));
  const [{ name }] = session.retarget([]).clips;
  const { expressions } = session.curves("target", name, 30);
  assert.deepEqual(
    expressions.map((own) => own.name),
    ["happy"],
  );
  const nodes = open(avatar, "target").describe().nodes.length;
  assert.equal(expressions[0].numbers.length, session.poses("target", name, 30, "local").length / (10 * nodes));
  assert.ok(Math.max(...expressions[0].numbers) > 0.5);
});

test("pages and GIFs are made", () => {
  const session = new rebone.Session(open(data("wave.glb"), "source"), open(data("chibi.vrm"), "target", { meshes: true }));
  const { clips } = session.retarget();
  assert.match(session.reportPage(), /^<!doctype html>/i);
  const gif = session.gif(clips[0].name, { height: 60, view: "front" });
  assert.equal(Buffer.from(gif.subarray(0, 6)).toString(), "GIF89a");
});

const modules = (() => {
  const given = resolve(process.env.REBONE_NODE_MODULES ?? join(root, "target/ci-node"));
  const inside = join(given, "node_modules");
  return existsSync(inside) ? inside : given;
})();

test("the package packs, and its example plays in three.js", {
  skip: existsSync(join(modules, "three")) ? false : "no three",
}, async () => {
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: home, encoding: "utf8" }).trim();
  const place = join(folder, "user", "node_modules");
  mkdirSync(join(place, "rebone"), { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, packed.split("\n").at(-1)), "-C", join(place, "rebone"), "--strip-components=1"]);
  for (const name of ["three"]) symlinkSync(join(modules, name), join(place, name));
  for (const name of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt", "rebone_bg.wasm"]) {
    assert.ok(existsSync(join(place, "rebone", name)), name);
  }
  const script = join(folder, "user", "play.mjs");
  writeFileSync(
    script,
    `
    globalThis.self = globalThis; globalThis.ProgressEvent ??= class {};
    globalThis.createImageBitmap ??= async () => ({ close() {}, width: 1, height: 1 });
    const { mixer } = await import(${JSON.stringify(pathToFileURL(join(place, "rebone", "example.mjs")).href)});
    const before = []; const bones = [];
    mixer.getRoot().traverse((node) => { if (node.isBone) { bones.push(node); before.push(node.quaternion.clone()); } });
    mixer.update(0.5);
    const moved = bones.filter((bone, index) => bone.quaternion.angleTo(before[index]) > 0.01).length;
    console.log(JSON.stringify({ bones: bones.length, moved }));
  `,
  );
  const said = JSON.parse(
    execFileSync("node", [script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .split("\n")
      .at(-1),
  );
  assert.ok(said.moved > 10, JSON.stringify(said));
});

test("results have the types that the package declares", {
  skip: existsSync(join(modules, "typescript")) ? false : "no typescript",
}, () => {
  const source = open(data("walk.bvh"), "source");
  const session = new rebone.Session(source, open(data("chibi.vrm"), "target"));
  const result = session.retarget();
  const name = result.clips[0].name;
  const limited = new rebone.Session(source, open(data("chibi.vrm"), "target"));
  limited.setRecipe('limits = { use = "human" }');
  const values = {
    RigDescription: source.describe(),
    RigMeshes: open(data("chibi.vrm"), "target").meshes(),
    ClipCurves: session.curves("target", name, 30),
    PairMap: session.map(),
    PairPoses: session.align(),
    RetargetResult: result,
    Report: session.report(name),
    Series: session.series(name),
    SlotCalibration: session.turnedSlot("target", "head", [0, 0, 0, 1], "local"),
    MirroredSlot: session.mirroredSlot("target", "leftHand"),
    SlotRanges: limited.slotLimits().head,
  };
  // Literals, so that keys too many are found as well as keys too few. Long lists all look alike.
  const short = (_key, value) =>
    ArrayBuffer.isView(value) ? `new ${value.constructor.name}()` : Array.isArray(value) && value.length > 12 ? value.slice(0, 12) : value;
  const literal = (value) => JSON.stringify(value, short).replace(/"(new \w+\(\))"/g, "$1");
  const lines = Object.entries(values).map(([type, value]) => `export const of${type}: r.${type} = ${literal(value)};`);
  const checked = join(folder, "types");
  mkdirSync(join(checked, "node_modules"), { recursive: true });
  symlinkSync(home, join(checked, "node_modules", "rebone"));
  writeFileSync(join(checked, "values.ts"), `import type * as r from "rebone";\n${lines.join("\n")}\n`);
  writeFileSync(join(checked, "package.json"), '{"type": "module"}');
  const words = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "false",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2022,dom,esnext.disposable",
    "values.ts",
  ];
  const compiler = join(modules, "typescript", "bin", "tsc");
  try {
    execFileSync("node", [compiler, ...words], { cwd: checked, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    assert.fail(error.stdout.slice(0, 4000));
  }
});
