import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { reasons } from "./reasons.ts";

/**
 * `node test/support/openzeppelin/run-suite.ts CLONE FOLDER…`: runs test folders of a compiled clone of OpenZeppelin
 * Contracts on Hardhat's own network and on the chain of `dist`. It prints passed tests, wall and CPU time of both, and
 * the tests that pass on Hardhat alone by reason, and fails if one has none. docs/local-chain.md describes the clone.
 */
const [clone = ".", ...folders] = process.argv.slice(2);
const root = join(import.meta.dirname, "../../..");
const scratch = mkdtempSync(join(tmpdir(), "finality-openzeppelin-"));
const CONFIG = "hardhat.chain.config.cjs";

/** Changes of the clone, by file: what TRON cannot do as the tests expect, or what hardhat-tron replaces too late. */
const changes: readonly (readonly [file: string, before: string, after: string])[] = [
  // Balances have 64 bits.
  ["test/helpers/account.js", "= 10000n *", "= (require('hardhat').network.config.tron ? 1n : 10000n) *"],
  ...["VestingWallet", "VestingWalletCliff"].map(
    (name) => [`test/finance/${name}.test.js`, "parseEther('100')", "parseEther('1')"] as const,
  ),
  // Nothing predicts the address of a contract that is deployed later, so the timelock learns its admin afterwards.
  [
    "test/governance/extensions/GovernorTimelockCompound.test.js",
    "await owner.sendTransaction({ to: timelock, value });",
    "const { setStorageAt } = require('@nomicfoundation/hardhat-network-helpers'); await setStorageAt(timelock.target, 0, ethers.zeroPadValue(mock.target, 32)); await owner.sendTransaction({ value, to: timelock });",
  ],
  // 5.4 reads the function before hardhat-tron replaces it.
  [
    "hardhat/common-contracts.js",
    "const { setCode } = require('@nomicfoundation/hardhat-network-helpers');",
    "const setCode = (...args) => require('@nomicfoundation/hardhat-network-helpers')['setCode'](...args);",
  ],
];

interface Result {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly title: string; readonly message: string }[];
  /** CPU time of the test process. */
  readonly cpuMs: number;
}

type Measured = Result & { readonly wallMs: number; readonly chainCpuMs: number };

function prepareClone(): void {
  for (const name of [CONFIG, "result-reporter.cjs"]) {
    copyFileSync(join(import.meta.dirname, name), join(clone, name));
  }
  for (const [name, before, after] of changes) {
    const file = join(clone, name);
    if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
  }
}

async function runOn(network: "hardhat" | "tre", files: readonly string[], chainUrl: string): Promise<Result> {
  const result = join(scratch, `${network}.json`);
  const hardhat = join("node_modules", "hardhat", "internal", "cli", "bootstrap.js");
  const child = spawn(
    process.execPath,
    [hardhat, "--config", CONFIG, "--network", network, "test", "--no-compile", ...files],
    {
      cwd: clone,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        RESULT: result,
        CHAIN_URL: chainUrl,
        CHAIN_PLUGIN: join(root, "packages", "local-chain", "hardhat.cjs"),
      },
    },
  );
  await once(child, "exit");
  return JSON.parse(readFileSync(result, "utf8"));
}

async function measureHardhat(files: readonly string[]): Promise<Measured> {
  const start = performance.now();
  const result = await runOn("hardhat", files, "http://127.0.0.1:1");
  return { ...result, wallMs: performance.now() - start, chainCpuMs: 0 };
}

async function measureChain(files: readonly string[]): Promise<Measured> {
  const flags = ["--tre", "--node-version", "4.8.2", "--port", "0"];
  const chain = spawn(process.execPath, [join(root, "dist", "local-chain.js"), ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(chain.stdout), "line")) as [string];
  const start = performance.now();
  const result = await runOn("tre", files, JSON.parse(line).baseUrl);
  const wallMs = performance.now() - start;
  const chainCpuMs = cpuMsOf(chain.pid ?? 0);
  chain.kill();
  return { ...result, wallMs, chainCpuMs };
}

/** Returns the CPU time of a running process on Linux. */
function cpuMsOf(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (user + system) * 10;
}

/** Returns the titles that the chain lacks. Tests with random values in their titles are compared by number. */
function missingTitles(hardhat: Result, chain: Result): string[] {
  const group = (title: string) => title.split(" ").slice(0, 3).join(" ");
  const left = new Map<string, number>();
  for (const title of chain.passed) left.set(title, (left.get(title) ?? 0) + 1);
  const missing = hardhat.passed.filter((title) => {
    const count = left.get(title) ?? 0;
    left.set(title, count - 1);
    return count <= 0;
  });
  const renamed = [...left].flatMap(([title, count]) => (count > 0 ? [group(title)] : []));
  return [...Map.groupBy(missing, group)].flatMap(([name, titles]) =>
    titles.slice(renamed.filter((other) => other === name).length),
  );
}

function printed({ passed, failed, wallMs, cpuMs, chainCpuMs }: Measured): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `${passed.length} pass, ${failed.length} fail, wall ${seconds(wallMs)}, CPU ${seconds(cpuMs + chainCpuMs)}`;
}

prepareClone();
const files = globSync(
  folders.map((folder) => `${folder}/**/*.test.js`),
  { cwd: clone },
).sort();
const hardhat = await measureHardhat(files);
const chain = await measureChain(files);
const missing = missingTitles(hardhat, chain);
const byReason = Map.groupBy(missing, (title) => reasons.find(({ titles }) => titles.test(title))?.reason ?? title);

const lines = [
  `Hardhat: ${printed(hardhat)}`,
  `chain:   ${printed(chain)}`,
  `${missing.length} of ${hardhat.passed.length} pass on Hardhat alone:`,
  ...[...byReason].map(([reason, titles]) => `${String(titles.length).padStart(5)} ${reason}`),
];
process.stdout.write(`${lines.join("\n")}\n`);
rmSync(scratch, { recursive: true, force: true });
if (missing.some((title) => byReason.has(title))) process.exitCode = 1;
