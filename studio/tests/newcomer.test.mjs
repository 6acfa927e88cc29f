// What somebody needs who never saw the page: which file plays which part, what is missing, how well it went, and everything in sight.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { give, open, settled, state, studio } from "./page.mjs";

const samples = join(studio, "node_modules", "rebone", "samples");
const sample = (name) => readFileSync(join(samples, name));
let all;
let page;

/** A GLB with one clip more, that turns a joint of its skin: a hero as games have them. */
function withClip(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
  const binary = bytes.subarray(20 + length + 8, 20 + length + 8 + bytes.readUInt32LE(20 + length));
  const half = Math.SQRT1_2;
  const added = Buffer.from(new Float32Array([0, 1, 0, 0, 0, 1, half, 0, 0, half]).buffer);
  const start = binary.length;
  const view =
    json.bufferViews.push({ buffer: 0, byteOffset: start, byteLength: 8 }, { buffer: 0, byteOffset: start + 8, byteLength: 32 }) - 2;
  const accessor =
    json.accessors.push(
      { bufferView: view, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: view + 1, componentType: 5126, count: 2, type: "VEC4" },
    ) - 2;
  json.animations = [
    ...(json.animations ?? []),
    {
      name: "own",
      samplers: [{ input: accessor, output: accessor + 1 }],
      channels: [{ sampler: 0, target: { node: json.skins[0].joints[1], path: "rotation" } }],
    },
  ];
  json.buffers[0].byteLength = start + added.length;
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const chunk = (type, data) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(data.length, 0);
    head.writeUInt32LE(type, 4);
    return Buffer.concat([head, data]);
  };
  const body = Buffer.concat([chunk(0x4e4f534a, padded), chunk(0x004e4942, Buffer.concat([binary, added]))]);
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

const shows = (source, target) =>
  page.waitForFunction(
    ([s, t]) => {
      const { shown } = studioState.studio;
      return (shown.source?.file.name ?? null) === s && (shown.target?.file.name ?? null) === t;
    },
    [source, target],
  );

before(async () => {
  all = await open();
  ({ page } = all);
  await settled(page);
});
after(() => all?.close());

test("that samples are there is said as long as they are", async () => {
  assert.equal(await page.locator(".samples-here").count(), 1);
});

test("how well it went is seen from every panel, and leads to the reason", async () => {
  const verdict = await page.evaluate(() => studioState.studio.shown.judged.report.verdict);
  const chip = page.locator("#outcome-report");
  assert.ok((await chip.getAttribute("class")).includes(verdict));
  await page.click("#tab-recipe");
  await chip.click();
  assert.equal(await page.locator("#tab-report").getAttribute("aria-selected"), "true");
  const ranks = ["good", "look at it", "bad"];
  const verdicts = await page.locator(".figures tbody tr td:last-child").allInnerTexts();
  const sorted = [...verdicts].sort((a, b) => ranks.indexOf(b) - ranks.indexOf(a));
  assert.deepEqual(verdicts, sorted, "the worst figures stand first");
});

test("tabs stay where they are, whichever is chosen", async () => {
  const places = () => page.locator("[role=tab]").evaluateAll((tabs) => tabs.map((tab) => [tab.offsetLeft, tab.offsetTop]));
  const first = await places();
  for (const key of ["take", "mapping", "report"]) {
    await page.click(`#tab-${key}`);
    assert.deepEqual(await places(), first);
  }
});

test("everybody is seen whole between the bars over the picture", async () => {
  await page.evaluate(() => studioState.clock.pause());
  await page.evaluate(() => studioState.clock.go(studioState.clock.start));
  // The next picture has the camera where it goes along to.
  await page.waitForTimeout(300);
  await page.click("#view-all");
  for (const share of [0, 0.25, 0.5, 0.75, 1]) await isWhole(share);
});

async function isWhole(share) {
  // The camera goes along when the picture is drawn.
  const drawn = await page.evaluate((at) => {
    const { stage, clock } = studioState;
    clock.go(clock.start + (clock.end - clock.start) * at);
    stage.refresh();
    return stage.pictures;
  }, share);
  await page.waitForFunction((before) => {
    const { stage } = studioState;
    stage.refresh();
    return stage.pictures > before + 1;
  }, drawn);
  const seen = await page.evaluate(() => {
    const { stage } = studioState;
    const box = document.querySelector("#picture").getBoundingClientRect();
    const top = document.querySelector("#over").getBoundingClientRect().bottom - box.top;
    const bottom = document.querySelector("#legend").getBoundingClientRect().top - box.top;
    const heights = ["source", "target"].flatMap((side) => {
      const puppet = stage.puppet(side);
      return puppet.nodes.flatMap((node, index) =>
        puppet.isMapped(index) ? [stage.project(puppet.placeOf(index, node.position.clone())).y] : [],
      );
    });
    return { top, bottom, highest: Math.min(...heights), lowest: Math.max(...heights) };
  });
  assert.ok(seen.highest > seen.top && seen.lowest < seen.bottom, `${share}: ${JSON.stringify(seen)}`);
}

test("a hero with clips of his own and a motion find their parts in either order", async () => {
  const hero = { name: "hero.glb", bytes: withClip(sample("adult.glb")) };
  const motion = { name: "mine.bvh", bytes: sample("jump.bvh") };
  for (const given of [
    [hero, motion],
    [motion, hero],
  ]) {
    await give(page, given);
    await shows("mine.bvh", "hero.glb");
    await settled(page);
    assert.deepEqual((await state(page)).files.sort(), ["hero.glb", "mine.bvh"]);
    await page.click("#undo");
    await shows("walk.bvh", "chibi.vrm");
  }
});

test("a hero with clips who comes alone is the character, and may be the motion instead", async () => {
  await page.locator(".notice.good .close").evaluateAll((all) => all.forEach((own) => own.click()));
  await give(page, [{ name: "hero.glb", bytes: withClip(sample("adult.glb")) }]);
  await shows("walk.bvh", "hero.glb");
  await settled(page);
  const notice = page.locator(".notice.good", { hasText: "hero.glb" });
  await notice.locator(".remedy").click();
  await shows("hero.glb", null);
  assert.equal(await notice.count(), 0);
  await page.click("#undo");
  await shows("walk.bvh", "hero.glb");
  await settled(page);
});

test("a panel without a pair says what is missing and takes it", async () => {
  await page.click('section[data-role="source"] .files li button:last-child');
  await shows(null, "hero.glb");
  for (const key of ["mapping", "timed", "report", "take"]) {
    await page.click(`#tab-${key}`);
    await page.locator('#panel .nothing [data-give="source"]').waitFor();
  }
  assert.equal(await page.locator("#play").isDisabled(), true);
  assert.equal(await page.locator("#outcome-take").isDisabled(), true);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#panel [data-give=source]")]);
  await chooser.setFiles([{ name: "mine.bvh", mimeType: "application/octet-stream", buffer: sample("wave.bvh") }]);
  await shows("mine.bvh", "hero.glb");
  await settled(page);
  await page.locator("#take-vrma").waitFor();
});

test("a setting is found by its name", async () => {
  await page.click("#tab-operations");
  await page.fill("#op-find", "mirror");
  const seen = () => page.locator(".section:visible").evaluateAll((all) => all.map((own) => own.dataset.section));
  assert.deepEqual(await seen(), ["mirror"]);
  await page.selectOption("#op-mirror", { label: "on" });
  await settled(page);
  assert.equal((await state(page)).recipe.mirror, true);
  assert.deepEqual(await seen(), ["mirror"]);
  await page.fill("#op-find", "no such thing");
  assert.deepEqual(await seen(), []);
  await page.fill("#op-find", "");
  assert.ok((await seen()).length > 10);
});

test("notices hide neither the picture nor a panel", async () => {
  await give(page, [{ name: "broken.glb", bytes: Buffer.from("glTF\x02\0\0\0 and then nothing") }]);
  const notice = page.locator(".notice.bad");
  await notice.waitFor();
  const own = await notice.boundingBox();
  for (const id of ["#picture", "#panels", "#below"]) {
    const other = await page.locator(id).boundingBox();
    assert.ok(own.x + own.width <= other.x || own.y + own.height <= other.y, `${id} is hidden`);
  }
  await notice.locator(".close").click();
  assert.deepEqual(all.errors, []);
});
