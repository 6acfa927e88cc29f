// What happens when things come at once, go away, or are not as they should be.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { changed, split } from "./glb.mjs";
import { give, open, settled, state, studio } from "./page.mjs";

let own;
let page;
const samples = join(studio, "node_modules", "rebone", "samples");
const sample = (name) => readFileSync(join(samples, name));

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
  // What is open in the engine is counted below: by then it has closed what it reads to get warm.
  await page.evaluate(() => studioState.warming);
  await page.evaluate(() => studioState.clock.pause());
});
after(() => own?.close());

/** Everything begins anew, with the samples. */
afterEach(async () => {
  await page.evaluate(async () => {
    const { studio } = studioState;
    for (const file of studio.document.files) studio.remove(file.id);
    await studio.addSample("walk.bvh", "source");
    await studio.addSample("chibi.vrm", "target");
    document.querySelectorAll("#notices .close").forEach((button) => button.click());
    studioState.clock.pause();
  });
  await settled(page);
});

const troubles = (of = page) => of.locator("#notices .bad").allInnerTexts();
/** Files in the page, as somebody's drop gives them. */
const given = (files) =>
  page.evaluate(
    (all) => {
      globalThis.handed = all.map(({ name, bytes, role }) => ({
        name,
        role: role ?? null,
        bytes: Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)),
      }));
    },
    files.map(({ bytes, ...rest }) => ({ ...rest, bytes: bytes.toString("base64") })),
  );

test("files that come at once all stay, and so does what is changed meanwhile", async () => {
  await given([
    { name: "one.bvh", bytes: sample("wave.bvh") },
    { name: "two.bvh", bytes: sample("jump.bvh") },
  ]);
  await page.evaluate(async () => {
    const { studio } = studioState;
    const [one, two] = globalThis.handed;
    const first = studio.add([one]);
    const second = studio.add([two]);
    const third = studio.addSample("brute.glb", "target");
    studio.setValue(["feet", "weight"], 0.25);
    await Promise.all([first, second, third]);
  });
  await settled(page);
  const { document: doc } = await page.evaluate(() => ({ document: studioState.studio.document }));
  const names = doc.files.map((file) => file.name);
  for (const name of ["one.bvh", "two.bvh", "brute.glb", "chibi.vrm"]) assert.ok(names.includes(name), `${name} of ${names}`);
  assert.ok(!names.includes("walk.bvh"), "a sample gives way");
  assert.deepEqual(doc.recipes["sample:chibi.vrm"], { feet: { weight: 0.25 } });
});

test("a recipe that is typed is that of the character it was typed for", async () => {
  await page.evaluate(() => studioState.studio.addSample("brute.glb", "target"));
  await settled(page);
  await page.click("#tab-recipe");
  await page.waitForFunction(() => document.querySelector("#recipe-text")?.value.includes("version"));
  await page.fill("#recipe-text", "version = 1\nmirror = true\n");
  await page.evaluate(() => studioState.studio.choose("sample:chibi.vrm"));
  await page.waitForTimeout(600);
  await settled(page);
  const { recipes } = await page.evaluate(() => studioState.studio.document);
  assert.equal(recipes["sample:chibi.vrm"]?.mirror, undefined);
  assert.deepEqual(recipes["sample:brute.glb"], { mirror: true });
  await page.click("#tab-mapping");
});

test("what the engine works out for one character is not given to another", async () => {
  await page.evaluate(() => studioState.studio.addSample("brute.glb", "target"));
  await settled(page);
  await page.click("#tab-pose");
  await page.waitForSelector("#pose-snap-all:not([disabled])");
  await page.waitForFunction(() => studioState.studio.shown.standing !== null && studioState.studio.isSettled);
  await page.evaluate(() => {
    document.querySelector("#pose-snap-all").click();
    studioState.studio.choose("sample:chibi.vrm");
  });
  await page.waitForFunction(() => studioState.studio.isSettled && studioState.settledRounds());
  await page.waitForTimeout(300);
  const { recipes } = await page.evaluate(() => studioState.studio.document);
  assert.equal(recipes["sample:chibi.vrm"], undefined);
  await page.click("#tab-mapping");
});

test("files that were taken away are closed in the engine, and undo brings them back", async () => {
  await page.evaluate(async () => {
    const { studio } = studioState;
    globalThis.opened = new Set();
    const { engine } = studio;
    const call = engine.call.bind(engine);
    engine.call = (name, ask, lane) => {
      const done = call(name, ask, lane);
      if (name === "open")
        void done.then(
          () => globalThis.opened.add(ask.key),
          () => {},
        );
      if (name === "close") globalThis.opened.delete(ask.key);
      return done;
    };
    engine.restore = () => delete engine.call;
  });
  // It takes the sample's place, and stays.
  await give(page, [{ name: "stays.glb", bytes: sample("brute.glb") }], "target");
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "stays.glb");
  await settled(page);
  const before = await page.evaluate(() => [...globalThis.opened]);
  for (let turn = 0; turn < 4; turn++) {
    await give(page, [{ name: `${turn}.glb`, bytes: sample("brute.glb") }], "target");
    await page.waitForFunction((name) => studioState.studio.shown.target?.file.name === name, `${turn}.glb`);
    await settled(page);
    await page.evaluate(() => studioState.studio.remove(studioState.studio.document.target));
    await settled(page);
  }
  const left = await page.evaluate(() => [...globalThis.opened]);
  assert.deepEqual(left, before);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "3.glb");
  await settled(page);
  assert.deepEqual(await troubles(), []);
  assert.equal((await page.evaluate(() => [...globalThis.opened])).length, before.length + 1);
  await page.evaluate(() => studioState.studio.engine.restore());
});

test("a file is opened once: which part it plays needs no second reading", async () => {
  const count = () => page.evaluate(() => globalThis.reads);
  await page.evaluate(() => {
    const { engine } = studioState.studio;
    globalThis.reads = [];
    const call = engine.call.bind(engine);
    engine.call = (name, ask, lane) => {
      if (name === "open" || name === "close") globalThis.reads.push(`${name} ${ask.key.split(":")[0]}`);
      return call(name, ask, lane);
    };
    engine.restore = () => delete engine.call;
  });
  await give(page, [{ name: "somebody.glb", bytes: sample("brute.glb") }]);
  await page.waitForFunction(() => studioState.studio.shown.target?.file.name === "somebody.glb");
  await settled(page);
  const reads = (await count()).filter((one) => one.endsWith("source"));
  const open = reads.filter((one) => one.startsWith("open")).length - reads.filter((one) => one.startsWith("close")).length;
  assert.equal(open, 0, `${await count()}`);
  await page.evaluate(() => studioState.studio.engine.restore());
});

test("characters that leave the stage give the graphics card everything back", async () => {
  const memory = () => page.evaluate(() => ({ ...studioState.stage.renderer.info.memory }));
  const once = async (name) => {
    await page.evaluate((own) => studioState.studio.addSample(own, "target"), name);
    await settled(page);
    await page.waitForTimeout(100);
    await page.evaluate((own) => studioState.studio.remove(`sample:${own}`), name);
    await settled(page);
    await page.waitForTimeout(100);
  };
  await once("brute.glb");
  const first = await memory();
  for (let turn = 0; turn < 4; turn++) await once("brute.glb");
  assert.deepEqual(await memory(), first);
  // Who is sent away before the card was ready, too.
  for (let turn = 0; turn < 3; turn++) {
    await page.evaluate(async () => {
      const { studio } = studioState;
      const done = studio.addSample("brute.glb", "target");
      await done;
      for (let tries = 0; tries < 400 && studio.shown.target?.file.name !== "brute.glb"; tries++)
        await new Promise((next) => setTimeout(next, 2));
      await new Promise((next) => setTimeout(next, 12));
      studio.choose("sample:chibi.vrm");
      studio.remove("sample:brute.glb");
    });
    await settled(page);
    await page.waitForTimeout(150);
  }
  assert.deepEqual(await memory(), first);
});

test("another language leaves nothing of the old one behind", async () => {
  const count = () => page.evaluate(() => studioState.clock.listeners.length);
  const before = await count();
  for (const language of ["de", "ja", "de", "en"]) await page.selectOption("#language", language);
  assert.equal(await count(), before);
});

test("letters in a list choose from it", async () => {
  await page.click("#tab-mapping");
  await page.locator("select[data-side=target]").first().focus();
  const before = await page.evaluate(() => studioState.comparison.seen);
  await page.evaluate(() => {
    const { stage } = studioState;
    globalThis.framed = 0;
    stage.frameAll = () => globalThis.framed++;
    globalThis.asBefore = () => delete stage.frameAll;
  });
  await page.keyboard.press("f");
  await page.keyboard.press("a");
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => globalThis.framed), 0);
  await page.evaluate(() => globalThis.asBefore());
  assert.equal(await page.evaluate(() => studioState.comparison.chosen), null);
  assert.equal(await page.evaluate(() => studioState.comparison.seen), before);
});

test("what is no number changes nothing, and the field says what holds", async () => {
  await page.click("#tab-operations");
  await page.fill("#op-rate-hz", "24");
  await page.press("#op-rate-hz", "Enter");
  await settled(page);
  await page.click("#op-rate-hz");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1e");
  await page.keyboard.press("Tab");
  await page.waitForTimeout(100);
  assert.equal((await state(page)).recipe.rate_hz, 24);
  assert.equal(await page.inputValue("#op-rate-hz"), "24");
  await page.click("#tab-mapping");
});

test("the report page asked for twice at once is made, and nothing is complained of", async () => {
  await page.click("#tab-take");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.evaluate(() => {
      document.querySelector("#take-page").click();
      document.querySelector("#take-page").click();
    }),
  ]);
  assert.match(download.suggestedFilename(), /\.html$/);
  assert.deepEqual(await troubles(), []);
  await page.click("#tab-mapping");
});

test("a file that cannot be read any more is told of", async () => {
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = function () {
      return this instanceof File && this.name === "gone.bvh"
        ? Promise.reject(new DOMException("it is not there", "NotFoundError"))
        : arrayBuffer.call(this);
    };
  });
  for (const role of [null, "source"]) {
    await give(
      page,
      [
        { name: "gone.bvh", bytes: sample("walk.bvh") },
        { name: "here.bvh", bytes: sample("walk.bvh") },
      ],
      role,
    );
    await page.waitForSelector("#notices .bad");
    assert.match((await troubles()).join(), /gone\.bvh/);
    await page.waitForFunction(() => studioState.studio.document.files.some((file) => file.name === "here.bvh"));
    await page.click("#notices .bad .close");
  }
  assert.deepEqual(own.errors, []);
});

/** A GLB as a glTF with its buffer in a file beside it, as many sites give them: all with the same names. */
function apart(bytes) {
  const { json, bin } = split(bytes);
  json.buffers[0] = { byteLength: json.buffers[0].byteLength, uri: "scene.bin" };
  return { "scene.gltf": Buffer.from(JSON.stringify(json)), "scene.bin": bin };
}

test("in a folder each motion has the files of its own folder", async () => {
  const turned = (degrees) =>
    changed(sample("brute.glb"), (json, floats) => {
      const node = json.skins[0].joints[0];
      const half = (degrees * Math.PI) / 360;
      json.animations = [
        {
          name: "turn",
          samplers: [{ input: floats([0, 1], "SCALAR"), output: floats([0, 0, 0, 1, 0, Math.sin(half), 0, Math.cos(half)], "VEC4") }],
          channels: [{ sampler: 0, target: { node, path: "rotation" } }],
        },
      ];
    });
  const place = mkdtempSync(join(tmpdir(), "pack-"));
  for (const [folder, degrees] of [
    ["b", 20],
    ["a/c", 90],
  ]) {
    mkdirSync(join(place, folder), { recursive: true });
    for (const [name, bytes] of Object.entries(apart(turned(degrees)))) writeFileSync(join(place, folder, name), bytes);
  }
  await page.click("#tab-take");
  await page.setInputFiles("#pick-folder", place);
  await page.waitForFunction(() => studioState.batch.rows.length === 2 && studioState.batch.progress === null);
  const found = await page.evaluate(async () => {
    const { studio, batch } = studioState;
    const made = [];
    for (const row of batch.rows) {
      await batch.show(row);
      for (
        let tries = 0;
        tries < 500 && !(studio.isSettled && studio.shown.source?.file.id === row.motion.given?.id && studio.shown.poses.source);
        tries++
      )
        await new Promise((next) => setTimeout(next, 20));
      const { numbers, frames } = studio.shown.poses.source;
      const size = numbers.length / frames;
      const turn = (at, other) =>
        2 * Math.acos(Math.min(1, Math.abs([3, 4, 5, 6].reduce((sum, part) => sum + numbers[at + part] * numbers[other + part], 0))));
      let most = 0;
      for (let at = 0; at < size; at += 10) most = Math.max(most, turn(at, at + (frames - 1) * size));
      made.push([row.motion.path, Math.round((most * 180) / Math.PI)]);
    }
    return made.map(([path, degrees]) => [path.split("/").slice(1).join("/"), degrees]);
  });
  assert.deepEqual(found, [
    ["a/c/scene.gltf", 90],
    ["b/scene.gltf", 20],
  ]);
  await page.click("#tab-mapping");
});

test("an engine that cannot be started is not started over and over", async () => {
  await page.evaluate(() => {
    const Before = globalThis.Worker;
    globalThis.workers = 0;
    globalThis.Worker = class extends Before {
      constructor(address, options) {
        globalThis.workers++;
        super(new URL("nowhere.js", address), options);
      }
    };
    globalThis.withWorkers = () => (globalThis.Worker = Before);
    const { engine } = studioState.studio;
    // As after a defect of the engine.
    engine.restart({ code: "internal", message: "a defect", remedy: "" });
  });
  await page.waitForTimeout(1500);
  assert.ok((await page.evaluate(() => globalThis.workers)) <= 2, `${await page.evaluate(() => globalThis.workers)} workers`);
  await page.evaluate(() => studioState.studio.setValue(["mirror"], true));
  await page.waitForSelector("#notices .bad");
  assert.ok((await page.evaluate(() => globalThis.workers)) <= 8);
  // When it can be had again the work goes on.
  await page.evaluate(() => globalThis.withWorkers());
  await page.evaluate(() => studioState.studio.setValue(["mirror"], undefined));
  await settled(page);
  assert.ok((await state(page)).poses);
  own.errors.length = 0;
});

test("names are texts, however they are written, and long ones are cut for downloads", async () => {
  const name = `<img src=x onerror=alert(1)> "q" 'a' & ${"long ".repeat(80)}.bvh`;
  await give(page, [{ name, bytes: sample("walk.bvh") }], "source");
  await page.waitForFunction(() => studioState.studio.shown.source?.file.name.startsWith("<img"));
  await settled(page);
  assert.equal(await page.locator("#files img, #legend img, #panels img").count(), 0);
  const { safe } = await page.evaluate(() => ({
    safe: ["..", ".hidden", "CON", "a/b\\c", "x".repeat(400), "…", ""].map((one) => studioState.safe(one)),
  }));
  for (const one of safe)
    assert.ok(one.length > 0 && one.length <= 120 && !one.startsWith(".") && !/[/\\:*?"<>|]/.test(one) && !/^(con|nul)$/i.test(one), one);
});

test("what was taken away meanwhile is not chosen from the rows of a folder", async () => {
  await page.evaluate(() => studioState.studio.addSample("brute.glb", "target"));
  await settled(page);
  const target = await page.evaluate(async () => {
    const { studio, batch } = studioState;
    await batch.take([]);
    await batch.run(
      studio.document.files.filter((file) => file.name === "brute.glb"),
      "bvh",
    );
    studio.remove("sample:brute.glb");
    await batch.show(batch.rows[0]);
    return studio.document.target;
  });
  assert.equal(target, "sample:chibi.vrm");
  await settled(page);
});

test("it says no error", () => assert.deepEqual(own.errors, []));
