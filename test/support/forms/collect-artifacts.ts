import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";

/**
 * `node test/support/forms/collect-artifacts.ts FOLDER`: installs npm packages with artifacts into a folder, and compiles
 * sources with solc 0.4.25 to 0.8.37 and with Vyper. docs/testing.md names the sources. It prints one line for each set.
 */
const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: collect-artifacts.ts FOLDER");
const root = folder;
const require = createRequire(import.meta.url);

const PACKAGES = {
  "openzeppelin-1": "npm:openzeppelin-solidity@1.12.0",
  "openzeppelin-2": "npm:@openzeppelin/contracts@2.5.1",
  "openzeppelin-3": "npm:@openzeppelin/contracts@3.4.2",
  "openzeppelin-4": "npm:@openzeppelin/contracts@4.9.6",
  "openzeppelin-5": "npm:@openzeppelin/contracts@5.7.0",
  "openzeppelin-5-upgradeable": "npm:@openzeppelin/contracts-upgradeable@5.7.0",
  "@uniswap/v2-core": "1.0.1",
  "@uniswap/v2-periphery": "1.1.0-beta.0",
  "@uniswap/v3-core": "1.0.1",
  "@uniswap/v3-periphery": "1.4.4",
  "@aave/protocol-v2": "1.0.1",
  "@aave/core-v3": "1.19.3",
  "@aave/periphery-v3": "3.0.1",
  "solc-0.4.25": "npm:solc@0.4.25",
  "solc-0.8.10": "npm:solc@0.8.10",
  "solc-0.8.15": "npm:solc@0.8.15",
  "solc-0.8.37": "npm:solc@0.8.37",
};

interface SourceSet {
  readonly name: string;
  /** Folder with the sources. */
  readonly sources: string;
  /** Version of solc; undefined for Vyper. */
  readonly solc?: keyof typeof PACKAGES;
}

const SETS: readonly SourceSet[] = [
  { name: "openzeppelin-1", sources: "node_modules/openzeppelin-1/contracts", solc: "solc-0.4.25" },
  { name: "openzeppelin-5", sources: "node_modules/openzeppelin-5", solc: "solc-0.8.37" },
  { name: "usdt", sources: "sources/usdt/contracts", solc: "solc-0.4.25" },
  { name: "compound-v2", sources: "sources/compound-protocol/contracts", solc: "solc-0.8.10" },
  { name: "compound-v3", sources: "sources/comet/contracts", solc: "solc-0.8.15" },
  { name: "vyper", sources: "sources/vyper/examples" },
  { name: "curve", sources: "sources/vyper/tests/functional/examples/thirdparty" },
];

function installPackages(): void {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  execFileSync("npm", ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"], { cwd: root });
}

function store(set: string, name: string, abi: unknown): void {
  const target = join(root, "compiled", set);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${name}.json`), JSON.stringify({ contractName: name, abi }));
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, { readonly abi: unknown }>>>>;
}

/** Compiles each source on its own: a compiler writes nothing at all if one of them has an error. */
function compileSolidity({ name, sources }: SourceSet, solc: string): string {
  const base = join(root, sources);
  const wrap = require("solc/wrapper") as (soljson: unknown) => { compile(input: string, callbacks: unknown): string };
  const compiler = wrap(require(join(root, "node_modules", solc, "soljson.js")));
  const read = (path: string) => {
    const file = join(base, posix.normalize(path));
    return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: `${path} was not found` };
  };
  const contracts = new Set<string>();
  const failed: string[] = [];
  for (const file of globSync("**/*.sol", { cwd: base }).sort()) {
    const input = {
      language: "Solidity",
      sources: { [file]: { content: readFileSync(join(base, file), "utf8") } },
      settings: { outputSelection: { [file]: { "*": ["abi"] } } },
    };
    const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: read })) as CompilerOutput;
    const error = output.errors?.find(({ severity }) => severity === "error");
    if (error !== undefined) failed.push(`${file}: ${error.formattedMessage.split("\n")[0]}`);
    for (const [contract, { abi }] of Object.entries(output.contracts?.[file] ?? {})) {
      const unique = contracts.has(contract) ? file.replaceAll(/\W/g, "-") + contract : contract;
      contracts.add(unique);
      store(name, unique, abi);
    }
  }
  return [`${name}: ${contracts.size} contracts by ${solc}, ${failed.length} files failed`, ...failed].join("\n  ");
}

function compileVyper({ name, sources }: SourceSet): string {
  const base = join(root, sources);
  const compiler = join(root, "vyper", "bin", "vyper");
  let count = 0;
  const failed: string[] = [];
  for (const file of globSync("**/*.vy", { cwd: base }).sort()) {
    try {
      const printed = execFileSync(compiler, ["-f", "abi", file], { cwd: base, stdio: ["ignore", "pipe", "pipe"] });
      store(name, file.replaceAll(/\W/g, "-"), JSON.parse(printed.toString()));
      count += 1;
    } catch (error) {
      failed.push(
        `${file}: ${String(error)
          .split("\n")
          .find((it) => it.includes("Error") || it.includes("Exception"))}`,
      );
    }
  }
  return [`${name}: ${count} contracts by Vyper, ${failed.length} files failed`, ...failed].join("\n  ");
}

installPackages();
for (const set of SETS) {
  const { solc, sources } = set;
  const isThere = existsSync(join(root, sources));
  const line = !isThere
    ? `${set.name}: ${sources} is not there`
    : solc
      ? compileSolidity(set, solc)
      : compileVyper(set);
  process.stdout.write(`${line}\n`);
}
