// What is seen at once and what follows: skeletons before skins, the old pair until the new one moves, pictures before reports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { changed } from "./glb.mjs";
import { give, open, settled, state, studio } from "./page.mjs";

let own;
let page;
const sample = (name) => readFileSync(join(studio, "node_modules", "rebone", "samples", name));

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
});
after(() => own?.close());

/** Everything begins anew, with the samples. */
afterEach(async () => {
  await page.evaluate(async () => {
    globalThis.release?.();
    const { studio, clock } = studioState;
    for (const file of studio.document.files) studio.remove(file.id);
    await studio.addSample("walk.bvh", "source");
    await studio.addSample("chibi.vrm", "target");
    document.querySelectorAll("#notices .close").forEach((button) => button.click());
    clock.play();
  });
  await settled(page);
});

/** Looks are held back until `release` is called. */
const holdLooks = () =>
  page.evaluate(() => {
    const { stage } = studioState;
    const prepare = stage.prepare.bind(stage);
    const held = new Promise((done) => (globalThis.release = done));
    stage.prepare = async (root) => {
      await held;
      stage.prepare = prepare;
      await prepare(root);
    };
  });
/** Engine calls of a name are held back until `release` is called. */
const holdCalls = (name) =>
  page.evaluate((held) => {
    const { engine } = studioState.studio;
    const call = engine.call.bind(engine);
    const released = new Promise((done) => (globalThis.release = done));
    engine.call = async (asked, ...rest) => {
      if (asked === held) await released;
      engine.call = call;
      return call(asked, ...rest);
    };
  }, name);
const release = () => page.evaluate(() => globalThis.release());
const onStage = (name) =>
  page.waitForFunction((wanted) => {
    const { studio, stage } = studioState;
    const { target, poses } = studio.shown;
    return (
      target?.file.name === wanted &&
      poses.target &&
      stage.puppet("target")?.description === target.description &&
      stage.puppet("target").poses === poses.target
    );
  }, name);
/** What is seen of the target. */
const seen = () =>
  page.evaluate(() => {
    const { stage, clock } = studioState;
    const puppet = stage.puppet("target");
    return {
      hasMesh: puppet.hasMesh,
      hasSkeleton: puppet.skeleton.mesh.visible,
      frames: puppet.poses.frames,
      playing: clock.playing,
      settled: studioState.settledRounds(),
      aside: puppet.aside + 0,
    };
  });
/** Where the target's joints are at a moment, beside its group. */
const joints = () =>
  page.evaluate(() => {
    const { stage, clock } = studioState;
    clock.pause();
    clock.go(1);
    stage.scene.updateMatrixWorld(true);
    const puppet = stage.puppet("target");
    return puppet.nodes.map((_, node) => puppet.placeOf(node, puppet.group.position.clone()).sub(puppet.group.position).toArray());
  });

test("a skeleton plays before its skin is there, and the skin is where it was", async () => {
  await holdLooks();
  await give(page, [{ name: "mine.glb", bytes: sample("adult.glb") }], "target");
  await onStage("mine.glb");
  const bare = await seen();
  assert.deepEqual([bare.hasMesh, bare.hasSkeleton, bare.playing, bare.settled], [false, true, true, false]);
  assert.ok(bare.frames > 1, "nobody stands there stiffly");
  const before = await joints();
  await release();
  await settled(page);
  const dressed = await seen();
  assert.deepEqual([dressed.hasMesh, dressed.hasSkeleton, dressed.aside], [true, false, 0]);
  const after = await joints();
  before.forEach((place, joint) =>
    place.forEach((value, axis) => assert.ok(Math.abs(value - after[joint][axis]) < 1e-4, `joint ${joint}: ${place} and ${after[joint]}`)),
  );
});

test("who comes while another is still being dressed takes the place, and nobody is left behind", async () => {
  await holdLooks();
  await give(page, [{ name: "first.glb", bytes: sample("adult.glb") }], "target");
  await onStage("first.glb");
  await page.evaluate(() => (globalThis.first = studioState.stage.puppet("target")));
  await give(page, [{ name: "second.glb", bytes: sample("brute.glb") }], "target");
  await page.evaluate(() => (studioState.troupe.isOn = false));
  await onStage("second.glb");
  await release();
  await settled(page);
  const left = await page.evaluate(() => {
    const { stage } = studioState;
    const puppets = ["source", "target"].map((side) => stage.puppet(side));
    const groups = stage.scene.children.filter((own) => own === first.group || own === first.skeleton.mesh).length;
    return { groups, wasDressed: first.hasMesh, gone: stage.gone.length, isSecond: puppets[1] !== first && puppets[1].hasMesh };
  });
  await page.evaluate(() => (studioState.troupe.isOn = true));
  assert.deepEqual(left, { groups: 0, wasDressed: false, gone: 0, isSecond: true });
});

test("a skin that cannot be read is told of, and the skeleton goes on", async () => {
  await page.evaluate(() => {
    const { store } = studioState.studio;
    store.meshes = async () => {
      delete store.meshes;
      throw new Error("no mesh to be had");
    };
  });
  const bytes = changed(sample("adult.glb"), (json) => {
    json.extensionsUsed = json.extensionsRequired = ["KHR_texture_basisu"];
    json.images = [{ uri: "data:image/ktx2;base64,AAAA" }];
    json.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
    for (const material of json.materials) material.pbrMetallicRoughness = { baseColorTexture: { index: 0 } };
  });
  await give(page, [{ name: "torn.glb", bytes }], "target");
  await onStage("torn.glb");
  await settled(page);
  const { hasMesh, hasSkeleton, playing } = await seen();
  assert.deepEqual([hasMesh, hasSkeleton, playing], [false, true, true]);
  assert.match(await page.locator("#notices .bad").innerText(), /torn\.glb.*no mesh to be had/s);
});

test("the old pair plays until the new one has its motion, and the picture keeps its size", async () => {
  await holdCalls("retarget");
  await page.evaluate(() => {
    globalThis.sizes = new Set();
    globalThis.watch = new ResizeObserver(([entry]) => sizes.add(entry.contentRect.height));
    watch.observe(document.getElementById("picture"));
    globalThis.old = studioState.stage.puppet("target");
  });
  await give(page, [{ name: "next.glb", bytes: sample("adult.glb") }], "target");
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "next.glb");
  const waiting = await page.evaluate(() => ({
    isOld: studioState.stage.puppet("target") === old,
    playing: studioState.clock.playing,
    legend: document.querySelector("#legend").innerText,
  }));
  // Who has waited for long sees what there is.
  if (waiting.isOld) assert.match(waiting.legend, /chibi\.vrm/);
  assert.equal(waiting.playing, true);
  await release();
  await onStage("next.glb");
  await settled(page);
  assert.match(await page.locator("#legend").innerText(), /next\.glb/);
  assert.equal(await page.locator(".old").count(), 0);
  assert.equal(
    await page.evaluate(() => {
      watch.disconnect();
      return sizes.size;
    }),
    1,
  );
});

test("where pictures are slow none is drawn while files are read, and then they go on", async () => {
  const drawn = await page.evaluate(async () => {
    const { stage, studio } = studioState;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    stage.lull.usual = 100;
    studio.onTaking(true);
    const before = stage.pictures;
    let whileOn = 0;
    for (let time = 0; time < 4 && stage.lull.isOn; time++) {
      whileOn = stage.pictures - before;
      await frame();
    }
    studio.onTaking(false);
    for (let time = 0; time < 200 && stage.pictures <= before; time++) await frame();
    return { whileOn, goesOn: stage.pictures > before };
  });
  assert.deepEqual(drawn, { whileOn: 0, goesOn: true });
});

test("a slider that is dragged is judged once, at rest, and every frame is there again", async () => {
  await page.click("#tab-operations");
  const calls = await page.evaluate(async () => {
    const { studio } = studioState;
    const { engine } = studio;
    const call = engine.call.bind(engine);
    const calls = [];
    engine.call = (name, ...rest) => {
      calls.push(name);
      return call(name, ...rest);
    };
    const slider = document.getElementById("op-feet-weight");
    for (const value of ["0.9", "0.7", "0.5", "0.3"]) {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    while (!studio.isSettled) await new Promise((done) => setTimeout(done, 5));
    engine.call = call;
    return calls;
  });
  assert.equal(calls.filter((name) => name === "judge").length, 1);
  await settled(page);
  const dragged = await state(page);
  assert.deepEqual(dragged.recipe, { feet: { weight: 0.3 } });
  await page.evaluate(() => studioState.studio.history.settle());
  await page.evaluate(() => studioState.studio.setRecipe({}));
  await settled(page);
  await page.evaluate(() => studioState.studio.setValue(["feet", "weight"], 0.3));
  await settled(page);
  assert.equal((await state(page)).poses, dragged.poses);
});

test("what the engine reads to get warm is closed again", async () => {
  const error = await page.evaluate(async () => {
    const { studio, warming } = studioState;
    await warming;
    return studio.engine.call("own", { key: "warm:source", clip: null, rate: 1 }).then(
      () => "",
      (own) => own.message,
    );
  });
  assert.match(error, /no rig is open/);
});

test("it says no error", () => assert.deepEqual(own.errors, []));
