import assert from "node:assert/strict";
import type { BroadcastOutcome } from "../../packages/client/src/gateway/gateway.ts";
import { BLOCK_INTERVAL_MS } from "../../packages/tron/src/primitives/block.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import { MAX_EXPIRATION_AHEAD_MS } from "../../packages/tron/src/transaction/built-transaction.ts";
import { ChainBench, COIN, payment, stranger } from "../support/chain/chain-bench.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const ACCEPTED: BroadcastOutcome = { kind: "accepted" };
const EXPIRED: BroadcastOutcome = {
  kind: "rejected",
  code: "TRANSACTION_EXPIRATION_ERROR",
  message: "Transaction expired",
};
const DUPLICATE: BroadcastOutcome = { kind: "already-known", message: "Dup transaction." };

describe("transaction lifecycle on the embedded chain", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  /** Signs a payment from the first to the second account, which expires so long after the head. */
  function signedPayment(lifetimeMs: number) {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = payment(alice, bob.address);
    const expiration = bench.head.timestamp + lifetimeMs;
    return { intent, expiration, transaction: bench.signed(intent, [alice], { expiration }) };
  }

  /** Signs a payment of five coins of a new account with one coin. */
  async function unfundedPayment() {
    const [poor, bob] = [stranger(), bench.person(1)];
    await bench.fund(poor.address, COIN);
    const intent = payment(poor, bob.address, 5n * COIN);
    const expiration = bench.head.timestamp + 60_000;
    const transaction = bench.signed(intent, [poor], { expiration });
    return { poor, bob, intent, expiration, transaction };
  }

  it("S19 executes a repeated transaction once, even with other signature bytes", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const before = await bench.balance(bob.address);
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    const [signature = ""] = transaction.signatures;
    const recovery = Number.parseInt(signature.slice(-2), 16) - 27;
    const otherBytes = { ...transaction, signatures: [hex(`${signature.slice(0, -2)}0${recovery}`)] };

    assert.deepEqual(await bench.outcome(transaction), ACCEPTED);
    for (const blocks of [0, 1, 1, 5]) {
      if (blocks > 0) await bench.mine(blocks);
      for (const it of [transaction, otherBytes, transaction]) assert.deepEqual(await bench.outcome(it), DUPLICATE);
    }
    await bench.mine(20);

    assert.equal(await bench.timesIncluded(transaction.txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });

  it("S21 S148 accepts an expiration from the next slot to 24 hours after the head", async () => {
    assert.equal(MAX_EXPIRATION_AHEAD_MS, DAY_MS);
    const cases = [
      [BLOCK_INTERVAL_MS - 1, EXPIRED],
      [BLOCK_INTERVAL_MS, ACCEPTED],
      [DAY_MS, ACCEPTED],
      [DAY_MS + 1, EXPIRED],
    ] as const;
    const sent = cases.map(([lifetimeMs]) => signedPayment(lifetimeMs).transaction);

    for (const [index, transaction] of sent.entries()) {
      assert.deepEqual(await bench.outcome(transaction), cases[index]?.[1], `${cases[index]?.[0]} ms after the head`);
    }

    await bench.mine();
    const included = await Promise.all(sent.map(({ txId }) => bench.timesIncluded(txId)));
    assert.deepEqual(included, [0, 1, 1, 0]);
  });

  it("S21 measures the expiration by the head's time", async () => {
    const { transaction } = signedPayment(BLOCK_INTERVAL_MS);
    await bench.mine();

    assert.deepEqual(await bench.outcome(transaction), EXPIRED);
  });

  it("S44 S139 refuses an expired transaction permanently, and advises to rebuild it", async () => {
    const { intent, expiration, transaction } = signedPayment(BLOCK_INTERVAL_MS - 1);

    const { state } = await bench.submit(transaction, intent, expiration);
    for (const blocks of [1, 9, 990]) {
      await bench.mine(blocks);
      assert.deepEqual(await bench.outcome(transaction), EXPIRED, `after ${blocks} more blocks`);
    }

    assert.equal(state.kind === "rejected" && state.retry, "rebuild");
    const broadcasts = bench.requests("/wallet/broadcasttransaction");
    assert.equal((await bench.again(transaction.txId)).kind, "refused");
    assert.equal(bench.requests("/wallet/broadcasttransaction"), broadcasts);
    assert.equal(await bench.timesIncluded(transaction.txId), 0);
  });

  it("S45 S139 accepts the same bytes when the head has come close enough to the expiration", async () => {
    const { intent, expiration, transaction } = signedPayment(DAY_MS + 10_000);

    const { state } = await bench.submit(transaction, intent, expiration);
    assert.equal(
      state.kind === "rejected" && `${state.code} ${state.retry}`,
      `${EXPIRED.code} same-bytes-when-head-advances`,
    );
    await bench.mine(3);
    assert.deepEqual(await bench.outcome(transaction), EXPIRED);
    await bench.mine();
    const again = await bench.again(transaction.txId);
    await bench.mine();

    assert.equal(again.kind === "sent" && again.tracked.state.kind, "pending");
    assert.equal(again.kind === "sent" && again.tracked.signed?.rawDataHex, transaction.rawDataHex);
    assert.equal(await bench.timesIncluded(transaction.txId), 1);
  });

  it("S46 S140 accepts the same bytes after funding, before they expire", async () => {
    const { poor, bob, intent, expiration, transaction } = await unfundedPayment();
    const before = await bench.balance(bob.address);

    const { state } = await bench.submit(transaction, intent, expiration);
    assert.equal(state.kind === "rejected" && state.retry, "same-bytes-after-funding");
    await bench.fund(poor.address, 10n * COIN);
    const again = await bench.again(transaction.txId);
    await bench.mine();

    assert.equal(again.kind === "sent" && again.tracked.state.kind, "pending");
    assert.equal(await bench.balance(bob.address), before + 5n * COIN);
    assert.equal(await bench.timesIncluded(transaction.txId), 1);
  });

  it("S140 advises to rebuild when the funding comes after the expiration", async () => {
    const { poor, intent, expiration, transaction } = await unfundedPayment();
    await bench.submit(transaction, intent, expiration);

    await bench.warp(120_000);
    await bench.fund(poor.address, 10n * COIN);
    const again = await bench.again(transaction.txId);

    const state = again.kind === "sent" ? again.tracked.state : undefined;
    assert.equal(state?.kind === "rejected" && state.retry, "rebuild");
    assert.equal((await bench.again(transaction.txId)).kind, "refused");
  });

  it("S64 never changes a receipt", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await bench.outcome(transaction);
    await bench.mine();
    const receipt = (view: string) => bench.ask(`/${view}/gettransactioninfobyid`, { value: transaction.txId });
    const first = await receipt("wallet");
    assert.equal(first.id, transaction.txId);
    assert.deepEqual(await receipt("walletsolidity"), {});

    for (const blocks of [6, 1, 200]) {
      await bench.outcome(bench.signed(payment(alice, bob.address, COIN), [alice]));
      await bench.mine(blocks);
      assert.deepEqual(await receipt("wallet"), first);
      assert.deepEqual(await receipt("walletsolidity"), first);
    }
  });

  it("S75 recovers used resources within a day", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const used = async () => (await bench.gateway.accountResources(alice.address))?.freeBandwidthUsed;
    assert.equal(await used(), 0n);

    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await bench.outcome(transaction);
    await bench.mine(7);
    const info = await bench.gateway.solidTransactionInfo(transaction.txId);
    assert.ok(info !== undefined && info.bandwidthUsed > 200n);
    const afterwards = await used();
    await bench.warp(DAY_MS / 2);
    const later = await used();
    await bench.warp(DAY_MS);

    assert.ok(afterwards !== undefined && later !== undefined);
    assert.ok(afterwards <= info.bandwidthUsed && afterwards >= info.bandwidthUsed - 2n, `${afterwards}`);
    assert.ok(later < afterwards && later >= afterwards / 3n, `${later} of ${afterwards}`);
    assert.equal(await used(), 0n);
  });

  it("S75 returns no resources for an account that is not activated", async () => {
    const { address } = stranger();
    assert.equal(await bench.gateway.accountResources(address), undefined);
    await bench.fund(address, COIN);

    const resources = await bench.gateway.accountResources(address);
    assert.deepEqual(resources?.freeBandwidthLimit, 600n);
    assert.deepEqual([resources?.energyLimit, resources?.energyUsed], [0n, 0n]);
  });
});
