import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newRun, paymentRows } from "../../../test/support/runs/run-fixture.ts";
import { FileRunStore } from "../../node/src/runs/file-run-store.ts";
import { systemClock } from "../../node/src/system-clock.ts";
import { parseAddress, toBase58 } from "../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { type JsonRun, partOf, type RunInput, run, runJson } from "./support/test-terminal.ts";

/** Recipients that the chain does not have, so that their balance is what they were paid. */
const recipient = (number: number) => parseAddress(`41${number.toString(16).padStart(40, "5")}`);

describe("finality run", () => {
  let chain: CommandChain;
  let folder: string;

  beforeEach(async () => {
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-run-"));
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = (more: RunInput = {}): RunInput => ({
    folder,
    ...more,
    env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) },
  });
  const args = (...more: readonly string[]) => ["run", "--local", "--key-env", "KEY", "--expiry", "36000", ...more];

  function writeTable(rows: number, name = "pay.csv"): void {
    const lines = Array.from({ length: rows }, (_, index) => `${toBase58(recipient(index))},${index}.5`);
    writeFileSync(join(folder, name), ["recipient,amount", ...lines].join("\n"));
  }

  /** Makes blocks until a command ends. */
  async function whileMining(command: Promise<JsonRun>): Promise<JsonRun> {
    const ended = command.then(
      () => true,
      () => true,
    );
    for (let isDone = false; !isDone; isDone = await Promise.race([ended, wait(50, false)]))
      await chain.post("/local/mine", { blocks: 3 });
    return await command;
  }

  async function coinsOf(number: number): Promise<number> {
    const { balance = 0 } = await chain.post("/wallet/getaccount", { address: recipient(number) });
    return Number(balance);
  }

  const counts = (line: JsonObject): JsonObject => partOf(line, "result").counts as JsonObject;

  it("signs nothing if the account cannot pay all rows, or the review is not confirmed", async () => {
    writeFileSync(join(folder, "large.csv"), `recipient,amount\n${toBase58(recipient(1))},999999999\n`);
    const large = await runJson(args("large.csv", "--yes"), input());
    writeTable(2);
    const unconfirmed = await run(args("pay.csv"), input({ answers: ["no"] }));

    assert.equal(partOf(large.line, "error").code, "RUN_FILE_REFUSED");
    assert.match(
      String(partOf(large.line, "error").cause),
      /^The account has .*, and the run needs .* with its fees\.$/,
    );
    assert.equal(unconfirmed.exitCode, 4);
    assert.deepEqual((await runJson(["runs"], input())).line.result, { runs: [] });
  });

  it("pays each row once: stopped, resumed, and started again with the same file", async function () {
    this.timeout(40_000);
    writeTable(40);
    const started = runJson(args("pay.csv", "--yes", "--concurrency", "1"), input());
    for (let id: unknown; id === undefined; await wait(20)) {
      const { runs } = partOf((await runJson(["runs"], input())).line, "result");
      id = (runs as readonly JsonObject[])[0]?.run;
      if (id !== undefined) assert.equal((await runJson(["runs", "stop", String(id)], input())).exitCode, 0);
    }
    const stopped = await whileMining(started);
    const id = String(partOf(stopped.line, "result").run);
    const resumed = await whileMining(runJson(args("--resume", id), input()));
    const again = await whileMining(runJson(args("pay.csv", "--yes"), input()));

    assert.deepEqual([stopped.exitCode, partOf(stopped.line, "result").end], [6, "stopped"]);
    assert.ok(Number(counts(stopped.line).waiting) > 0);
    assert.match(
      String(stopped.events[0]?.detail),
      /\nTotal: 800 coins in 40 rows\nLargest: 39\.5 coins to .* in row 41\n/,
    );
    assert.deepEqual([resumed.exitCode, counts(resumed.line).succeeded], [0, 40]);
    assert.deepEqual([again.exitCode, counts(again.line).succeeded], [0, 40]);
    for (let row = 0; row < 40; row++) assert.equal(await coinsOf(row), (row + 1) * 1_000_000 - 500_000, `row ${row}`);
  });

  it("executes the calls of a call file, with the names of artifacts", async function () {
    this.timeout(40_000);
    const contract = toBase58(await chain.deployLeaf());
    mkdirSync(join(folder, "out"));
    copyFileSync(
      join(import.meta.dirname, "../../../samples/build/contracts/Leaf.json"),
      join(folder, "out/Leaf.json"),
    );
    const call = (to: number) => ({ contract, function: "transfer", arguments: [toBase58(recipient(to)), "5"] });
    writeFileSync(join(folder, "pay.finality.jsonc"), JSON.stringify({ calls: [call(1), call(2)] }, undefined, 2));
    writeFileSync(join(folder, "much.finality.jsonc"), JSON.stringify({ calls: [{ ...call(1), feeLimit: "1" }] }));

    const refused = await runJson(args("much.finality.jsonc", "--yes"), input());
    const paid = await whileMining(runJson(args("pay.finality.jsonc", "--yes"), input()));

    assert.match(String(partOf(refused.line, "error").cause), /^The fee limit of row 1 is too low/);
    assert.deepEqual([paid.exitCode, counts(paid.line).succeeded], [0, 2]);
    assert.match(String(paid.events[0]?.detail), /\nNeeds: .* energy, /);
  });

  it("does not pay a corrected file a second time", async function () {
    this.timeout(40_000);
    const paid = async (): Promise<readonly number[]> => await Promise.all([0, 1, 2].map(coinsOf));
    const runs = async (): Promise<number> =>
      (partOf((await runJson(["runs"], input())).line, "result").runs as readonly JsonObject[]).length;
    writeTable(3);
    assert.equal((await whileMining(runJson(args("pay.csv", "--yes"), input()))).exitCode, 0);
    const before = await paid();
    writeTable(2);
    appendFileSync(join(folder, "pay.csv"), `\n${toBase58(recipient(2))},2.75\n`);

    const refused = await runJson(args("pay.csv", "--yes"), input());
    const shown = await run(args("pay.csv"), input({ answers: ["yes"] }));

    assert.deepEqual([refused.exitCode, partOf(refused.line, "error").code], [4, "RUN_PAYS_AGAIN"]);
    assert.match(String(partOf(refused.line, "error").cause), /^2 rows, from row 2 on, equal rows of the run /);
    const [review] = refused.events.map(({ paidAgain }) => paidAgain as readonly JsonObject[]);
    assert.deepEqual(
      review?.map(({ rows }) => rows),
      [[2, 3]],
    );
    assert.equal(shown.exitCode, 4);
    assert.match(shown.output, /\n⚠ 2 rows, from row 2 on, equal rows of the run /);
    assert.deepEqual([await paid(), await runs()], [before, 1]);

    const agreed = await whileMining(runJson(args("pay.csv", "--yes", "--pay-again"), input()));
    assert.deepEqual([agreed.exitCode, counts(agreed.line).succeeded], [0, 3]);
    assert.deepEqual(await paid(), [1_000_000, 3_000_000, 5_250_000]);
  });

  it("refuses an unknown run and a key of another account", async () => {
    assert.equal(partOf((await runJson(args("--resume", "nothing"), input())).line, "error").code, "RUN_MISSING");
    const env = { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(1) };
    const store = new FileRunStore(join(folder, "journal"), systemClock);
    await store.create(newRun(), paymentRows(1));
    await store.close();

    const other = await runJson(args("--resume", newRun().id), { folder, env });

    assert.match(String(partOf(other.line, "error").cause), /pays from .*, and the key is of/);
  });
});
