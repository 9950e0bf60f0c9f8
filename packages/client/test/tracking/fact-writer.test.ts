import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { chainId } from "../../../../test/support/tracking/chain-places.ts";
import {
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { FactWriter } from "../../src/tracking/fact-writer.ts";
import { resubmitTransaction, submitTransaction } from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

describe("FactWriter dates", () => {
  /** Returns the date of an entry that the writer stores after another entry of the same transaction. */
  async function dateAfter(seen: JournalEntry, entry: JournalEntry): Promise<number | undefined> {
    const store = new MemoryJournal();
    const options = { network: "test", store, clock: new FakeClock(), log: undefined, onIssue: () => undefined };
    const writer = new FactWriter(options);
    writer.observe(seen);
    const [written] = await writer.record([entry]);
    writer.close();
    return written?.at;
  }
  const hidden = (at: number): JournalEntry => ({ kind: "hidden", txId: signedEntry(1).txId, at });

  it("keep the time of the clock when it advances", async () => {
    assert.equal(await dateAfter(signedEntry(1), signedEntry(1, { at: 1_001 })), 1_001);
    assert.equal(await dateAfter(signedEntry(1), hidden(1_000)), 1_000);
  });

  it("follow the last known entry when the clock is set back", async () => {
    assert.equal(await dateAfter(signedEntry(1), hidden(400)), 1_001);
  });

  it("separate signatures from those that they replace within one millisecond", async () => {
    assert.equal(await dateAfter(signedEntry(1), signedEntry(1)), 1_001);
    assert.equal(await dateAfter(hidden(1_000), signedEntry(1)), 1_001);
  });

  it("ignore other transactions", async () => {
    assert.equal(await dateAfter(signedEntry(2), signedEntry(1)), 1_000);
  });
});

describe("FactWriter on a full disk", () => {
  it("repeats no write after it is closed, and logs nothing", async () => {
    const [store, clock, log] = [new MemoryJournal(), new FakeClock(), [] as string[]];
    const writer = new FactWriter({
      ...{ network: "test", store, clock, onIssue: () => undefined },
      log: (message) => void log.push(message),
    });
    store.failNext(1);
    await writer.note([{ kind: "seen-in-pool", txId: signedEntry(1).txId, at: 1 }]);

    writer.close();
    await clock.advance(60_000);

    assert.deepEqual([store.kinds, log], [[], []]);
  });
});

const [CHAIN, ELSEWHERE] = [chainId("a"), chainId("b")];
const BUSY = rejected("SERVER_BUSY");
const [old, other] = [fakeBytes(1), fakeBytes(2)];
const signed = { ...fakeBytes(3), signatures: ["ab" as Hex] };
const context = { network: "test", intent: TRANSFER, expiration: 1, solidHeight: 0, acknowledged: [] };

/** Returns a window, and another one that writes `facts` after an entry of that kind. */
async function twoWindows(kind: JournalEntry["kind"], ...facts: readonly JournalEntry[]) {
  const clock = new FakeClock();
  const gateway = new FakeGateway();
  const journal = new MemoryJournal();
  const log = new TransactionTracker({ store: journal, clock, gatewayFor: async () => gateway });
  await log.load();
  const between = (): void => {
    const append = journal.append.bind(journal);
    journal.append = async (entries) => {
      await append(entries);
      if (entries.some((it) => it.kind === kind)) journal.write(...facts);
    };
  };
  return { services: { log, gateway, clock }, journal, log, gateway, between };
}

describe("two windows at the same time", () => {
  for (const [what, theirs] of [
    ["the same network", { network: "test" }],
    ["the same chain under another name", { network: "renamed", chain: CHAIN }],
    ["a network whose chain is not known", { network: "renamed" }],
    ["an unverified other chain", { network: "renamed", chain: ELSEWHERE }],
  ] as const) {
    it(`H1: submitTransaction sends nothing, and marks its bytes as replaced, when the other window signed an equal payment on ${what}`, async () => {
      const { services, log, gateway, between } = await twoWindows("signed", signedEntry(2, theirs));
      between();

      await assert.rejects(submitTransaction(services, signed, { ...context, chain: CHAIN }), {
        code: "EQUAL_TRANSACTION_ALIVE",
      });

      assert.deepEqual(gateway.requests, []);
      assert.deepEqual(log.get(signed.txId)?.state, { kind: "replaced", by: other.txId });
    });
  }

  it("H1: submitTransaction sends its bytes when the other window signed an equal payment after them", async () => {
    const { services, journal, log } = await twoWindows("signed");
    const behind = [signedEntry(2, { network: "test" })];
    Object.assign(journal, {
      appendInOrder: async (entries: readonly JournalEntry[]) => {
        await journal.append(entries);
        journal.write(...behind);
        return behind;
      },
    });

    const { state } = await submitTransaction(services, signed, context);

    assert.equal(state.kind, "pending");
    assert.equal(log.get(other.txId)?.state.kind, "signed");
  });

  it("H1: submitTransaction stores the chain, and sends beside an acknowledged payment on another chain", async () => {
    const { services, log } = await twoWindows("signed");
    await log.record(signedEntry(2, { chain: ELSEWHERE }));

    const reported = { ...context, chain: CHAIN, acknowledged: [other.txId] };
    const { state, chain } = await submitTransaction(services, signed, reported);

    assert.equal(state.kind, "pending");
    assert.equal(chain, CHAIN);
    assert.equal(log.get(other.txId)?.chain, ELSEWHERE);
  });

  it("submitTransaction sends a payment beside an acknowledged equal one", async () => {
    const { services, between } = await twoWindows("signed", signedEntry(2));
    between();

    const tracked = await submitTransaction(services, signed, { ...context, acknowledged: [other.txId] });

    assert.equal(tracked.state.kind, "pending");
  });

  it("resubmitTransaction refuses when the other window replaced the transaction, and records NOT_SENT", async () => {
    const replaced = { kind: "replaced", txId: old.txId, at: 9, by: other.txId } as const;
    const { services, log, gateway, between } = await twoWindows("broadcast-started", replaced);
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
    between();

    const result = await resubmitTransaction(services, old.txId);

    assert.equal(result.kind, "refused");
    assert.deepEqual(gateway.requests, []);
    const outcome = log.get(old.txId)?.attempts.at(-1)?.outcome;
    assert.equal(outcome?.kind === "rejected" ? outcome.code : "", "NOT_SENT");
  });

  for (const network of ["test", "renamed"])
    it(`H1: resubmitTransaction refuses when the other window sent an equal payment on the network "${network}"`, async () => {
      const sent = [signedEntry(2, { network }), startedEntry(other.txId)];
      const { services, log, gateway, between } = await twoWindows("broadcast-started", ...sent);
      await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
      between();

      const result = await resubmitTransaction(services, old.txId);

      assert.match(result.kind === "refused" ? result.reason : "", /execute the same thing twice/);
      assert.deepEqual(gateway.requests, []);
    });

  it("submitTransaction refuses to replace a transaction that the other window sends again", async () => {
    const again = startedEntry(old.txId, 2, 9);
    const { services, log, gateway, between } = await twoWindows("signed", again);
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
    between();

    await assert.rejects(
      submitTransaction(services, signed, { ...context, replaces: old.txId }),
      /sent more than once|may still be executed/,
    );

    assert.deepEqual(gateway.requests, []);
    assert.equal(log.get(old.txId)?.state.kind, "unknown");
  });
});

describe("TransactionTracker.note with a clock that is set back", () => {
  it("dates a new fact after the known ones", async () => {
    const { services, log } = await twoWindows("hidden");
    const { txId } = old;
    const block = { number: 7, timestamp: 1 };
    await log.record(signedEntry(1), startedEntry(txId), { kind: "seen-in-head", txId, at: 5_000, block });

    await log.note({ kind: "lost-from-head", txId, at: 1_000 });

    assert.equal(log.get(txId)?.state.kind, "pending");
    assert.equal(services.log.get(txId)?.changedAt, 5_001);
  });
});
