import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, posix, resolve } from "node:path";
import { isChainError } from "../../../packages/tron/src/errors.ts";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import {
  type CompiledVersion,
  findUpgradesCore,
  namespacedInput,
  runUpgradeCheck,
} from "../../../src/host/compiler/check-upgrade.ts";
import { RELEASES, releaseFor, type StatedVerdict, statedVerdicts } from "./upgrade-fixtures.ts";

/**
 * `node test/support/verified-code/run-upgrade-fixtures.ts CHECKOUT`: compares the verdicts of *Upgrade Proxy…* about the
 * fixtures of OpenZeppelin's upgrades with those of its published package and those that its tests state. It prints a
 * table, and fails if any differ.
 */
const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error("usage: run-upgrade-fixtures.ts CHECKOUT");
const core = resolve(checkout, "packages/core");
const root = join(import.meta.dirname, "../../..");
const tools = join(root, ".cache", "upgrade-fixtures");
const require = createRequire(import.meta.url);
const signal = new AbortController().signal;

const PACKAGES = {
  "@openzeppelin/contracts": "5.3.0",
  "@openzeppelin/contracts-upgradeable": "5.3.0",
  ...Object.fromEntries(RELEASES.map((it) => [`solc-${it}`, `npm:solc@${it}`])),
};

interface Core {
  silenceWarnings(): void;
  solcInputOutputDecoder(input: unknown, output: unknown): unknown;
  validate(output: unknown, decoder: unknown, release: string, input: unknown, namespaced: unknown): unknown;
  getContractVersion(run: unknown, name: string): unknown;
  getStorageLayout(run: unknown, version: unknown): unknown;
  assertUpgradeSafe(run: unknown, version: unknown, options: { readonly kind: string }): void;
  assertStorageUpgradeSafe(before: unknown, after: unknown, options: { readonly kind: string }): void;
}

/** Installs the compilers and the libraries of the fixtures on first use. */
function installTools(): void {
  const file = join(tools, "package.json");
  const text = JSON.stringify({ private: true, dependencies: PACKAGES });
  if (existsSync(file) && readFileSync(file, "utf8") === text && existsSync(join(tools, "node_modules"))) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(file, text);
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: tools, stdio: "inherit" });
}

const IMPORT = /^import\s[^;]*?["']([^"']+)["'][^;]*;/gms;

/** Returns the sources of a fixture with all its imports. */
function sourcesOf(path: string): { readonly [path: string]: { readonly content: string } } {
  const sources: { [path: string]: { readonly content: string } } = {};
  const add = (file: string): void => {
    if (sources[file] !== undefined) return;
    const folder = file.startsWith("contracts/") ? core : join(tools, "node_modules");
    const content = readFileSync(join(folder, file), "utf8");
    sources[file] = { content };
    for (const [, named = ""] of content.matchAll(IMPORT))
      add(named.startsWith(".") ? posix.join(posix.dirname(file), named) : named);
  };
  add(path);
  return sources;
}

const compilers = new Map<string, { compile(input: string): string }>();

function compile(release: string, input: JsonObject): Json {
  const wrap = require("solc/wrapper") as (soljson: unknown) => { compile(input: string): string };
  const compiler =
    compilers.get(release) ?? wrap(require(join(tools, "node_modules", `solc-${release}`, "soljson.js")));
  compilers.set(release, compiler);
  return JSON.parse(compiler.compile(JSON.stringify(input))) as Json;
}

/** A compiled fixture, without the name of a contract. */
type Unit = Omit<CompiledVersion, "name">;

const OUTPUT = { "*": { "*": ["abi", "storageLayout", "evm.methodIdentifiers", "evm.bytecode"], "": ["ast"] } };
const units = new Map<string, Promise<Unit>>();

async function compileUnit(path: string): Promise<Unit> {
  const sources = sourcesOf(path);
  const release = releaseFor(path, sources[path]?.content ?? "");
  const settings = { optimizer: { enabled: true, runs: 200 }, outputSelection: OUTPUT };
  const input: JsonObject = { language: "Solidity", sources, settings };
  const output = compile(release, input);
  const unit = { input, output, release };
  const changed = await namespacedInput(packageFolder, { ...unit, name: path }, signal).catch(refusalMeansNone);
  return changed === undefined ? unit : { ...unit, namespaced: compile(release, changed) };
}

function refusalMeansNone(error: unknown): undefined {
  if (!isChainError(error)) throw error;
}

installTools();
const packageFolder = findUpgradesCore([root]) ?? "";
const published = require(packageFolder) as Core;
published.silenceWarnings();
const texts = new Map(
  globSync("contracts/test/**/*.sol", { cwd: core }).map((it) => [it, readFileSync(join(core, it), "utf8")]),
);

/** Returns the fixture that has a contract: one that the test names, else one that is not of the command line. */
function fixtureOf({ file }: StatedVerdict, name: string): string {
  const [path, short = name] = name.split(":");
  if (path !== name && path !== undefined) return path;
  const has = [...texts].filter(([, text]) =>
    new RegExp(`^(?:abstract )?(?:contract|interface) ${short}\\b`, "m").test(text),
  );
  const test = readFileSync(join(core, file), "utf8");
  const found = has.map(([it]) => it);
  const chosen =
    found.find((it) => test.includes(`'${it}:`)) ??
    found.find((it) => short.startsWith(basename(it, ".sol")) && !it.includes("/cli/")) ??
    found.find((it) => !it.includes("/cli/"));
  if (chosen === undefined) throw new Error(`no fixture has ${name} of ${file}`);
  return chosen;
}

async function versionOf(verdict: StatedVerdict, name: string): Promise<CompiledVersion> {
  const path = fixtureOf(verdict, name);
  const unit = units.get(path) ?? compileUnit(path);
  units.set(path, unit);
  return { ...(await unit), name: `${path}:${name.split(":").at(-1)}` };
}

/** Returns the verdict of the published package, called as its plugins call it. */
function publishedVerdict(kind: string, after: CompiledVersion, before: CompiledVersion | undefined): boolean {
  const read = ({ name, input, output, namespaced, release }: CompiledVersion) => {
    const decoder = published.solcInputOutputDecoder(input, output);
    const run = published.validate(output, decoder, release, input, namespaced);
    return { run, version: published.getContractVersion(run, name) };
  };
  try {
    const next = read(after);
    if (before === undefined) published.assertUpgradeSafe(next.run, next.version, { kind });
    else {
      const [old, layout] = [read(before), published.getStorageLayout(next.run, next.version)];
      published.assertStorageUpgradeSafe(published.getStorageLayout(old.run, old.version), layout, { kind });
    }
    return true;
  } catch {
    return false;
  }
}

interface OwnVerdict {
  readonly isSafe: boolean;
  readonly reason: string;
}

async function ownVerdict(
  { kind }: StatedVerdict,
  after: CompiledVersion,
  before?: CompiledVersion,
): Promise<OwnVerdict> {
  try {
    const { errors, storageErrors } = await runUpgradeCheck(
      packageFolder,
      { after, kind, ...(before && { before }) },
      signal,
    );
    const reasons = before === undefined ? errors.map((it) => it.kind) : storageErrors;
    return { isSafe: reasons.length === 0, reason: reasons.join("; ") };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { isSafe: false, reason: error.message };
  }
}

/** Returns whether a contract can be deployed: interfaces and abstract contracts have no code. */
function hasCode({ name, output }: CompiledVersion): boolean {
  const [path = "", contract = ""] = name.split(":");
  const { contracts } = output as unknown as Compiled;
  return contracts[path]?.[contract]?.evm.bytecode.object !== "";
}

interface Compiled {
  readonly contracts: {
    readonly [path: string]: {
      readonly [name: string]: { readonly evm: { readonly bytecode: { readonly object: string } } };
    };
  };
}

const word = (isSafe: boolean): string => (isSafe ? "safe" : "refused");
const differences: string[] = [];
let [checked, same] = [0, 0];
process.stdout.write(
  "| tests of OpenZeppelin | verdicts | same as the package | same as stated | left out |\n| --- | --- | --- | --- | --- |\n",
);
for (const [file, { verdicts, leftOut }] of statedVerdicts(core)) {
  let [asPublished, asStated, abstract] = [0, 0, 0];
  for (const verdict of verdicts) {
    const after = await versionOf(verdict, verdict.after);
    const before = verdict.before === undefined ? undefined : await versionOf(verdict, verdict.before);
    if (!hasCode(after)) {
      abstract += 1;
      continue;
    }
    const own = await ownVerdict(verdict, after, before);
    const theirs = publishedVerdict(verdict.kind, after, before);
    if (own.isSafe === theirs) asPublished += 1;
    if (own.isSafe === verdict.isSafe) asStated += 1;
    checked += 1;
    if (own.isSafe === verdict.isSafe) same += 1;
    if (own.isSafe !== theirs || own.isSafe !== verdict.isSafe)
      differences.push(
        `${file}: ${verdict.before ?? ""} -> ${verdict.after} (${verdict.kind}): ${word(own.isSafe)}, package ${word(theirs)}, stated ${word(verdict.isSafe)} ${own.reason.slice(0, 300)}`,
      );
  }
  process.stdout.write(
    `| ${file} | ${verdicts.length - abstract} | ${asPublished} | ${asStated} | ${leftOut + abstract} |\n`,
  );
}
process.stdout.write(
  `${[...differences, `${checked} verdicts, ${same} as stated, ${checked - same} different`].join("\n")}\n`,
);
process.exitCode = same === checked ? 0 : 1;
