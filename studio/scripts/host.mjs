// A host of folders on a port of this machine, and the browser that looks at it.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { chromium } from "playwright-core";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"];

/**
 * Serves folders and files by the beginning of an address. The address of the host, and what ends it. `answer` is asked first; it says true
 * where it has answered.
 */
export async function host(places, answer = () => false) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (answer(path, response)) return;
    const place = Object.keys(places).find((start) => path === start || (start.endsWith("/") && path.startsWith(start)));
    let file = place === undefined ? "" : join(places[place], path.slice(place.length));
    if (
      place !== undefined &&
      (file + sep).startsWith(join(places[place], sep)) &&
      statSync(file, { throwIfNoEntry: false })?.isDirectory()
    )
      file = join(file, "index.html");
    const isOwn = place !== undefined && (file === places[place] || file.startsWith(join(places[place], sep)));
    if (!isOwn || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Chromium without a window. */
export const browse = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
