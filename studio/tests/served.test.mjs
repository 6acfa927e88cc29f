// The studio as `rebone studio` serves it, with files from its command line.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { browse } from "../scripts/host.mjs";
import { settled, state, studio } from "./page.mjs";

const samples = join(studio, "node_modules", "rebone", "samples");

/** A running `rebone studio`, and the address that it prints. */
async function serve(...files) {
  const server = spawn(process.env.REBONE_COMMAND, ["studio", "--no-open", "--port", "0", ...files], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const address = await new Promise((done, failed) => {
    let said = "";
    server.stdout.on("data", (text) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\/(?=\s)/.exec(said);
      if (found) done(found[0]);
    });
    server.on("exit", (code) => failed(new Error(`rebone studio ended with ${code}: ${said}`)));
  });
  return { address, close: () => server.stdin.end() };
}

test("`rebone studio walk.bvh chibi.vrm brute.glb` opens with the files in place, and asks nobody else", {
  skip: process.env.REBONE_COMMAND ? false : "REBONE_COMMAND names no built `rebone`",
}, async () => {
  const served = await serve(...["jump.bvh", "chibi.vrm", "brute.glb"].map((name) => join(samples, name)));
  const browser = await browse();
  try {
    const page = await browser.newPage();
    const errors = [];
    const asked = new Set();
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    const answer = await page.goto(served.address);
    assert.match(answer.headers()["content-security-policy"], /default-src 'none'/);
    await settled(page);
    const { source, files, playing, poses } = await state(page);
    assert.equal(source, "jump.bvh");
    assert.deepEqual(files, ["jump.bvh", "chibi.vrm", "brute.glb"]);
    assert.ok(playing);
    assert.ok(poses !== null);
    assert.deepEqual(errors, []);
    await page.reload();
    await settled(page);
    assert.deepEqual((await state(page)).files, files, "after a reload");
    assert.deepEqual(errors, []);
    asked.delete("null");
    assert.deepEqual(
      [...asked].filter(
        (origin) => origin !== new URL(served.address).origin && !origin.startsWith("data:") && !origin.startsWith("blob:"),
      ),
      [],
    );
  } finally {
    await browser.close();
    served.close();
  }
});
