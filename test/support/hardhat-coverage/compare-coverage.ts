import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import {
  branchesOf,
  CompiledContracts,
  coverageReport,
  lineCounts,
  type SourceCoverage,
  TraceSources,
} from "../../../packages/client/src/traces.ts";
import { startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { endCoverage, startCoverage } from "../../../packages/node/src/local-trace.ts";
import { coveragePackages } from "../../../scripts/install/on-demand.mjs";

const root = join(import.meta.dirname, "../../..");
const LIBRARY = join(root, "node_modules/@openzeppelin/contracts");

/** Contracts of OpenZeppelin that make a project, by their paths in the library. */
export interface CoverageProject {
  readonly name: string;
  readonly sources: readonly string[];
}

/** Coverage of a file by line: whether a line was executed, and which outcomes of its branches happened. */
export interface ComparedFile {
  readonly lines: ReadonlyMap<number, boolean>;
  /** Outcomes of the branches of a line, sorted: `+-` if the first happened and the second did not. */
  readonly branches: ReadonlyMap<number, readonly string[]>;
}

type Coverage = ReadonlyMap<string, ComparedFile>;

/** Writes a project with the named contracts and all that they import. */
export function writeProject(folder: string, { sources }: CoverageProject): void {
  cpSync(join(root, "test/peers/coverage-project"), folder, { recursive: true });
  symlinkSync(coveragePackages, join(folder, "node_modules"));
  const open = [...sources];
  const seen = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const file = join(folder, "contracts", path);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(LIBRARY, path), file);
    for (const [, imported = ""] of readFileSync(file, "utf8").matchAll(/^import [^;]*?"(\.[^"]+)";/gms))
      open.push(join(dirname(path), imported));
  }
}

/** Compiles a project once, so that hardhat-exposed writes contracts with public forms of internal functions. */
export async function exposeFunctions(folder: string): Promise<void> {
  await hardhat(folder, ["compile"], { EXPOSE: "1" });
  for (const file of globSync("contracts-exposed/**/*.sol", { cwd: folder })) {
    const copy = join(folder, file.replace("contracts-exposed", "contracts/exposed"));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(join(folder, file), "utf8").replaceAll(/(import "(?:\.\.\/)+)/g, "$1../"));
  }
  for (const made of ["contracts-exposed", "artifacts", "cache"]) rmSync(join(folder, made), { recursive: true });
}

/** Runs the tests of a project with the coverage of Hardhat, solidity-coverage. */
export async function hardhatCoverage(folder: string): Promise<Coverage> {
  writeFileSync(
    join(folder, ".solcover.js"),
    'module.exports = { skipFiles: ["exposed"], istanbulReporter: ["json"], mocha: { timeout: 3600000 } };\n',
  );
  await hardhat(folder, ["coverage"], {});
  const json = JSON.parse(readFileSync(join(folder, "coverage.json"), "utf8")) as Record<string, IstanbulFile>;
  rmSync(join(folder, "artifacts"), { recursive: true, force: true });
  rmSync(join(folder, "cache"), { recursive: true, force: true });
  return new Map(Object.entries(json).map(([path, file]) => [relativeTo(folder, path), istanbulFile(file)]));
}

/** Runs the same tests on the embedded chain, which counts what it executes. */
export async function chainCoverage(folder: string): Promise<Coverage> {
  const chain = await startLocalChain({ tre: true, port: 0, nodeVersion: "4.8.2" });
  try {
    await hardhat(folder, ["compile"], {});
    await startCoverage(chain.baseUrl);
    const env = { CHAIN_URL: chain.baseUrl, CHAIN_PLUGIN: join(root, "packages/local-chain/hardhat.cjs") };
    await hardhat(folder, ["test", "--no-compile", "--network", "tre"], env);
    const record = await endCoverage(chain.baseUrl);
    const contracts = new CompiledContracts();
    for (const file of globSync("artifacts/build-info/*.json", { cwd: folder }))
      contracts.put(file, readFileSync(join(folder, file), "utf8"));
    const { files } = coverageReport(record, new TraceSources(contracts));
    return new Map(files.filter(({ path }) => isCompared(path)).map((it) => [it.path, chainFile(it)]));
  } finally {
    await chain.close();
  }
}

async function hardhat(folder: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const program = join(coveragePackages, "hardhat/internal/cli/bootstrap.js");
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`hardhat ${words.join(" ")}: ${output.slice(-4_000)}`);
}

function isCompared(path: string): boolean {
  return path.startsWith("contracts/") && !path.startsWith("contracts/exposed/");
}

interface IstanbulFile {
  readonly l: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, readonly [number, number]>>;
  readonly branchMap: Readonly<Record<string, { readonly line: number; readonly type: string }>>;
}

function istanbulFile({ l, b, branchMap }: IstanbulFile): ComparedFile {
  const branches = Object.entries(branchMap).map(([id, { line }]) => ({ line, outcomes: b[id] ?? [0, 0] }));
  return {
    lines: new Map(Object.entries(l).map(([line, count]) => [Number(line), count > 0])),
    branches: byLine(branches),
  };
}

function chainFile(file: SourceCoverage): ComparedFile {
  const branches = branchesOf(file).map(({ outcomes: [one, other] }) => ({
    line: one.start.line + 1,
    outcomes: [one.count, other.count] as const,
  }));
  return {
    lines: new Map([...lineCounts(file)].map(([line, count]) => [line, count > 0])),
    branches: byLine(branches),
  };
}

function byLine(
  branches: readonly { readonly line: number; readonly outcomes: readonly [number, number] }[],
): ReadonlyMap<number, readonly string[]> {
  const lines = Map.groupBy(branches, ({ line }) => line);
  return new Map(
    [...lines].map(([line, all]) => [
      line,
      all.map(({ outcomes: [a, b] }) => `${a > 0 ? "+" : "-"}${b > 0 ? "+" : "-"}`).sort(),
    ]),
  );
}

function relativeTo(folder: string, path: string): string {
  return path.startsWith("/") ? relative(folder, path) : path;
}

/** Coverage of a line by both tools, as text; empty where a tool has none. */
export interface ComparedLine {
  /** `contracts/access/Ownable.sol:41` */
  readonly at: string;
  readonly text: string;
  readonly kind: "line" | "branch";
  readonly hardhat: string;
  readonly chain: string;
}

/** Comparison of two coverages. */
export interface Comparison {
  readonly lines: number;
  /** Number of lines with branches. */
  readonly branches: number;
  readonly differences: readonly ComparedLine[];
}

/** Compares coverages line by line. */
export function compareCoverage(folder: string, hardhatFiles: Coverage, chainFiles: Coverage): Comparison {
  const paths = [...new Set([...hardhatFiles.keys(), ...chainFiles.keys()])];
  const rows = paths.flatMap((path) => {
    const texts = readFileSync(join(folder, path), "utf8").split("\n");
    const kinds = [linesOf, branchesIn] as const;
    return kinds.flatMap((read) => {
      const [one, other] = [read(hardhatFiles.get(path)), read(chainFiles.get(path))];
      return [...new Set([...one.keys(), ...other.keys()])].map((line) => ({
        at: `${path}:${line}`,
        text: (texts[line - 1] ?? "").trim(),
        kind: read === linesOf ? ("line" as const) : ("branch" as const),
        hardhat: one.get(line) ?? "",
        chain: other.get(line) ?? "",
      }));
    });
  });
  const lines = rows.filter(({ kind }) => kind === "line").length;
  const differences = rows.filter(({ hardhat, chain }) => hardhat !== chain);
  return { lines, branches: rows.length - lines, differences };
}

function linesOf(file: ComparedFile | undefined): ReadonlyMap<number, string> {
  return new Map([...(file?.lines ?? [])].map(([line, isExecuted]) => [line, String(isExecuted)]));
}

function branchesIn(file: ComparedFile | undefined): ReadonlyMap<number, string> {
  return new Map([...(file?.branches ?? [])].map(([line, outcomes]) => [line, outcomes.join(" ")]));
}
