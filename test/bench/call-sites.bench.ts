// Measures the search for call sites in 10,000 lines beside the parsers that the tests use as oracles, which
// only parse: in turns, the best of each.

import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { Language, Parser } from "web-tree-sitter";
import { findSolidityContracts } from "../../packages/client/src/call-sites/solidity.ts";
import { findScriptCallSites } from "../../packages/client/src/call-sites/tronweb.ts";
import { compilerSites, parseScript, withCalls } from "../support/samples/call-site-oracles.ts";
import { report as row } from "./row.ts";

const LINES = 10_000;
const ROUNDS = 40;
/** One call or look-alike to so many statements: a few hundred calls in all. */
const EVERY = 10;
const PACKAGES = join(import.meta.dirname, "../../node_modules");
const resolve = createRequire(import.meta.url).resolve;

await Parser.init();
const script = firstLines("ethers/src.ts/**/*.ts");
const calling = withCalls("a.ts", script, EVERY).split("\n").slice(0, LINES).join("\n");
const contracts = firstLines("@openzeppelin/contracts/**/*.sol");
const typescriptParser = await parserOf("typescript");
const solidityParser = await parserOf("solidity");

reportScript("TypeScript without a call", script);
reportScript(`TypeScript with ${findScriptCallSites(calling).length} calls`, calling);
report("Solidity", {
  ours: () => findSolidityContracts(contracts),
  "tree-sitter": () => solidityParser.parse(contracts)?.delete(),
});

function reportScript(what: string, text: string): void {
  report(what, {
    ours: () => findScriptCallSites(text),
    "TypeScript compiler": () => ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, false),
    "TypeScript compiler with the search for calls": () => compilerSites(parseScript(text, "a.ts")),
    "tree-sitter": () => typescriptParser.parse(text)?.delete(),
  });
}

function firstLines(pattern: string): string {
  const files = globSync(pattern, { cwd: PACKAGES }).sort();
  const lines = files.flatMap((file) => readFileSync(join(PACKAGES, file), "utf8").split("\n"));
  return lines.slice(0, LINES).join("\n");
}

async function parserOf(language: string): Promise<Parser> {
  const parser = new Parser();
  return parser.setLanguage(
    await Language.load(readFileSync(resolve(`tree-sitter-wasms/out/tree-sitter-${language}.wasm`))),
  );
}

function report(what: string, parsers: Readonly<Record<string, () => unknown>>): void {
  const names = Object.keys(parsers);
  const best = new Map(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) best.set(name, Math.min(best.get(name) ?? 0, timeOf(parsers[name])));
  const [[, ours] = ["", 1], ...others] = [...best];
  for (const [name, ms] of others) keep(what, name, ours, ms);
  const parts = others.map(([name, ms]) => `${name} ${ms.toFixed(1)} ms (${(ms / ours).toFixed(1)} x)`);
  console.log(
    `call sites in ${LINES.toLocaleString("en-US")} lines of ${what}: ours ${ours.toFixed(1)} ms, ${parts.join(", ")}`,
  );
}

function keep(what: string, peer: string, ours: number, theirs: number): void {
  row({
    area: "scanners",
    what: `find the calls in ${LINES.toLocaleString("en-US")} lines of ${what}`,
    meaning: "Lenses follow typing. The peer only parses: it finds no call.",
    peer,
    unit: "ms",
    better: "less",
    ours,
    theirs,
  });
}

function timeOf(run: (() => unknown) | undefined): number {
  const start = performance.now();
  run?.();
  return performance.now() - start;
}
