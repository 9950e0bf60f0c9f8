import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway, fakeTxId, type ScriptedTransaction } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import {
  ACCEPTED,
  answeredEntry,
  DUPLICATE,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { stopText } from "../../src/labels/proofs.ts";
import type { ScanStore } from "../../src/proof/absence-scan.ts";
import { proofDocument, proofToJson, recheckProof } from "../../src/proof/proof-document.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { resubmitTransaction, submitTransaction } from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

const LIFETIME_BLOCKS = 20;
const LAG = 4;

/**
 * Chain with a block every 3 s of the tracker's clock, and a journal with transactions in no block.
 */
class Fixture {
  readonly clock = new FakeClock();
  readonly gateway = new FakeGateway();
  readonly journal: MemoryJournal;
  readonly tracker: TransactionTracker;
  readonly progress: string[] = [];
  readonly #lifetimeOf: (index: number) => number;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(
    count: number,
    entriesOf: (txId: TxId) => readonly JournalEntry[] = timedOut,
    lifetimeOf: (index: number) => number = () => LIFETIME_BLOCKS,
  ) {
    this.#lifetimeOf = lifetimeOf;
    this.gateway.mineEmpty(20);
    this.gateway.solidify(16);
    const entries = Array.from({ length: count }, (_, index) => this.#signed(index)).flatMap((it) => [
      it,
      ...entriesOf(it.txId),
    ]);
    this.journal = new MemoryJournal(entries);
    const { journal: store, clock, gateway } = this;
    this.tracker = new TransactionTracker({ store, clock, gatewayFor: async () => gateway });
    this.tracker.onDidChange((txIds) => {
      for (const txId of txIds) this.#note(txId);
    });
  }

  async start(): Promise<this> {
    await this.tracker.load();
    this.#done = this.tracker.start(this.#stop.signal);
    return this;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async blocks(count: number, transactions: readonly (TxId | ScriptedTransaction)[] = []): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      await this.clock.advance(BLOCK_INTERVAL_MS);
      this.gateway.mine(mined === 0 ? transactions : []);
      this.gateway.solidify(this.gateway.head.number - LAG);
    }
  }

  get ids(): readonly TxId[] {
    return this.tracker.list().map(({ txId }) => txId);
  }

  get states(): ReadonlySet<string> {
    return new Set(this.tracker.list().map(({ state }) => state.kind));
  }

  #note(txId: TxId): void {
    const proving = this.tracker.get(txId)?.proving;
    if (proving?.kind === "scanning") this.progress.push(`${proving.read} of ${proving.total}`);
    if (proving?.kind === "stopped") this.progress.push(stopText(proving.reason));
  }

  #signed(salt: number) {
    const { head, solid } = this.gateway;
    const expiration = head.timestamp + this.#lifetimeOf(salt) * BLOCK_INTERVAL_MS;
    const rawDataHex = rawDataFor(solid.id, expiration, salt);
    const txId = transactionId(Buffer.from(rawDataHex, "hex"));
    return signedEntry(salt, { txId, rawDataHex, expiration, solidHeight: solid.number, at: this.clock.now() });
  }
}

function timedOut(txId: TxId): readonly JournalEntry[] {
  const at = Date.UTC(2026, 0, 1);
  return [startedEntry(txId, 1, at), answeredEntry(txId, TIMED_OUT, { at })];
}

describe("AbsencePoller", () => {
  let stage: Fixture;
  afterEach(() => stage.stop());

  it("G3: proves nothing and slows down when a scan finds a call without an outcome", async () => {
    stage = await new Fixture(1).start();
    const [txId = fakeTxId(0)] = stage.ids;
    const script = { txId, contractType: "TriggerSmartContract", info: { receiptResult: "DEFAULT" } };
    // The head view does not have it, so that only a scan of blocks finds it.
    stage.gateway.headTransactionInfo = async () => undefined;
    stage.gateway.headTransaction = async () => undefined;
    await stage.blocks(1, [script]);
    await stage.blocks(LIFETIME_BLOCKS + LAG + 2);
    const scans = stage.gateway.requests.length;
    await stage.blocks(40);

    assert.equal(stage.states.has("proven-absent"), false);
    assert.ok(stage.gateway.requests.length - scans < 40, `${stage.gateway.requests.length - scans}`);
    stage.gateway.rescript({ ...script, info: { receiptResult: "SUCCESS" } });
    await stage.blocks(120);
    assert.deepEqual([...stage.states], ["solidified"]);
  });

  it("S81 S82 proves absence without a user action when solidified time reaches the expiration", async () => {
    stage = await new Fixture(1).start();
    const [txId] = stage.ids;

    await stage.blocks(LIFETIME_BLOCKS + LAG);
    assert.deepEqual(stage.states, new Set(["unknown"]));
    await stage.blocks(10);

    const tracked = txId && stage.tracker.get(txId);
    assert.ok(tracked?.signed !== undefined && tracked.absence !== undefined);
    assert.deepEqual(tracked.state, { kind: "proven-absent", from: 17, to: 40 });
    assert.equal(decideActions(tracked).createReplacement.allowed, true);
    const { absence, signed } = tracked;
    const json = proofToJson(proofDocument({ ...absence, txId: tracked.txId, rawDataHex: signed.rawDataHex }));
    assert.deepEqual(recheckProof(json), { kind: "ok" });
  });

  it("S83 keeps an unknown outcome for a day of local time without a block", async () => {
    stage = await new Fixture(1).start();

    await stage.clock.advance(24 * 60 * 60 * 1_000);

    assert.deepEqual(stage.states, new Set(["unknown"]));
    assert.ok(stage.gateway.requests.filter((it) => it === "solidBlock").length <= 2_900);
  });

  it("stops and resumes when the user requests it", async () => {
    stage = await new Fixture(1).start();
    const [txId] = stage.ids;
    assert.ok(txId);
    stage.tracker.stopProof(txId, true);

    await stage.blocks(LIFETIME_BLOCKS + LAG + 10);
    assert.deepEqual(stage.states, new Set(["unknown"]));
    assert.match(JSON.stringify(stage.tracker.get(txId)?.proving), /by-hand/);
    stage.tracker.stopProof(txId, false);
    await stage.blocks(10);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
  });

  it("proves absence after the local clock is set back", async () => {
    stage = await new Fixture(1).start();
    await stage.blocks(3);
    stage.clock.jump(-60 * 60 * 1_000);
    await stage.blocks(LIFETIME_BLOCKS + 2 * LAG + 20);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
  });

  it("finds a transaction that was included, and proves no absence", async () => {
    stage = await new Fixture(1).start();
    const [txId] = stage.ids;

    await stage.blocks(LIFETIME_BLOCKS + 20, txId === undefined ? [] : [txId]);

    assert.deepEqual(stage.states, new Set(["solidified"]));
    assert.ok(!stage.journal.kinds.includes("proven-absent"));
  });

  it("proves 200 transactions in one scan with one request for each block and seven more", async () => {
    stage = await new Fixture(200).start();

    await stage.blocks(LIFETIME_BLOCKS + LAG + 5);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
    assert.ok(stage.gateway.requests.length <= LIFETIME_BLOCKS + LAG + 7, `${stage.gateway.requests.length} requests`);
  });

  it("S85 reports a missing block, proves nothing, and continues when the block is available", async () => {
    stage = new Fixture(1);
    stage.gateway.mineEmpty(40);
    stage.gateway.solidify();
    const whole = stage.gateway.solidBlocks.bind(stage.gateway);
    let hole = true;
    stage.gateway.solidBlocks = async (start, end, signal) => {
      const blocks = await whole(start, end, signal);
      return hole ? blocks.filter(({ number }) => number !== 30) : blocks;
    };
    await stage.start();
    await stage.clock.advance(120_000);
    assert.deepEqual(stage.states, new Set(["unknown"]));
    assert.ok(stage.progress.includes("Block 30 could not be read; the proof is incomplete. Nothing was replaced."));

    hole = false;
    await stage.clock.advance(60_000);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
  });

  it("proves another transaction when the one of a stopped scan was hidden", async () => {
    stage = new Fixture(2, timedOut, (index) => LIFETIME_BLOCKS * (index + 1));
    const whole = stage.gateway.solidBlocks.bind(stage.gateway);
    let hole = true;
    stage.gateway.solidBlocks = async (start, end, signal) => {
      const blocks = await whole(start, end, signal);
      return hole ? blocks.filter(({ number }) => number !== 30) : blocks;
    };
    await stage.start();
    const byExpiration = stage.tracker
      .list()
      .toSorted((a, b) => (a.signed?.expiration ?? 0) - (b.signed?.expiration ?? 0));
    const [first = fakeTxId(0), second = fakeTxId(0)] = byExpiration.map(({ txId }) => txId);
    await stage.blocks(LIFETIME_BLOCKS + LAG + 5);
    assert.ok(stage.progress.some((it) => it.includes("Block 30 could not be read")));
    await stage.tracker.hide(first);

    hole = false;
    await stage.blocks(LIFETIME_BLOCKS + 5);

    assert.equal(stage.tracker.get(second)?.state.kind, "proven-absent");
  });

  it("pauses after a missing block while another proof is due", async () => {
    stage = new Fixture(2, timedOut, (index) => LIFETIME_BLOCKS * (index + 1));
    stage.gateway.mineEmpty(LIFETIME_BLOCKS + 10);
    stage.gateway.solidify();
    const whole = stage.gateway.solidBlocks.bind(stage.gateway);
    let reads = 0;
    stage.gateway.solidBlocks = async (start, end, signal) => {
      // Ends an endless search without a pause, so that the count fails.
      if (++reads > 200) await stage.clock.sleep(3_600_000, signal);
      return (await whole(start, end, signal)).filter(({ number }) => number !== 30);
    };
    await stage.start();

    await stage.clock.advance(600_000);

    assert.ok(stage.progress.some((it) => it.includes("Block 30 could not be read")));
    assert.ok(reads >= 10 && reads <= 40, `${reads} reads in ten minutes`);
    assert.ok(stage.gateway.requests.length <= 200, `${stage.gateway.requests.length} requests in ten minutes`);
  });

  it("S85 reports a malformed answer and proves nothing", async () => {
    stage = new Fixture(1);
    stage.gateway.mineEmpty(40);
    stage.gateway.solidify();
    const details = { endpoint: "http://fake.test", reason: "the block is missing", body: "{}" };
    stage.gateway.fail(
      "solidBlocks",
      ...Array.from({ length: 500 }, () => new ChainError("GATEWAY_ANSWER_MALFORMED", details)),
    );
    await stage.start();

    await stage.clock.advance(300_000);

    assert.deepEqual(stage.states, new Set(["unknown"]));
    assert.ok(
      stage.progress.some((it) => it.includes("the block is missing")),
      stage.progress.join("\n"),
    );
  });

  it("reports another chain and proves nothing", async () => {
    stage = new Fixture(2);
    stage.gateway.replaceBlock(16, { id: `${"0".repeat(14)}10${"e".repeat(48)}` as BlockId });
    stage.gateway.replaceBlock(17, { parentId: `${"0".repeat(14)}10${"e".repeat(48)}` as BlockId });
    stage.gateway.mineEmpty(40);
    stage.gateway.solidify();
    await stage.start();

    await stage.clock.advance(3_600_000);

    assert.deepEqual(stage.states, new Set(["unknown"]));
    assert.ok(
      stage.progress.some((it) => it.includes("not on this chain")),
      stage.progress.join("\n"),
    );
    assert.ok(stage.gateway.requests.filter((it) => it === "solidBlock").length <= 40);
  });

  it("reports the progress", async () => {
    stage = new Fixture(1);
    stage.gateway.mineEmpty(15);
    const last = stage.gateway.head.timestamp;
    for (let mined = 0; mined < 200; mined++) stage.gateway.mine([], last + (mined + 1) * 10);
    stage.gateway.mineEmpty(10);
    stage.gateway.solidify();
    await stage.start();

    await stage.clock.advance(120_000);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
    assert.equal(stage.progress[0], "0 of 0");
    assert.ok(
      stage.progress.some((it) => it.startsWith("83 of ")),
      stage.progress.join(", "),
    );
  });

  it("S123 proves absence before a replacement when a rejected transaction was seen by a node", async () => {
    stage = await new Fixture(1, (txId) => [
      startedEntry(txId, 1),
      answeredEntry(txId, rejected("SERVER_BUSY")),
      startedEntry(txId, 2, 1_003),
      answeredEntry(txId, DUPLICATE, { attempt: 2, at: 1_004 }),
    ]).start();
    const verdict = () => stage.tracker.list().map((it) => decideActions(it).createReplacement.allowed);
    assert.deepEqual(verdict(), [false]);

    await stage.blocks(LIFETIME_BLOCKS + LAG + 20);

    assert.deepEqual(verdict(), [true]);
  });

  it("sends no request after the last proof", async () => {
    stage = await new Fixture(3).start();
    await stage.blocks(LIFETIME_BLOCKS + LAG + 20);
    const { length } = stage.gateway.requests;

    await stage.blocks(50);

    assert.deepEqual(stage.states, new Set(["proven-absent"]));
    assert.equal(stage.gateway.requests.length, length);
  });

  it("restores a proof from the journal, and prefers a later block to it", async () => {
    stage = await new Fixture(1).start();
    await stage.blocks(LIFETIME_BLOCKS + LAG + 20);
    const [txId] = stage.ids;
    assert.ok(txId);
    const { gateway, clock } = stage;
    const again = new TransactionTracker({ store: stage.journal, clock, gatewayFor: async () => gateway });
    await again.load();
    assert.deepEqual(again.get(txId), stage.tracker.get(txId));

    const { number, id, timestamp } = gateway.solid;
    const block = { number, id, timestamp };
    await again.note({ kind: "solidified", txId, at: 1, block, outcome: { kind: "success" } });

    assert.equal(again.get(txId)?.state.kind, "solidified");
    assert.ok(again.get(txId)?.absence);
  });
});

describe("AbsencePoller with a scan of several ranges", () => {
  const LONG_LIFETIME_BLOCKS = 350;
  const refused = new ChainError("GATEWAY_HTTP_STATUS", { endpoint: "http://fake.test", status: 500, body: "" });

  /** Returns a transaction that has expired, a store of scans, and windows that prove its absence one after another. */
  function fixture() {
    const [clock, gateway] = [new FakeClock(), new FakeGateway()];
    gateway.mineEmpty(20);
    gateway.solidify();
    const { id, timestamp, number: solidHeight } = gateway.solid;
    const expiration = timestamp + LONG_LIFETIME_BLOCKS * BLOCK_INTERVAL_MS;
    const rawDataHex = rawDataFor(id, expiration, 1);
    const txId = transactionId(Buffer.from(rawDataHex, "hex"));
    gateway.mineEmpty(LONG_LIFETIME_BLOCKS + 10);
    gateway.solidify();
    const store = new MemoryJournal([signedEntry(1, { txId, rawDataHex, expiration, solidHeight }), ...timedOut(txId)]);
    const lists = new Map<string, readonly string[]>();
    const scans: ScanStore = {
      load: async (key) => lists.get(key) ?? [],
      begin: async (key, lines) => void lists.set(key, lines),
      append: async (key, line) => void lists.set(key, [...(lists.get(key) ?? []), line]),
    };
    const ranges: string[] = [];
    const whole = gateway.solidBlocks.bind(gateway);
    /** Lets the gateway answer so many ranges, and refuse the others. */
    const answerRanges = (count: number): void => {
      gateway.solidBlocks = async (start, end, signal) => {
        if (end - start > 1 && --count < 0) throw refused;
        if (end - start > 1) ranges.push(`${start} ${end}`);
        return await whole(start, end, signal);
      };
    };
    const open = async (stored?: ScanStore) => {
      const stop = new AbortController();
      const tracker = new TransactionTracker({
        ...{ store, clock, gatewayFor: async () => gateway, scanKeyFor: () => "chain a" },
        ...(stored && { scans: stored }),
      });
      await tracker.load();
      const done = tracker.start(stop.signal);
      const close = async (): Promise<void> => {
        stop.abort();
        await done;
      };
      return { close, state: () => tracker.get(txId)?.state.kind };
    };
    return { answerRanges, open, ranges, scans, lists, clock };
  }

  it("continues after a failure, and reads no range twice", async () => {
    const { answerRanges, open, ranges, clock } = fixture();
    answerRanges(2);
    const window = await open();
    await clock.advance(60_000);
    assert.deepEqual([window.state(), ranges.length], ["unknown", 2]);

    answerRanges(Infinity);
    await clock.advance(60_000);

    assert.equal(window.state(), "proven-absent");
    assert.equal(new Set(ranges).size, ranges.length, ranges.join());
    await window.close();
  });

  it("continues the stored scan of an earlier window, under the key of the chain", async () => {
    const { answerRanges, open, ranges, scans, lists, clock } = fixture();
    answerRanges(2);
    const earlier = await open(scans);
    await clock.advance(60_000);
    await earlier.close();
    assert.equal(earlier.state(), "unknown");
    assert.deepEqual([...lists.keys()], ["chain a"]);
    const [first, ...others] = ranges.splice(0);
    assert.ok(first !== undefined && others.length === 1);

    answerRanges(Infinity);
    const later = await open(scans);
    await clock.advance(60_000);
    await later.close();

    assert.equal(later.state(), "proven-absent");
    assert.ok(!ranges.includes(first), ranges.join());
    assert.deepEqual([...lists.values()].flat(), []);
  });
});

/** Runs `work` just before this window writes signed bytes. */
function beforeSigning(journal: MemoryJournal, work: () => void): void {
  const append = journal.append.bind(journal);
  journal.append = async (entries) => {
    if (entries[0]?.kind === "signed") work();
    await append(entries);
  };
}

describe("submitTransaction with a replacement", () => {
  const fixture = () => {
    const clock = new FakeClock();
    const gateway = new FakeGateway();
    const journal = new MemoryJournal();
    const log = new TransactionTracker({ store: journal, clock, gatewayFor: async () => gateway });
    return { services: { log, gateway, clock }, journal, log, gateway };
  };
  const old = fakeBytes(1);
  const next = { ...fakeBytes(2), signatures: [] };
  const context = { network: "test", intent: TRANSFER, expiration: 1, solidHeight: 0, replaces: old.txId };

  it("S122 writes both links to the journal before the broadcast", async () => {
    const { services, journal, log, gateway } = fixture();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    let before: readonly string[] = [];
    gateway.answerBroadcast(() => {
      before = journal.kinds.slice(3);
      return { kind: "accepted" };
    });

    const tracked = await submitTransaction(services, next, context);
    assert.deepEqual(before, ["signed", "replaced", "broadcast-started"]);

    assert.equal(tracked.replaces, old.txId);
    assert.equal(log.get(old.txId)?.replacedBy, next.txId);
    assert.deepEqual(log.get(old.txId)?.state, { kind: "replaced", by: next.txId });
  });

  it("S146 refuses a replacement while the old transaction may still execute, and writes and sends nothing", async () => {
    const { services, journal, log, gateway } = fixture();
    for (const outcome of [TIMED_OUT, ACCEPTED]) {
      await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, outcome));
      const { length } = journal.lines;

      await assert.rejects(submitTransaction(services, next, context), { code: "REPLACEMENT_REFUSED" });

      assert.equal(journal.lines.length, length);
    }
    assert.deepEqual(gateway.requests, []);
  });

  it("sends nothing when another window has just written a replacement", async () => {
    const { services, journal, log, gateway } = fixture();
    await log.load();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    const rival = fakeBytes(3).txId;
    beforeSigning(journal, () => journal.write(signedEntry(3, { at: 9, replaces: old.txId })));

    await assert.rejects(submitTransaction(services, next, context), new RegExp(`Another window.*${rival}`));

    assert.deepEqual(gateway.requests, []);
    assert.deepEqual(log.get(next.txId)?.state, { kind: "replaced", by: rival });
    assert.equal(log.get(old.txId)?.state.kind, "rejected");
  });

  it("sends nothing when another window has just sent the old bytes again", async () => {
    const { services, journal, log, gateway } = fixture();
    await log.load();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    beforeSigning(journal, () => journal.write(startedEntry(old.txId, 2, 5_000)));

    await assert.rejects(submitTransaction(services, next, context), { code: "REPLACEMENT_REFUSED" });

    assert.deepEqual(gateway.requests, []);
    assert.equal(log.get(old.txId)?.replacedBy, undefined);
    assert.deepEqual(log.get(next.txId)?.state, { kind: "replaced", by: old.txId });
  });

  it("does not send the old bytes again when another window has just written a replacement", async () => {
    const { services, journal, log, gateway } = fixture();
    await log.load();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    const append = journal.append.bind(journal);
    journal.append = async (entries) => {
      if (entries[0]?.kind === "broadcast-started") journal.write(signedEntry(3, { at: 9, replaces: old.txId }));
      await append(entries);
    };

    const result = await resubmitTransaction(services, old.txId);

    assert.equal(result.kind, "refused");
    assert.deepEqual(gateway.requests, []);
  });

  it("links a signed replacement to the old transaction when it is sent later", async () => {
    const { services, log, gateway } = fixture();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    await log.record(signedEntry(2, { replaces: old.txId }));

    const result = await resubmitTransaction(services, next.txId);

    assert.equal(result.kind, "sent");
    assert.equal(gateway.requests.filter((it) => it.startsWith("broadcast ")).length, 1);
    assert.equal(log.get(old.txId)?.replacedBy, next.txId);
  });

  it("refuses a second replacement and a replacement by itself", async () => {
    const { services, log } = fixture();
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, rejected("SERVER_BUSY")));
    const itself = { ...old, signatures: [] };
    await assert.rejects(submitTransaction(services, itself, context), { code: "REPLACEMENT_REFUSED" });
    await submitTransaction(services, next, context);

    const third = { ...fakeBytes(3), signatures: [] };
    await assert.rejects(submitTransaction(services, third, context), { code: "REPLACEMENT_REFUSED" });
  });
});
