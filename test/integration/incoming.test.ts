import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { endLocalChain, finality, startFastChain } from "./local-chain.ts";

interface ShownPayment {
  readonly txID: string;
  readonly amount: string;
  readonly state: string;
  readonly source: string;
}

interface ShownWatch {
  readonly id: string;
  readonly received: string;
  readonly state: string;
  readonly payments: readonly ShownPayment[];
}

const RECEIVER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const TIMEOUT_MS = 200_000;

describe("incoming payment command with arguments", () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "incoming-"));
    await finality();
    await startFastChain();
  });

  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await endLocalChain();
  });

  const begin = (argument: Record<string, unknown>) =>
    vscode.commands.executeCommand<{ id: string; afterBlock: number }>("finality.watchIncoming", argument);
  const pay = async (to: string, amount: string) =>
    (await vscode.commands.executeCommand<{ txId: string }>("finality.sendCoins", { from: "Alice", to, amount })).txId;

  async function standing(id: string): Promise<ShownWatch> {
    const { json } = await vscode.commands.executeCommand<{ json: string }>("finality.exportIncoming", { id });
    const [watch] = (JSON.parse(json) as { watches: readonly ShownWatch[] }).watches;
    assert.ok(watch);
    return watch;
  }

  /** Looks again with each block, for nothing tells programs what came in. */
  async function until(id: string, predicate: (watch: ShownWatch) => boolean): Promise<ShownWatch> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; ) {
      const watch = await standing(id);
      if (predicate(watch)) return watch;
      await vscode.commands.executeCommand("finality.localChainMine", { blocks: "1" });
    }
    return assert.fail(`It stayed as it was: ${JSON.stringify(await standing(id))}`);
  }

  it("counts a payment when it is solidified, and ends at the expected amount", async () => {
    const { id, afterBlock } = await begin({ address: RECEIVER, amount: "3" });
    assert.ok(afterBlock >= 0);
    const first = await pay(RECEIVER, "1.25");
    const part = await until(id, (it) => it.payments.length === 1);
    assert.deepEqual([part.received, part.state], ["1250000", "watching"]);
    assert.deepEqual(
      part.payments.map(({ txID, amount, state, source }) => [txID, amount, state, source]),
      [[first, "1250000", "final", "block"]],
    );

    await pay(RECEIVER, "1.75");
    const whole = await until(id, (it) => it.state === "complete");
    assert.equal(whole.received, "3000000");
  });

  it("marks a payment that a snapshot removed, and counts it again when it returns", async () => {
    const { id } = await begin({ address: "Bob", label: "Shop" });
    const snapshot = await vscode.commands.executeCommand<{ id: string }>("finality.localChainSnapshot", {});
    await pay("Bob", "2");
    await until(id, (it) => it.received === "2000000");

    await vscode.commands.executeCommand("finality.localChainRestore", { id: snapshot.id });
    const gone = await until(id, (it) => it.received === "0");
    assert.deepEqual(
      gone.payments.map(({ state }) => state),
      ["taken back"],
    );

    await pay("Bob", "5");
    const again = await until(id, (it) => it.received !== "0");
    assert.equal(again.received, "5000000");
  });

  it("writes a new file, and never overwrites one", async () => {
    const file = join(folder, "incoming.csv");
    await vscode.commands.executeCommand("finality.exportIncoming", { file });
    assert.match(readFileSync(file, "utf8"), /^network,chain,watch,label,address,token,amount,coins,from,txID/);
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.exportIncoming", { file }),
      /already exists/,
    );
  });

  it("stops and is removed on request", async () => {
    const { id } = await begin({ address: "Bob" });
    await vscode.commands.executeCommand("finality.stopWatchingIncoming", { id });
    assert.equal((await standing(id)).state, "stopped");

    await vscode.commands.executeCommand("finality.removeIncoming", { id });
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.exportIncoming", { id }),
      /no watch in the list has this id/,
    );
    await assert.rejects(async () => begin({ address: "nobody" }), /The argument address cannot be used/);
  });
});
