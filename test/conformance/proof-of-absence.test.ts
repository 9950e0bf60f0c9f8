import assert from "node:assert/strict";
import { createHttpGateway, type HttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { decideActions, resendRefusal } from "../../packages/client/src/retry/permitted-actions.ts";
import { resubmitTransaction, submitTransaction } from "../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../packages/client/src/tracking/transaction-tracker.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type TxId, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../packages/tron/src/transaction/raw-data-codec.ts";
import { parsePrivateKey, signTransactionId } from "../../packages/tron/src/transaction/signature.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { MemoryJournal } from "../support/tracking/memory-journal.ts";
import { TrackingLoad } from "../support/tracking/tracking-load.ts";
import { fastClock as clock } from "./fast-clock.ts";

const COUNT = 1_000;
const ALLOWED = 45;
describe("proofs of absence of 1,000 transactions with 40 common blocks", () => {
  for (const watched of [true, false]) {
    const when = watched ? "watched all the while" : "after a restart";
    it(`S82 take at most ${ALLOWED} requests ${when}`, async function () {
      this.timeout(120_000);
      const chain = await startLocalChain({ blockTimeMs: watched ? 250 : 0, startTime: Date.now() });
      try {
        await using load = new TrackingLoad(chain.ready);

        const { requests, proven, paths, durationMs } = await load.prove(COUNT, watched);

        const took = `${(durationMs / 1_000).toFixed(1)} s`;
        process.stdout.write(`      ${COUNT} proofs ${when}: ${requests} requests, ${took}\n`);
        assert.equal(proven, COUNT);
        assert.ok(requests <= ALLOWED, JSON.stringify(paths));
      } finally {
        await chain.close();
      }
    });
  }
});

describe("an unknown outcome on the embedded chain", () => {
  let chain: LocalChain;
  let gateway: HttpGateway;
  let tracker: TransactionTracker;
  const journal = new MemoryJournal();
  const stop = new AbortController();
  let following: Promise<void>;
  let payments = 0;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    gateway = createHttpGateway(profileAt(chain.baseUrl), { clock });
    tracker = new TransactionTracker({ store: journal, gatewayFor: async () => gateway, clock });
    following = tracker.start(stop.signal);
  });

  after(async () => {
    stop.abort();
    await following;
    await gateway.close();
    await chain.close();
  });

  function payment(lifetimeBlocks: number) {
    const { head, solid } = chain.simulation.chain;
    const [alice, bob] = chain.ready.accounts;
    assert.ok(alice && bob);
    const intent: Intent = {
      kind: "transfer",
      owner: parseAddress(alice.hex),
      to: parseAddress(bob.hex),
      amount: sun(5n),
    };
    const expiration = head.header.timestamp + lifetimeBlocks * BLOCK_INTERVAL_MS;
    const validity = { referenceBlock: solid.id, expiration, timestamp: head.header.timestamp + ++payments };
    const bytes = encodeRawData(rawDataFromIntent(intent, validity));
    const txId = transactionId(bytes);
    const signatures = [signTransactionId(txId, parsePrivateKey(alice.privateKey))];
    const context = { network: "Test", intent, expiration, solidHeight: solid.header.number };
    return { signed: { txId, rawDataHex: bytesToHex(bytes), signatures }, context };
  }

  function mine(blocks: number): void {
    for (let mined = 0; mined < blocks; mined++) chain.simulation.chain.produceBlock();
  }

  function until(txId: TxId, kind: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (tracker.get(txId)?.state.kind === kind) resolve();
    };
    tracker.onDidChange(check);
    check();
    return promise;
  }

  it("S82 S146 is proven absent and replaced once, and its old bytes are not accepted again", async function () {
    this.timeout(120_000);
    const { signed: lost, context } = payment(10);
    const dead = createHttpGateway(profileAt("http://127.0.0.1:9"), { clock });
    const services = { log: tracker, gateway, clock };
    await submitTransaction({ ...services, gateway: dead }, lost, context);
    await dead.close();
    assert.equal(tracker.get(lost.txId)?.state.kind, "unknown");
    const early = payment(20);
    const replacing = { ...early.context, replaces: lost.txId };
    await assert.rejects(submitTransaction(services, early.signed, replacing), { code: "REPLACEMENT_REFUSED" });

    mine(20);
    await until(lost.txId, "proven-absent");
    const { signed: next, context: nextContext } = payment(20);
    await submitTransaction(services, next, { ...nextContext, replaces: lost.txId });
    mine(10);
    await until(next.txId, "solidified");

    const replaced = tracker.get(lost.txId);
    assert.deepEqual(
      [replaced?.state, tracker.get(next.txId)?.replaces],
      [{ kind: "replaced", by: next.txId }, lost.txId],
    );
    assert.match((replaced && resendRefusal(decideActions(replaced).sendSameBytes)) ?? "", /could pay twice/);
    assert.equal((await resubmitTransaction(services, lost.txId)).kind, "refused");
    assert.equal(chain.simulation.chain.find(lost.txId), undefined);
    assert.ok(chain.simulation.chain.find(next.txId));
  });
});
