import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBase58 } from "../../tron/src/primitives/address.ts";
import { isJsonObject, type JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const ARTIFACT = readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8");

const SOURCE = `contract Leaf {
  /// @custom:estimate {"arguments": ["1000"]}
  constructor(uint256 supply) {}
  function transfer(address to, uint256 value) external {}
}`;

describe("finality estimate", () => {
  let chain: CommandChain;
  let folder: string;
  let leaf: string;

  before(async () => {
    chain = await CommandChain.start();
    leaf = toBase58(await chain.deployLeaf());
  });

  after(() => chain.close());

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-estimate-"));
    mkdirSync(join(folder, "build/contracts"), { recursive: true });
    writeFileSync(join(folder, "build/contracts/Leaf.json"), ARTIFACT);
    const addresses = { Alice: toBase58(chain.address(0)), Bob: toBase58(chain.address(1)), Shop: leaf };
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ addresses }));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const writeCalls = (...calls: readonly JsonObject[]): void =>
    writeFileSync(
      join(folder, "calls.finality.jsonc"),
      JSON.stringify({ network: "Local chain", calls }, undefined, 1),
    );
  const transfer = (amount: string, caller = "Alice"): JsonObject => ({
    contract: leaf,
    function: "transfer",
    arguments: ["Bob", amount],
    caller,
  });
  const input = () => ({ env: chain.env, folder });
  const estimate = (...args: readonly string[]) => runJson(["estimate", "calls.finality.jsonc", ...args], input());

  it("names energy, file and line of each call, and reports progress", async () => {
    writeCalls(transfer("1"), transfer("2"));

    const { exitCode, line, events } = await estimate();

    const { calls, network } = partOf(line, "result");
    assert.ok(Array.isArray(calls) && isJsonObject(calls[0]));
    assert.deepEqual([exitCode, network, calls.length, events.length], [0, "Local chain", 2, 2]);
    assert.deepEqual([calls[0].verdict, calls[0].file, calls[0].line], ["fits", "calls.finality.jsonc", 4]);
    assert.match(String(calls[0].energy), /^\d{4,}$/);
  });

  it("exits with 1 for a call that would fail and for one that cannot be read", async () => {
    writeCalls(transfer("1", "Bob"), { ...transfer("1"), function: "melt" });

    const { exitCode, line } = await estimate();

    const { calls } = partOf(line, "result");
    assert.ok(Array.isArray(calls) && isJsonObject(calls[0]) && isJsonObject(calls[1]));
    assert.deepEqual([exitCode, calls[0].verdict, calls[1].verdict], [1, "fails", "unbound"]);
  });

  it("exits with 5 if a call needs more than the snapshot of a git revision and its tolerance", async () => {
    writeCalls(transfer("1"));
    await estimate("--snapshot");
    const file = join(folder, "finality.energy.json");
    const git = (...args: readonly string[]): unknown => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
    const cheaper = readFileSync(file, "utf8").replace(/: (\d+)\n/, (_, energy) => `: ${Number(energy) - 100}\n`);
    writeFileSync(file, cheaper);
    git("init", "-q");
    git("add", "finality.energy.json");
    git("-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "base");
    rmSync(file);

    const over = await estimate("--against", "HEAD");
    const within = await estimate("--against", "HEAD", "--tolerance", "10");
    const table = await run(["estimate", "calls.finality.jsonc", "--against", "HEAD", "--markdown"], input());
    const missing = await estimate("--against", "nowhere");

    assert.deepEqual([over.exitCode, within.exitCode, table.exitCode, missing.exitCode], [5, 0, 5, 2]);
    assert.equal(partOf(over.line, "result").overBudget?.toString().startsWith(`${leaf}.transfer(`), true);
    assert.match(table.output, /^\| Call \| Energy before \|.*\n\| --- .*\n\| .*\+100 \(over budget\) \|\n$/);
    assert.equal(partOf(missing.line, "error").code, "INPUT_UNREADABLE");
  });

  it("estimates a deployment from the artifact, and skips functions of a source without sample arguments", async () => {
    writeFileSync(join(folder, "Leaf.sol"), SOURCE);

    const { exitCode, line } = await runJson(["estimate", "Leaf.sol", "--local", "--caller", "Alice"], input());

    const { calls } = partOf(line, "result");
    assert.ok(Array.isArray(calls) && isJsonObject(calls[0]) && isJsonObject(calls[1]));
    assert.deepEqual([exitCode, calls[0].name, calls[1].verdict], [0, "Leaf (deployment)(1000)", "missing"]);
    assert.match(String(calls[0].energy), /^\d{5,}$/);
  });

  it("asks for --caller if a call names no caller", async () => {
    const { caller: _, ...call } = transfer("1");
    writeCalls(call);

    const { exitCode, output } = await run(["estimate", "calls.finality.jsonc"], input());

    assert.deepEqual([exitCode, /names no caller: use --caller ADDRESS/.test(output)], [1, true]);
  });

  it("exits with 3 if the network does not estimate", async () => {
    writeCalls(transfer("1"));
    await chain.post("/local/faults", { faults: [{ name: "constant-calls-off" }] });
    const { exitCode, line } = await estimate();
    await chain.post("/local/faults", { faults: [] });

    const { calls } = partOf(line, "result");
    assert.ok(Array.isArray(calls) && isJsonObject(calls[0]));
    assert.deepEqual([exitCode, calls[0].verdict], [3, "unknown"]);
  });

  it("refuses a file without calls, and a tolerance that is no number", async () => {
    writeFileSync(join(folder, "calls.finality.jsonc"), "{}");
    const empty = await estimate("--local");
    const wrong = await estimate("--local", "--tolerance", "much");

    assert.deepEqual([empty.exitCode, partOf(empty.line, "error").code], [2, "INPUT_UNREADABLE"]);
    assert.deepEqual([wrong.exitCode, partOf(wrong.line, "error").code], [2, "USAGE"]);
  });
});
