// Correcting: the retarget pose, operations by slot, pins, contacts by hand, the recipe as text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, settled, state } from "./page.mjs";

let own;
let page;

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
  await page.evaluate(() => studioState.clock.pause());
});
after(() => own?.close());

/** Waits until the picture shows the newest. */
async function drawn() {
  await settled(page);
  const pictures = await page.evaluate(() => {
    studioState.stage.refresh();
    return studioState.stage.pictures;
  });
  await page.waitForFunction((seen) => {
    const { stage } = studioState;
    stage.refresh();
    return stage.pictures > seen + 1;
  }, pictures);
}

/** Where a slot's joint is in the world, and how it is turned. */
function joint(side, slot) {
  return page.evaluate(
    ([side, slot]) => {
      const { stage, studio } = studioState;
      stage.scene.updateMatrixWorld(true);
      const puppet = stage.puppet(side);
      const name = studio.shown.map[side].slots[slot].joints[0];
      const node = puppet.nodes[puppet.description.nodes.findIndex((own) => own.name === name)];
      return { at: node.matrixWorld.elements.slice(12, 15), turn: node.getWorldQuaternion(node.quaternion.clone()).toArray() };
    },
    [side, slot],
  );
}
const angle = (a, b) => (2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, value, at) => sum + value * b[at], 0)))) * 180) / Math.PI;
const calibration = async (side = "target") => (await state(page)).recipe[side]?.calibration ?? {};
async function undoTo(first) {
  await page.click("#undo");
  await settled(page);
  const now = await state(page);
  assert.deepEqual(now.recipe, first.recipe);
  assert.equal(now.poses, first.poses);
}
async function typed(focus, value) {
  await page.fill(`[data-focus="${focus}"]`, String(value));
  await page.press(`[data-focus="${focus}"]`, "Enter");
  await settled(page);
}

test("the pose tab shows both in their retarget poses, and the motion comes back", async () => {
  const frames = (side) => page.evaluate((side) => studioState.stage.puppet(side).poses.frames, side);
  assert.ok((await frames("target")) > 1);
  await page.click("#tab-pose");
  await page.waitForFunction(() => studioState.studio.shown.standing !== null);
  await drawn();
  for (const side of ["source", "target"]) {
    assert.equal(await frames(side), 1);
    const [shoulder, hand, hips, foot] = await Promise.all(
      ["leftUpperArm", "leftHand", "leftUpperLeg", "leftFoot"].map((slot) => joint(side, slot)),
    );
    assert.ok(Math.abs(hand.at[1] - shoulder.at[1]) < 0.1 * Math.abs(hand.at[0] - shoulder.at[0]), `${side}: the arm points sideways`);
    assert.ok(hips.at[1] - foot.at[1] > 5 * Math.abs(hips.at[0] - foot.at[0]), `${side}: the leg points down`);
  }
  assert.equal(await page.locator("#standing").isVisible(), true);
  await page.click("#tab-report");
  assert.ok((await frames("target")) > 1);
  assert.equal(await page.locator("#standing").isVisible(), false);
  await page.click("#tab-pose");
  await page.waitForFunction(() => studioState.studio.shown.standing !== null);
});

test("typed degrees turn a slot by as much, and the motion with it", async () => {
  const first = await state(page);
  await drawn();
  const was = (await joint("target", "leftUpperArm")).turn;
  await typed("pose:leftUpperArm:2", 25);
  await drawn();
  assert.deepEqual(await calibration(), { leftUpperArm: { world: [0, 0, 25] } });
  assert.ok(Math.abs(angle(was, (await joint("target", "leftUpperArm")).turn) - 25) < 0.1);
  assert.notEqual((await state(page)).poses, first.poses);
  await undoTo(first);
});

test("a turn is mirrored, copied, told about other axes, snapped to T, and reset", async () => {
  const first = await state(page);
  await typed("pose:leftLowerArm:1", 30);
  await page.click("#pose-mirror");
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0].target.calibration.rightLowerArm);
  await settled(page);
  assert.deepEqual((await calibration()).rightLowerArm, { world: [0, -30, 0] });
  const world = (await state(page)).poses;
  await page.click("#pose-tell");
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0].target.calibration.leftLowerArm.local);
  await settled(page);
  assert.ok(Math.abs(Math.hypot(...(await calibration()).leftLowerArm.local) - 30) < 1);
  assert.ok(world !== null);
  await page.click("#pose-copy");
  await page.click('[data-focus="pose:head"]');
  await page.click("#pose-paste");
  await settled(page);
  assert.deepEqual((await calibration()).head, (await calibration()).leftLowerArm);
  await page.click('[data-focus="pose:leftLowerArm"]');
  await page.click("#pose-snap");
  await settled(page);
  await drawn();
  const [elbow, hand] = [await joint("target", "leftLowerArm"), await joint("target", "leftHand")];
  assert.ok(Math.abs(hand.at[1] - elbow.at[1]) < 1e-3 && Math.abs(hand.at[2] - elbow.at[2]) < 1e-3, "the forearm points straight out");
  await page.click("#pose-reset-all");
  await settled(page);
  assert.deepEqual(await calibration(), {});
  assert.equal((await state(page)).poses, first.poses);
});

test("a drag of the gizmo turns the joint live, and is one step of undo", async () => {
  const first = await state(page);
  await page.click('[data-focus="pose:leftUpperArm"]');
  await drawn();
  const was = (await joint("target", "leftUpperArm")).turn;
  // The ring about the body's z axis faces the camera; its right end is taken and drawn upwards.
  const at = await page.evaluate(() => {
    const { stage, studio } = studioState;
    const puppet = stage.puppet("target");
    const node = puppet.description.nodes.findIndex((own) => own.name === studio.shown.map.target.slots.leftUpperArm.joints[0]);
    return stage.onScreen("target", node, node);
  });
  const box = await page.locator("#canvas").boundingBox();
  let taken = null;
  for (let radius = 20; radius < 110 && !taken; radius += 2) {
    const x = box.x + at.x + radius * Math.SQRT1_2;
    const y = box.y + at.y - radius * Math.SQRT1_2;
    await page.mouse.move(x, y);
    const axis = await page.evaluate(() => studioState.stage.gizmo.controls.axis);
    if (axis === "Z") taken = { x, y };
  }
  assert.ok(taken, "the ring about z was found");
  await page.mouse.down();
  const times = [];
  for (const step of [8, 16, 24, 32, 40]) {
    const before = JSON.stringify(await calibration());
    const began = Date.now();
    await page.mouse.move(taken.x - step, taken.y - step / 2);
    await page.waitForFunction(
      (before) => JSON.stringify(Object.values(studioState.studio.document.recipes)[0]?.target?.calibration ?? {}) !== before,
      before,
    );
    times.push(Date.now() - began);
  }
  await page.mouse.up();
  await settled(page);
  await drawn();
  const made = (await calibration()).leftUpperArm.world;
  assert.ok(Math.abs(made[2]) > 5 && Math.abs(made[0]) < 0.1 && Math.abs(made[1]) < 0.1, `${made}`);
  assert.ok(Math.abs(angle(was, (await joint("target", "leftUpperArm")).turn) - Math.abs(made[2])) < 0.2);
  assert.equal(await page.evaluate(() => studioState.studio.shown.standing !== null), true);
  console.log(`# a step of the gizmo reaches the recipe in ${times.join(", ")} ms`);
  await undoTo(first);
});

test("a joint that is clicked in the picture is the slot that is turned", async () => {
  const at = await page.evaluate(() => {
    const { stage, studio } = studioState;
    const puppet = stage.puppet("source");
    const node = (slot) => puppet.description.nodes.findIndex((own) => own.name === studio.shown.map.source.slots[slot].joints[0]);
    return stage.onScreen("source", node("leftUpperLeg"), node("leftLowerLeg"));
  });
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + at.x, box.y + at.y);
  assert.equal(await page.getAttribute('[data-focus="pose:leftUpperLeg"]', "aria-pressed"), "true");
  assert.equal(await page.getAttribute("#pose-on-source", "aria-pressed"), "true");
  await page.click("#pose-on-target");
});

test("the pose that a side starts from is chosen, with its frame", async () => {
  const first = await state(page);
  await page.selectOption("#pose-source", "frame");
  await settled(page);
  await typed("pose-source-typed", 30);
  assert.equal((await state(page)).recipe.source.pose, "frame 30");
  await page.selectOption("#pose-source", "auto");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
  assert.equal((await state(page)).poses, first.poses);
});

test("operations are listed in the order in which they act, and a weight is switched off and on again", async () => {
  await page.click("#tab-operations");
  const first = await state(page);
  const order = await page.locator(".section").evaluateAll((all) => all.map((own) => own.dataset.section));
  const acting = ["feet", "hands", "ground", "mirror", "opWeights", "opSpacing", "pins", "opGaze", "limits", "twist", "rootMotion"];
  assert.deepEqual(
    order.filter((own) => acting.includes(own)),
    acting,
  );
  await page.fill("#op-feet-lock", "0.4");
  await settled(page);
  await page.click("#op-feet-lock-switch");
  await settled(page);
  assert.equal((await state(page)).recipe.feet.lock, 0);
  await page.click("#op-feet-lock-switch");
  await settled(page);
  assert.equal((await state(page)).recipe.feet.lock, 0.4);
  await page.click("#undo");
  await page.click("#undo");
  await undoTo(first);
});

test("settings without a field of their own are shown as the schema says, in their section or under the others", async () => {
  const first = await state(page);
  await page.selectOption("#op-feet-reach", { label: "hard" });
  await settled(page);
  assert.equal((await state(page)).recipe.feet.reach, "hard");
  const feet = page.locator('.section[data-section="feet"]');
  assert.ok((await feet.innerText()).includes("How legs come to their ends"));
  const others = page.locator('.section[data-section="opMore"]');
  await others.locator("summary").click();
  await typed("op-contacts-gap", 0.3);
  assert.equal((await state(page)).recipe.contacts.gap, 0.3);
  await page.click("#undo");
  await undoTo(first);
});

test("the root scale is typed, as one number and as three", async () => {
  const first = await state(page);
  await typed("op-root-scale-number", 0.5);
  assert.equal((await state(page)).recipe.root_scale, 0.5);
  const one = (await state(page)).poses;
  assert.notEqual(one, first.poses);
  await typed("op-root_scale-1".replace("_", "-"), 0.6);
  assert.deepEqual((await state(page)).recipe.root_scale, [0.5, 0.6, 0.5]);
  assert.notEqual((await state(page)).poses, one);
  await page.click("#undo");
  await undoTo(first);
});

test("a part is weakened, a slot is limited, and the body looks at a point", async () => {
  const first = await state(page);
  await page.selectOption("#weight-add", "fingers");
  await settled(page);
  assert.deepEqual((await state(page)).recipe.target.weights, { fingers: 0.5 });
  await page.fill("#weight-fingers", "0");
  await settled(page);
  assert.deepEqual((await state(page)).recipe.target.weights, { fingers: 0 });
  const weak = (await state(page)).poses;
  assert.notEqual(weak, first.poses);
  await page.selectOption("#op-limits-use", { label: "human" });
  await settled(page);
  // The table's own range is where the slot begins.
  await page.waitForFunction(() => document.querySelector('[data-section="limits"]') !== null);
  await page.selectOption("#limit-add", "leftLowerLeg");
  await settled(page);
  await page.waitForFunction(() => document.querySelector('[data-focus="limit-leftLowerLeg-twist-1"]')?.placeholder !== "–");
  await typed("limit-leftLowerLeg-bend-1", 20);
  const { limits } = (await state(page)).recipe;
  assert.equal(limits.slots.leftLowerLeg.bend[1], 20);
  assert.notEqual((await state(page)).poses, weak);
  await page.click("#limit-free-leftLowerLeg");
  await settled(page);
  assert.equal((await state(page)).recipe.limits.slots.leftLowerLeg, "none");
  const before = (await state(page)).poses;
  await page.click("#op-gaze");
  await settled(page);
  await typed("op-target-look-at-point-0", 2);
  assert.deepEqual((await state(page)).recipe.target.look_at.point, [2, 1.5, 3]);
  assert.notEqual((await state(page)).poses, before);
  for (let at = 0; at < 8; at += 1) await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
  assert.equal((await state(page)).poses, first.poses);
});

const spanAt = async (lane, index = 0) => page.locator(`[data-focus="span:${lane}:${index}"]`).boundingBox();
const goTo = (seconds) =>
  page.evaluate((seconds) => {
    studioState.clock.pause();
    studioState.clock.go(seconds);
  }, seconds);

test("a hand is pinned where it is, stays there, and its point is moved", async () => {
  const first = await state(page);
  await page.click("#tab-timed");
  await goTo(0.5);
  await drawn();
  const was = (await joint("target", "leftHand")).at;
  await goTo(0.8);
  await drawn();
  const free = (await joint("target", "leftHand")).at;
  await goTo(0.5);
  await page.selectOption("#pin-new", "leftHand");
  await page.click("#pin-add");
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0]?.pins?.length === 1);
  await settled(page);
  const { pins } = (await state(page)).recipe;
  assert.deepEqual([pins[0].end, pins[0].to, pins[0].from, pins[0].until], ["leftHand", "point", 0.5, 0.8]);
  const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
  await drawn();
  assert.ok(distance((await joint("target", "leftHand")).at, was) < 2e-3, "nothing moves where it was pinned");
  await goTo(0.8);
  await drawn();
  const held = (await joint("target", "leftHand")).at;
  assert.ok(distance(held, was) < 0.5 * distance(free, was), `${distance(held, was)} of ${distance(free, was)}`);
  assert.equal(await page.evaluate(() => studioState.stage.pins.count), 1);
  const point = pins[0].point;
  await typed("pin-0-point-1", point[1] + 0.05);
  await drawn();
  assert.ok((await joint("target", "leftHand")).at[1] - held[1] > 0.02);
  await page.selectOption("#pin-0-to", "joint");
  await settled(page);
  assert.deepEqual((await state(page)).recipe.pins[0].joint, "hips");
  assert.equal((await state(page)).recipe.pins[0].point, undefined);
  // The whole span is drawn along by the mouse.
  const box = await spanAt("pin0");
  const before = (await state(page)).recipe.pins[0];
  await page.mouse.move(box.x + box.width / 2, box.y + 5);
  await page.mouse.down();
  for (const step of [10, 20, 40]) await page.mouse.move(box.x + box.width / 2 + step, box.y + 5);
  await page.mouse.up();
  await settled(page);
  const moved = (await state(page)).recipe.pins[0];
  assert.ok(moved.from > before.from + 0.05);
  assert.ok(Math.abs(moved.until - moved.from - (before.until - before.from)) < 2e-3);
  await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe.pins[0], before, "one drag is one step");
  await page.focus('[data-focus="span:pin0:0"]');
  await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  assert.ok((await state(page)).recipe.pins[0].until > before.until);
  await page.click("#pin-0-remove");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
  assert.equal((await state(page)).poses, first.poses);
});

test("contacts are moved, stretched, drawn, removed, and brought back to what was found", async () => {
  const first = await state(page);
  const touches = async (point) => (await state(page)).recipe.contacts?.clips?.walk?.[point];
  const found = await page.evaluate(() => studioState.studio.shown.judged.report.contacts.points.leftToes.length);
  await page.focus('[data-focus="span:leftToes:0"]');
  await page.keyboard.press("ArrowRight");
  await settled(page);
  const moved = await touches("leftToes");
  assert.equal(moved.length, found);
  // Focus stays with what is being moved.
  assert.equal(await page.evaluate(() => document.activeElement.dataset.focus), "span:leftToes:0");
  await page.keyboard.press("Alt+ArrowRight");
  await settled(page);
  assert.ok((await touches("leftToes"))[0][0] > moved[0][0] && (await touches("leftToes"))[0][1] === moved[0][1]);
  // An end is drawn to the right by the mouse.
  const box = await spanAt("leftToes", 0);
  await page.mouse.move(box.x + box.width - 2, box.y + 5);
  await page.mouse.down();
  for (const step of [5, 10, 20]) await page.mouse.move(box.x + box.width - 2 + step, box.y + 5);
  await page.mouse.up();
  await settled(page);
  assert.ok((await touches("leftToes"))[0][1] > moved[0][1]);
  assert.notEqual((await state(page)).poses, first.poses, "feet stand when they are told to");
  // A new one is drawn where there is none.
  const lane = await page.locator('[data-lane="leftToes"]').boundingBox();
  const last = await spanAt("leftToes", found - 1);
  const from = last.x + last.width + 12;
  await page.mouse.move(from, lane.y + 5);
  await page.mouse.down();
  for (const step of [10, 30]) await page.mouse.move(from + step, lane.y + 5);
  await page.mouse.up();
  await settled(page);
  assert.equal((await touches("leftToes")).length, found + 1);
  await page.focus(`[data-focus="span:leftToes:${found}"]`);
  await page.keyboard.press("Delete");
  await settled(page);
  assert.equal((await touches("leftToes")).length, found);
  await page.click("#touch-rightHeel-0-remove");
  await settled(page);
  assert.ok((await touches("rightHeel")).length >= 1);
  await page.click("#touch-rightHeel-back");
  await page.click("#touch-leftToes-back");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
  assert.equal((await state(page)).poses, first.poses);
});

test("the recipe is read and typed as text, with the engine's words where it is wrong", async () => {
  const first = await state(page);
  await page.click("#tab-recipe");
  const text = page.locator("#recipe-text");
  await text.fill("version = 1\n# my own words\n[feet]\nlock = 0.25\n");
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0]?.feet?.lock === 0.25);
  await settled(page);
  assert.match(await text.inputValue(), /# my own words/, "what was typed stays");
  await page.waitForFunction(() => document.querySelector("#recipe-status").className === "right");
  const good = await state(page);
  for (const [wrong, word] of [
    ["[feet]\nlock = 2\n", /lock/],
    ["[target.weights]\nleftArmm = 1\n", /./],
    ["nonsense", /./],
  ]) {
    await text.fill(wrong);
    await page.waitForFunction(() => document.querySelector("#recipe-status").className === "wrong");
    assert.match(await page.locator("#recipe-status").innerText(), word);
    assert.deepEqual((await state(page)).recipe, good.recipe);
    await text.fill("[feet]\nlock = 0.25\n");
    await page.waitForFunction(() => document.querySelector("#recipe-status").className === "right");
  }
  await page.click("#tab-operations");
  assert.equal(await page.inputValue("#op-feet-lock"), "0.25");
  await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
  await page.click("#tab-recipe");
  await page.waitForFunction(() => document.querySelector("#recipe-text").value.trim() === "version = 1");
});

test("what a recipe says in short is shown and kept; the source is placed, the rate is typed", async () => {
  const first = await state(page);
  await page.click("#tab-recipe");
  await page.fill("#recipe-text", 'feet = false\nroot_motion = "hips"\n');
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0]?.feet === false);
  await settled(page);
  await page.click("#tab-operations");
  assert.equal(await page.isChecked("#op-feet-weight-switch"), false);
  await page.fill("#op-feet-lock", "0.5");
  await settled(page);
  assert.deepEqual((await state(page)).recipe.feet, { weight: 0, lock: 0.5 });
  assert.equal(await page.locator(".notice.bad").count(), 0);
  await typed("op-source-place-turn-degrees-typed", 90);
  await typed("op-source-place-shift-2", 1.5);
  await typed("op-rate-hz", 30);
  const { recipe } = await state(page);
  assert.deepEqual([recipe.source.place, recipe.rate_hz, recipe.root_motion], [{ turn_degrees: 90, shift: [0, 0, 1.5] }, 30, "hips"]);
  for (let at = 0; at < 4; at += 1) await page.click("#undo");
  await undoTo(first);
});

test("the arrows at a pin move its point, as one step of undo", async () => {
  const first = await state(page);
  await page.click("#tab-timed");
  await goTo(0.5);
  await page.click("#pin-add");
  await page.waitForFunction(() => Object.values(studioState.studio.document.recipes)[0]?.pins?.length === 1);
  await drawn();
  const set = await state(page);
  const box = await page.locator("#canvas").boundingBox();
  const at = await page.evaluate(() => {
    const { stage, studio } = studioState;
    const puppet = stage.puppet("target");
    const node = puppet.description.nodes.findIndex((own) => own.name === studio.shown.map.target.slots.leftHand.joints[0]);
    return stage.onScreen("target", node, node);
  });
  let taken = null;
  for (let radius = 10; radius < 120 && !taken; radius += 2) {
    for (const off of [-8, -4, 0, 4, 8]) {
      if (taken) continue;
      const [x, y] = [box.x + at.x + off, box.y + at.y - radius];
      await page.mouse.move(x, y);
      if ((await page.evaluate(() => studioState.stage.gizmo.controls.axis)) === "Y") taken = { x, y };
    }
  }
  assert.ok(taken, "the arrow that points up was found");
  await page.mouse.down();
  for (const step of [10, 20, 30]) await page.mouse.move(taken.x, taken.y - step);
  await page.mouse.up();
  await settled(page);
  const [before, after] = [set.recipe.pins[0].point, (await state(page)).recipe.pins[0].point];
  assert.ok(after[1] > before[1] + 0.02, `${before} to ${after}`);
  assert.deepEqual([after[0], after[2]], [before[0], before[2]]);
  await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, set.recipe);
  await page.click("#undo");
  await settled(page);
  assert.deepEqual((await state(page)).recipe, first.recipe);
});

test("a switch shows what the preset says, and is switched on by one click", async () => {
  const first = await state(page);
  await page.click("#tab-operations");
  await page.selectOption("#op-preset", { label: "humanik" });
  await settled(page);
  assert.equal(await page.isChecked("#op-ground-switch"), false);
  assert.equal(await page.inputValue("#op-feet-pull"), "0.4");
  await page.click("#op-ground-switch");
  await settled(page);
  assert.equal((await state(page)).recipe.ground, 1);
  await page.click("#undo");
  await undoTo(first);
});

test("the pose tab stays over another language and a reload, with what was turned", async () => {
  await page.click("#tab-pose");
  await page.waitForFunction(() => studioState.studio.shown.standing !== null);
  await typed("pose:head:1", 15);
  await page.selectOption("#language", "de");
  assert.equal(await page.inputValue('[data-focus="pose:head:1"]'), "15");
  assert.equal(await page.locator("#standing").innerText(), "Vergleichspose");
  await page.selectOption("#language", "en");
  await page.reload();
  await page.waitForFunction(() => studioState.studio.shown.standing !== null);
  await settled(page);
  assert.deepEqual(await calibration(), { head: { world: [0, 15, 0] } });
  await page.click("#pose-reset-all");
  await settled(page);
  assert.deepEqual(await calibration(), {});
});

test("no request leaves the page, and it says no error", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.deepEqual(own.errors, []);
});
