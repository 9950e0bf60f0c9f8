import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Verdict that a test of OpenZeppelin's package states for a contract, or for an upgrade of it. */
export interface StatedVerdict {
  /** Test file. */
  readonly file: string;
  /** Contract before the upgrade; undefined if only one contract is checked. */
  readonly before?: string;
  readonly after: string;
  readonly kind: "uups" | "transparent";
  readonly isSafe: boolean;
}

/** Verdicts of one test file. */
interface StatedVerdicts {
  readonly verdicts: readonly StatedVerdict[];
  /** Assertions with options, or without the storage layout of the compiler, which *Upgrade Proxy…* does not have. */
  readonly leftOut: number;
}

/** Reads the verdicts that the tests of a checkout state about its fixtures, by file. @param core - `packages/core` */
export function statedVerdicts(core: string): ReadonlyMap<string, StatedVerdicts> {
  const files = globSync("src/**/*.test.ts", { cwd: core }).sort();
  const read = files.map((path) => {
    const text = readFileSync(join(core, path), "utf8");
    const [single, pairs] = [singleVerdicts(text, path), pairVerdicts(text, path)];
    return [
      path,
      { verdicts: [...single.verdicts, ...pairs.verdicts], leftOut: single.leftOut + pairs.leftOut },
    ] as const;
  });
  return new Map(read.filter(([, { verdicts }]) => verdicts.length > 0));
}

const SINGLE = /^test(Valid|Accepts|Rejects|Override)\('([^']+)', '(uups|transparent)'(?:, (true|false|\{))?/gm;

function singleVerdicts(text: string, file: string): StatedVerdicts {
  const found = [...text.matchAll(SINGLE)];
  const verdicts = found.flatMap(([, form, after = "", kind, stated]): readonly StatedVerdict[] => {
    if (form === "Override") return [];
    const isSafe = form === "Accepts" || (form === "Valid" && stated === "true");
    return [{ file, after, kind: kind === "uups" ? "uups" : "transparent", isSafe }];
  });
  const throwing = [...text.matchAll(/t\.throws\(\(\) => t\.context\.extractStorageLayout\('([^']+)'\)\)/g)];
  const refused = throwing.map(([, after = ""]) => ({ file, after, kind: "transparent" as const, isSafe: false }));
  return { verdicts: [...verdicts, ...refused], leftOut: found.length - verdicts.length };
}

const LAYOUT =
  /const (\w+) = (?:await )?t\.context\.extractStorageLayout\('([^']+)'(?:, (?:'([^']+)'|(true|false)))?\)/g;
const STANDALONE = /const (\w+) = new UpgradeableContract\(\s*'([^']+)'/g;
/** Ways in which a test names a comparison and its outcome, as functions of the name of the comparison. */
const COMPARED =
  /(?:const (\w+) = )?(?:getStorageUpgradeErrors|getReport)\((\w+), (\w+)\)|const (\w+) = (\w+)\.getStorageUpgradeReport\((\w+)\)/g;

function pairVerdicts(text: string, file: string): StatedVerdicts {
  const verdicts: StatedVerdict[] = [];
  let leftOut = 0;
  for (const block of text.split(/^test\(/m).slice(1)) {
    const contracts = new Map<string, string>();
    for (const [, name = "", first = "", second, hasLayout] of block.matchAll(LAYOUT))
      if (hasLayout !== "false") contracts.set(name, second ?? first);
    for (const [, name = "", contract = ""] of block.matchAll(STANDALONE)) contracts.set(name, contract);
    // Tests that change a layout by hand have no source.
    const isChanged = /\.types\)?\[|\.members = |\bany\)?\.|delete /.test(block);
    for (const match of block.matchAll(COMPARED)) {
      const [whole, named = match[4], old = match[5] ?? "", next = match[6] ?? ""] = match;
      const [before, after] = [contracts.get(old), contracts.get(next)];
      const isSafe = outcomeOf(block, { at: match.index, whole, named });
      if (before === undefined || after === undefined || isSafe === undefined || isChanged) leftOut += 1;
      else verdicts.push({ file, before, after, kind: "transparent", isSafe });
    }
  }
  return { verdicts, leftOut };
}

interface Comparison {
  readonly at: number;
  readonly whole: string;
  /** Variable that has its result; undefined if the assertion contains it. */
  readonly named: string | undefined;
}

function outcomeOf(block: string, { at, whole, named }: Comparison): boolean | undefined {
  if (named === undefined) {
    const line = block.slice(block.lastIndexOf("\n", at) + 1, at + whole.length + 8);
    if (/t\.deepEqual\($/.test(line.slice(0, line.indexOf(whole))) && line.includes(", [])")) return true;
    return /t\.(?:like|throws)\(/.test(line) ? false : undefined;
  }
  const rest = block.slice(at + whole.length);
  if (
    new RegExp(`t\\.(?:deepEqual\\(${named}, \\[\\]\\)|true\\(${named}\\.ok|is\\(${named}\\.length, 0\\))`).test(rest)
  )
    return true;
  const isUnsafe = new RegExp(`t\\.(?:like\\(${named},|false\\(${named}\\.ok|true\\(${named}\\.length > 0\\))`).test(
    rest,
  );
  return isUnsafe ? false : undefined;
}

/** Compiler releases of the fixtures, newest last. */
export const RELEASES = ["0.5.16", "0.6.12", "0.7.6", "0.8.8", "0.8.9", "0.8.28", "0.8.29", "0.8.35"] as const;

export type Release = (typeof RELEASES)[number];

/** Returns the release that the project of the fixtures chooses for a source. @throws {Error} for another pragma */
export function releaseFor(path: string, text: string): Release {
  const [, caret, version = ""] = /^pragma solidity ([\^]?)(\d+\.\d+\.\d+);/m.exec(text) ?? [];
  const numbers = (it: string): readonly number[] => it.split(".").map(Number);
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  const isNamespaced = basename(path).startsWith("Namespaced");
  const fitting = RELEASES.filter((it) => {
    if (caret === "") return it === version;
    const [otherMajor = 0, otherMinor = 0, otherPatch = 0] = numbers(it);
    return otherMajor === major && otherMinor === minor && otherPatch >= patch;
  });
  const usual = fitting.filter((it) => it !== "0.8.35" && !(isNamespaced && it === "0.8.29"));
  const chosen = usual.at(-1) ?? fitting[0];
  if (chosen === undefined) throw new Error(`${path} has no known compiler: ${version}`);
  return chosen;
}
