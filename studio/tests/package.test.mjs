// The engine's npm package as it is published: what `npm pack` makes of it, and its example in a browser and in Node.js.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, host } from "../scripts/host.mjs";
import { studio } from "./page.mjs";

const modules = join(studio, "node_modules");
let scratch;
let packed;

before(() => {
  scratch = mkdtempSync(join(tmpdir(), "rebone-package-"));
  const [{ filename, files }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", scratch], {
      cwd: realpathSync(join(modules, "rebone")),
      encoding: "utf8",
    }),
  );
  packed = files.map((file) => file.path);
  execFileSync("tar", ["xzf", filename], { cwd: scratch });
});
after(() => rmSync(scratch, { recursive: true }));

test("all that it needs is packed, and nothing else", () => {
  for (const wanted of [
    "package.json",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "index.js",
    "node.js",
    "index.d.ts",
    "rebone.js",
    "rebone_bg.wasm",
    "example.mjs",
    "recipe.schema.json",
    "samples/walk.bvh",
    "samples/adult.glb",
  ]) {
    assert.ok(packed.includes(wanted), `${wanted} is not packed`);
  }
  for (const name of packed)
    assert.match(name, /^(samples\/[a-z]+\.(bvh|glb|vrm)|[\w.]+\.(m?js|d\.ts|wasm|json|md)|LICENSE-\w+|THIRD-PARTY-NOTICES\.txt)$/);
});

/** The example's character is moved by its mixer: how far its joints turn in half a second, at most. */
const moved = `
  const nodes = [];
  mixer.getRoot().traverse((node) => nodes.push(node));
  mixer.update(0.1);
  const before = nodes.map((node) => node.quaternion.clone());
  mixer.update(0.5);
  const most = Math.max(...nodes.map((node, index) => node.quaternion.angleTo(before[index])));
`;

test("its example plays in Chromium", async () => {
  const imports = {
    three: "/modules/three/build/three.module.js",
    "three/addons/": "/modules/three/examples/jsm/",
    rebone: "/package/index.js",
  };
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">
    import { mixer } from "/package/example.mjs"; ${moved} globalThis.most = most;</script>`;
  writeFileSync(join(scratch, "index.html"), page);
  const served = await host({ "/modules/": modules, "/package/": join(scratch, "package"), "/": scratch });
  const browser = await browse();
  try {
    const tab = await browser.newPage();
    const errors = [];
    tab.on("pageerror", (error) => errors.push(error.message));
    tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await tab.goto(`${served.address}/index.html`);
    await tab
      .waitForFunction(() => globalThis.most !== undefined, null, { timeout: 60_000 })
      .catch((error) => assert.fail(`${error.message}: ${errors}`));
    assert.ok((await tab.evaluate(() => globalThis.most)) > 0.2);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    served.close();
  }
});

test("its example plays in Node.js", () => {
  mkdirSync(join(scratch, "node_modules"));
  symlinkSync(join(modules, "three"), join(scratch, "node_modules", "three"), "junction");
  symlinkSync(join(scratch, "package"), join(scratch, "node_modules", "rebone"), "junction");
  const code = `import { mixer } from "./package/example.mjs"; ${moved} console.log(most);`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: scratch, encoding: "utf8" });
  assert.ok(Number(said.trim().split("\n").at(-1)) > 0.2, said);
});
