// Judging and taking away: plots, comparisons, GIFs, folders, several characters.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { unzipSync } from "fflate";
import { give, open, settled, state, studio, taken } from "./page.mjs";

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
const lane = (key) =>
  page.evaluate((curve) => {
    const place = document.querySelector(`[data-curve="${curve}"]`);
    if (!place) return null;
    const reading = Object.fromEntries(
      [...place.querySelectorAll(".reading span")].map((span) => [
        span.className,
        Number(/(-?[\d.]+)$/.exec(span.textContent)?.[1] ?? Number.NaN),
      ]),
    );
    const lines = Object.fromEntries(
      [...place.querySelectorAll("path")].map((path) => [path.getAttribute("class"), path.getAttribute("d")]),
    );
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
  assert.equal(first.reading.target, 0 + Number(foot.height_percent.target[at].toFixed(1)));
  assert.equal(first.reading.source, 0 + Number(foot.height_percent.source[at].toFixed(1)));
  // On the scale of the time bar: its knob is 16 pixels wide.
  const bar = await page.locator("#scrub").boundingBox();
  assert.ok(Math.abs(first.box.x - bar.x - 8) < 1 && Math.abs(first.box.width - bar.width + 16) < 1);
  const share = 0.7;
  await page.mouse.move(first.box.x + first.box.width * share, first.box.y + first.box.height / 2);
  const { start, end } = await page.evaluate(() => ({ start: studioState.clock.start, end: studioState.clock.end }));
  const seconds = start + share * (end - start);
  const near = series.seconds.reduce(
    (best, own, index) => (Math.abs(own - seconds) < Math.abs(series.seconds[best] - seconds) ? index : best),
    0,
  );
  assert.equal((await lane("sole")).reading.target, 0 + Number(foot.height_percent.target[near].toFixed(1)));
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
  assert.equal(await page.locator(".plot").count(), 0);
  await page.click("#plots-open");
  await page.reload();
  await settled(page);
  await page.waitForSelector('[data-curve="direction"]');
  assert.equal(await page.locator(".plot").count(), 2);
});

/** What of a state's character is on the stage: its feet's way off the present one's, and whether it is seen. */
const seen = () =>
  page.evaluate(() => {
    const { stage, comparison } = studioState;
    const guest = stage.guests.get("other");
    return {
      view: comparison.seen,
      now: stage.puppet("target").isSeen,
      other: guest?.puppet.isSeen ?? false,
      isApart: guest?.isApart ?? false,
    };
  });
const drawn = (key) =>
  page.evaluate((who) => {
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
    const pair = {
      ...(await studio.pair()),
      recipe: JSON.stringify({
        version: 1,
        feet: false,
        ground: false,
        own_body: false,
        twist: false,
        hands: { mode: "off" },
        limits: { use: "none" },
      }),
    };
    const { result, target } = await studio.engine.call("retarget", {
      pair,
      clips: [studio.shown.clip],
      rate: studio.shown.poses.target.rate,
    });
    const same = (a, b) => a.length === b.length && a.every((value, index) => value === b[index]);
    return {
      clips: result.clips.length,
      same: same(target[0].numbers, comparison.made.poses.numbers),
      asNow: same(target[0].numbers, studio.shown.poses.target.numbers),
    };
  });
  assert.deepEqual(bare, { clips: 1, same: true, asNow: false });
  await page.keyboard.press("c");
  await settled(page);
  assert.equal((await seen()).view, "now");
});

/** Size, number of pictures and hundredths of a second of each, out of a GIF. */
function readGif(bytes) {
  assert.equal(bytes.subarray(0, 6).toString("latin1"), "GIF89a");
  let at = 13 + (bytes[10] & 0x80 ? 3 * 2 ** ((bytes[10] & 7) + 1) : 0);
  let frames = 0;
  const delays = new Set();
  const skip = () => {
    while (bytes[at] !== 0) at += bytes[at] + 1;
    at++;
  };
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) delays.add(bytes.readUInt16LE(at + 4));
      at += 2;
      skip();
    } else {
      assert.equal(bytes[at], 0x2c);
      frames++;
      at += 10 + (bytes[at + 9] & 0x80 ? 3 * 2 ** ((bytes[at + 9] & 7) + 1) : 0) + 1;
      skip();
    }
  }
  return { height: bytes.readUInt16LE(8), frames, delays: [...delays] };
}

test("a GIF has the size and the pictures that were asked for, and the page stays free meanwhile", async () => {
  await page.click("#tab-take");
  await page.selectOption("#gif-height", { label: "240 px" });
  await page.selectOption("#gif-rate", { label: "10/s" });
  await page.selectOption("#gif-seconds", { label: "2 s" });
  const download = page.waitForEvent("download");
  await page.click("#take-gif");
  assert.match(await page.locator("#gif-status").innerText(), /240 pixels high/);
  // Somebody goes on working while it is drawn.
  const first = await state(page);
  await page.click("#tab-operations");
  await page.selectOption("#op-preset", { label: "humanik" });
  await settled(page);
  assert.notEqual((await state(page)).poses, first.poses);
  await page.click("#undo");
  await settled(page);
  const made = await download;
  assert.equal(made.suggestedFilename(), "chibi_walk.gif");
  const chunks = [];
  for await (const chunk of await made.createReadStream()) chunks.push(chunk);
  const { height, frames, delays } = readGif(Buffer.concat(chunks));
  assert.ok(height >= 240 && height < 320, `${height} pixels`);
  assert.equal(frames, 20);
  assert.deepEqual(delays, [10]);
});

test("a GIF that takes long is ended at a click", async () => {
  await page.click("#tab-take");
  await page.selectOption("#gif-height", { label: "720 px" });
  await page.click("#take-gif");
  await page.click("#gif-cancel");
  await page.locator("#gif-cancel").waitFor({ state: "detached" });
  assert.equal(await page.locator(".notice.bad").count(), 0);
  assert.equal(await page.locator("#take-gif").isEnabled(), true);
});

test("the report page is made with its pictures", async () => {
  const page_ = await taken(page, "page");
  assert.match(page_.name, /^chibi_walk\.html$/);
  assert.match(page_.bytes.toString(), /<svg|data:image/);
});

/** A folder on the disk with files by their paths. */
function folder(files) {
  const place = join(mkdtempSync(join(tmpdir(), "studio-")), "motions");
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), bytes);
  }
  return place;
}
const read = async (download) => {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const rows = () =>
  page.locator(".clips tr").evaluateAll((all) =>
    all.map((row) => ({
      state: row.dataset.state,
      name: row.querySelector(".open").innerText,
      verdict: row.querySelector(".verdict")?.innerText ?? "",
    })),
  );

test("all clips of a folder are taken at once; a broken file is told of and stops nothing", async () => {
  await page.click("#tab-take");
  const single = await taken(page, "bvh");
  const broken = "HIERARCHY\nROOT Hips\n{ and then nothing";
  await page.setInputFiles(
    "#pick-folder",
    folder({
      "walk.bvh": sample("walk.bvh").bytes,
      "a/broken.bvh": broken,
      "a/wave.bvh": sample("wave.bvh").bytes,
      "b/wave.bvh": sample("wave.bvh").bytes,
      "jump.bvh": sample("jump.bvh").bytes,
      "notes.txt": "x",
    }),
  );
  await page.waitForFunction(() => studioState.batch.progress === null && studioState.batch.rows.length === 5);
  await page.waitForFunction(() => /Clips: 4/.test(document.querySelector("#batch-status").textContent));
  assert.match(await page.locator("#batch-status").innerText(), /left out: 1/);
  await page.selectOption("#batch-format", "bvh");
  const waiting = page.waitForEvent("download");
  await page.click("#batch-run");
  // The page goes on meanwhile.
  const first = await state(page);
  await page.click("#tab-operations");
  await page.selectOption("#op-preset", { label: "humanik" });
  await settled(page);
  await page.click("#undo");
  await settled(page);
  assert.equal((await state(page)).poses, first.poses);
  await page.click("#tab-take");
  const download = await waiting;
  assert.equal(download.suggestedFilename(), "motions.zip");
  const files = unzipSync(await read(download));
  assert.deepEqual(Object.keys(files).sort(), ["motions/a/wave.bvh", "motions/b/wave.bvh", "motions/jump.bvh", "motions/walk.bvh"]);
  assert.ok(Buffer.from(files["motions/walk.bvh"]).equals(single.bytes), "as if it was taken alone");
  await page.waitForFunction(() => document.querySelectorAll(".clips tr").length === 5);
  const told = await rows();
  assert.deepEqual(
    told.filter((row) => row.state === "failed").map((row) => [row.name, row.verdict]),
    [["broken.bvh", "failed"]],
  );
  assert.ok(told.filter((row) => row.state === "made").every((row) => ["good", "look at it", "bad"].includes(row.verdict)));
  // A row opens what it tells of.
  await page.locator(".clips .open", { hasText: "jump.bvh" }).click();
  await page.waitForFunction(() => studioState.studio.shown.source?.file.name === "jump.bvh");
  await settled(page);
  assert.deepEqual([(await state(page)).source, (await state(page)).target], ["jump.bvh", "chibi.vrm"]);
});

test("a folder's work ends at a click, and what is done can be saved", async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`walk${index}.bvh`, sample("walk.bvh").bytes]));
  await page.setInputFiles("#pick-folder", folder(many));
  await page.waitForFunction(() => studioState.batch.progress === null && studioState.batch.rows.length === 30);
  await page.click("#batch-run");
  await page.waitForFunction(() => studioState.batch.rows.filter((row) => row.state === "made").length > 1);
  await page.click("#batch-cancel");
  await page.locator("#batch-save").waitFor();
  const made = await page.evaluate(() => studioState.batch.rows.length);
  assert.ok(made > 1 && made < 30, `${made} clips`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#batch-save")]);
  assert.equal(Object.keys(unzipSync(await read(download))).length, made);
});

test("a folder goes onto several characters, each by its own recipe", async () => {
  await give(page, [sample("chibi.vrm"), sample("adult.glb")], "target");
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "adult.glb");
  await settled(page);
  await page.click("#tab-take");
  await page.setInputFiles("#pick-folder", folder({ "walk.bvh": sample("walk.bvh").bytes, "wave.bvh": sample("wave.bvh").bytes }));
  await page.waitForFunction(() => studioState.batch.progress === null && studioState.batch.rows.length === 2);
  await page.selectOption("#batch-format", "bvh");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#batch-run")]);
  const files = unzipSync(await read(download));
  assert.deepEqual(Object.keys(files).sort(), [
    "adult/motions/walk.bvh",
    "adult/motions/wave.bvh",
    "chibi/motions/walk.bvh",
    "chibi/motions/wave.bvh",
  ]);
  assert.notDeepEqual(files["adult/motions/walk.bvh"], files["chibi/motions/walk.bvh"]);
});

test("many motions that are dropped at once are a folder's", async () => {
  await page.evaluate(async (text) => {
    const data = new DataTransfer();
    for (let index = 0; index < 9; index++) data.items.add(new File([text], `step${index}.bvh`));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  }, sample("wave.bvh").bytes.toString());
  await page.waitForFunction(() => studioState.batch.progress === null && studioState.batch.rows.length === 9);
  assert.equal(
    (await state(page)).files.some((name) => name.startsWith("step")),
    false,
  );
  assert.equal(await page.getAttribute("#tab-take", "aria-selected"), "true");
});

test("a GIF is drawn by the page's own engine where no other can be started", async () => {
  await own.context.setOffline(true);
  try {
    await page.selectOption("#gif-height", { label: "180 px" });
    await page.selectOption("#gif-seconds", { label: "2 s" });
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#take-gif")]);
    assert.ok(readGif(await read(download)).height >= 180);
  } finally {
    await own.context.setOffline(false);
  }
});

test("several characters dance at once, each by its own recipe; a click chooses one", async () => {
  const other = await open([
    { ...sample("walk.bvh"), role: "source" },
    ...["chibi.vrm", "adult.glb", "brute.glb"].map((name) => ({ ...sample(name), role: "target" })),
  ]);
  try {
    const their = other.page;
    await settled(their);
    const names = () =>
      their.locator("#tags button").evaluateAll((all) => all.map((tag) => [tag.innerText, tag.getAttribute("aria-pressed")]));
    await their.waitForFunction(() => studioState.stage.guests.apart.length === 2);
    assert.deepEqual(await names(), [
      ["chibi.vrm", "false"],
      ["adult.glb", "false"],
      ["brute.glb", "true"],
    ]);
    /** Where everybody stands, and how: the picture of a target by its file's name. */
    const stand = () =>
      their.evaluate(() => {
        const { studio, stage, troupe, clock } = studioState;
        clock.pause();
        clock.go(1);
        stage.scene.updateMatrixWorld(true);
        return Object.fromEntries(
          troupe.drawn.map((file) => {
            const puppet = troupe.puppet(file.id);
            return [
              file.name,
              {
                x: puppet.group.position.x,
                turns: puppet.nodes.map((node) => node.quaternion.toArray()),
                chosen: file.id === studio.document.target,
              },
            ];
          }),
        );
      });
    const first = await stand();
    // A recipe is that of the chosen one alone.
    await their.click("#tab-operations");
    await their.fill("#op-target-spacing-arms", "40").catch(() => their.fill("#op-target-spacing-arms + input", "40"));
    await settled(their);
    const spread = await stand();
    assert.notDeepEqual(spread["brute.glb"].turns, first["brute.glb"].turns);
    assert.deepEqual(spread["chibi.vrm"].turns, first["chibi.vrm"].turns);
    // The click chooses; nobody moves from the place.
    await their.locator("#tags button", { hasText: "chibi.vrm" }).click();
    await their.waitForFunction(() => studioState.studio.shown.target?.file.name === "chibi.vrm");
    await settled(their);
    const chosen = await stand();
    for (const name of Object.keys(first)) {
      assert.ok(Math.abs(chosen[name].x - spread[name].x) < 1e-6, `${name} stays`);
      assert.deepEqual(chosen[name].turns, spread[name].turns, `${name} moves as before`);
    }
    assert.equal(chosen["chibi.vrm"].chosen, true);
    // A click on the body of another does as well.
    await their.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const at = await their.evaluate(() => {
      const { stage, troupe } = studioState;
      const puppet = troupe.puppet(troupe.drawn.find((file) => file.name === "adult.glb").id);
      return stage.project(puppet.place(stage.middle.clone()));
    });
    const box = await their.locator("#canvas").boundingBox();
    await their.mouse.click(box.x + at.x, box.y + at.y);
    await their.waitForFunction(() => studioState.studio.shown.target?.file.name === "adult.glb");
    // One alone, where that is wanted.
    await settled(their);
    await their.click("#everyone");
    await their.waitForFunction(() => studioState.stage.guests.apart.length === 0);
    assert.deepEqual(await names(), []);
    await their.click("#everyone");
    await their.waitForFunction(() => studioState.stage.guests.apart.length === 2);
    assert.deepEqual(other.errors, []);
  } finally {
    await other.close();
  }
});

test("no request leaves the page, and it says no error", () => {
  const foreign = own.requests.filter((address) => !address.startsWith(own.address) && !/^(blob|data):/.test(address));
  assert.deepEqual(foreign, []);
  assert.deepEqual(own.errors, []);
});
