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

test("no request leaves the page, and it says no error", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.deepEqual(own.errors, []);
});
