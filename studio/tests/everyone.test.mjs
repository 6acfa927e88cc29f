// For everyone: words in every language, contrast in dark and light, the keyboard, and who wants nothing to move.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { addFace, changed } from "./glb.mjs";
import { give, open, settled, studio } from "./page.mjs";

let own;
let page;
let words;
const repository = join(studio, "..");
const text = (path) => readFileSync(join(repository, path), "utf8");
const languages = ["en", "de", "ja"];

before(async () => {
  own = await open();
  page = own.page;
  await settled(page);
  words = await page.evaluate(() => globalThis.studioWords);
});
after(() => own?.close());

/** Every key has an entry, every entry has all languages, and no key is one too many. */
function complete(table, keys) {
  assert.deepEqual(Object.keys(table).sort(), [...keys].sort());
  for (const [key, entry] of Object.entries(table)) {
    for (const language of languages) assert.ok(entry[language]?.trim().length > 0, `${key} in ${language}`);
    assert.match(entry.ja, /[\u3040-\u30ff\u4e00-\u9fff%°]/, key);
    if (entry.en.length > 20) assert.notEqual(entry.de, entry.en, key);
  }
}

test("every doubt that the documentation lists has words in every language", () => {
  const codes = [...text("docs/warnings/README.md").matchAll(/^\| \[([a-z0-9-]+)\]/gm)].map((found) => found[1]);
  assert.ok(codes.length > 70);
  complete(words.warningTexts, codes);
});

test("every error that the package lists has words in every language", () => {
  const union = /code:\s*((?:\|\s*"[a-z-]+"\s*)+);/.exec(text("crates/wasm/src/types.d.ts"))[1];
  const codes = [...union.matchAll(/"([a-z-]+)"/g)].map((found) => found[1]);
  assert.ok(codes.length > 10);
  complete(words.errorTexts, [...codes, "page"]);
});

test("every figure, unit and kind of moment has a name in every language", () => {
  const table = [...text("crates/report/src/figure/table.rs").matchAll(/kind\(\s*"([a-z0-9_]+)",\s*"[^"]*",\s*"([^"]*)"/g)];
  assert.ok(table.length > 30);
  complete(
    words.figureTexts,
    table.map((found) => found[1]),
  );
  const moments = text("crates/report/src/moments.rs");
  complete(
    words.momentTexts,
    [...moments.matchAll(/Self::\w+ => "([a-z-]+)"/g)].map((found) => found[1]),
  );
  const units = new Set([...table.map((found) => found[2]), ...[...moments.matchAll(/=> "([°%][^"]*)"/g)].map((found) => found[1])]);
  for (const unit of units) if (/[a-z]/.test(unit)) assert.ok(words.unitTexts[unit], unit);
});

test("every word of the lists is one of the recipe's, and is explained", () => {
  const schema = JSON.parse(text("crates/setup/src/values/recipe.schema.json"));
  const { properties, definitions } = schema;
  /** The words that a part of the schema allows. */
  const wordsOf = (part) => {
    if (part.$ref) return wordsOf(definitions[part.$ref.replace("#/definitions/", "")]);
    const inner = part.anyOf ?? part.allOf ?? part.oneOf;
    return inner ? inner.flatMap(wordsOf) : part.const === undefined ? [] : [part.const];
  };
  const known = {
    preset: wordsOf(properties.preset),
    method: wordsOf(properties.method),
    "root-scale": wordsOf(properties.root_scale),
    "root-motion": wordsOf(definitions.RootMotion.properties.mode),
    limits: wordsOf(definitions.Limits.properties.use),
    hands: wordsOf(definitions.Hands.properties.mode),
    "feet-standing": wordsOf(definitions.Feet.properties.standing),
  };
  assert.deepEqual(Object.keys(words.optionTexts).sort(), Object.keys(known).sort());
  for (const [key, table] of Object.entries(words.optionTexts)) complete(table, known[key]);
});

async function speak(language) {
  await page.selectOption("#language", language);
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}

test("doubts and errors are in the page's language, with the engine's words behind them", async () => {
  await speak("de");
  await give(page, [{ name: "kaputt.glb", bytes: Buffer.from("glTF\x02\0\0\0 and then nothing") }]);
  const notice = page.locator(".notice.bad");
  await notice.waitFor();
  const code = await notice.getAttribute("data-code");
  assert.equal(await notice.locator(".message").innerText(), words.errorTexts[code].de);
  await notice.locator("summary").click();
  assert.ok((await notice.locator('details [lang="en"]').innerText()).length > 20);
  await notice.locator(".close").click();
  await page.click("#tab-report");
  const doubts = page.locator(".doubts li");
  for (const language of ["de", "ja"]) {
    await speak(language);
    for (const item of await doubts.all())
      assert.equal(await item.locator(".message").innerText(), words.warningTexts[await item.getAttribute("data-code")][language]);
    assert.ok((await page.locator(".figures").innerText()).includes(words.figureTexts.slide[language]));
  }
  await speak("en");
});

test("a chosen word of the recipe is explained, and stays itself", async () => {
  await page.click("#tab-operations");
  await page.selectOption("#op-method", { label: "rest-delta" });
  await settled(page);
  for (const language of languages) {
    await speak(language);
    assert.equal(await page.locator("#op-method-means").innerText(), words.optionTexts.method["rest-delta"][language]);
    assert.equal(await page.getAttribute("#op-method", "aria-describedby"), "op-method-means");
    assert.equal(await page.locator("#op-method option:checked").innerText(), "rest-delta");
  }
  await speak("en");
  await page.click("#undo");
  await settled(page);
});

/** Texts that stand out too little from what is behind them: WCAG's ratio of contrast, 4.5, of large ones 3. */
const faint = () =>
  page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
    };
    const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3]));
    const light = (colour) => {
      const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
      return layers.reverse().reduce((below, top) => over(top, below), [1, 1, 1]);
    };
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
      if (
        !own ||
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        element.matches(":disabled, :disabled *, #drop, option, optgroup, script")
      )
        continue;
      const style = getComputedStyle(element);
      let behind = ground(element);
      if (element.closest("#picture")) behind = ground(element.closest("#picture *") ?? element);
      const [a, b] = [light(over(rgba(style.color), behind)), light(behind)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        found.push(`${element.tagName}#${element.id}.${element.className} "${element.textContent.slice(0, 30)}": ${ratio.toFixed(2)}`);
    }
    return [...new Set(found)];
  });

/** Marks that have to be told from what is behind them: a ratio of 3. */
const marks = () =>
  page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    const light = (name) => {
      const hex = style
        .getPropertyValue(name)
        .trim()
        .replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
      const [red, green, blue] = [1, 3, 5]
        .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const pairs = [
      ...["--source", "--target", "--left", "--right"].map((mark) => [mark, "--stage"]),
      ...["--left", "--right"].map((mark) => [mark, "--raised"]),
      ...["--good", "--warn", "--bad", "--accent", "--source", "--target"].map((mark) => [mark, "--panel"]),
      ...["--accent"].flatMap((mark) => ["--page", "--raised", "--stage"].map((ground) => [mark, ground])),
    ];
    return pairs.flatMap(([mark, ground]) => {
      const [a, b] = [light(mark), light(ground)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      return ratio >= 3 ? [] : [`${mark} on ${ground}: ${ratio.toFixed(2)}`];
    });
  });

test("texts and marks stand out from what is behind them, in dark and light, on every panel", async () => {
  await give(page, [{ name: "broken.glb", bytes: Buffer.from("glTF\x02\0\0\0 and then nothing") }]);
  await page.locator(".notice.bad").waitFor();
  const first = await page.getAttribute("html", "data-theme");
  const themes = new Set();
  for (let turn = 0; turn < 2; turn++) {
    themes.add(await page.getAttribute("html", "data-theme"));
    assert.deepEqual(await marks(), []);
    for (const tab of await page.locator('[role="tab"]').all()) {
      await tab.click();
      assert.deepEqual(await faint(), [], `${await tab.innerText()}, ${[...themes].at(-1)}`);
    }
    await page.click("#theme");
  }
  assert.deepEqual([...themes].sort(), ["dark", "light"]);
  assert.equal(await page.getAttribute("html", "data-theme"), first);
  await page.locator(".notice.bad .close").click();
});

test("who works with the keyboard sees where", async () => {
  for (const tab of await page.locator('[role="tab"]').all()) {
    await tab.click();
    await page.focus("#open");
    const places = [];
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press("Tab");
      places.push(
        await page.evaluate(() => {
          const at = document.activeElement;
          const style = getComputedStyle(at);
          const isNamed =
            (
              at.getAttribute("aria-label") ??
              at.getAttribute("aria-labelledby") ??
              at.labels?.[0]?.textContent ??
              at.textContent ??
              ""
            ).trim() !== "";
          return {
            what: `${at.tagName}#${at.id}.${at.className}`,
            isSeen: at === document.body || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2),
            isNamed,
          };
        }),
      );
    }
    assert.deepEqual(
      places.filter(({ isSeen, isNamed }) => !isSeen || !isNamed),
      [],
    );
  }
});

test("who wants nothing to move is not played to", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await settled(page);
  assert.equal(await page.evaluate(() => studioState.clock.playing), false);
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
});

test("nothing is cut off at 1280 × 720, in any language", async () => {
  for (const language of languages) {
    await speak(language);
    for (const tab of await page.locator('[role="tab"]').all()) {
      await tab.click();
      const cut = await page.evaluate(() => {
        const found = [];
        if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight)
          found.push("the page");
        for (const place of ["bar", "files", "panel", "timeline", "view"]) {
          const own = document.getElementById(place);
          if (own.scrollWidth > own.clientWidth + 1) found.push(place);
        }
        for (const button of document.querySelectorAll("button:not(.name)"))
          if (button.scrollWidth > button.clientWidth + 1) found.push(button.textContent);
        return found;
      });
      assert.deepEqual(cut, [], `${language}, ${await tab.innerText()}`);
    }
  }
  await speak("en");
});

test("a large file leaves the page able to answer", async () => {
  const bytes = changed(readFileSync(join(studio, "node_modules", "rebone", "samples", "brute.glb")), (json, floats) => {
    addFace(json, floats);
    const [primitive] = json.meshes[0].primitives;
    delete primitive.targets;
    delete json.meshes[0].extras;
    // Forty bodies in one skin, each with numbers of its own.
    const { count } = json.accessors[primitive.attributes.POSITION];
    for (let copy = 0; copy < 40; copy++) {
      const normals = floats(new Array(count).fill([0, 0, 1]).flat(), "VEC3");
      const colours = floats(new Array(count).fill([0.5, 0.5, 0.5, 1]).flat(), "VEC4");
      json.meshes[0].primitives.push({ ...primitive, attributes: { ...primitive.attributes, NORMAL: normals, COLOR_0: colours } });
    }
  });
  assert.ok(bytes.length > 9_000_000, `${bytes.length} bytes`);
  await page.evaluate(() => {
    studioState.clock.pause();
    globalThis.longest = 0;
    let before = performance.now();
    const beat = () => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - before);
      before = now;
      if (!globalThis.isOver) setTimeout(beat, 0);
    };
    beat();
  });
  // By its path: the test's own way of handing bytes over holds the page up.
  const path = join(mkdtempSync(join(tmpdir(), "studio-")), "large.glb");
  writeFileSync(path, bytes);
  await page.setInputFiles("#pick-target", path);
  await page.waitForFunction(
    () =>
      studioState.studio.shown.target?.file.name === "large.glb" &&
      studioState.stage.puppet("target")?.description === studioState.studio.shown.target.description &&
      studioState.stage.puppet("target").hasMesh,
  );
  const longest = await page.evaluate(() => {
    globalThis.isOver = true;
    return globalThis.longest;
  });
  assert.ok(longest < 500, `${longest} ms without an answer`);
  await settled(page);
});
