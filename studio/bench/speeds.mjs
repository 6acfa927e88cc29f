// Times of the studio in headless Chromium, as JSON: the engine beside three.js, from a drop until it plays, from a slider to the picture.
//
// usage: node bench/speeds.mjs FOLDER_OF_THE_CLIP MOTION CHARACTER [CHARACTER_SIZE_MB]
//
// With a size the character (a GLB or VRM) gets a picture of noise in place of its first, so that it is that large.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { browse, host } from "../scripts/host.mjs";
import { join as joined, split } from "../tests/glb.mjs";

const studio = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(studio, "node_modules");
const [clip, motion, character, megabytes] = process.argv.slice(2);
const ROUNDS = 5;
/** Steps of the slider. */
const STEPS = 20;
const median = (list) => Math.round([...list].sort((a, b) => a - b)[list.length >> 1]);

function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A PNG of about as many bytes, of noise, which no compression makes smaller. */
function noise(bytes) {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  const rows = Buffer.alloc(side * (side * 3 + 1));
  let state = 1;
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    rows[at] = at % (side * 3 + 1) === 0 ? 0 : state >>> 24;
  }
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function enlarged(glb, size) {
  const { json, bin } = split(glb);
  const picture = noise(size - glb.length);
  json.bufferViews.push({ buffer: 0, byteOffset: bin.length, byteLength: picture.length });
  json.images ??= [{}];
  json.images[0] = { bufferView: json.bufferViews.length - 1, mimeType: "image/png" };
  json.buffers[0].byteLength = bin.length + picture.length;
  return joined(json, Buffer.concat([bin, picture]));
}

const files = [motion, character].map((path) => ({ name: basename(path), bytes: readFileSync(path) }));
if (megabytes) files[1].bytes = enlarged(files[1].bytes, Number(megabytes) * 1e6);

const served = await host({
  "/bench/": join(studio, "bench"),
  "/measure.mjs": join(studio, "..", "xtask", "wasm", "measure.mjs"),
  "/modules/": modules,
  "/package/": join(modules, "rebone"),
  "/files/": clip,
  "/": join(studio, "dist"),
});
const browser = await browse();

async function besideThree() {
  const page = await browser.newPage();
  await page.goto(`${served.address}/bench/`);
  await page.waitForFunction(() => globalThis.measured, null, { timeout: 300_000 });
  const times = await page.evaluate(() => globalThis.measured);
  await page.close();
  return times;
}

/** A page that has come to rest, with nothing on it but the samples. */
async function opened() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const begin = Date.now();
  await page.goto(`${served.address}/`);
  await page.waitForFunction(() => globalThis.studioState?.clock.playing);
  const ready = Date.now() - begin;
  await page.waitForFunction(() => studioState.studio.isSettled && studioState.settledRounds() && studioState.studio.shown.judged);
  return { context, page, ready };
}

/**
 * Both files dropped at once: until both are drawn with the new poses and the clock runs, as skeletons at least, and until the character has
 * its skin on as well. `isWarm`: the page had been open for long enough that the engine has read its own FBX.
 */
async function dropped(isWarm) {
  const { context, page, ready } = await opened();
  if (isWarm) {
    await page.evaluate(() => studioState.warming);
    await page.waitForTimeout(500);
  }
  const times = await page.evaluate(
    async (given) => {
      const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      for (const { name, text } of given) transfer.items.add(new File([bytes(text)], name));
      const { studio, stage, clock } = studioState;
      const begin = performance.now();
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      const isMoved = (side) =>
        stage.puppet(side)?.description === studio.shown[side]?.description && stage.puppet(side).poses === studio.shown.poses[side];
      const isThere = () => {
        const { source, target, poses } = studio.shown;
        return (
          source?.file.name === given[0].name &&
          target?.file.name === given[1].name &&
          poses.target &&
          isMoved("source") &&
          isMoved("target") &&
          clock.playing
        );
      };
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      // A picture more than the one in which it is seen: that one may be waiting for the graphics card.
      const seen = async (is) => {
        while (!is()) await frame();
        const drawn = stage.pictures;
        while (stage.pictures <= drawn) await frame();
        return performance.now() - begin;
      };
      const plays = await seen(isThere);
      return { plays, skin: await seen(() => isThere() && studioState.settledRounds() && stage.puppet("target").hasMesh) };
    },
    files.map(({ name, bytes }) => ({ name, text: bytes.toString("base64") })),
  );
  return { context, page, ready, ...times };
}

/** A slider drawn by the mouse, step by step: until the picture shows it. */
async function slid(page) {
  await page.click("#tab-operations");
  await page.evaluate(() => {
    const { studio, stage, clock } = studioState;
    clock.pause();
    document.getElementById("op-feet-weight").scrollIntoView({ block: "center" });
    const resting = async () => {
      while (!studio.isSettled || !studioState.settledRounds()) await new Promise((done) => setTimeout(done, 5));
    };
    globalThis.resting = resting;
    globalThis.step = async () => {
      const before = studio.shown.poses.target;
      await new Promise((done) => addEventListener("input", done, { once: true, capture: true }));
      const begin = performance.now();
      while (studio.shown.poses.target === before || !studioState.settledRounds()) await new Promise((done) => setTimeout(done, 0));
      const drawn = stage.pictures;
      while (stage.pictures <= drawn) await new Promise((done) => requestAnimationFrame(done));
      const taken = performance.now() - begin;
      await resting();
      return taken;
    };
  });
  const { x, y, width, height } = await page.locator("#op-feet-weight").boundingBox();
  const [right, middle] = [x + width - height / 2, y + height / 2];
  await page.mouse.move(right, middle);
  await page.mouse.down();
  await page.evaluate(() => resting());
  const times = [];
  for (let step = 1; step <= STEPS; step++) {
    const shown = page.evaluate(() => step());
    await page.evaluate(() => {});
    await page.mouse.move(right - step * ((width - height) / (STEPS + 2)), middle);
    times.push(await shown);
  }
  await page.mouse.up();
  return times;
}

const beside = await besideThree();
const drops = { rested: { plays: [], skin: [] }, fresh: { plays: [], skin: [] } };
const readies = [];
let slides = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const state of ["fresh", "rested"]) {
    const { context, page, ready, plays, skin } = await dropped(state === "rested");
    drops[state].plays.push(plays);
    drops[state].skin.push(skin);
    readies.push(ready);
    if (round === ROUNDS - 1 && state === "rested") slides = await slid(page);
    await context.close();
  }
}
const told = (times) => ({ median: median(times), all: times.map(Math.round) });
await browser.close();
served.close();
console.log(
  JSON.stringify(
    {
      clip: beside,
      three_over_plain: Math.round((beside.three / beside.plain) * 10) / 10,
      three_over_full: Math.round((beside.three / beside.full) * 10) / 10,
      files: files.map(({ name, bytes }) => `${name} ${(bytes.length / 1e6).toFixed(1)} MB`),
      open_to_sample_playing_ms: median(readies),
      drop_to_playing_ms: told(drops.rested.plays),
      drop_to_playing_with_its_skin_ms: told(drops.rested.skin),
      // By somebody who drops files as soon as the page stands.
      drop_to_playing_at_once_ms: told(drops.fresh.plays),
      drop_to_playing_at_once_with_its_skin_ms: told(drops.fresh.skin),
      slider_to_picture_ms: told(slides),
    },
    null,
    1,
  ),
);
