// What browsers keep, and what happens where they do not: several tabs, full disks, storage that is forbidden.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { give, open, settled, state, studio, taken } from "./page.mjs";

const samples = join(studio, "node_modules", "rebone", "samples");
const sample = (name) => readFileSync(join(samples, name));

async function with_(work, prepare = () => {}) {
  const own = await open([], prepare);
  try {
    await work(own);
    assert.deepEqual(own.errors, []);
  } finally {
    await own.close();
  }
}
const hasFile = (page, name) =>
  page.waitForFunction(
    (wanted) => studioState.studio.shown.source?.file.name === wanted || studioState.studio.shown.target?.file.name === wanted,
    name,
  );

test("two tabs keep their own work, and a reload of one does not take the other's files away", () =>
  with_(async ({ page, context, address }) => {
    await settled(page);
    await give(page, [{ name: "first.bvh", bytes: sample("wave.bvh") }], "source");
    await hasFile(page, "first.bvh");
    await settled(page);
    const other = await context.newPage();
    await other.goto(address);
    await settled(other);
    await hasFile(other, "first.bvh");
    await other.evaluate(() => studioState.studio.remove(studioState.studio.document.source));
    await give(other, [{ name: "second.bvh", bytes: sample("jump.bvh") }], "source");
    await hasFile(other, "second.bvh");
    await settled(other);
    await other.reload();
    await settled(other);
    assert.equal((await state(other)).source, "second.bvh");
    await page.evaluate(() => studioState.studio.setValue(["mirror"], true));
    await settled(page);
    await page.reload();
    await settled(page);
    const own = await state(page);
    assert.equal(own.source, "first.bvh");
    assert.deepEqual(own.recipe, { mirror: true });
    await other.reload();
    await settled(other);
    assert.equal((await state(other)).source, "second.bvh");
  }));

test("of work whose file has been lost the rest comes back, and what is missing is named", () =>
  with_(async ({ page }) => {
    await settled(page);
    await give(page, [{ name: "lost.bvh", bytes: sample("wave.bvh") }], "source");
    await hasFile(page, "lost.bvh");
    await give(page, [{ name: "kept.glb", bytes: sample("brute.glb") }], "target");
    await hasFile(page, "kept.glb");
    await settled(page);
    await page.evaluate(
      () =>
        new Promise((take, fail) => {
          const { id } = studioState.studio.document.files.find((file) => file.name === "lost.bvh");
          const request = indexedDB.open("rebone-studio");
          request.onsuccess = () => {
            const work = request.result.transaction("files", "readwrite");
            work.objectStore("files").delete(id);
            work.oncomplete = () => take();
            work.onerror = fail;
          };
        }),
    );
    await page.reload();
    await hasFile(page, "kept.glb");
    assert.deepEqual((await state(page)).files, ["kept.glb"]);
    assert.match((await page.locator("#notices .bad").allInnerTexts()).join(), /lost\.bvh/);
  }));

test("a disk that turns out to be full when all is written is told of", () =>
  with_(async ({ page }) => {
    await settled(page);
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...own) {
        const request = put.apply(this, own);
        request.addEventListener("success", () => this.transaction.abort());
        return request;
      };
    });
    const told = page.waitForFunction(() => document.querySelector("#notices").textContent.includes("keeps nothing over a reload"));
    await give(page, [{ name: "big.glb", bytes: sample("brute.glb") }], "target");
    await told;
    await hasFile(page, "big.glb");
    await settled(page);
  }));

test("where storage is forbidden the page works without", () =>
  with_(
    async ({ page }) => {
      await settled(page);
      await page.click("#tab-report");
      await page.waitForSelector(".figures");
      await page.click("#view-overlaid");
      await page.click("#theme");
      await page.click("#plot-sole");
      await page.selectOption("#language", "de");
      assert.equal(await page.locator("h1").innerText(), "Rebone-Studio");
    },
    (page) =>
      page.addInitScript(() => {
        const refuse = () => {
          throw new DOMException("forbidden", "SecurityError");
        };
        for (const name of ["localStorage", "sessionStorage", "indexedDB"]) Object.defineProperty(globalThis, name, { get: refuse });
      }),
  ));

test("on a host without a certificate files are opened and the command is copied", () =>
  with_(
    async ({ page }) => {
      await settled(page);
      await give(page, [{ name: "mine.bvh", bytes: sample("wave.bvh") }], "source");
      await hasFile(page, "mine.bvh");
      await settled(page);
      await page.click("#tab-take");
      await page.click("#take-command");
      await page.waitForSelector("#notices .good");
      assert.equal(await page.locator("#notices .bad").count(), 0);
      assert.match((await taken(page, "bvh")).name, /\.bvh$/);
    },
    (page) =>
      page.addInitScript(() => {
        // Browsers give these to pages with a certificate only.
        delete Crypto.prototype.randomUUID;
        delete Navigator.prototype.clipboard;
        delete Navigator.prototype.locks;
      }),
  ));

test("what is dropped while the page is still being loaded stays", () =>
  with_(
    async ({ page }) => {
      await page.waitForFunction(() => globalThis.studioState);
      await give(page, [{ name: "early.bvh", bytes: sample("wave.bvh") }], "source");
      await hasFile(page, "early.bvh");
      await page.waitForTimeout(500);
      await settled(page);
      assert.ok((await state(page)).files.includes("early.bvh"));
      assert.equal((await state(page)).source, "early.bvh");
    },
    (page) =>
      page.route("**/*.wasm", async (route) => {
        await new Promise((next) => setTimeout(next, 1500));
        await route.continue();
      }),
  ));

test("work that was stored in pieces is no reason not to open", () =>
  with_(async ({ page }) => {
    await settled(page);
    await page.evaluate(
      () =>
        new Promise((take) => {
          const request = indexedDB.open("rebone-studio");
          request.onsuccess = () => {
            const work = request.result.transaction("document", "readwrite");
            const store = work.objectStore("document");
            store.getAllKeys().onsuccess = ({ target }) =>
              target.result.forEach((key) =>
                store.put(
                  {
                    files: [
                      { id: "sample:walk.bvh", name: "walk.bvh", role: "source" },
                      null,
                      3,
                      { id: "sample:chibi.vrm", name: "chibi.vrm", role: "target" },
                    ],
                    source: 7,
                  },
                  key,
                ),
              );
            work.oncomplete = () => take();
          };
        }),
    );
    await page.reload();
    await settled(page);
    assert.ok((await state(page)).poses);
  }));
