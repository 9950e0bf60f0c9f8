import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSolidityContracts } from "../../packages/client/src/call-sites/solidity.ts";
import { KIND, tokenize } from "../../packages/client/src/call-sites/source-tokens.ts";
import { findScriptCallSites } from "../../packages/client/src/call-sites/tronweb.ts";
import { howOften } from "../support/random/how-often.ts";
import {
  compilerLiterals,
  compilerSites,
  parseScript,
  quietRanges,
  solidityParser,
  treeSitterCallables,
  withCalls,
} from "../support/samples/call-site-oracles.ts";

const PACKAGES = join(import.meta.dirname, "../../node_modules");
const SCRIPTS = [
  "tronweb/lib/esm/**/*.js",
  "ethers/src.ts/**/*.ts",
  "undici/lib/**/*.js",
  "mocha/lib/**/*.js",
  "@noble/*/src/**/*.ts",
  "@ethereumjs/*/src/**/*.ts",
  "axios/lib/**/*.js",
  "js-yaml/lib/**/*.js",
  "parse5/dist/**/*.js",
  "regexp-tree/dist/**/*.js",
];
/** Number of files of which every prefix is scanned. */
const FILES = howOften(15, 50);

function print(line: string): void {
  process.stdout.write(`      ${line}\n`);
}

function filesOf(patterns: readonly string[]): readonly { file: string; text: string }[] {
  const files = globSync([...patterns], { cwd: PACKAGES }).sort();
  return files.map((file) => ({ file, text: readFileSync(join(PACKAGES, file), "utf8") }));
}

function ownSites(text: string): readonly string[] {
  return findScriptCallSites(text).map(({ form, method, arguments: values, range }) =>
    form === "send" || form === "call"
      ? `${form} ${method.range.start} ${method.value} ${values?.length} ${range.end}`
      : `${form} ${range.start} ${range.end}`,
  );
}

describe("call sites in published code", () => {
  const scripts = filesOf(SCRIPTS).filter((_, index) => index % howOften(2, 1) === 0);

  it("are those that the TypeScript compiler finds, among its texts and regular expressions", () => {
    let [sites, literals] = [0, 0];
    for (const { file, text } of scripts) {
      const source = withCalls(file, text, 7);
      const tree = parseScript(source, file);
      const expected = compilerSites(tree);
      const { kinds, starts, ends } = tokenize(source, "script");
      const tokens = [...kinds].flatMap((kind, at) => {
        const name = kind === KIND.text ? "text" : kind === KIND.pattern ? "pattern" : undefined;
        return name === undefined ? [] : [`${name} ${starts[at]} ${ends[at]}`];
      });
      sites += expected.length;
      literals += tokens.length;

      assert.deepEqual(ownSites(source).toSorted(), expected.toSorted(), file);
      assert.deepEqual(tokens.toSorted(), compilerLiterals(tree).toSorted(), file);
    }
    print(`${scripts.length} files, ${sites} call sites, ${literals} texts and regular expressions`);
    assert.ok(scripts.length >= 300 && sites > 2_500);
  }).timeout(60_000);

  it(`are outside comments and texts in any prefix of ${FILES} files`, () => {
    const small = scripts.filter(({ text }) => text.length > 800 && text.length < 2_400).slice(0, FILES);
    let prefixes = 0;
    let marked = 0;
    for (const { file, text } of small) {
      const source = withCalls(file, text, 2);
      const quiet = quietRanges(source, parseScript(source, file));
      for (let end = 0; end <= source.length; end += 1) {
        for (const { range } of findScriptCallSites(source.slice(0, end))) {
          const inside = quiet.find(([from, to]) => range.start >= from && range.start < to);
          const isSignature = source[range.start - 1] === "[";
          assert.ok(
            inside === undefined || isSignature,
            `${file} up to ${end}: ${source.slice(range.start, range.end)}`,
          );
          marked += 1;
        }
        prefixes += 1;
      }
    }
    print(`${small.length} files, ${prefixes} prefixes, ${marked} call sites in them`);
    assert.ok(small.length === FILES && marked > prefixes);
  }).timeout(120_000);

  it("are the functions that tree-sitter finds in Solidity", async () => {
    const parser = await solidityParser();
    const contracts = filesOf(["@openzeppelin/contracts/**/*.sol"]);
    let functions = 0;
    for (const { file, text } of contracts) {
      const expected = treeSitterCallables(parser, text);
      const own = findSolidityContracts(text).flatMap(({ name, callables }) =>
        callables.map(
          (one) =>
            `${name}.${one.name}@${one.range.start}(${one.parameters.map((p) => `${p.type} ${p.name}`).join(",")})`,
        ),
      );
      functions += expected.length;

      assert.deepEqual(own.toSorted(), expected.toSorted(), file);
    }
    print(`${contracts.length} files, ${functions} functions, all as tree-sitter sees them`);
    assert.ok(contracts.length > 200 && functions > 500);
  }).timeout(60_000);

  it(`are outside comments and texts in any prefix of ${FILES} Solidity files`, async () => {
    const parser = await solidityParser();
    const small = filesOf(["@openzeppelin/contracts/**/*.sol"])
      .filter(({ text }) => text.length < 3_500)
      .slice(0, FILES);
    let prefixes = 0;
    for (const { file, text } of small) {
      const whole = new Set(
        findSolidityContracts(text).flatMap(({ callables }) => callables.map(({ range }) => range.start)),
      );
      const expected = treeSitterCallables(parser, text).map((line) => Number(/@(\d+)/.exec(line)?.[1]));
      for (let end = 0; end <= text.length; end += 1) {
        const found = findSolidityContracts(text.slice(0, end)).flatMap(({ callables }) => callables);
        assert.ok(
          found.every(({ range }) => whole.has(range.start) && expected.includes(range.start)),
          `${file} up to ${end}`,
        );
        prefixes += 1;
      }
    }
    print(`${small.length} files, ${prefixes} prefixes`);
    assert.equal(small.length, FILES);
  }).timeout(120_000);
});
