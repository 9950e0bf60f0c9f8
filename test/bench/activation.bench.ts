// Measures the start of the extension beside a script that requires TronWeb, each in processes of
// their own, in turns. The editor is replaced by one that does nothing.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { median, report } from "./row.ts";

const ROUNDS = 7;
const root = join(import.meta.dirname, "../..");
const MEASURED = `
const Module = require("node:module");
const { statSync } = require("node:fs");
const nothing = new Proxy(class {}, { get: (_, key) => (key === "prototype" ? {} : nothing), apply: () => nothing });
const known = { l10n: { bundle: undefined }, __esModule: undefined };
const editor = Object.create(new Proxy({}, { get: (_, key) => (key in known ? known[key] : nothing) }));
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
const started = performance.now();
require(process.argv[1]);
const ms = performance.now() - started;
const bytes = Object.keys(require.cache).reduce((sum, file) => sum + statSync(file).size, 0);
console.log(JSON.stringify({ ms, bytes }));
process.exit();
`;

interface Loaded {
  readonly ms: number;
  readonly bytes: number;
}

function loadOnce(file: string): Loaded {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", MEASURED, file], { cwd: root, encoding: "utf8" });
  if (stdout === "") throw new Error(`${file} was not loaded: ${stderr.slice(-500)}`);
  return JSON.parse(stdout) as Loaded;
}

const [ours, theirs]: [Loaded[], Loaded[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(loadOnce(join(root, "dist/extension.js")));
  theirs.push(loadOnce(join(root, "node_modules/tronweb")));
}
const area = "activation and bundle";
report({
  area,
  what: "load the entry, a new process",
  meaning: "Time that the extension adds to the start of a window.",
  peer: "TronWeb, by `require`",
  unit: "ms",
  better: "less",
  ours: median(ours.map(({ ms }) => ms)),
  theirs: median(theirs.map(({ ms }) => ms)),
});
report({
  area,
  what: "code that this loads",
  meaning: "Code that the editor reads and parses at the start; other code is loaded on first use.",
  peer: "TronWeb, by `require`",
  unit: "kB",
  better: "less",
  ours: median(ours.map(({ bytes }) => bytes)) / 1_000,
  theirs: median(theirs.map(({ bytes }) => bytes)) / 1_000,
});
