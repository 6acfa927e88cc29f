// Runs the Khronos glTF validator over files and prints one JSON line a file:
//   {"file":"a.glb","errors":["CODE"],"warnings":["CODE"]}
//
// usage: node xtask/validate_gltf.mjs [--baseline OLD] FILE...
//
// With --baseline, codes that the file OLD has too are left out, so that only new ones remain.
// The validator (npm package gltf-validator) is looked for in the folder named by the environment
// variable REBONE_NODE_MODULES (a folder with node_modules in it, or a node_modules folder), else in
// the working directory. The exit code is 1 where any error is left.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const home = resolve(process.env.REBONE_NODE_MODULES ?? ".");
const validator = createRequire(join(home, "package.json"))("gltf-validator");

const SEVERITY_ERROR = 0;
const SEVERITY_WARNING = 1;

async function codes(file) {
  const folder = dirname(file);
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(await readFile(join(folder, decodeURIComponent(uri)))),
  });
  const of = (severity) => report.issues.messages.filter((issue) => issue.severity === severity).map((issue) => issue.code);
  const sorted = (list) => [...new Set(list)].sort();
  return { errors: sorted(of(SEVERITY_ERROR)), warnings: sorted(of(SEVERITY_WARNING)) };
}

async function codesOrFailure(file) {
  try {
    return await codes(file);
  } catch (error) {
    return { errors: [`UNREADABLE: ${error}`], warnings: [] };
  }
}

const files = process.argv.slice(2);
let baseline = { errors: [], warnings: [] };
if (files[0] === "--baseline") {
  baseline = await codesOrFailure(files[1]);
  files.splice(0, 2);
}
let failed = false;
for (const file of files) {
  const found = await codesOrFailure(file);
  const errors = found.errors.filter((code) => !baseline.errors.includes(code));
  const warnings = found.warnings.filter((code) => !baseline.warnings.includes(code));
  failed ||= errors.length > 0;
  console.log(JSON.stringify({ file, errors, warnings }));
}
process.exitCode = failed ? 1 : 0;
