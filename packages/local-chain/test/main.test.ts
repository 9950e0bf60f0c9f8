import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { readCommandLine } from "../src/command-line.ts";

const program = new URL("../src/main.ts", import.meta.url).pathname;
/** Lets the processes of these tests share compiled sources. */
const COMPILED = { ...process.env, NODE_COMPILE_CACHE: ".cache/compiled" };

describe("finality-chain", () => {
  const start = async (...flags: string[]): Promise<{ child: ChildProcess; ready: Record<string, unknown> }> => {
    const child = spawn(process.execPath, [program, "--block-time", "manual", ...flags], {
      stdio: ["pipe", "pipe", "inherit"],
      env: COMPILED,
    });
    assert.ok(child.stdout);
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return { child, ready: JSON.parse(line) as Record<string, unknown> };
  };

  it("prints one ready line, imitates Mainnet with --like-mainnet, and ends with its parent", async () => {
    const { child, ready } = await start(
      "--seed",
      "program",
      "--accounts",
      "2",
      "--exit-with-parent",
      "--like-mainnet",
    );
    const accounts = ready.accounts as { address: string; balance: string }[];
    const get = async (path: string): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${ready.baseUrl}/wallet/${path}?visible=true&address=${accounts[0]?.address}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    assert.deepEqual(Object.keys(ready), ["ready", "baseUrl", "faucet", "accounts", "proof"]);
    assert.equal((ready.faucet as { balance: string }).balance, "90000000000000000");
    assert.deepEqual(
      accounts.map(({ balance }) => balance),
      ["10000000000", "10000000000"],
    );
    const { TotalEnergyWeight, TotalNetWeight } = await get("getaccountresource");
    assert.deepEqual([TotalEnergyWeight, TotalNetWeight], [20_000_000_000, 27_000_000_000]);
    const [permission] = (await get("getaccount")).active_permission as { operations: string }[];
    assert.equal(permission?.operations, `7fff1fc0033ef30f${"00".repeat(24)}`, "permissions for staking types");

    child.stdin?.end();
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  it("starts through the link that npm creates for its bin, and ends on SIGTERM", async () => {
    const link = join(import.meta.dirname, "../../../node_modules/.bin/finality-chain");
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const child = spawn(link, ["--port", "0", "--block-time", "manual"], {
      env: { ...COMPILED, PATH: path },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    child.kill("SIGTERM");

    assert.equal((JSON.parse(line) as { ready: boolean }).ready, true);
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  it("imitates TronBox's runtime environment with --tre, and logs requests as JSON", async () => {
    const { child, ready } = await start("--tre", "--port", "0", "--accounts", "1", "--json-logs");
    assert.ok(child.stdout);
    const lines = createInterface(child.stdout);
    const ask = async (path: string, method: string): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
      const answer = await fetch(`${ready.baseUrl}${path}`, { method: "POST", body });
      return ((await answer.json()) as { result: unknown }).result;
    };
    assert.equal(await ask("/jsonrpc", "eth_chainId"), "0xc845df2f");
    const [line] = (await once(lines, "line")) as [string];
    const keys = (ready.accounts as { privateKey: string }[]).map(({ privateKey }) => privateKey);
    assert.deepEqual(
      keys.map((it) => it.slice(0, 8)),
      ["ac0974be", "dd23ca54", "c8afe030"],
    );
    assert.equal(await ask("/jsonrpc", "eth_gasPrice"), "0x64");
    child.kill("SIGTERM");

    const { time, ms, ...entry } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(
      [typeof time, typeof ms, entry],
      ["number", "number", { method: "POST", path: "/jsonrpc", status: 200 }],
    );
  });

  it("parses its flags, and names an invalid one", async () => {
    const line = await readCommandLine([
      "--port",
      "0",
      "--block-time",
      "500",
      "--witnesses",
      "27",
      "--no-estimate-energy",
      "--max-pending",
      "5",
    ]);
    assert.deepEqual(line, {
      kind: "start",
      exitWithParent: false,
      readsProof: false,
      options: { port: 0, blockTimeMs: 500, witnesses: 27, node: { estimateEnergy: false, maxPending: 5 } },
    });
    const tre = await readCommandLine(["--tre", "--chain-id", "0x2a", "--energy-fee", "420", "--min-block-gap", "1"]);
    assert.deepEqual(tre.kind === "start" && tre.options, {
      tre: true,
      chainId: 42,
      energyFee: 420,
      minBlockGapMs: 1,
      node: {},
    });
    await assert.rejects(readCommandLine(["--chain-id", "4294967296"]), /--chain-id has to be an integer/);
    await assert.rejects(readCommandLine(["--witnesses", "0"]), /--witnesses has to be an integer from 1 to 127/);
    await assert.rejects(readCommandLine(["--speed"]), /--speed/);
  });
});
