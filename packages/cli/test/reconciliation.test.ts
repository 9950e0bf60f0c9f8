import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type ReconciledColumn,
  type ReconciledLine,
  readReconciliation,
  reconciliationCsv,
  reconciliationJson,
} from "../../client/src/runs/reconciliation.ts";
import type { JournalEntry } from "../../client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../node/src/journal/journal-file.ts";
import { parseAddress, toBase58 } from "../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const recipient = (number: number) => toBase58(parseAddress(`41${number.toString(16).padStart(40, "7")}`));

describe("reconciliation of a run", function () {
  this.timeout(60_000);
  let chain: CommandChain;
  let folder: string;
  let lines: readonly ReconciledLine[];
  let token: string;

  before(async () => {
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-reconciliation-"));
    token = toBase58(await chain.deployLeaf());
    const tokens = [2, 3].map((it) => `${recipient(it)},${it}0,${token},,`);
    const rows = ["recipient,amount,token,memo,label", `${recipient(1)},1.5,,May,=Ann`, ...tokens];
    writeFileSync(join(folder, "pay.csv"), rows.join("\n"));
    const ended = runJson(["run", "pay.csv", "--local", "--key-env", "KEY", "--yes", "--expiry", "36000"], input());
    for (let isDone = false; !isDone; isDone = await Promise.race([ended.then(() => true), wait(50, false)]))
      await chain.post("/local/mine", { blocks: 3 });
    const { exitCode, line } = await ended;
    assert.equal(exitCode, 0);
    const id = String(partOf(line, "result").run);
    for (const format of ["csv", "json"])
      await run(["runs", "export", id, "--format", format, "--out", `paid.${format}`], input());
    lines = readReconciliation(readFileSync(join(folder, "paid.csv"), "utf8")) ?? [];
  });

  after(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = () => ({ folder, env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) } });

  const recheck = async (file: string, ...more: readonly string[]) =>
    await runJson(["recheck", file, ...more], input());

  /** Checks lines with the chain. Returns the exit code, and row and column of each wrong cell. */
  async function recheckLines(changed: readonly ReconciledLine[]) {
    writeFileSync(join(folder, "changed.csv"), reconciliationCsv(changed));
    const { exitCode, line } = await recheck("changed.csv", "--local");
    const { mismatches, open } = partOf(line, "result");
    const cells = (mismatches as readonly JsonObject[]).map(({ row, column }) => `${row} ${column}`);
    return { exitCode, cells, open };
  }

  it("has the payment, the block and the result of each row, in both formats", () => {
    const json = readReconciliation(readFileSync(join(folder, "paid.json"), "utf8"));

    assert.deepEqual(json, lines);
    assert.deepEqual(
      lines.map((it) => [
        it.row,
        it.attempt,
        it.label,
        it.recipient,
        it.token,
        it.amount,
        it.memo,
        it.state,
        it.result,
      ]),
      [
        ["2", "1", "=Ann", recipient(1), "", "1500000", "May", "succeeded", "SUCCESS"],
        ["3", "1", "", recipient(2), token, "20000000", "", "succeeded", "SUCCESS"],
        ["4", "1", "", recipient(3), token, "30000000", "", "succeeded", "SUCCESS"],
      ],
    );
  });

  it("is confirmed by the chain, and by itself alone", async () => {
    for (const file of ["paid.csv", "paid.json"]) {
      const { exitCode, line } = await recheck(file, "--local");
      const { kind, rows, mismatches } = partOf(line, "result");
      assert.deepEqual([exitCode, kind, rows, mismatches], [0, "confirmed", 3, []], file);
    }
    assert.equal(partOf((await recheck("paid.csv")).line, "result").kind, "alone");
  });

  it("is refused for each forged cell, with its row and column", async () => {
    const [coins, tokens] = lines;
    assert.ok(coins !== undefined && tokens !== undefined);
    const other = { txID: "ab".repeat(32), blockID: "00".repeat(32), chain: "cd".repeat(32), owner: recipient(9) };
    const forged: Partial<ReconciledLine> = {
      ...{
        ...other,
        recipient: recipient(9),
        token: "1000001",
        amount: "1",
        memo: "June",
        contract: token,
        data: "00",
      },
      ...{
        callValue: "1",
        state: "failed",
        block: "1",
        blockTime: "2020-01-01T00:00:00.000Z",
        result: "REVERT",
        attempt: "2",
      },
    };
    for (const [column, value] of Object.entries(forged) as [ReconciledColumn, string][])
      for (const line of [coins, tokens]) {
        const changed = lines.map((it) => (it === line ? { ...it, [column]: value } : it));
        const { exitCode, cells } = await recheckLines(changed);
        const expected = column === "block" ? `${line.row} txID` : `${line.row} ${column}`;
        assert.equal(exitCode, 1, column);
        assert.ok(cells.includes(expected), `${column}: ${cells.join(", ")}`);
      }
  });

  it("is refused if a payment counts for two rows, or a paid row is shown as not executed", async () => {
    const [coins, tokens] = lines;
    assert.ok(coins !== undefined && tokens !== undefined);
    const twice = await recheckLines([...lines, { ...coins, row: "5", key: "other" }]);
    const hidden = await recheckLines([{ ...coins, state: "rejected", block: "", blockID: "", result: "" }, tokens]);

    assert.deepEqual([twice.exitCode, twice.cells], [1, ["5 txID"]]);
    assert.deepEqual([hidden.exitCode, hidden.cells], [1, ["2 state"]]);
  });

  it("names rows that are not final, and proofs that prove nothing", async () => {
    const [coins, tokens] = lines;
    assert.ok(coins !== undefined && tokens !== undefined);
    const none = { attempt: "", txID: "", block: "", blockID: "", blockTime: "", result: "" };
    const waiting = await recheckLines([{ ...coins, ...none, state: "waiting" }, tokens]);
    const absent = { ...none, attempt: "1", txID: "ab".repeat(32), state: "provenAbsent", proof: "{}" };

    assert.deepEqual([waiting.exitCode, waiting.cells, waiting.open], [6, [], ["2"]]);
    assert.deepEqual((await recheckLines([{ ...coins, ...absent }, tokens])).cells, ["2 proof"]);
    const json = reconciliationJson([{ ...coins, ...absent }]);
    assert.deepEqual(readReconciliation(json)?.[0]?.proof, "{}");
  });

  it("repeats the proof of an attempt that no block has, and compares its bytes with the row", async () => {
    const { intent, signed, expiration } = chain.transfer();
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    const { txId } = signed;
    const [at, network, endpoint] = [1, "Local chain", chain.chain.baseUrl];
    const file = new JournalFile(join(folder, "lost"));
    await file.append([
      { ...signed, kind: "signed", at, network, chain: String(blockID), intent, expiration, solidHeight: 0 },
      { kind: "broadcast-started", txId, at, attempt: 1, endpoint },
    ] as readonly JournalEntry[]);
    await file.close();
    await chain.post("/local/mine", { blocks: 40 });
    const proven = await runJson(["proof", txId, "--local", "--journal", "lost"], input());
    const proof = JSON.stringify(partOf(proven.line, "result").proof);
    const [coins, tokens] = lines;
    assert.ok(coins !== undefined && tokens !== undefined);
    const none = { label: "", memo: "", block: "", blockID: "", blockTime: "", result: "" };
    const payment = { recipient: toBase58(intent.to), amount: "1", txID: txId, state: "provenAbsent", proof };
    const absent = { ...coins, ...none, ...payment };
    const cellsOf = async (forged: Partial<ReconciledLine>) =>
      (await recheckLines([{ ...absent, ...forged }, tokens])).cells;

    assert.deepEqual(await recheckLines([absent, tokens]), { exitCode: 0, cells: [], open: [] });
    assert.deepEqual(await cellsOf({ amount: "2" }), ["2 amount"]);
    assert.deepEqual(await cellsOf({ recipient: recipient(9) }), ["2 recipient"]);
    assert.deepEqual(await cellsOf({ state: "rejected" }), ["2 state"]);
    assert.deepEqual(await cellsOf({ txID: "ab".repeat(32) }), ["2 proof"]);
    assert.deepEqual(
      await cellsOf({ proof: proof.replace(/"digest":"[0-9a-f]{64}"/, `"digest":"${"0".repeat(64)}"`) }),
      ["2 proof"],
    );
  });

  it("refuses an unknown format, and checks any other file as a proof", async () => {
    writeFileSync(join(folder, "else.csv"), "recipient,amount\n");
    const { runs } = partOf((await runJson(["runs"], input())).line, "result") as { runs: readonly JsonObject[] };
    const wrong = await runJson(["runs", "export", String(runs[0]?.run), "--format", "xml"], input());

    assert.equal(partOf(wrong.line, "error").code, "USAGE");
    assert.equal(partOf((await recheck("else.csv")).line, "result").kind, "refused");
  });
});
