import assert from "node:assert/strict";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
} from "../../../../test/support/tracking/journal-entries.ts";
import { LAG, SLOT, TrackingFixture, trackingFixture } from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { hexToBytes, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { type ChainId, parseChainId } from "../../src/gateway/network.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

function pendingEntries(number: number, solidHeight: number, expiration = Date.UTC(2030, 0)): JournalEntry[] {
  const { txId } = fakeBytes(number);
  return [signedEntry(number, { solidHeight, expiration }), startedEntry(txId), answeredEntry(txId, ACCEPTED)];
}

/** Blocks until a query is due: the solidified view has a block two blocks after the height that the node reports. */
const UNTIL_SHOWN = LAG + 4;

describe("TransactionTracker with few transactions", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("S42 tracks a transfer from pending over included to solidified", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    stage.states.length = 0;

    await stage.block(txId);
    await stage.block();
    assert.equal(stage.state(txId), "included");
    await stage.blocks(UNTIL_SHOWN);

    assert.deepEqual(stage.states, ["included", "solidified"]);
    const tracked = stage.tracker.get(txId);
    assert.deepEqual(tracked?.state.kind === "solidified" ? tracked.state.outcome : undefined, { kind: "success" });
    assert.deepEqual(tracked?.state.kind === "solidified" ? tracked.state.block.number : undefined, 21);
  });

  it("writes nothing when a transaction that it does not know is hidden", async () => {
    stage = await trackingFixture();

    await stage.tracker.hide(fakeTxId(7));

    assert.deepEqual(stage.journal.kinds, []);
  });

  it("reads no block but the one that contains the transaction", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);

    await stage.block(txId);
    await stage.blocks(UNTIL_SHOWN);

    assert.equal(stage.requests("solidBlock"), 0);
    assert.equal(stage.requests("solidBlocks"), 1);
    assert.ok(stage.gateway.requests.length <= 12, stage.gateway.requests.join("\n"));
  });

  it("S41 takes the outcome of a reverted call from the receipt", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    const info = { failed: true, receiptResult: "REVERT", message: "REVERT opcode executed" };

    await stage.block({ txId, contractType: "TriggerSmartContract", contractResult: "REVERT", info });
    await stage.blocks(UNTIL_SHOWN);

    const { state } = stage.tracker.get(txId) ?? {};
    const outcome = { kind: "failed", result: "REVERT", message: "REVERT opcode executed", data: "" };
    assert.deepEqual(state?.kind === "solidified" ? state.outcome : state, outcome);
    assert.equal(stage.requests("solidTransactionInfo"), 1);
  });

  it("G4: finds a transfer by its solidified transaction when the info endpoints return nothing", async () => {
    for (const isOwn of [true, false]) {
      stage = await trackingFixture();
      stage.gateway.headTransactionInfo = async () => undefined;
      stage.gateway.solidTransactionInfo = async () => undefined;
      const rawDataHex = rawDataFor(stage.gateway.solid.id, stage.expiration, 1);
      const txId = transactionId(hexToBytes(rawDataHex));
      if (isOwn) await stage.send(1);
      else await stage.tracker.adopt(txId, { network: "test" });

      await stage.block();
      await stage.block({ txId, rawDataHex });
      const { number } = stage.gateway.head;
      await stage.blocks(16);

      const { state } = stage.tracker.get(txId) ?? {};
      assert.deepEqual(
        state?.kind === "solidified" ? [state.block.number, state.outcome] : state,
        [number, { kind: "success" }],
        isOwn ? "own" : "foreign",
      );
      await stage.stop();
    }
  });

  it("G4: ignores bytes that do not belong to the txID", async () => {
    stage = await trackingFixture();
    stage.gateway.headTransactionInfo = async () => undefined;
    stage.gateway.solidTransactionInfo = async () => undefined;
    const rawDataHex = rawDataFor(stage.gateway.solid.id, stage.expiration, 99);
    await stage.tracker.adopt(fakeTxId(7), { network: "test" });

    await stage.block({ txId: fakeTxId(7), rawDataHex });
    await stage.blocks(30);

    assert.equal(stage.state(fakeTxId(7)), "pending");
  });

  it("G3: keeps a call included, queries again and allows no new one when the receipt has no outcome", async () => {
    for (const info of [{ receiptResult: "DEFAULT" }, {}]) {
      stage = await trackingFixture();
      const [txId = fakeTxId(0)] = await stage.send(1);
      const call = { txId, contractType: "TriggerSmartContract" };
      await stage.block({ ...call, info });
      await stage.blocks(40);
      const tracked = stage.tracker.get(txId) ?? assert.fail();

      assert.equal(tracked.state.kind, "included");
      const { doItAgain, createReplacement } = decideActions(tracked);
      assert.deepEqual([doItAgain.allowed, createReplacement.allowed], [false, false]);

      stage.gateway.rescript({ ...call, info: { receiptResult: "SUCCESS" } });
      await stage.blocks(12);
      const { state } = stage.tracker.get(txId) ?? {};
      assert.deepEqual(state?.kind === "solidified" ? state.outcome : state, { kind: "success" });
      await stage.stop();
    }
  });

  it("S71 returns to pending after a reorganization, and recognizes a later inclusion", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.block(txId);
    await stage.block();
    assert.equal(stage.state(txId), "included");

    stage.gateway.reorganise(2);
    stage.gateway.mineEmpty(2);
    await stage.blocks(3);
    assert.equal(stage.state(txId), "pending");
    await stage.block(txId);
    await stage.blocks(LAG + 4);

    const { state } = stage.tracker.get(txId) ?? {};
    assert.equal(state?.kind === "solidified" ? state.block.number : state, 26);
  });

  it("S85 keeps an unknown outcome and sends nothing when nothing is found", async () => {
    const { txId } = fakeBytes(1);
    stage = await trackingFixture(signedEntry(1, { expiration: Date.UTC(2030, 0) }), startedEntry(txId));

    await stage.blocks(40);

    assert.equal(stage.state(txId), "unknown");
    assert.equal(stage.requests("broadcast"), 0);
    assert.ok(stage.requests("headTransactionInfo") >= 5);
    assert.ok(stage.requests("headTransactionInfo") <= 15, "the polls of what is not there have to become rare");
  });

  it("S105 finds a transaction of unknown outcome in the pool and then in a block", async () => {
    const { txId } = fakeBytes(1);
    stage = await trackingFixture(signedEntry(1, { expiration: Date.UTC(2030, 0) }), startedEntry(txId));
    await stage.block();
    assert.equal(stage.state(txId), "unknown");

    stage.gateway.addPending({ txId });
    await stage.blocks(3);
    assert.equal(stage.state(txId), "pending");
    await stage.block(txId);
    await stage.blocks(UNTIL_SHOWN);

    assert.equal(stage.state(txId), "solidified");
  });

  it("S83 changes nothing when the local clock passes the expiration", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);

    await stage.clock.advance(48 * 60 * 60 * 1_000);

    assert.equal(stage.state(txId), "pending");
  });

  it("S82 proves absence when solidified time reaches the expiration, and sends no request after it", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);

    await stage.blocks(120);
    const { length } = stage.gateway.requests;
    await stage.blocks(50);

    assert.equal(stage.gateway.requests.length, length);
    assert.equal(stage.state(txId), "proven-absent");
  });

  it("finds an old adopted transaction at once", async () => {
    stage = await trackingFixture();
    const txId = fakeTxId(77);
    stage.gateway.mine([{ txId, contractType: "TransferContract", contractResult: "SUCCESS" }]);
    stage.gateway.mineEmpty(100);
    stage.gateway.solidify();

    await stage.tracker.adopt(txId, { network: "test" }, "theirs");
    await stage.clock.advance(0);

    assert.equal(stage.state(txId), "solidified");
  });

  it("tracks an adopted transaction from the pool", async () => {
    stage = await trackingFixture();
    const txId = fakeTxId(77);
    stage.gateway.addPending({ txId });

    await stage.tracker.adopt(txId, { network: "test" });
    await stage.block(txId);
    await stage.blocks(UNTIL_SHOWN);

    assert.deepEqual(stage.states, ["unknown", "pending", "included", "solidified"]);
  });

  it("stops tracking an adopted transaction when its latest possible expiration has passed", async () => {
    stage = await trackingFixture();
    await stage.tracker.adopt(fakeTxId(77), { network: "test" });

    await stage.clock.advance(26 * 60 * 60 * 1_000);
    const { length } = stage.gateway.requests;
    await stage.clock.advance(60 * 60 * 1_000);

    assert.equal(stage.gateway.requests.length, length);
  });

  it("adjusts the poll interval to a fast chain", async () => {
    stage = await trackingFixture();
    const fast = async (...transactions: TxId[]) => {
      await stage.clock.advance(200);
      stage.gateway.mine(transactions);
      stage.gateway.solidify(stage.gateway.head.number - LAG);
    };
    const [first = fakeTxId(0)] = await stage.send(1);
    await fast(first);
    for (let mined = 0; mined < 30; mined++) await fast();
    assert.equal(stage.state(first), "solidified");

    const [second = fakeTxId(0)] = await stage.send(2);
    await fast(second);
    for (let mined = 0; mined < LAG + 4; mined++) await fast();

    assert.equal(stage.state(second), "solidified");
  });

  it("tracks a transaction when the gateway does not report its heights", async () => {
    for (const missing of [
      new ChainError("GATEWAY_HTTP_STATUS", { endpoint: "x", status: 404, body: "" }),
      new ChainError("NODE_REFUSED", { endpoint: "x", code: "Error", message: "", body: "" }),
      new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint: "x", reason: "no JSON", body: "" }),
    ]) {
      stage = await trackingFixture();
      stage.gateway.fail("nodeInfo", ...Array<unknown>(9).fill(missing));
      const [txId = fakeTxId(0)] = await stage.send(1);

      await stage.block(txId);
      await stage.blocks(LAG + 4);

      assert.equal(stage.state(txId), "solidified", missing.code);
      assert.equal(stage.requests("nodeInfo"), 1, missing.code);
      await stage.stop();
    }
  });
});

describe("TransactionTracker with many transactions", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);

  it("sends at most one request for each solidified block", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers);
    const before = stage.gateway.solid.number;

    for (let sent = 0; sent < txIds.length; sent += 50) await stage.block(...txIds.slice(sent, sent + 50));
    await stage.blocks(LAG + 3);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    const solidified = stage.gateway.solid.number - before;
    assert.ok(stage.gateway.requests.length <= solidified, `${stage.gateway.requests.length} for ${solidified} blocks`);
  });

  for (const lag of [1, 4, 19]) {
    it(`sends at most one request for each block at any phase, with ${lag} blocks to finality and missed slots`, async () => {
      for (let phase = 0; phase < SLOT; phase += 350) {
        stage = await trackingFixture();
        stage.gateway.mineEmpty(lag);
        stage.gateway.solidify(stage.gateway.head.number - lag);
        const txIds = await stage.send(...numbers.slice(0, 30));
        const before = stage.gateway.solid.number;
        await stage.clock.advance(phase);
        for (let slot = 0; slot < lag + 12; slot++) {
          if (slot !== 7 && slot !== 8) stage.gateway.mine(txIds.slice(5 * slot, 5 * slot + 5));
          stage.gateway.solidify(stage.gateway.head.number - lag);
          await stage.clock.advance(SLOT);
        }

        const [requests, blocks] = [stage.gateway.requests.length, stage.gateway.solid.number - before];
        assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
        assert.ok(requests <= blocks, `phase ${phase}: ${requests} for ${blocks}`);
        await stage.stop();
      }
    });
  }

  it("S79 requests one receipt for each contract call and for no transfer", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers.slice(0, 20));
    const info = { receiptResult: "SUCCESS" };
    const calls = txIds.map((txId) => ({ txId, contractType: "TriggerSmartContract", info }));

    await stage.block(...calls.slice(0, 10), ...txIds.slice(10));
    await stage.blocks(LAG + 3);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    assert.equal(stage.requests("solidTransactionInfo"), 10);
    assert.equal(stage.requests("headTransactionInfo"), 0);
  });

  it("waits for a receipt that the node does not have yet", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers.slice(0, 10));
    const calls = txIds.map((txId) => ({
      txId,
      contractType: "TriggerSmartContract",
      info: { receiptResult: "SUCCESS" },
    }));
    const { solidTransactionInfo } = stage.gateway;
    stage.gateway.solidTransactionInfo = async () => undefined;
    await stage.block(...calls);
    await stage.blocks(LAG + 3);
    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["pending"]));

    stage.gateway.solidTransactionInfo = solidTransactionInfo;
    await stage.blocks(3);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
  });

  it("reads the missed blocks 100 at a time after a restart", async () => {
    const before = numbers.flatMap((it) => pendingEntries(it, 16));
    const restarted = new TrackingFixture(before);
    stage = restarted;
    stage.gateway.mine(numbers.map((it) => fakeBytes(it).txId));
    stage.gateway.mineEmpty(250);
    stage.gateway.solidify();

    await stage.start();
    await stage.clock.advance(0);

    assert.deepEqual(new Set(numbers.map((it) => stage.state(fakeBytes(it).txId))), new Set(["solidified"]));
    assert.deepEqual(stage.gateway.requests, [
      "solidBlock",
      "solidBlocks 17 117",
      "solidBlocks 117 217",
      "solidBlocks 217 271",
    ]);
  });

  it("queries each transaction when reading the missed blocks costs more", async () => {
    const before = numbers.slice(0, 6).flatMap((it) => pendingEntries(it, 16));
    stage = new TrackingFixture(before);
    stage.gateway.mine(numbers.slice(0, 6).map((it) => fakeBytes(it).txId));
    stage.gateway.mineEmpty(5_000);
    stage.gateway.solidify();

    await stage.start();
    await stage.blocks(3);

    assert.deepEqual(
      new Set(numbers.slice(0, 6).map((it) => stage.state(fakeBytes(it).txId))),
      new Set(["solidified"]),
    );
    assert.ok(stage.gateway.requests.length <= 24, stage.gateway.requests.join("\n"));
  });

  it("reads the blocks since the signatures, and queries no single transaction, on a long chain", async () => {
    stage = new TrackingFixture();
    stage.gateway.mineEmpty(9_600);
    stage.gateway.solidify(stage.gateway.head.number - LAG);
    await stage.start();
    const txIds = await stage.send(...numbers.slice(0, 10));

    await stage.block(...txIds);
    await stage.blocks(LAG + 4);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    assert.ok(
      stage.gateway.requests.every((it) => it.startsWith("solidBlock")),
      stage.gateway.requests.join(),
    );
  });

  it("sends no request after the expirations when the user stopped the proofs", async () => {
    stage = await trackingFixture();
    for (const txId of await stage.send(...numbers)) stage.tracker.stopProof(txId, true);

    await stage.blocks(40);
    const { length } = stage.gateway.requests;
    await stage.blocks(20);

    assert.equal(stage.gateway.requests.length, length);
    assert.ok(length >= 10);
  });

  it("finds transactions after their expiration when the block with them is complete only then", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers);
    for (const txId of txIds) stage.tracker.stopProof(txId, true);
    const included = txIds.slice(0, 5);
    await stage.block(...included);
    const { number } = stage.gateway.head;
    stage.gateway.replaceBlock(number, { complete: false });
    await stage.blocks(40);

    stage.gateway.replaceBlock(number, { complete: true });
    await stage.blocks(20);

    assert.deepEqual(new Set(included.map(stage.state)), new Set(["solidified"]));
    assert.ok(!txIds.slice(5).some((it) => stage.state(it) === "solidified"));
  });

  it("queries every transaction in one round when each is in another block of the missed ones", async () => {
    const txIds = numbers.slice(0, 20).map((it) => fakeBytes(it).txId);
    stage = new TrackingFixture(numbers.slice(0, 20).flatMap((it) => pendingEntries(it, 16)));
    for (const txId of txIds) stage.gateway.mine([txId]);
    stage.gateway.mineEmpty(9_600);
    stage.gateway.solidify();

    await stage.start();
    await stage.clock.advance(0);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    assert.equal(stage.requests("solidTransactionInfo"), txIds.length);
  });

  it("finds transactions when the block with them, which did not match its ID, is complete again", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers.slice(0, 10));
    await stage.block(...txIds);
    const { number } = stage.gateway.head;
    stage.gateway.replaceBlock(number, { complete: false });
    await stage.blocks(LAG + 4);
    assert.ok(!txIds.some((it) => stage.state(it) === "solidified"));

    stage.gateway.replaceBlock(number, { complete: true });
    await stage.blocks(4);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
  });

  it("queries each transaction by its txID when a block cannot be read after three attempts", async () => {
    stage = await trackingFixture();
    const own = stage.gateway.solidBlocks.bind(stage.gateway);
    const newest = stage.gateway.solidBlock.bind(stage.gateway);
    const missing = stage.gateway.head.number + 1;
    const txIds = await stage.send(...numbers.slice(0, 10));
    stage.gateway.solidBlocks = async (start, end, signal) =>
      (await own(start, end, signal)).filter((it) => it.number !== missing);
    stage.gateway.solidBlock = async (signal) => {
      const block = await newest(signal);
      if (block.number === missing) throw new ChainError("CHAIN_BLOCK_MISSING", { height: missing });
      return block;
    };
    await stage.block();
    await stage.block(...txIds);

    await stage.blocks(LAG + 10);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
  });

  it("stops at a missing block and requests it again", async () => {
    stage = await trackingFixture();
    stage.gateway.fail("solidBlock", new ChainError("CHAIN_BLOCK_MISSING", { height: 17 }));
    const txIds = await stage.send(...numbers.slice(0, 10));

    await stage.clock.advance(7_000);
    assert.match(stage.tracker.issueOf("test")?.message ?? "", /Block 17 could not be read/);
    await stage.block(...txIds);
    await stage.blocks(LAG + 4);

    assert.equal(stage.tracker.issueOf("test"), undefined);
    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
  });

  it("starts over when the chain is reset to a lower height", async () => {
    const back = new FakeGateway();
    back.mineEmpty(19);
    back.solidify(18);
    let current: FakeGateway | undefined;
    stage = await new TrackingFixture([], async () => current ?? stage.gateway).start();
    const before = await stage.send(1, 2, 3, 4, 5, 6);
    await stage.blocks(6);

    current = back;
    for (const txId of before) await stage.tracker.hide(txId);
    stage.tracker.startOver("test");
    const after = [11, 12, 13, 14, 15, 16].map((number) => signedEntry(number, { solidHeight: 18 }));
    for (const entry of after) {
      await stage.tracker.record(entry, startedEntry(entry.txId), answeredEntry(entry.txId, ACCEPTED));
    }
    back.mine(after.map(({ txId }) => txId));
    back.solidify();
    await stage.blocks(4);

    assert.deepEqual([...new Set(after.map(({ txId }) => stage.state(txId)))], ["solidified"]);
    assert.deepEqual(stage.tracker.issues(), []);
  });

  it("sends no request when solidified time has reached every expiration", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers.slice(0, 10));

    await stage.blocks(40);
    const { length } = stage.gateway.requests;
    await stage.blocks(20);

    assert.equal(stage.gateway.requests.length, length);
  });
});

describe("TransactionTracker issues", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("reports the cause, the time and the next attempt, from 3 s to 30 s", async () => {
    stage = await trackingFixture();
    const down = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "refused" });
    stage.gateway.fail("headTransactionInfo", ...Array<unknown>(8).fill(down));
    const pauses: number[] = [];
    stage.tracker.onDidChangeIssue((network) => {
      const issue = stage.tracker.issueOf(network);
      if (issue !== undefined) pauses.push(issue.nextTryAt - stage.clock.now());
    });
    const since = stage.clock.now();
    await stage.send(1);

    await stage.clock.advance(5_000);
    const issue = stage.tracker.issueOf("test");
    assert.equal(issue?.code, "GATEWAY_UNREACHABLE");
    assert.ok((issue?.since ?? 0) - since <= 1_500);
    await stage.clock.advance(200_000);

    assert.deepEqual(pauses, [3_000, 6_000, 12_000, 24_000, 30_000, 30_000, 30_000, 30_000]);
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("T2: sends no request before the time that a gateway requested", async () => {
    stage = await trackingFixture();
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 60_000_000 });
    stage.gateway.fail("headTransactionInfo", limited);
    // Node's timers fire at once when their delay is too long.
    const { sleep } = stage.clock;
    stage.clock.sleep = (ms, signal) => sleep(Math.min(ms, 100), signal);
    await stage.send(1);
    await stage.clock.advance(2_000);
    const { length } = stage.gateway.requests;

    await stage.clock.advance(60_000);
    assert.equal(stage.gateway.requests.length, length);
  });

  it("reports a network without a gateway and tracks the others", async () => {
    const gone = new Error("No network has this name.");
    const other = new FakeGateway();
    stage = new TrackingFixture([], async (network) => (network === "test" ? other : Promise.reject(gone)));
    await stage.start();

    await stage.tracker.adopt(fakeTxId(1), { network: "gone" });
    await stage.tracker.adopt(fakeTxId(2), { network: "test" });
    await stage.clock.advance(100);

    assert.match(stage.tracker.issueOf("gone")?.message ?? "", /No network has this name/);
    assert.equal(stage.tracker.issueOf("test"), undefined);
    assert.deepEqual(
      stage.tracker.issues().map((it) => it.network),
      ["gone"],
    );
  });

  it("keeps a fact that the disk refused, and writes it with the next fact", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    stage.journal.failNext(1);

    await stage.block(txId);
    await stage.block();
    assert.equal(stage.state(txId), "included");
    assert.ok(!stage.journal.kinds.includes("seen-in-head"));
    assert.equal(stage.tracker.issueOf("")?.code, "JOURNAL_UNWRITABLE");
    await stage.blocks(LAG + 3);

    assert.deepEqual(stage.journal.kinds.slice(-2), ["seen-in-head", "solidified"]);
    assert.equal(stage.tracker.issueOf(""), undefined);
  });

  it("retries to write a fact that the disk refused when nothing else happens", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    stage.journal.failNext(3);
    const at = stage.clock.now();

    await stage.tracker.note({ kind: "seen-in-pool", txId, at });
    assert.ok(!stage.journal.kinds.includes("seen-in-pool"));
    await stage.clock.advance(40_000);

    assert.ok(stage.journal.kinds.includes("seen-in-pool"));
    assert.equal(stage.tracker.issueOf(""), undefined);
  });

  it("calls the other listeners when one throws", async () => {
    stage = new TrackingFixture();
    const reported: TxId[] = [];
    stage.tracker.onDidChange(() => {
      throw new Error("broken view");
    });
    stage.tracker.onDidChange((txIds) => reported.push(...txIds));
    await stage.start();

    await stage.tracker.adopt(fakeTxId(1), { network: "test" });

    assert.deepEqual(reported, [fakeTxId(1)]);
    assert.deepEqual(stage.log, ["A listener of the tracker failed."]);
  });
});

describe("TransactionTracker journal", () => {
  it("restores the transactions after a restart", async () => {
    const first = await trackingFixture();
    const [txId = fakeTxId(0)] = await first.send(1);
    await first.block(txId);
    await first.blocks(LAG + 3);
    await first.stop();

    const second = new TrackingFixture(first.journal.entries);
    await second.tracker.load();

    assert.deepEqual(second.tracker.list(), first.tracker.list());
    assert.equal(second.state(txId), "solidified");
  });

  it("shows and tracks a transaction that another window wrote", async () => {
    const stage = await trackingFixture();
    const { txId } = fakeBytes(1);
    stage.gateway.addPending({ txId });

    stage.journal.write(...pendingEntries(1, 16));
    assert.equal(stage.state(txId), "pending");
    await stage.block(txId);
    await stage.blocks(LAG + 3);

    assert.equal(stage.state(txId), "solidified");
    await stage.stop();
  });

  it("sends no request for a hidden transaction until it is tracked again", async () => {
    const stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.tracker.hide(txId);
    await stage.clock.advance(10_000);
    assert.deepEqual([stage.gateway.requests.length, stage.tracker.get(txId)?.hidden], [0, true]);

    await stage.tracker.adopt(txId, { network: "test" });
    await stage.clock.advance(10_000);

    assert.equal(stage.tracker.get(txId)?.hidden, false);
    assert.ok(stage.gateway.requests.length > 0);
    await stage.stop();
  });

  it("hides several transactions in one write, and restores them with their network, label and state", async () => {
    const stage = await trackingFixture();
    const sent = await stage.send(1, 2, 3);
    const shown = () => sent.map((txId) => stage.tracker.get(txId)?.hidden);
    const before = sent.map((txId) => stage.tracker.get(txId));
    const writes: number[] = [];
    stage.tracker.onDidChange((txIds) => writes.push(txIds.length));

    await stage.tracker.hide(...sent);
    assert.deepEqual(shown(), [true, true, true]);
    await stage.tracker.restore(...sent, fakeTxId(9));

    assert.deepEqual(writes, [3, 3]);
    assert.deepEqual(
      sent.map((txId) => stage.tracker.get(txId)),
      before,
    );
    await stage.tracker.restore(...sent);
    assert.deepEqual(writes, [3, 3], "a transaction in the list is not written again");
    await stage.stop();
  });

  it("S70 refresh changes nothing when nothing is found, and returns the state that is found", async () => {
    const { txId } = fakeBytes(1);
    const stage = new TrackingFixture([signedEntry(1), startedEntry(txId)]);
    await stage.tracker.load();

    assert.equal((await stage.tracker.refresh(txId))?.state.kind, "unknown");
    stage.gateway.mine([{ txId }]);
    assert.equal((await stage.tracker.refresh(txId))?.state.kind, "included");
    stage.gateway.solidify();
    assert.equal((await stage.tracker.refresh(txId))?.state.kind, "solidified");
    assert.equal(await stage.tracker.refresh(fakeTxId(9)), undefined);
  });

  it("M1: sends no request for a rejected transaction that was not found after expiry, until a node has seen it", async () => {
    const { txId } = fakeBytes(1);
    const refused = [signedEntry(1), startedEntry(txId), answeredEntry(txId, rejected("SIGERROR"))];
    const stage = await trackingFixture(...refused, { kind: "not-found", txId, at: 2_000, time: 1_767_225_660_000 });
    await stage.clock.advance(60_000);
    assert.equal(stage.gateway.requests.length, 0);

    stage.gateway.addPending({ txId });
    const at = stage.clock.now();
    const duplicate = answeredEntry(txId, { kind: "already-known", message: "Dup transaction." }, { attempt: 2, at });
    await stage.tracker.record(startedEntry(txId, 2, at), duplicate);
    await stage.clock.advance(5_000);

    assert.equal(stage.state(txId), "pending");
    await stage.stop();
  });

  it("ends with its signal and leaves no timer", async () => {
    const stage = await trackingFixture();
    await stage.send(1, 2);
    await stage.clock.advance(10);
    assert.equal(stage.clock.sleeping, 1);

    await stage.stop();

    assert.equal(stage.clock.sleeping, 0);
    await stage.tracker.start(AbortSignal.abort());
  });

  it("lists the newest transaction first", async () => {
    const stage = new TrackingFixture([
      signedEntry(1, { at: 5 }),
      signedEntry(2, { at: 9 }),
      signedEntry(3, { at: 7 }),
    ]);
    await stage.tracker.load();

    assert.deepEqual(
      stage.tracker.list().map((it) => it.createdAt),
      [9, 7, 5],
    );
  });
});

const CHAIN = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
const { txId } = fakeBytes(1);
const JOURNAL = [
  signedEntry(1, { network: "Old name", chain: CHAIN }),
  startedEntry(txId),
  answeredEntry(txId, ACCEPTED),
];

/** Starts a tracker whose network was renamed after signing. */
async function renamed() {
  const fixture = new TrackingFixture(JOURNAL);
  const requestedNetworks: string[] = [];
  let isRenamed = false;
  const tracker = new TransactionTracker({
    store: fixture.journal,
    clock: fixture.clock,
    networkFor: ({ network, chain }) => (isRenamed && chain === CHAIN ? "New name" : network),
    gatewayFor: async (network) => {
      requestedNetworks.push(network);
      if (network !== "New name") throw new ChainError("NETWORK_UNKNOWN", { network });
      return fixture.gateway;
    },
  });
  await tracker.load();
  const stop = new AbortController();
  const done = tracker.start(stop.signal);
  const learn = (): void => {
    isRenamed = true;
    tracker.reconsider();
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  return { fixture, requestedNetworks, tracker, learn, end };
}

describe("TransactionTracker after a network was renamed", () => {
  it("H1: tracks a foreign transaction under the new name when its chain is known", async () => {
    const { tracker, requestedNetworks, learn, end } = await renamed();
    learn();

    const { chain } = await tracker.adopt(fakeBytes(7).txId, { network: "Old name", chain: CHAIN });
    await tracker.refresh(fakeBytes(7).txId);

    assert.equal(chain, CHAIN);
    assert.equal(requestedNetworks.at(-1), "New name");
    await end();
  });

  it("H1: tracks a transaction to the end under the new name", async () => {
    const { fixture, tracker, requestedNetworks, learn, end } = await renamed();
    await fixture.clock.advance(3_000);
    assert.equal(tracker.issueOf("Old name")?.code, "NETWORK_UNKNOWN");

    learn();
    await fixture.block({ txId });
    await fixture.blocks(8);

    assert.equal(tracker.get(txId)?.state.kind, "solidified");
    assert.ok(requestedNetworks.includes("New name"));
    await fixture.clock.advance(60_000);
    assert.equal(tracker.issueOf("Old name"), undefined);
    await end();
  });

  it("H1: refreshes a transaction under the new name", async () => {
    const { fixture, tracker, requestedNetworks, learn, end } = await renamed();
    await assert.rejects(tracker.refresh(txId), { code: "NETWORK_UNKNOWN" });
    learn();
    fixture.gateway.mine([txId]);

    const refreshed = await tracker.refresh(txId);

    assert.equal(refreshed?.state.kind, "included");
    assert.equal(requestedNetworks.at(-1), "New name");
    await end();
  });
});
