// Puts the engine's npm package, whose folder is in REBONE_PACKAGE, in place as the module `rebone`.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const studio = dirname(dirname(fileURLToPath(import.meta.url)));
const place = join(studio, "node_modules", "rebone");
const given = process.env.REBONE_PACKAGE;
const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

if (given === undefined) {
  if (!existsSync(join(place, "package.json"))) {
    console.error("REBONE_PACKAGE is not set: make the engine with `cargo xtask wasm` and name its folder, or run `cargo xtask studio`");
    process.exit(1);
  }
} else {
  const folder = resolve(given);
  const description = join(folder, "package.json");
  if (!existsSync(description) || JSON.parse(readFileSync(description, "utf8")).name !== "rebone") {
    console.error(`REBONE_PACKAGE=${given} is not the engine's package: make it with \`cargo xtask wasm\``);
    process.exit(1);
  }
  if (isThere(place)) rmSync(place, { recursive: true });
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(folder, place, "junction");
}
