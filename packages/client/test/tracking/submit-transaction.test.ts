import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  BOB,
  blockReference,
  fakeBytes,
  signedEntry,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal, OvertakenJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { ChainError, isChainError } from "../../../tron/src/errors/chain-error.ts";
import type { Hex, TxId } from "../../../tron/src/primitives/bytes.ts";
import type { SignedTransaction } from "../../../tron/src/transaction/built-transaction.ts";
import { parseChainId } from "../../src/gateway/network.ts";
import {
  checkExpiry,
  resubmitTransaction,
  type SubmissionContext,
  type SubmissionServices,
  storeTransaction,
  submitTransaction,
} from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

const signed: SignedTransaction = { ...fakeBytes(1), signatures: ["ab" as Hex] };
const { txId } = signed;
const context: SubmissionContext = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 3 };
const CHAIN = parseChainId(`${"00".repeat(8)}${"11".repeat(24)}`) ?? assert.fail();
const timeout = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "timeout" });

class Bench {
  readonly journal = new MemoryJournal();
  readonly gateway = new FakeGateway();
  readonly clock = new FakeClock();
  readonly tracker = new TransactionTracker({
    store: this.journal,
    gatewayFor: async () => this.gateway,
    clock: this.clock,
  });
  readonly services: SubmissionServices = { log: this.tracker, gateway: this.gateway, clock: this.clock };

  submit = (signal?: AbortSignal) => submitTransaction(this.services, signed, context, signal);
  again = (signal?: AbortSignal) => resubmitTransaction(this.services, txId, { signal });
  get broadcasts(): number {
    return this.gateway.requests.filter((it) => it.startsWith("broadcast ")).length;
  }

  /** Returns the tracker of a new window. */
  async restarted(): Promise<TransactionTracker> {
    const tracker = new TransactionTracker({
      store: new MemoryJournal(this.journal.entries),
      gatewayFor: async () => this.gateway,
      clock: this.clock,
    });
    await tracker.load();
    return tracker;
  }
}

describe("submitTransaction", () => {
  it("S77 writes the signed bytes and the attempt to the journal before the broadcast", async () => {
    const bench = new Bench();
    const kinds: JournalEntry["kind"][][] = [];
    bench.gateway.answerBroadcast(() => {
      kinds.push([...bench.journal.kinds]);
      return { kind: "accepted" };
    });

    const tracked = await bench.submit();

    assert.deepEqual(kinds, [["signed", "broadcast-started"]]);
    assert.deepEqual(bench.journal.kinds, ["signed", "broadcast-started", "broadcast-answered"]);
    assert.deepEqual(tracked.state, { kind: "pending" });
    assert.deepEqual(tracked.signed?.rawDataHex, signed.rawDataHex);
  });

  it("sends nothing when the signed bytes cannot be written", async () => {
    const bench = new Bench();
    bench.journal.failNext();

    await assert.rejects(bench.submit(), { code: "JOURNAL_UNWRITABLE" });

    assert.equal(bench.broadcasts, 0);
    assert.equal(bench.tracker.get(txId), undefined);
  });

  it("sends nothing and keeps the signed bytes when the attempt cannot be written", async () => {
    const bench = new Bench();
    bench.tracker.onDidChange(() => bench.journal.failNext());

    await assert.rejects(bench.submit(), { code: "JOURNAL_UNWRITABLE" });

    assert.equal(bench.broadcasts, 0);
    assert.equal((await bench.restarted()).get(txId)?.state.kind, "signed");
  });

  it("keeps an answer that cannot be written, and writes it with the next fact", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast(() => {
      bench.journal.failNext();
      return { kind: "rejected", code: "SIGERROR", message: "sig error" };
    });

    const tracked = await bench.submit();

    assert.equal(tracked.state.kind, "rejected");
    assert.equal((await bench.restarted()).get(txId)?.state.kind, "unknown");
    await bench.tracker.hide(txId);
    assert.equal((await bench.restarted()).get(txId)?.state.kind, "rejected");
  });

  it("S105 returns an unknown outcome without an answer", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast({ kind: "unknown", cause: timeout });

    const { state } = await bench.submit();

    assert.deepEqual(state, { kind: "unknown", reason: timeout.message });
  });

  for (const [name, thrown] of [
    ["a TypeError", new TypeError("broken")],
    ["a chain error", timeout],
  ] as const) {
    it(`returns an unknown outcome when the gateway throws ${name}`, async () => {
      const bench = new Bench();
      bench.gateway.fail("broadcast", thrown);

      assert.equal((await bench.submit()).state.kind, "unknown");
      assert.equal((await bench.restarted()).get(txId)?.state.kind, "unknown");
    });
  }

  it("returns an unknown outcome when the request is cancelled during the broadcast", async () => {
    const bench = new Bench();
    const stop = new AbortController();
    bench.gateway.answerBroadcast(() => {
      stop.abort();
      throw stop.signal.reason;
    });

    const { state } = await bench.submit(stop.signal);

    assert.equal(state.kind, "unknown");
    assert.match(state.kind === "unknown" ? state.reason : "", /cancelled/);
  });

  it("writes nothing when the request is cancelled before it starts", async () => {
    const bench = new Bench();

    await assert.rejects(bench.submit(AbortSignal.abort()));

    assert.deepEqual(bench.journal.kinds, []);
  });

  it("refuses bytes that do not belong to their txID", async () => {
    const bench = new Bench();
    const other = { ...signed, txId: fakeTxId(9) };

    const submitted = submitTransaction(bench.services, other, context);

    await assert.rejects(submitted, { code: "TRANSACTION_MALFORMED" });
    assert.deepEqual(bench.journal.kinds, []);
  });

  it("S116 compares the expiration with the time of the head", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast({
      kind: "rejected",
      code: "TRANSACTION_EXPIRATION_ERROR",
      message: "Transaction expired",
    });
    const far = { ...context, expiration: bench.gateway.head.timestamp + 25 * 60 * 60 * 1_000 };

    const { state } = await submitTransaction(bench.services, signed, far);

    assert.equal(state.kind === "rejected" ? state.retry : "", "same-bytes-when-head-advances");
  });

  it("G2: requests the head time after the message under any code, and accepts an estimate", async () => {
    for (const code of ["CONTRACT_VALIDATE_ERROR", "SIGERROR", "TRANSACTION_EXPIRATION_ERROR"]) {
      const bench = new Bench();
      const head = bench.gateway.head;
      bench.gateway.headBlock = async () => ({ ...head, isGuess: true }) as never;
      bench.gateway.answerBroadcast({ kind: "rejected", code, message: "Transaction expired" });
      const far = { ...context, expiration: head.timestamp + 25 * 60 * 60 * 1_000 };

      const { state } = await submitTransaction(bench.services, signed, far);

      assert.equal(state.kind === "rejected" ? state.retry : "", "same-bytes-when-head-advances", code);
    }
  });

  it("G17: refuses to send expired bytes again after a rejection", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast({ kind: "rejected", code: "BANDWITH_ERROR", message: "" });
    await bench.submit();

    await checkExpiry(bench.services, txId);
    assert.equal(bench.journal.kinds.includes("head-time"), false);
    bench.gateway.mine([], context.expiration);
    await checkExpiry(bench.services, txId);

    const { kind, ...refused } = await bench.again();
    assert.equal(kind, "refused");
    assert.match("reason" in refused ? refused.reason : "", /expired/);
    assert.equal(bench.broadcasts, 1);
  });

  it("keeps an answer when the head time is not available", async () => {
    const bench = new Bench();
    bench.gateway.fail("headBlock", timeout);
    bench.gateway.answerBroadcast({
      kind: "rejected",
      code: "TRANSACTION_EXPIRATION_ERROR",
      message: "Transaction expired",
    });

    const { state } = await bench.submit();

    assert.equal(state.kind === "rejected" ? state.retry : "", "rebuild");
  });
});

describe("resubmitTransaction", () => {
  it("S144 sends the same bytes again as a new attempt after a timeout", async () => {
    const bench = new Bench();
    const bodies: SignedTransaction[] = [];
    const silent = (it: SignedTransaction) => {
      bodies.push(it);
      return { kind: "unknown", cause: timeout } as const;
    };
    bench.gateway.answerBroadcast(silent, silent);
    await bench.submit();

    const result = await bench.again();

    assert.deepEqual(bodies, [signed, signed]);
    assert.deepEqual(result.kind === "sent" ? result.tracked.attempts.map((it) => it.number) : [], [1, 2]);
  });

  it("S143 keeps one transaction when the node already has it", async () => {
    const bench = new Bench();
    await bench.submit();

    const result = await bench.again();

    assert.equal(result.kind === "sent" ? result.tracked.state.kind : "", "pending");
    assert.equal(bench.gateway.pending.length, 1);
  });

  it("refuses a transaction that is not tracked or was not signed here", async () => {
    const bench = new Bench();
    assert.deepEqual(await bench.again(), { kind: "refused", reason: "This transaction is not tracked." });

    await bench.tracker.adopt(txId, { network: "test" });

    assert.equal((await bench.again()).kind, "refused");
    assert.equal(bench.broadcasts, 0);
  });

  const at = 1;
  const block = blockReference(4);
  for (const [name, fact] of [
    [
      "S131 final transaction",
      { kind: "solidified", txId, at, block, outcome: { kind: "failed", result: "REVERT", message: "" } },
    ],
    ["S43 included transaction", { kind: "seen-in-head", txId, at, block }],
    ["replaced transaction", { kind: "replaced", txId, at, by: fakeTxId(2) }],
  ] as const satisfies readonly (readonly [string, JournalEntry])[]) {
    it(`${name}: does not send the same bytes again`, async () => {
      const bench = new Bench();
      await bench.submit();
      await bench.tracker.record(fact);

      const result = await bench.again();

      assert.equal(result.kind, "refused");
      assert.equal(bench.broadcasts, 1);
    });
  }

  for (const [name, code, message, expected] of [
    ["S125 does not send an invalid signature again", "SIGERROR", "sig error", "refused"],
    ["S121 does not send expired bytes again", "TRANSACTION_EXPIRATION_ERROR", "Transaction expired", "refused"],
    ["S140 sends the same bytes after funding", "BANDWITH_ERROR", "Account resource insufficient error.", "sent"],
  ] as const) {
    it(name, async () => {
      const bench = new Bench();
      bench.gateway.answerBroadcast({ kind: "rejected", code, message });
      await bench.submit();

      assert.equal((await bench.again()).kind, expected);
      assert.equal(bench.broadcasts, expected === "sent" ? 2 : 1);
    });
  }

  it("S126 sends other signatures over the same raw_data under the same txID", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast({ kind: "rejected", code: "SIGERROR", message: "sig error" });
    await bench.submit();

    const better = { ...signed, signatures: ["cd" as Hex] };
    const tracked = await submitTransaction(bench.services, better, context);

    assert.equal(tracked.state.kind, "pending");
    assert.deepEqual(tracked.signed?.signatures, ["cd"]);
    assert.equal(tracked.attempts.length, 2);
  });
});

describe("submitTransaction beside an equal rejected transaction", () => {
  const rejected = signedEntry(7, { chain: CHAIN });
  const attempt = { txId: rejected.txId, attempt: 1, endpoint: "https://gateway.test" };

  async function benchWithRejection(): Promise<Bench> {
    const bench = new Bench();
    await bench.tracker.record(
      rejected,
      { kind: "broadcast-started", at: bench.clock.now(), ...attempt },
      {
        ...{ kind: "broadcast-answered", at: bench.clock.now(), ...attempt },
        outcome: { kind: "rejected", code: "SIGERROR", message: "sig error" },
      },
    );
    return bench;
  }

  it("M1: refuses when the rejection came after the recheck", async () => {
    const bench = await benchWithRejection();

    await assert.rejects(submitTransaction(bench.services, signed, { ...context, chain: CHAIN, rechecked: [] }), {
      code: "EQUAL_TRANSACTION_ALIVE",
    });

    assert.equal(bench.broadcasts, 0);
  });

  it("M1: submits when the rejection was rechecked", async () => {
    const bench = await benchWithRejection();

    await submitTransaction(bench.services, signed, { ...context, chain: CHAIN, rechecked: [rejected.txId] });

    assert.equal(bench.broadcasts, 1);
  });

  it("M1: does not send the same bytes again when the rejection came after the recheck", async () => {
    const bench = new Bench();
    bench.gateway.answerBroadcast({ kind: "rejected", code: "SERVER_BUSY", message: "busy" });
    await bench.submit();
    await bench.tracker.record(...(await benchWithRejection()).journal.entries);

    const later = await resubmitTransaction(bench.services, txId, { rechecked: [] });
    const rechecked = await resubmitTransaction(bench.services, txId, { rechecked: [rejected.txId] });

    assert.deepEqual([later.kind, rechecked.kind], ["refused", "sent"]);
  });
});

describe("storeTransaction", () => {
  it("T3: refuses bytes of a file when their payment was executed after their reference block", async () => {
    for (const { height, code } of [
      { height: context.solidHeight + 1, code: "EQUAL_TRANSACTION_ALIVE" },
      { height: context.solidHeight, code: "kept" },
    ]) {
      const bench = new Bench();
      const done = signedEntry(7, { chain: CHAIN });
      const solidified: JournalEntry = {
        ...{ kind: "solidified", txId: done.txId, at: bench.clock.now(), block: blockReference(height) },
        outcome: { kind: "success" },
      };
      await bench.tracker.record(done, solidified);
      const keep = (acknowledged: readonly TxId[]) =>
        storeTransaction(bench.services, signed, { ...context, chain: CHAIN, signers: [BOB], acknowledged });

      const result = await keep([]).then(
        () => "kept",
        (error: unknown) => (isChainError(error) ? error.code : "another"),
      );
      assert.equal(result, code, `executed in block ${height}`);
      assert.equal((await keep([done.txId])).txId, signed.txId);
    }
  });

  it("writes the entry again when another window has replaced all signatures", async () => {
    const clock = new FakeClock();
    const [renewed, bobs] = ["cc", "bb"] as Hex[] as [Hex, Hex];
    const journal = new OvertakenJournal(signedEntry(1, { at: clock.now() + 5_000, signatures: [renewed] }));
    const log = new TransactionTracker({ store: journal, gatewayFor: async () => new FakeGateway(), clock });
    await log.load();

    const stored = await storeTransaction(
      { log, clock },
      { ...fakeBytes(1), signatures: [bobs] },
      { ...context, signers: [BOB] },
    );

    assert.deepEqual(stored.signed?.signatures, [renewed, bobs]);
    assert.deepEqual(journal.kinds, ["signed", "signed", "signed"]);
  });
});
