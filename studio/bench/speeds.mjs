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
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
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

const served = await host({ "/bench/": join(studio, "bench"), "/measure.mjs": join(studio, "..", "xtask", "wasm", "measure.mjs"), "/modules/": modules, "/package/": join(modules, "rebone"), "/files/": clip, "/": join(studio, "dist") });
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

/** Both files dropped at once: until both are drawn with the new poses and the clock runs. */
async function dropped() {
  const { context, page, ready } = await opened();
  const milliseconds = await page.evaluate(async (given) => {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([bytes(text)], name));
    const { studio, stage, clock } = studioState;
    const begin = performance.now();
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    const isThere = () => {
      const { source, target, poses } = studio.shown;
      return source?.file.name === given[0].name && target?.file.name === given[1].name && poses.target && studioState.settledRounds() && clock.playing && stage.puppet("target")?.hasMesh;
    };
    while (!isThere()) await new Promise((done) => requestAnimationFrame(done));
    const drawn = stage.pictures;
    while (stage.pictures <= drawn) await new Promise((done) => requestAnimationFrame(done));
    return performance.now() - begin;
  }, files.map(({ name, bytes }) => ({ name, text: bytes.toString("base64") })));
  return { context, page, ready, milliseconds };
}

/** A slider moved step by step: until the picture shows it. */
async function slid(page) {
  await page.click("#tab-operations");
  return page.evaluate(async () => {
    const { studio, stage, clock } = studioState;
    clock.pause();
    const times = [];
    for (let step = 1; step <= 20; step++) {
      const slider = document.getElementById("op-feet-weight");
      const before = studio.shown.poses.target;
      const begin = performance.now();
      slider.value = String(1 - step * 0.03);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      while (studio.shown.poses.target === before || !studioState.settledRounds()) await new Promise((done) => setTimeout(done, 0));
      const drawn = stage.pictures;
      while (stage.pictures <= drawn) await new Promise((done) => requestAnimationFrame(done));
      times.push(performance.now() - begin);
      while (!studio.isSettled) await new Promise((done) => setTimeout(done, 5));
    }
    return times;
  });
}

const beside = await besideThree();
const drops = [];
const readies = [];
let slides = [];
for (let round = 0; round < ROUNDS; round++) {
  const { context, page, ready, milliseconds } = await dropped();
  drops.push(milliseconds);
  readies.push(ready);
  if (round === ROUNDS - 1) slides = await slid(page);
  await context.close();
}
await browser.close();
served.close();
console.log(JSON.stringify({
  clip: beside,
  three_over_plain: Math.round((beside.three / beside.plain) * 10) / 10,
  three_over_full: Math.round((beside.three / beside.full) * 10) / 10,
  files: files.map(({ name, bytes }) => `${name} ${(bytes.length / 1e6).toFixed(1)} MB`),
  open_to_sample_playing_ms: median(readies),
  drop_to_playing_ms: { median: median(drops), all: drops.map(Math.round) },
  slider_to_picture_ms: { median: median(slides), worst: Math.round(Math.max(...slides)) },
}, null, 1));
