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

  it("exits with 5 if a call needs more than the snapshot of the folder and its tolerance", async () => {
    writeCalls(transfer("1"));
    await estimate("--snapshot");
    const file = join(folder, "finality.energy.json");
    const cheaper = readFileSync(file, "utf8").replace(/: (\d+)\n/, (_, energy) => `: ${Number(energy) - 100}\n`);
    writeFileSync(file, cheaper);

    const over = await estimate();
    const within = await estimate("--tolerance", "10");
    const table = await run(["estimate", "calls.finality.jsonc", "--markdown"], input());

    assert.deepEqual([over.exitCode, within.exitCode, table.exitCode], [5, 0, 5]);
    assert.equal(partOf(over.line, "result").overBudget?.toString().startsWith(`${leaf}.transfer(`), true);
    assert.match(table.output, /^\| Call \| Energy before \|.*\n\| --- .*\n\| .*\+100 \(over budget\) \|\n$/);
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

  describe("on a new embedded chain", function () {
    this.timeout(120_000);
    const deployment = { deploy: "Leaf", arguments: ["1000"], caller: "Alice" };
    const call = (...inputs: readonly string[]): JsonObject => ({
      contract: "Leaf",
      function: "transfer",
      arguments: inputs,
      caller: "Alice",
    });
    const git = (...args: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    const writeFolder = (file: JsonObject): void => {
      mkdirSync(join(folder, "calls"), { recursive: true });
      writeFileSync(join(folder, "calls/leaf.finality.jsonc"), JSON.stringify(file, undefined, 1));
    };
    const alone = () => ({ folder });

    it("executes the setup of a file, and gives the same figures each time, without a network", async () => {
      writeFolder({ setup: [deployment, call("Bob", "300")], calls: [call("Bob", "1"), call("Carol", "1")] });

      const first = await runJson(["estimate", "calls", "--snapshot"], alone());
      const snapshot = readFileSync(join(folder, "finality.energy.json"), "utf8");
      const second = await runJson(["estimate", "calls", "--embedded"], { folder, env: { FINALITY_NETWORK: "nile" } });

      const { calls, network } = partOf(first.line, "result");
      assert.deepEqual([first.exitCode, network], [0, "Embedded chain"]);
      assert.ok(Array.isArray(calls));
      assert.deepEqual(
        calls.map((it) => Object(it).name),
        ["Leaf (deployment)(1000)", "Leaf.transfer(Bob, 300)", "Leaf.transfer(Bob, 1)", "Leaf.transfer(Carol, 1)"],
      );
      assert.deepEqual([second.exitCode, partOf(second.line, "result").changes], [0, []]);
      assert.match(snapshot, /"Leaf\.transfer\(Bob, 1\)": \d{4,},/);
    });

    it("names what costs more, and what is new or gone, compared with a new estimate of a git revision", async () => {
      writeFolder({ setup: [deployment, call("Bob", "300")], calls: [call("Bob", "1"), call("Carol", "2")] });
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("commit", "-qm", "base");
      writeFolder({ setup: [deployment], calls: [call("Bob", "1"), call("Carol", "2"), call("Dave", "3")] });

      const { exitCode, line } = await runJson(["estimate", "calls", "--against", "main"], alone());
      const table = await run(["estimate", "calls", "--against", "main", "--markdown"], alone());
      const within = await runJson(["estimate", "calls", "--against", "main", "--tolerance", "1000"], alone());

      const { changes, overBudget, added, removed, notes, against } = partOf(line, "result");
      assert.deepEqual([exitCode, table.exitCode, within.exitCode, against], [5, 5, 0, "main"]);
      assert.ok(Array.isArray(changes) && isJsonObject(changes[0]));
      assert.equal(Number(changes[0].after) - Number(changes[0].before), 15_000);
      assert.deepEqual(
        [changes.length, overBudget, added, removed, notes],
        [1, ["Leaf.transfer(Bob, 1)"], ["Leaf.transfer(Dave, 3)"], ["Leaf.transfer(Bob, 300)"], []],
      );
      assert.match(
        table.output,
        /^Compared with `main`: 1 call needs more energy, 0 less, 1 new, 1 gone, 2 unchanged\.\n\n\| Call .*\n\| ---.*\n/,
      );
      assert.match(
        table.output,
        /\n\| `Leaf\.transfer\(Bob, 1\)` \| [\d,]+ \| [\d,]+ \| \+15,000 \(over budget\) \|\n/,
      );
      assert.match(table.output, /\n\| `Leaf\.transfer\(Dave, 3\)` \| {2}\| [\d,]+ \| new \|\n/);
      assert.match(table.output, /\nCalls that are gone: `Leaf\.transfer\(Bob, 300\)`\n$/);
      assert.equal(git("worktree", "list").trim().split("\n").length, 1);
    });

    it("names functions that are new or gone, from the artifacts of both", async () => {
      const artifact = JSON.parse(ARTIFACT);
      const withFunctions = (names: readonly string[]): string =>
        JSON.stringify({ ...artifact, abi: artifact.abi.filter((it: JsonObject) => !names.includes(String(it.name))) });
      writeFolder({ setup: [deployment], calls: [call("Bob", "1")] });
      writeFileSync(join(folder, "build/contracts/Leaf.json"), withFunctions(["approve"]));
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("commit", "-qm", "base");
      writeFileSync(join(folder, "build/contracts/Leaf.json"), withFunctions(["decimals"]));

      const { exitCode, line } = await runJson(["estimate", "calls", "--against", "main"], alone());

      assert.equal(exitCode, 0);
      assert.deepEqual(partOf(line, "result").functions, {
        added: ["Leaf.approve(address,uint256)"],
        removed: ["Leaf.decimals()"],
      });
    });

    it("names functions that need more energy, and writes their totals beside the calls", async () => {
      const source = readFileSync(new URL("../../../samples/contracts/Leaf.sol", import.meta.url), "utf8");
      mkdirSync(join(folder, "contracts"), { recursive: true });
      writeFileSync(join(folder, "contracts/Leaf.sol"), source);
      writeFolder({ setup: [deployment], calls: [call("Bob", "1")] });
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("commit", "-qm", "base");
      writeFolder({
        setup: [deployment],
        calls: [{ ...call("Bob", "1"), arguments: ["Dave", "2"], label: undefined }],
      });
      const other = await runJson(["estimate", "calls", "--against", "main"], alone());
      assert.deepEqual(partOf(other.line, "result").functionChanges, [], "other calls are not compared");
      writeFolder({ setup: [deployment], calls: [call("Bob", "1")] });

      await runJson(["estimate", "calls", "--snapshot"], alone());
      const file = join(folder, "finality.energy.json");
      const stored = JSON.parse(readFileSync(file, "utf8"));
      assert.ok(stored.functions["Leaf._move"] > 20_000, JSON.stringify(stored));
      stored.functions["Leaf._move"] -= 1_204;
      stored.functions["Leaf.transfer"] += 5;
      writeFileSync(file, JSON.stringify(stored));
      const { line } = await runJson(["estimate", "calls"], alone());
      const text = await run(["estimate", "calls"], alone());

      const moved = stored.functions["Leaf._move"];
      const [change] = partOf(line, "result").functionChanges as readonly JsonObject[];
      assert.deepEqual(change, { name: "Leaf._move", before: String(moved), after: String(moved + 1_204) });
      assert.match(text.output, /\nFunctions that need more energy: Leaf\._move \+1,204\n/);
    });

    it("says why the revision has no figures, and builds its artifacts on request", async () => {
      writeFolder({ setup: [deployment], calls: [call("Bob", "1")] });
      writeFileSync(join(folder, ".gitignore"), "build\n");
      writeFileSync(join(folder, "Leaf.template"), ARTIFACT);
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("commit", "-qm", "base");
      const build = "mkdir -p build/contracts && cp Leaf.template build/contracts/Leaf.json";

      const without = await runJson(["estimate", "calls", "--against", "main"], alone());
      const built = await runJson(["estimate", "calls", "--against", "main", "--build", build], alone());
      const broken = await runJson(["estimate", "calls", "--against", "main", "--build", "echo no; exit 3"], alone());
      const missing = await runJson(["estimate", "calls", "--against", "nowhere"], alone());

      assert.match(
        String(partOf(without.line, "result").notes),
        /^The calls of main have no figures: calls\/leaf\.finality/,
      );
      assert.deepEqual([built.exitCode, partOf(built.line, "result").notes], [0, []]);
      assert.deepEqual([partOf(built.line, "result").added, partOf(built.line, "result").changes], [[], []]);
      assert.deepEqual([broken.exitCode, partOf(broken.line, "error").code], [2, "BUILD_FAILED"]);
      assert.match(String(partOf(broken.line, "error").cause), /exit code 3\.\nno$/);
      assert.deepEqual([missing.exitCode, partOf(missing.line, "error").code], [2, "REVISION_UNUSABLE"]);
    });

    it("refuses a setup that fails, and files outside of the folder for a revision", async () => {
      writeFolder({ setup: [deployment, call("Bob", "1001")], calls: [call("Bob", "1")] });
      const failed = await runJson(["estimate", "calls"], alone());
      const outside = await runJson(["estimate", "../calls", "--against", "main"], alone());
      const both = await runJson(["estimate", "calls", "--embedded", "--local"], alone());

      assert.deepEqual([failed.exitCode, partOf(failed.line, "error").code], [2, "SETUP_FAILED"]);
      assert.match(String(partOf(failed.line, "error").cause), /^calls\/leaf\.finality\.jsonc:\d+: it fails: /);
      assert.deepEqual(
        [outside, both].map(({ line }) => partOf(line, "error").code),
        ["USAGE", "USAGE"],
      );
    });

    it("shows names of files as code in Markdown, in which nothing is a mention or a link", async () => {
      const label = "@everyone [x](https://a.invalid) <img src=x> |`| ::error::";
      writeFolder({ setup: [deployment], calls: [{ ...call("Bob", "1"), function: "melt", label }] });

      const { output } = await run(["estimate", "calls", "--markdown"], alone());

      const row = output.split("\n").find((it) => it.includes("@everyone")) ?? "";
      assert.match(row, /^\| `@everyone \[x\]\(https:\/\/a\.invalid\) <img src=x> \\\|ˋ\\\| ::error::` \|/);
    });
  });
});
