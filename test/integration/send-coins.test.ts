import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi, TrackedTransaction } from "../../src/public/api.ts";
import { endLocalChain, finality, startChain, startFastChain, until } from "./local-chain.ts";

const ONE_MINUTE_MS = 60_000;

describe("Send Coins with arguments", () => {
  let api: FinalityApi;

  before(async () => {
    api = await finality();
    await startFastChain();
  });

  after(async () => {
    await endLocalChain();
  });

  const send = (argument: Record<string, unknown>): Thenable<{ txId: string; state: { kind: string } }> =>
    vscode.commands.executeCommand("finality.sendCoins", argument);
  const state = (txId: string, kind: TrackedTransaction["state"]["kind"]): Promise<TrackedTransaction> =>
    until(api, txId, (it) => it.state.kind === kind);

  it("moves from signed to solidified, with each state confirmed by the chain", async () => {
    const seen: string[] = [];
    const subscription = api.transactions.onDidChange((txIds) => {
      for (const txId of txIds) seen.push(api.transactions.get(txId)?.state.kind ?? "gone");
    });

    const { txId, state: first } = await send({ from: "Alice", to: "Bob", amount: "1.5" });
    const solidified = await state(txId, "solidified");
    subscription.dispose();

    assert.equal(first.kind, "pending");
    assert.deepEqual(solidified.state.kind === "solidified" && solidified.state.outcome, { kind: "success" });
    assert.equal(solidified.intent?.amount, "1500000");
    assert.deepEqual(
      solidified.attempts.map((it) => it.answer?.kind),
      ["accepted"],
    );
    assert.equal(seen[0], "signed");
    assert.equal(seen.at(-1), "solidified");
  });

  it("refuses an equal payment while the first one may still execute, unless its txID is acknowledged", async () => {
    const first = await send({ from: "Alice", to: "Bob", amount: "0.25" });

    await assert.rejects(
      async () => send({ from: "Alice", to: "Bob", amount: "0.25" }),
      (error: Error) => error.message.includes(first.txId),
    );
    const second = await send({ from: "Alice", to: "Bob", amount: "0.25", acknowledgeUnknown: first.txId });

    assert.notEqual(second.txId, first.txId);
    await Promise.all([state(first.txId, "solidified"), state(second.txId, "solidified")]);
  });

  it("refuses invalid payments with a reason, and stores nothing", async () => {
    const before = api.transactions.list().length;

    await assert.rejects(async () => send({ from: "Alice", to: "Bob", amount: "much" }), /amount/);
    await assert.rejects(async () => send({ from: "Alice", to: "T-nobody", amount: "1" }), /to/);
    await assert.rejects(
      async () => send({ from: "Alice", to: "Bob", amount: "99999999999" }),
      /balance is not sufficient/,
    );

    assert.equal(api.transactions.list().length, before);
  });

  it("refuses a watched sender before building a transaction", async () => {
    const address = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
    await vscode.commands.executeCommand("finality.addWatchOnlyAddress", { address, label: "Watched" });

    await assert.rejects(async () => send({ from: "Watched", to: "Bob", amount: "1" }), /no signing key/);
    await vscode.commands.executeCommand("finality.removeSigningKey", { address, confirmed: true });
  });

  it("reads the balance of any address, and of own accounts by label", async () => {
    const show = (account: string) => vscode.commands.executeCommand("finality.showBalance", { account });
    const alice = (await show("Alice")) as Record<string, unknown>;
    const stranger = (await show("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp")) as Record<string, unknown>;

    assert.equal(alice.network, "Local chain");
    assert.match(String(alice.balance), /^\d{9,}$/);
    assert.deepEqual([stranger.activated, stranger.balance, stranger.formatted], [false, "0", "0"]);
    await assert.rejects(async () => show("Nobody"), { code: "ADDRESS_MALFORMED" });
  });

  it("puts a memo on the chain and a label on the row", async () => {
    const { txId } = await send({ from: "Alice", to: "Bob", amount: "0.5", memo: "rent, November", label: "Rent" });

    const solidified = await state(txId, "solidified");

    assert.equal(solidified.label, "Rent");
  });

  it("copies a txID, and removes a final transaction from the list", async () => {
    const { txId } = await send({ from: "Alice", to: "Bob", amount: "0.75" });
    await state(txId, "solidified");

    const copied = await vscode.commands.executeCommand("finality.copyTxId", { txId });
    await vscode.commands.executeCommand("finality.removeFromList", { txId });

    assert.equal(copied, txId);
    assert.equal(
      api.transactions.list().some((it) => it.txId === txId),
      false,
    );
    assert.notEqual(api.transactions.get(txId), undefined, "the journal keeps it");
  });

  it("explains a missing explorer of a network", async () => {
    const { txId } = await send({ from: "Alice", to: "Bob", amount: "0.8" });

    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.openInExplorer", { txId }),
      /No block explorer is known for "Local chain"\. Set its explorerUrl/,
    );
  });

  it("tracks a transaction by its txID", async () => {
    const unknown = "ab".repeat(32);

    const tracked = await api.transactions.track(unknown, { label: "Somebody's" });

    assert.equal(tracked.state.kind, "unknown");
    assert.equal(tracked.label, "Somebody's");
    await assert.rejects(api.transactions.track("7f"), /txID/);
    await vscode.commands.executeCommand("finality.trackTransaction", { txId: unknown });
    assert.equal(api.transactions.list().filter((it) => it.txId === unknown).length, 1);
  });
});

describe("Send the Same Bytes Again", () => {
  let api: FinalityApi;

  before(async () => {
    api = await finality();
    await startChain({ blockTimeMs: ONE_MINUTE_MS });
  });

  after(async () => {
    await endLocalChain();
  });

  it("sends the same bytes without a second payment, and refuses after the block", async () => {
    const again = (txId: string) => vscode.commands.executeCommand("finality.sendSameBytesAgain", { txId });
    const { txId } = await vscode.commands.executeCommand<{ txId: string }>("finality.sendCoins", {
      from: "Bob",
      to: "Alice",
      amount: "3",
    });

    await again(txId);
    await vscode.commands.executeCommand("finality.localChainMine", { blocks: 40 });
    const solidified = await until(api, txId, (it) => it.state.kind === "solidified");

    assert.deepEqual(
      solidified.attempts.map((it) => it.answer?.kind),
      ["accepted", "already-known"],
    );
    await assert.rejects(async () => again(txId), /cannot be executed a second time/);
  });
});
