// Times of one clip in Node.js, as `measure.mjs` takes them, as one line of JSON.
//
// usage: node xtask/wasm/bench.mjs SOURCE.glb TARGET.glb SETTINGS.json [ROUNDS]
//
// Environment: REBONE_PACKAGE, the package's folder; REBONE_NODE_MODULES, a folder with three.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { measure } from "./measure.mjs";

const given = resolve(process.env.REBONE_NODE_MODULES ?? ".");
const modules = existsSync(join(given, "node_modules")) ? join(given, "node_modules") : given;
const load = (path) => import(pathToFileURL(join(modules, "three", path)).href);
const three = Object.assign(
  {},
  ...(await Promise.all([
    load("build/three.module.js"),
    load("examples/jsm/loaders/GLTFLoader.js"),
    load("examples/jsm/utils/SkeletonUtils.js"),
  ])),
);
const rebone = await import(pathToFileURL(join(resolve(process.env.REBONE_PACKAGE), "node.js")));

const [sourcePath, targetPath, settingsPath, rounds = "9"] = process.argv.slice(2);
const [source, target] = [sourcePath, targetPath].map((path) => new Uint8Array(readFileSync(path)));
const settings = JSON.parse(readFileSync(settingsPath, "utf8"));
console.log(JSON.stringify(await measure(rebone, three, { source, target, settings }, Number(rounds))));
