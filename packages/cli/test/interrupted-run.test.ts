import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { openHeldServer } from "../../../test/support/http/http-server.ts";
import { parseAddress, toBase58 } from "../../tron/src/primitives/address.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { type JsonRun, partOf, runJson } from "./support/test-terminal.ts";

const program = join(import.meta.dirname, "../src/main.ts");
/** Recipients that the chain does not have, so that their balance is what they were paid. */
const recipient = (number: number) => parseAddress(`41${number.toString(16).padStart(40, "5")}`);

describe("a run that was interrupted or failed", function () {
  this.timeout(150_000);
  let chain: CommandChain;
  let folder: string;
  let isOver = false;

  beforeEach(async () => {
    isOver = false;
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-interrupted-"));
  });

  afterEach(async () => {
    isOver = true;
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const env = (url = chain.chain.baseUrl) => ({
    FINALITY_LOCAL_URL: url,
    FINALITY_JOURNAL: join(folder, "journal"),
    KEY: chain.privateKey(0),
  });
  const args = (...more: readonly string[]) => ["run", "--local", "--key-env", "KEY", "--expiry", "36000", ...more];
  const counts = (line: JsonObject): JsonObject => partOf(line, "result").counts as JsonObject;

  /** Makes blocks until a command ends. */
  async function whileMining(command: Promise<JsonRun>): Promise<JsonRun> {
    const ended = command.then(
      () => true,
      () => true,
    );
    for (let isDone = false; !isDone && !isOver; isDone = await Promise.race([ended, wait(50, false)]))
      await chain.post("/local/mine", { blocks: 3 });
    return await command;
  }

  /** Starts the program. Its lines are collected in `lines`. */
  function start(url?: string) {
    const child = spawn(process.execPath, [program, ...args("pay.csv", "--yes", "--concurrency", "2", "--json")], {
      cwd: folder,
      env: { ...env(url), PATH: process.env.PATH, NODE_NO_WARNINGS: "1", INIT_CWD: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: JsonObject[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(...[parseJson(line)].filter(isJsonObject)));
    return { child, lines, closed: once(child, "close") };
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!isOver && !condition()) await wait(20);
  }

  it("goes on after SIGINT and after SIGTERM, with no row twice and none lost", async () => {
    const rows = 12;
    const table = Array.from({ length: rows }, (_, row) => `${toBase58(recipient(row))},${row + 1}`);
    writeFileSync(join(folder, "pay.csv"), ["recipient,amount", ...table].join("\n"));

    const first = start();
    await until(() => first.lines.some(({ event, state }) => event === "row" && state === "pending"));
    first.child.kill("SIGINT");
    await first.closed;
    const afterInt = first.lines.at(-1) ?? {};

    const server = await openHeldServer(chain.chain.baseUrl);
    server.hold("/wallet/broadcasttransaction");
    const second = start(server.baseUrl);
    await until(() => server.waiting().length === 2);
    second.child.kill("SIGTERM");
    await server.close();
    await second.closed;
    const afterTerm = second.lines.at(-1) ?? {};
    const input = { folder, env: env() };
    const { runs } = partOf((await runJson(["runs"], input)).line, "result");
    const finished = await whileMining(runJson(args("pay.csv", "--yes"), input));

    for (const [{ child }, line] of [
      [first, afterInt],
      [second, afterTerm],
    ] as const) {
      assert.deepEqual([child.exitCode, child.signalCode], [6, null]);
      assert.equal(partOf(line, "result").end, "interrupted");
      assert.ok(Number(counts(line).waiting) > 0);
    }
    assert.equal(counts(afterInt).unknown, 0, "the answers of what was sent are awaited");
    assert.equal(counts(afterTerm).unknown, 2);
    assert.deepEqual((runs as readonly JsonObject[])[0]?.counts, counts(afterTerm));
    assert.deepEqual([finished.exitCode, counts(finished.line).succeeded], [0, rows]);
    for (let row = 0; row < rows; row++) {
      const { balance = 0 } = await chain.post("/wallet/getaccount", { address: recipient(row) });
      assert.equal(balance, (row + 1) * 1_000_000, `row ${row + 2}`);
    }
  });

  it("tries the failed row alone again with --retry-failed", async () => {
    const token = await chain.deployLeaf();
    const table = [1, 2, 3].map((row) => `${toBase58(recipient(row))},${row},${toBase58(token)}`);
    writeFileSync(join(folder, "pay.csv"), ["recipient,amount,token", ...table].join("\n"));
    await fetch(`${chain.chain.baseUrl}/local/faults`, {
      method: "POST",
      body: JSON.stringify([{ name: "code-ended", result: "OUT_OF_TIME", count: 1 }]),
    });
    const input = { folder, env: env() };

    const failed = await whileMining(runJson(args("pay.csv", "--yes"), input));
    const id = String(partOf(failed.line, "result").run);
    const same = await whileMining(runJson(args("--resume", id), input));
    const retried = await whileMining(runJson(args("--retry-failed", id), input));
    const again = await whileMining(runJson(args("--retry-failed", id), input));

    assert.deepEqual([failed.exitCode, counts(failed.line).failed, counts(failed.line).succeeded], [1, 1, 2]);
    assert.deepEqual([same.exitCode, counts(same.line).failed], [1, 1]);
    assert.deepEqual([retried.exitCode, counts(retried.line).succeeded], [0, 3]);
    assert.deepEqual([again.exitCode, counts(again.line).succeeded], [0, 3]);
    for (const row of [1, 2, 3]) assert.equal(await tokensOf(token, row), row * 1_000_000, `row ${row + 1}`);
  });

  async function tokensOf(token: string, row: number): Promise<number> {
    const body = {
      owner_address: chain.address(0),
      contract_address: token,
      function_selector: "balanceOf(address)",
      parameter: recipient(row).slice(2).padStart(64, "0"),
    };
    const { constant_result: results } = await chain.post("/wallet/triggerconstantcontract", body);
    return Number(BigInt(`0x${(results as readonly string[])[0]}`));
  }
});
