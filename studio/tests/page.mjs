// A built studio on a port of this machine, and one browser to look at it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browse, host } from "../scripts/host.mjs";

export const studio = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(studio, "dist");

/** `given` are files by name with their role and the files beside them, as `rebone studio` lists them. */
const serve = (given) =>
  host({ "/": dist }, (path, response) => {
    const own = /^\/given\/(\d+)\//.exec(path);
    if (own && given[own[1]]) {
      const { name, bytes, beside = [] } = given[own[1]];
      const asked = path.slice(own[0].length);
      const found = asked === name ? bytes : beside.find((part) => part.name === asked)?.bytes;
      if (found) response.end(found);
      else response.writeHead(404).end();
      return true;
    }
    if (path !== "/given.json" || given.length === 0) return false;
    const files = given.map(({ name, role, beside }, index) => {
      const at = (own) => ({ name: own, url: `given/${index}/${own.split("/").map(encodeURIComponent).join("/")}` });
      return { role, ...at(name), ...(beside ? { beside: beside.map((part) => at(part.name)) } : {}) };
    });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ files }));
    return true;
  });

/** Opens the studio as somebody does who never saw it. `errors` collects what no page should say, `requests` every address asked for;
 * `prepare` has the page before it is loaded. */
export async function open(given = [], prepare = () => {}) {
  if (!existsSync(join(dist, "index.html"))) throw new Error("studio/dist is missing: run `cargo xtask studio`");
  const server = await serve(given);
  const address = `${server.address}/`;
  const browser = await browse();
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: "en", acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors = [];
  const requests = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // A plain host has no list of given files.
    if (message.type() === "error" && !message.location().url.endsWith("given.json")) errors.push(message.text());
  });
  context.on("request", (request) => requests.push(request.url()));
  await prepare(page);
  await page.goto(address);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, context, address, errors, requests, close };
}

/** Waits until nothing is waiting any more, and everything was judged. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const { studio, settledRounds } = globalThis.studioState;
    return studio.isSettled && settledRounds() && studio.shown.judged !== null;
  });
}

/** What is shown, in words and numbers. */
export function state(page) {
  return page.evaluate(() => {
    const { studio, clock } = globalThis.studioState;
    const { shown, document: doc } = studio;
    const bits = (numbers) => {
      let sum = 2166136261;
      for (const byte of new Uint8Array(numbers.buffer)) sum = Math.imul(sum ^ byte, 16777619) >>> 0;
      return sum;
    };
    return {
      source: shown.source?.file.name,
      target: shown.target?.file.name,
      files: doc.files.map((file) => file.name),
      recipe: doc.recipes[doc.target] ?? {},
      clip: shown.clip,
      seconds: clock.seconds,
      playing: clock.playing,
      poses: shown.poses.target ? bits(shown.poses.target.numbers) : null,
      formats: [shown.source?.description.format, shown.target?.description.format],
    };
  });
}

/** The bytes of a file that the page makes. */
export async function taken(page, button) {
  await page.click("#tab-take");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#take-${button}`)]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** Hands files to the page as the dialog does; `role` names the place, none lets the page decide. */
export async function give(page, files, role = null) {
  await page.setInputFiles(
    role === null ? "#pick" : `#pick-${role}`,
    files.map(({ name, bytes }) => ({ name, mimeType: "application/octet-stream", buffer: bytes })),
  );
}
