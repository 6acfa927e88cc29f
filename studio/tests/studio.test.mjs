// The studio in a browser: loaded, corrected, judged, taken away.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { give, open, settled, state, studio, taken } from "./page.mjs";

let own;
let page;
const samples = join(studio, "node_modules", "rebone", "samples");
const sample = (name) => ({ name, bytes: readFileSync(join(samples, name)) });

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
});
after(() => own?.close());

test("a sample pair plays at once", async () => {
  const first = await state(page);
  assert.equal(first.source, "walk.bvh");
  assert.equal(first.target, "chibi.vrm");
  assert.equal(first.playing, true);
  await page.waitForFunction((seconds) => studioState.clock.seconds !== seconds, first.seconds);
  const pictures = await page.evaluate(() => studioState.stage.pictures);
  await page.waitForFunction((before) => studioState.stage.pictures > before, pictures);
});

test("what is drawn is what the engine says", async () => {
  const off = await page.evaluate(() => {
    const { stage, clock, studio } = studioState;
    clock.pause();
    const { target } = studio.shown.poses;
    const frame = Math.floor(target.frames / 2);
    clock.go(target.start + frame / target.rate);
    const { nodes } = stage.puppet("target");
    const size = nodes.length * 10;
    let most = 0;
    // Nodes that swing by themselves (hair, cloth) are the picture's own.
    const swings = new Set([...(stage.puppet("target").look?.vrm?.springBoneManager?.joints ?? [])].map((joint) => joint.bone));
    nodes.forEach((node, index) => {
      if (swings.has(node)) return;
      const numbers = target.numbers.subarray(frame * size + index * 10, frame * size + index * 10 + 10);
      const drawn = [...node.position.toArray(), ...node.quaternion.toArray(), ...node.scale.toArray()];
      drawn.forEach((value, at) => (most = Math.max(most, Math.abs(value - numbers[at]))));
    });
    return { most, found: stage.puppet("target").hasMesh, count: nodes.length };
  });
  assert.equal(off.found, true);
  assert.ok(off.count > 20);
  assert.ok(off.most < 1e-4, `a node is off by ${off.most}`);
});

test("keys play and step, and the bar scrubs", async () => {
  await page.evaluate(() => {
    studioState.clock.pause();
    studioState.clock.go(0);
  });
  await page.focus("#canvas");
  await page.keyboard.press("ArrowRight");
  const { rate, start } = await page.evaluate(() => ({ rate: studioState.clock.rate, start: studioState.clock.start }));
  assert.ok(Math.abs((await state(page)).seconds - start - 1 / rate) < 1e-6);
  await page.keyboard.press("ArrowLeft");
  assert.equal((await state(page)).seconds, start);
  await page.keyboard.press(" ");
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press(" ");
  assert.equal((await state(page)).playing, false);
  await page.fill("#scrub", "1");
  assert.equal((await state(page)).seconds, 1);
});

test("an operation changes the motion, and undo brings it back to the bit", async () => {
  const first = await state(page);
  await page.click("#tab-operations");
  await page.fill("#op-feet-weight", "0");
  await settled(page);
  const without = await state(page);
  assert.equal(without.recipe.feet.weight, 0);
  assert.notEqual(without.poses, first.poses);
  await page.click("#undo");
  await settled(page);
  assert.deepEqual({ ...(await state(page)), seconds: 0 }, { ...first, seconds: 0 });
  await page.click("#redo");
  await settled(page);
  assert.equal((await state(page)).poses, without.poses);
  await page.click("#undo");
  await settled(page);
});

test("a slot is corrected by list, and goes back to what was found", async () => {
  const first = await state(page);
  await page.click("#tab-mapping");
  const list = page.locator('select[data-side="target"][data-slot="leftHand"]');
  await list.focus();
  await list.selectOption("none");
  await settled(page);
  const changed = await state(page);
  assert.deepEqual(changed.recipe.target.slots.leftHand, []);
  assert.notEqual(changed.poses, first.poses);
  await page.click('button[aria-label="Back to what was found: leftHand"]');
  await settled(page);
  assert.equal((await state(page)).poses, first.poses);
});

test("a slot is corrected by a click on a joint", async () => {
  const first = await state(page);
  await page.click("#tab-mapping");
  await page.click('[data-pick="target:leftHand"]');
  const wanted = "J_Bip_L_LowerArm";
  // The camera goes along with the picture that is drawn next.
  const pictures = await page.evaluate(() => {
    const { stage, clock } = studioState;
    clock.pause();
    clock.go(0);
    return stage.pictures;
  });
  await page.waitForFunction((before) => studioState.stage.pictures > before, pictures);
  const at = await page.evaluate((name) => {
    const { stage } = studioState;
    const puppet = stage.puppet("target");
    const joint = puppet.description.nodes.findIndex((node) => node.name === name);
    const child = puppet.description.nodes.findIndex((node) => node.parent === joint);
    return stage.onScreen("target", joint, child);
  }, wanted);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + at.x, box.y + at.y);
  await settled(page);
  const changed = await state(page);
  assert.deepEqual(changed.recipe.target?.slots?.leftHand, [wanted]);
  await page.click("#undo");
  await settled(page);
  assert.equal((await state(page)).poses, first.poses);
});

test("trails are where feet and hands go", async () => {
  await page.click("#view-trails");
  const off = await page.evaluate(async () => {
    const { stage, clock } = studioState;
    const puppet = stage.puppet("target");
    const seconds = clock.start + (clock.end - clock.start) / 2;
    clock.pause();
    clock.go(seconds);
    stage.scene.updateMatrixWorld(true);
    const joint = puppet.description.map.slots.leftFoot.joints[0];
    const at = puppet.nodes[puppet.description.nodes.findIndex((node) => node.name === joint)].matrixWorld.elements.slice(12, 15);
    const line = puppet.lines.children[0].geometry.getAttribute("position");
    const places = Array.from({ length: line.count }, (_, index) =>
      [line.getX(index), line.getY(index), line.getZ(index)].map(
        (value, axis) => value * puppet.group.scale.x + puppet.group.position.getComponent(axis),
      ),
    );
    const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
    const nearest = Math.min(...places.map((place) => distance(place, at)));
    const step = Math.max(...places.slice(1).map((place, index) => distance(place, places[index])));
    return { nearest, step, way: distance(places[0], places.at(-1)) };
  });
  assert.ok(off.way > 0.1, `the foot goes ${off.way} m`);
  assert.ok(off.nearest <= off.step, `the foot is ${off.nearest} m off its trail`);
  await page.click("#view-trails");
});

test("a broken file is refused in the engine's words, and nothing is lost", async () => {
  const first = await state(page);
  const broken = { "broken.glb": "glTF\x02\0\0\0 and then nothing", "empty.bvh": "", "part.obj": "v 0 0 0\n" };
  for (const [name, text] of Object.entries(broken)) {
    await give(page, [{ name, bytes: Buffer.from(text) }]);
    const notice = page.locator(".notice.bad");
    await notice.waitFor();
    assert.match(await notice.getAttribute("data-code"), /^file-/);
    assert.ok((await notice.innerText()).includes(name));
    assert.notEqual((await notice.locator(".hint").innerText()).trim(), "");
    assert.deepEqual(await state(page), first);
    await notice.locator(".close").click();
  }
});

test("after a defect the engine is loaded anew, and the work goes on", async () => {
  const first = await state(page);
  await page.evaluate(() => studioState.studio.engine.restart({ code: "internal", message: "a test", remedy: "" }));
  await page.click("#tab-operations");
  await page.selectOption("#op-hands-mode", { label: "off" });
  await settled(page);
  assert.equal((await state(page)).recipe.hands.mode, "off");
  await page.click("#undo");
  await settled(page);
  assert.equal((await state(page)).poses, first.poses);
});

test("a slider in somebody's hand stays, and one undo takes the whole way back", async () => {
  const first = await state(page);
  await page.click("#tab-operations");
  await page.locator("#op-feet-lock").scrollIntoViewIfNeeded();
  const box = await page.locator("#op-feet-lock").boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  for (const share of [0.8, 0.6, 0.4]) {
    await page.mouse.move(box.x + box.width * share, y);
    await settled(page);
  }
  const dragged = await state(page);
  assert.ok(dragged.recipe.feet.lock < 0.6 && dragged.recipe.feet.lock > 0.2);
  await page.mouse.up();
  await page.locator('button[aria-label="Back to the default: Foot lock"]').waitFor();
  await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
});

test("the report names figures, and a moment is jumped to", async () => {
  await page.click("#tab-report");
  assert.ok((await page.locator(".figures tbody tr").count()) > 3);
  const moment = page.locator(".moment").first();
  const seconds = Number.parseFloat(await moment.innerText());
  await moment.click();
  assert.ok(Math.abs((await state(page)).seconds - seconds) < 0.01);
});

test("the recipe and the work survive a reload", async () => {
  await page.click("#tab-operations");
  await page.selectOption("#op-preset", { label: "humanik" });
  await settled(page);
  const first = await state(page);
  await page.reload();
  await settled(page);
  const again = await state(page);
  assert.deepEqual(again.recipe, { preset: "humanik" });
  assert.equal(again.poses, first.poses);
  const recipe = await taken(page, "recipe");
  assert.match(recipe.bytes.toString(), /preset = "humanik"/);
  await page.click("#tab-operations");
  await page.selectOption("#op-preset", "");
  await settled(page);
  await give(page, [{ name: recipe.name, bytes: recipe.bytes }]);
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes).some((own) => own.preset === "humanik"));
  await settled(page);
  assert.equal((await state(page)).poses, first.poses);
});

test("a GLB is that of the command line, byte for byte", async (context) => {
  const command = process.env.REBONE_COMMAND;
  if (!command) return context.skip("REBONE_COMMAND names no built `rebone`");
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  const recipe = await taken(page, "recipe");
  const made = await taken(page, "glb");
  const [source, target] = [sample("walk.bvh"), sample("chibi.vrm")];
  for (const { name, bytes } of [source, target, { name: "recipe.toml", bytes: recipe.bytes }]) writeFileSync(join(folder, name), bytes);
  execFileSync(command, ["retarget", "walk.bvh", "chibi.vrm", "--recipe", "recipe.toml", "-o", "own.glb"], { cwd: folder, stdio: "pipe" });
  assert.ok(readFileSync(join(folder, "own.glb")).equals(made.bytes));
});

for (const format of ["glb", "vrm", "vrma", "fbx", "bvh"]) {
  test(`${format.toUpperCase()} is taken away and opened again, as motion${format === "vrma" ? "" : " and as character"}`, async () => {
    const made = await taken(page, format);
    assert.ok(made.bytes.length > 1000);
    const named = { ...made, name: `own.${format}` };
    await give(page, [named], "source");
    await page.waitForFunction((name) => studioState.studio.shown.source?.file.name === name, named.name);
    await settled(page);
    if (format !== "vrma") {
      await give(page, [named], "target");
      await page.waitForFunction((name) => studioState.studio.shown.target?.file.name === name, named.name);
      await settled(page);
      await page.click("#undo");
      await settled(page);
    }
    await page.click("#undo");
    await settled(page);
    const after = await state(page);
    assert.deepEqual([after.source, after.target], ["walk.bvh", "chibi.vrm"]);
    assert.equal(await page.locator(".notice.bad").count(), 0);
  });
}

test("files of somebody's own take the samples' places by themselves", async () => {
  await give(page, [
    { ...sample("adult.glb"), name: "mine.glb" },
    { ...sample("jump.bvh"), name: "mine.bvh" },
  ]);
  await page.waitForFunction(
    () => studioState.studio.shown.source?.file.name === "mine.bvh" && studioState.studio.shown.target?.file.name === "mine.glb",
  );
  await settled(page);
  assert.deepEqual((await state(page)).files.sort(), ["mine.bvh", "mine.glb"]);
});

test("files that the server was given are in place, with their recipe", async () => {
  const recipe = { name: "my.toml", role: "recipe", bytes: Buffer.from('preset = "mixamo"\n') };
  const other = await open([
    { ...sample("wave.bvh"), role: "source" },
    { ...sample("brute.glb"), name: "größe 1.glb", role: "target" },
    recipe,
  ]);
  try {
    await settled(other.page);
    const shown = await state(other.page);
    assert.deepEqual([shown.source, shown.target, shown.recipe], ["wave.bvh", "größe 1.glb", { preset: "mixamo" }]);
    assert.deepEqual(other.errors, []);
  } finally {
    await other.close();
  }
});

test("every language has words, and the choice survives", async () => {
  for (const [language, word] of [
    ["de", "Rückgängig"],
    ["ja", "元に戻す"],
    ["en", "Undo"],
  ]) {
    await page.selectOption("#language", language);
    assert.equal(await page.locator("#undo").innerText(), word);
    assert.equal(await page.getAttribute("html", "lang"), language);
  }
});

test("it works offline once it is open", async () => {
  await own.context.setOffline(true);
  await page.click("#tab-operations");
  await page.selectOption("#op-method", { label: "rest-delta" });
  await settled(page);
  assert.equal(await page.locator(".notice.bad").count(), 0);
  await own.context.setOffline(false);
});

test("no request leaves the page, and it says no error", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.deepEqual(own.errors, []);
});
