// Judging and taking away: plots, comparisons, GIFs, folders, several characters.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { give, open, settled, state, studio } from "./page.mjs";

let own;
let page;
const samples = join(studio, "node_modules", "rebone", "samples");
const sample = (name) => ({ name, bytes: readFileSync(join(samples, name)) });

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
  await page.evaluate(() => studioState.clock.pause());
});
after(() => own?.close());

/** Of a lane: the values it says, and its lines. */
const lane = (key) => page.evaluate((curve) => {
  const place = document.querySelector(`[data-curve="${curve}"]`);
  if (!place) return null;
  const reading = Object.fromEntries([...place.querySelectorAll(".reading span")].map((span) => [span.className, Number(/(-?[\d.]+)$/.exec(span.textContent)?.[1] ?? Number.NaN)]));
  const lines = Object.fromEntries([...place.querySelectorAll("path")].map((path) => [path.getAttribute("class"), path.getAttribute("d")]));
  const box = place.querySelector(".graph").getBoundingClientRect();
  return { reading, lines, box: { x: box.x, y: box.y, width: box.width, height: box.height } };
}, key);

test("a plot says the engine's values, at the play head and under the pointer, and a click goes there", async () => {
  await page.click("#plot-sole");
  await page.selectOption('[data-curve="sole"] .which', "leftToes");
  const series = await page.evaluate(() => studioState.studio.shown.judged.series);
  const foot = series.feet.find((one) => one.point === "leftToes");
  const at = Math.floor(series.seconds.length / 3);
  await page.evaluate((seconds) => studioState.clock.go(seconds), series.seconds[at]);
  const first = await lane("sole");
  assert.equal(first.reading.target, Number(foot.height_percent.target[at].toFixed(1)));
  assert.equal(first.reading.source, Number(foot.height_percent.source[at].toFixed(1)));
  // On the scale of the time bar: its knob is 16 pixels wide.
  const bar = await page.locator("#scrub").boundingBox();
  assert.ok(Math.abs(first.box.x - bar.x - 8) < 1 && Math.abs(first.box.width - bar.width + 16) < 1);
  const share = 0.7;
  await page.mouse.move(first.box.x + first.box.width * share, first.box.y + first.box.height / 2);
  const { start, end } = await page.evaluate(() => ({ start: studioState.clock.start, end: studioState.clock.end }));
  const seconds = start + share * (end - start);
  const near = series.seconds.reduce((best, own, index) => (Math.abs(own - seconds) < Math.abs(series.seconds[best] - seconds) ? index : best), 0);
  assert.equal((await lane("sole")).reading.target, Number(foot.height_percent.target[near].toFixed(1)));
  await page.mouse.click(first.box.x + first.box.width * share, first.box.y + first.box.height / 2);
  assert.ok(Math.abs((await state(page)).seconds - seconds) < 0.01);
  await page.click("#plot-sole");
});

test("a plot's line is where its values are", async () => {
  await page.click("#plot-direction");
  const { lines } = await lane("direction");
  const series = await page.evaluate(() => studioState.studio.shown.judged.series);
  const points = [...lines.target.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map((match) => [Number(match[1]), Number(match[2])]);
  assert.equal(points.length, series.seconds.length);
  const values = series.direction_degrees;
  const most = values.indexOf(Math.max(...values));
  assert.equal(Math.min(...points.map(([, y]) => y)), points[most][1]);
  assert.ok(points.every(([x], index) => index === 0 || x > points[index - 1][0]));
  assert.ok(Math.abs(points[0][0]) < 0.1 && Math.abs(points.at(-1)[0] - 1000) < 0.1);
});

test("worst moments are marked in the plots, and a click goes there", async () => {
  const moments = await page.evaluate(() => studioState.studio.shown.judged.report.moments);
  const moment = moments.find((one) => one.kind === "direction");
  assert.ok(moment);
  const mark = page.locator('[data-curve="direction"] .worst');
  assert.equal(await mark.count(), 1);
  await mark.click();
  assert.ok(Math.abs((await state(page)).seconds - moment.seconds) < 1e-3);
});

test("plots fold, and what was chosen survives a reload", async () => {
  await page.click("#plots-open");
  assert.equal(await page.locator(".lane").count(), 0);
  await page.click("#plots-open");
  await page.reload();
  await settled(page);
  await page.waitForSelector('[data-curve="direction"]');
  assert.equal(await page.locator(".lane").count(), 2);
});

/** What of a state's character is on the stage: its feet's way off the present one's, and whether it is seen. */
const seen = () => page.evaluate(() => {
  const { stage, comparison } = studioState;
  const guest = stage.guests.get("other");
  return { view: comparison.seen, now: stage.puppet("target").isSeen, other: guest?.puppet.isSeen ?? false, isApart: guest?.isApart ?? false };
});
const drawn = (key) => page.evaluate((who) => {
  const { stage, clock } = studioState;
  clock.pause();
  clock.go(clock.start + (clock.end - clock.start) * 0.4);
  const puppet = who === "other" ? stage.guests.get("other").puppet : stage.puppet(who);
  return puppet.nodes.flatMap((node) => node.quaternion.toArray());
}, key);

test("A is kept, and what is changed after it is told beside it", async () => {
  await page.click("#compare-keep");
  await settled(page);
  const before = await page.evaluate(() => studioState.studio.shown.judged.report.figures);
  const first = await state(page);
  const pose = await drawn("target");
  await page.click("#tab-operations");
  await page.fill("#op-feet-weight", "0");
  await settled(page);
  const after = await page.evaluate(() => studioState.studio.shown.judged.report.figures);
  await page.click("#tab-report");
  const [, value, , kept, difference] = await page.locator('[data-figure="slide"] > *').allInnerTexts();
  const figure = (text) => Number.parseFloat(text);
  assert.ok(Math.abs(figure(value) - after.slide.value) < 0.51);
  assert.ok(Math.abs(figure(kept) - before.slide.value) < 0.51);
  assert.ok(Math.abs(figure(difference) - (after.slide.value - before.slide.value)) < 0.51);
  assert.ok(after.slide.value > before.slide.value + 1, "without feet they slide more");
  // Both lines are in the plot.
  const { lines, reading } = await lane("slide");
  assert.ok(lines.other && lines.other !== lines.target && Number.isFinite(reading.source) === Number.isFinite(reading.other));
  // A is shown by a key, in the place of the present state, and is what was kept.
  await page.focus("#canvas");
  await page.keyboard.press("a");
  await settled(page);
  assert.deepEqual(await seen(), { view: "other", now: false, other: true, isApart: false });
  assert.deepEqual(await drawn("other"), pose);
  assert.notDeepEqual(await drawn("target"), pose);
  assert.equal(await page.locator("#badge").innerText(), "A");
  await page.keyboard.press("a");
  await settled(page);
  assert.deepEqual(await seen(), { view: "now", now: true, other: false, isApart: false });
  await page.click("#compare-both");
  await settled(page);
  assert.deepEqual(await seen(), { view: "both", now: true, other: true, isApart: true });
  await page.click("#compare-both");
  // Back to A is a step that can be undone.
  await page.click("#compare-back");
  await settled(page);
  assert.deepEqual((await state(page)).poses, first.poses);
  await page.click("#undo");
  await settled(page);
  assert.equal((await state(page)).recipe.feet.weight, 0);
  await page.click("#undo");
  await settled(page);
  await page.click("#compare-forget");
  assert.equal(await page.locator("#compare-kept").isDisabled(), true);
  assert.equal((await lane("slide")).lines.other, undefined);
});

test("as copied shows the motion without corrections, and the recipe stays as it is", async () => {
  const first = await state(page);
  await page.focus("#canvas");
  await page.keyboard.press("c");
  await settled(page);
  assert.deepEqual({ ...(await state(page)), seconds: 0 }, { ...first, seconds: 0 });
  const bare = await page.evaluate(async () => {
    const { studio, comparison } = studioState;
    const pair = { ...(await studio.pair()), recipe: JSON.stringify({ version: 1, feet: false, ground: false, twist: false, hands: { mode: "off" }, limits: { use: "none" } }) };
    const { result, target } = await studio.engine.call("retarget", { pair, clips: [studio.shown.clip], rate: studio.shown.poses.target.rate });
    const same = (a, b) => a.length === b.length && a.every((value, index) => value === b[index]);
    return { clips: result.clips.length, same: same(target[0].numbers, comparison.made.poses.numbers), asNow: same(target[0].numbers, studio.shown.poses.target.numbers) };
  });
  assert.deepEqual(bare, { clips: 1, same: true, asNow: false });
  await page.keyboard.press("c");
  await settled(page);
  assert.equal((await seen()).view, "now");
});

test("no request leaves the page, and it says no error", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.deepEqual(own.errors, []);
});
