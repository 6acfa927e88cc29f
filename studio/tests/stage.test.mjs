// What is seen of a character: its mesh whatever the format, its face, and the files that belong to it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { animationWithSmile, avatarWithFace, changed, clipWithFace, outside, split } from "./glb.mjs";
import { give, open, settled, state, studio, taken } from "./page.mjs";

let own;
let page;
const sample = (name) => ({ name, bytes: readFileSync(join(studio, "node_modules", "rebone", "samples", name)) });
const corpus = (path) => join(studio, "..", "..", "shared", "corpus", path);
const made = {};

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
  for (const format of ["glb", "fbx", "vrma"]) made[format] = (await taken(page, format)).bytes;
});
after(() => own?.close());

async function bring(name, bytes, role) {
  await give(page, [{ name, bytes }], role);
  await page.waitForFunction(([wanted, side]) => studioState.studio.shown[side]?.file.name === wanted, [name, role]);
  await settled(page);
}

/** Room that the drawn mesh of the target takes at a moment, metres, and what is known of it. */
const drawn = (seconds) =>
  page.evaluate((at) => {
    const { stage, clock } = studioState;
    clock.pause();
    clock.go(at);
    stage.scene.updateMatrixWorld(true);
    const puppet = stage.puppet("target");
    const point = puppet.group.position.clone();
    const [low, high] = [point.clone().setScalar(Infinity), point.clone().setScalar(-Infinity)];
    let vertices = 0;
    puppet.look?.root.traverse((object) => {
      const position = object.geometry?.getAttribute("position");
      if (!position || !object.visible) return;
      for (let index = 0; index < position.count; index++) {
        object.localToWorld(object.getVertexPosition(index, point));
        low.min(point);
        high.max(point);
      }
      vertices += position.count;
    });
    return { low: low.toArray(), high: high.toArray(), vertices, mesh: puppet.hasMesh, height: puppet.description.height };
  }, seconds);

test("an FBX shows its skin where a VRM of the same body shows it", async () => {
  const wanted = await drawn(0.5);
  await bring("own.fbx", made.fbx, "target");
  const found = await drawn(0.5);
  assert.equal(found.mesh, true);
  assert.ok(found.vertices > 100);
  for (const end of ["low", "high"]) {
    found[end].forEach((value, axis) =>
      assert.ok(Math.abs(value - wanted[end][axis]) < 0.01 * wanted.height, `${end} ${axis}: ${value} for ${wanted[end][axis]}`),
    );
  }
  await page.click("#undo");
  await settled(page);
});

test("where three.js refuses a file the engine's meshes are drawn", async () => {
  const bytes = changed(sample("adult.glb").bytes, (json) => {
    json.extensionsUsed = json.extensionsRequired = ["KHR_texture_basisu"];
    json.images = [{ uri: "data:image/ktx2;base64,AAAA" }];
    json.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
    for (const material of json.materials) material.pbrMetallicRoughness = { baseColorTexture: { index: 0 } };
  });
  await bring("basis.glb", bytes, "target");
  const found = await drawn(0.5);
  assert.equal(found.mesh, true);
  assert.ok(found.high[1] - found.low[1] > 0.7 * found.height && found.high[1] - found.low[1] < 1.3 * found.height);
  assert.equal(await page.locator(".notice.bad").count(), 0);
  await page.click("#undo");
  await settled(page);
});

for (const path of [
  "ozz/media/fbx/pab/arnaud.fbx",
  "vrm/univrm/Assets/VRM10_Samples/ModelSetup_SeedSan/Models/new_seedsan_betterfbx.fbx",
  "ufbx/data/blender_293_barbarian_7400_binary.fbx",
  "ufbx/data/maya_kenney_character_7700_binary.fbx",
]) {
  test(`${basename(path)} stands on its feet in its skin`, async (context) => {
    if (!existsSync(corpus(path))) return context.skip("SKIPPED: the corpus is missing");
    await bring(basename(path), readFileSync(corpus(path)), "target");
    const found = await drawn(0.5);
    assert.equal(found.mesh, true);
    const scale = await page.evaluate(() => studioState.stage.scales.target);
    const height = (found.high[1] - found.low[1]) / scale;
    assert.ok(height > 0.8 * found.height && height < 1.6 * found.height, `${height} m drawn of ${found.height} m`);
    assert.ok(Math.abs(found.low[1]) < 0.12 * found.height * scale, `the lowest point is at ${found.low[1]} m`);
    await page.click("#undo");
    await settled(page);
  });
}

/** Weights of the target's morph targets at a moment. */
const influences = (seconds) =>
  page.evaluate((at) => {
    const { stage, clock } = studioState;
    clock.pause();
    clock.go(at);
    const found = [];
    stage.puppet("target").look.root.traverse((object) => object.morphTargetInfluences && found.push([...object.morphTargetInfluences]));
    return found;
  }, seconds);

const near = (found, wanted) => {
  assert.equal(found.length, 1);
  found[0].forEach((value, target) => assert.ok(Math.abs(value - wanted[target]) < 0.02, `${found[0]} for ${wanted}`));
};

test("morph curves and expressions of a motion move the face", async () => {
  await bring("face.vrm", avatarWithFace(sample("chibi.vrm").bytes), "target");
  near(await influences(0.5), [0, 0]);
  await bring("face.glb", clipWithFace(made.glb), "source");
  near(await influences(0), [0, 1]);
  near(await influences(0.75), [0.75, 0.25]);
  await bring("smile.vrma", animationWithSmile(made.vrma), "source");
  near(await influences(0.25), [0.25, 0]);
  near(await influences(1), [1, 0]);
  // Without them the face is at rest again.
  await bring("walk.bvh", sample("walk.bvh").bytes, "source");
  near(await influences(1), [0, 0]);
});

test("a face moves on the source's side, too", async () => {
  await bring("face.glb", clipWithFace(made.glb), "source");
  const found = await page.evaluate(() => {
    studioState.clock.go(0.75);
    const all = [];
    studioState.stage
      .puppet("source")
      .look.root.traverse((object) => object.morphTargetInfluences && all.push([...object.morphTargetInfluences]));
    return all;
  });
  near(found, [0.75, 0.25]);
});

test("a VRM animation's smile is on an avatar of VRM 0", async (context) => {
  const [motion, avatar] = [
    "vrm/three-vrm/packages/three-vrm-animation/examples/models/test.vrma",
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
  ];
  if (!existsSync(corpus(avatar))) return context.skip("SKIPPED: the corpus is missing");
  const bytes = readFileSync(corpus(avatar));
  const joy = split(bytes).json.extensions.VRM.blendShapeMaster.blendShapeGroups.find((group) => group.presetName === "joy");
  const share = Math.max(...joy.binds.map((bind) => bind.weight)) / 100;
  await bring("godette.vrm", bytes, "target");
  await bring("test.vrma", readFileSync(corpus(motion)), "source");
  const most = await page.evaluate(() => {
    const { clock, stage, studio: own } = studioState;
    const { numbers } = own.shown.poses.target.curves.expressions.find((one) => one.name === "happy");
    const frame = numbers.indexOf(Math.max(...numbers));
    clock.go(own.shown.poses.target.start + frame / own.shown.poses.target.rate);
    let drawnMost = 0;
    stage.puppet("target").look.root.traverse((object) => (drawnMost = Math.max(drawnMost, ...(object.morphTargetInfluences ?? []))));
    return { said: numbers[frame], drawn: drawnMost };
  });
  assert.ok(most.said > 0.5 && Math.abs(most.drawn - most.said * share) < 0.02, JSON.stringify(most));
});

/** How many pictures the target's materials show. */
const pictures = (target) =>
  target.evaluate(() => {
    const found = new Set();
    studioState.stage.puppet("target").look?.root.traverse((object) => object.material?.map?.image && found.add(object.material.map));
    return found.size;
  });

test("a glTF and its files come in any order, and survive a reload", async () => {
  const [gltf, buffer, picture] = outside(sample("adult.glb").bytes, "hero one");
  await give(page, [gltf]);
  const notice = page.locator('.notice.bad[data-key="missing:hero one.gltf"]');
  await notice.waitFor();
  const text = await notice.innerText();
  assert.ok(text.includes("hero one data.bin") && text.includes("textures/skin.png"), text);
  await give(page, [picture]);
  await give(page, [buffer]);
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "hero one.gltf");
  await settled(page);
  assert.equal(await notice.count(), 0);
  assert.equal((await drawn(0.5)).mesh, true);
  assert.equal(await pictures(page), 1);
  await page.waitForTimeout(300);
  await page.reload();
  await settled(page);
  assert.equal((await state(page)).target, "hero one.gltf");
  assert.equal((await drawn(0.5)).mesh, true);
  assert.equal(await pictures(page), 1);
});

test("a picture that is missing is named, and comes later", async () => {
  const [gltf, buffer, picture] = outside(sample("brute.glb").bytes, "late");
  gltf.bytes = Buffer.from(gltf.bytes.toString().replace("textures/skin.png", "textures/late.png"));
  await give(page, [buffer, gltf]);
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "late.gltf");
  await settled(page);
  const notice = page.locator('.notice.bad[data-key="missing:late.gltf"]');
  assert.ok((await notice.innerText()).includes("textures/late.png"));
  assert.equal(await pictures(page), 0);
  await give(page, [{ ...picture, name: "late.png" }]);
  await notice.waitFor({ state: "detached" });
  await settled(page);
  await page.waitForFunction(() => {
    let found = 0;
    studioState.stage.puppet("target").look?.root.traverse((object) => object.material?.map?.image && found++);
    return found > 0;
  });
});

test("a picture that an FBX lacks is named, and comes later", async () => {
  const [gltf, buffer, picture] = outside(sample("adult.glb").bytes, "painted");
  await give(page, [buffer, gltf, picture]);
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "painted.gltf");
  await settled(page);
  const { bytes } = await taken(page, "fbx");
  const embedded = bytes.indexOf(picture.bytes);
  assert.ok(embedded > 0, "the picture is in the FBX");
  // A name that no reader knows takes the picture out, so that the file beside it counts.
  const without = Buffer.from(bytes);
  without.write("Nothing", without.lastIndexOf("Content", embedded));
  const name = /image_\d+\.png/.exec(bytes.toString("latin1"))[0];
  await give(page, [{ name: "painted.fbx", bytes: without }], "target");
  const notice = page.locator('.notice.bad[data-key="missing:painted.fbx"]');
  await notice.waitFor();
  assert.ok((await notice.innerText()).includes(name), await notice.innerText());
  await give(page, [{ ...picture, name }]);
  await notice.waitFor({ state: "detached" });
  await settled(page);
  assert.equal(await pictures(page), 1);
});

test("a folder is dropped as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  const files = outside(sample("adult.glb").bytes, "folder");
  for (const { name, bytes } of [...files, { name: "readme.txt", bytes: Buffer.from("no motion") }]) {
    const path = join(folder, "hero", name === "skin.png" ? "textures/skin.png" : name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  const session = await own.context.newCDPSession(page);
  const data = { items: [], files: [join(folder, "hero")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 500, y: 400, data });
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "folder.gltf");
  await settled(page);
  assert.equal(await pictures(page), 1);
  assert.equal(await page.locator(".notice.bad").count(), 0);
});

test("files beside those of the server are in place, and what it lacks is named", async () => {
  const [gltf, buffer, picture] = outside(sample("adult.glb").bytes, "given");
  const beside = [buffer, { ...picture, name: "textures/skin.png" }];
  const walk = { ...sample("walk.bvh"), role: "source" };
  const other = await open([walk, { ...gltf, role: "target", beside }]);
  try {
    await settled(other.page);
    assert.equal((await state(other.page)).target, "given.gltf");
    assert.equal(await pictures(other.page), 1);
    assert.deepEqual(other.errors, []);
  } finally {
    await other.close();
  }
  const without = await open([walk, { ...gltf, role: "target", beside: [buffer] }]);
  try {
    await settled(without.page);
    assert.ok((await without.page.locator('[data-key="missing:given.gltf"]').innerText()).includes("textures/skin.png"));
  } finally {
    await without.close();
  }
});

test("no request leaves the page", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
});
