import assert from "node:assert/strict";
import fc from "fast-check";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import {
  ACCEPTED,
  answeredEntry,
  blockReference,
  DUPLICATE,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
  trackedFromEntries,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { BROADCAST_CODES } from "../../../tron/src/node-messages/node-message.ts";
import { BLOCK_INTERVAL_MS } from "../../../tron/src/primitives/block.ts";
import { hex, hexToBytes, transactionId } from "../../../tron/src/primitives/bytes.ts";
import type { SignedTransaction } from "../../../tron/src/transaction/built-transaction.ts";
import type { BroadcastOutcome } from "../../src/gateway/gateway.ts";
import { unsettledEquals } from "../../src/retry/conflicting-transactions.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { resubmitTransaction, submitTransaction } from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry, RecordedOutcome } from "../../src/transaction-state/journal-entry.ts";
import type { TrackedTransaction } from "../../src/transaction-state/tracked-transaction.ts";

const BEGINNING = new FakeGateway().head;
const rawDataHex = rawDataFor(BEGINNING.id, BEGINNING.timestamp + 60_000, 1);
const txId = transactionId(hexToBytes(rawDataHex));
const BAD_SIGNATURE = rejected("SIGERROR", "Validate signature error: sig error");
const OUT_OF_DATE = rejected("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
/** Codes of refusals that time does not change. */
const VALIDATION_CODES = ["SIGERROR", "CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR", "TAPOS_ERROR"];

/** Running tracker with a gateway that returns scripted answers to broadcasts. */
class Bench implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly gateway = new FakeGateway();
  readonly journal = new MemoryJournal();
  readonly tracker = new TransactionTracker({
    store: this.journal,
    gatewayFor: async () => this.gateway,
    clock: this.clock,
  });
  readonly #services = { log: this.tracker, gateway: this.gateway, clock: this.clock };
  readonly #stop = new AbortController();
  readonly #running = this.tracker.start(this.#stop.signal);

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  submit(signature: string): Promise<TrackedTransaction> {
    const signed: SignedTransaction = { txId, rawDataHex, signatures: [hex(signature)] };
    const expiration = this.gateway.head.timestamp + 60_000;
    return submitTransaction(this.#services, signed, { network: "test", intent: TRANSFER, expiration, solidHeight: 0 });
  }

  again = () => resubmitTransaction(this.#services, txId);

  get broadcasts(): number {
    return this.gateway.requests.filter((it) => it.startsWith("broadcast ")).length;
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      await this.clock.advance(BLOCK_INTERVAL_MS);
      this.gateway.mine();
      this.gateway.solidify(this.gateway.head.number - 3);
    }
  }
}

/** Returns the transaction after these answers to successive attempts; undefined is an attempt without an answer. */
function after(...outcomes: readonly (RecordedOutcome | undefined)[]): TrackedTransaction {
  return trackedAfter([signedEntry(1, { txId, rawDataHex })], outcomes);
}

function trackedAfter(
  signed: readonly JournalEntry[],
  outcomes: readonly (RecordedOutcome | undefined)[],
  others: readonly JournalEntry[] = [],
): TrackedTransaction {
  const attempts = outcomes.flatMap((outcome, index): JournalEntry[] => {
    const start = startedEntry(txId, index + 1, 2_000 + 10 * index);
    return outcome ? [start, answeredEntry(txId, outcome, { attempt: index + 1, at: start.at + 5 })] : [start];
  });
  const tracked = trackedFromEntries([...signed, ...attempts, ...others], txId);
  assert.ok(tracked);
  return tracked;
}

/** Returns true if this transaction refuses a new one that does the same. */
const blocks = (tracked: TrackedTransaction): boolean =>
  unsettledEquals([tracked], { network: "test" }, TRANSFER).length === 1;

describe("retry after a rejection", () => {
  const cause = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "timeout" });
  for (const [name, answer, ends] of [
    ...VALIDATION_CODES.map((code) => [code, rejected(code), "rejected"] as const),
    ["BANDWITH_ERROR", rejected("BANDWITH_ERROR"), "proven-absent"],
    ["no answer", { kind: "unknown", cause }, "proven-absent"],
  ] as const)
    it(`S120 sends nothing automatically after ${name}`, async () => {
      await using bench = new Bench();
      bench.gateway.answerBroadcast(answer as BroadcastOutcome);
      const { state } = await bench.submit("ab");
      assert.equal(state.kind, answer.kind);

      await bench.blocks(200);

      assert.equal(bench.broadcasts, 1);
      assert.equal(bench.tracker.get(txId)?.state.kind, ends);
    });

  it("S125 S138 refuses bytes with an invalid signature, and sends other signatures under the same txID", async () => {
    await using bench = new Bench();
    bench.gateway.answerBroadcast(BAD_SIGNATURE as BroadcastOutcome);
    const refused = await bench.submit("ab");
    assert.equal(decideActions(refused).sendSameBytes.allowed, false);
    const again = await bench.again();
    assert.match(again.kind === "refused" ? again.reason : "", /Sign the same transaction again: its txID stays/);
    assert.equal(bench.broadcasts, 1);

    const corrected = await bench.submit("cd");

    assert.equal(bench.broadcasts, 2);
    assert.deepEqual([corrected.txId, corrected.state.kind], [txId, "pending"]);
    assert.deepEqual(corrected.signed?.signatures, ["cd"]);
    assert.equal(decideActions(corrected).sendSameBytes.allowed, true);
  });

  it("S138 asks to sign again after SIGERROR only", () => {
    const codes = Object.keys(BROADCAST_CODES).filter((code) => {
      const { state } = after(rejected(code));
      return state.kind === "rejected" && state.retry === "sign-again";
    });

    assert.deepEqual(codes, ["SIGERROR"]);
  });

  it("S86 allows a new transaction after one explicit rejection, and not after an unknown outcome", () => {
    assert.equal(blocks(after(OUT_OF_DATE)), false);
    assert.equal(blocks(after(rejected("CONTRACT_VALIDATE_ERROR"))), false);

    assert.equal(blocks(after(TIMED_OUT)), true);
    assert.equal(blocks(after(undefined)), true);
    assert.equal(blocks(after(TIMED_OUT, OUT_OF_DATE)), true);
    assert.equal(blocks(after(OUT_OF_DATE, TIMED_OUT)), true);
  });

  it("S127 blocks a new transaction when another signed version may have been submitted", () => {
    const versions = [
      signedEntry(1, { txId, rawDataHex }),
      signedEntry(1, { txId, rawDataHex, at: 1_500, signatures: [hex("cd")] }),
    ];

    assert.equal(blocks(trackedAfter(versions, [TIMED_OUT, BAD_SIGNATURE])), true);
    assert.equal(blocks(trackedAfter(versions, [undefined, OUT_OF_DATE])), true);
    assert.equal(blocks(trackedAfter(versions, [BAD_SIGNATURE, undefined])), true);
    assert.equal(trackedAfter(versions, [BAD_SIGNATURE, TIMED_OUT]).state.kind, "unknown");

    assert.equal(blocks(trackedAfter(versions, [BAD_SIGNATURE, OUT_OF_DATE])), false);
  });
});

describe("retry after an unknown outcome", () => {
  const explicit = fc.constantFrom(
    ...[BAD_SIGNATURE, OUT_OF_DATE, DUPLICATE, rejected("TAPOS_ERROR"), rejected("SERVER_BUSY"), rejected("new one")],
  );
  const doubtful = fc.constantFrom<(RecordedOutcome | undefined)[]>(undefined, TIMED_OUT);
  const sightings = fc.subarray<JournalEntry>([
    { kind: "head-time", txId, at: 3_000, time: 1_900_000_000_000 },
    { kind: "seen-in-pool", txId, at: 3_001 },
    { kind: "seen-in-head", txId, at: 3_002, block: blockReference(5) },
    { kind: "lost-from-head", txId, at: 3_003 },
    { kind: "hidden", txId, at: 3_004 },
  ]);
  const histories = fc
    .tuple(fc.array(fc.oneof(explicit, doubtful, fc.constant(ACCEPTED))), doubtful, fc.array(explicit), sightings)
    .map(([earlier, unknown, later, others]) =>
      trackedAfter([signedEntry(1, { txId, rawDataHex })], [...earlier, unknown, ...later], others),
    );

  it("S146 allows no replacement after any answers and observations", () => {
    fc.assert(
      fc.property(histories, (tracked) => {
        assert.ok(["unknown", "pending", "included"].includes(tracked.state.kind), tracked.state.kind);
        assert.equal(blocks(tracked), true);
      }),
    );
  });

  it("S146 ends with a solidified block and with nothing else", () => {
    const solidified: JournalEntry = {
      kind: "solidified",
      txId,
      at: 9_000,
      block: blockReference(7),
      outcome: { kind: "success" },
    };
    const outcomes = [TIMED_OUT, OUT_OF_DATE, undefined];

    assert.equal(blocks(trackedAfter([signedEntry(1, { txId, rawDataHex })], outcomes)), true);
    assert.equal(blocks(trackedAfter([signedEntry(1, { txId, rawDataHex })], outcomes, [solidified])), false);
  });
});
