import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { rejected, TIMED_OUT } from "../../../../test/support/tracking/journal-entries.ts";
import { LAG, type TrackingFixture, trackingFixture } from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { TxId } from "../../../tron/src/primitives/bytes.ts";

const HOUR = 60 * 60_000;
const endpoint = "http://fake.test";

/** Failures that concern one answer: the gateway answers everything else. */
const OF_ONE_ANSWER: readonly ChainError[] = [
  new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" }),
  new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint, reason: "it is larger than 16 MiB", body: "" }),
  new ChainError("GATEWAY_UNAUTHORIZED", { endpoint, status: 403, header: "key" }),
  new ChainError("NODE_REFUSED", { endpoint, code: "Error", message: "", body: "" }),
  new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "no answer within 10 s", how: "timeout" }),
];

type Reads = "headTransactionInfo" | "headTransaction" | "solidTransactionInfo" | "solidTransaction";

/** Every query for one transaction fails with this error; the others are answered. */
function poison({ gateway }: TrackingFixture, txId: TxId, error: unknown): void {
  for (const read of ["headTransactionInfo", "headTransaction", "solidTransactionInfo", "solidTransaction"] as const) {
    const own = gateway[read].bind(gateway) as (id: TxId, signal?: AbortSignal) => Promise<never>;
    const failing = async (id: TxId, signal?: AbortSignal): Promise<never> => {
      if (id !== txId) return await own(id, signal);
      gateway.requests.push(`${read} ${id}`);
      throw error;
    };
    Object.assign(gateway, { [read]: failing } satisfies Partial<Record<Reads, unknown>>);
  }
}

const requestsFor = ({ gateway }: TrackingFixture, txId: TxId): number =>
  gateway.requests.filter((it) => it.includes(txId)).length;

describe("a failure that concerns one transaction", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("T5: holds up none of those that are looked for one by one, and is shown and paced", async () => {
    for (const error of OF_ONE_ANSWER) {
      stage = await trackingFixture();
      const [first = fakeTxId(0), second = fakeTxId(0)] = await stage.send(1, 2);
      poison(stage, first, error);

      await stage.block(second);
      await stage.blocks(LAG + 8);

      assert.deepEqual([stage.state(first), stage.state(second)], ["pending", "solidified"], error.code);
      const trouble = stage.tracker.trouble("test") ?? assert.fail(error.code);
      assert.deepEqual([trouble.code, trouble.txIds], [error.code, [first]]);
      stage.gateway.requests.length = 0;
      await stage.clock.advance(HOUR);
      assert.ok(requestsFor(stage, first) >= 30, `${error.code}: ${requestsFor(stage, first)}`);
      assert.ok(requestsFor(stage, first) <= 130, `${error.code}: ${requestsFor(stage, first)}`);
      await stage.stop();
    }
  });

  it("T5: ends with the first answer about it", async () => {
    stage = await trackingFixture();
    const [first = fakeTxId(0), second = fakeTxId(0)] = await stage.send(1, 2);
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage.gateway.fail("headTransactionInfo", error, error);
    await stage.clock.advance(1_500);
    assert.deepEqual(stage.tracker.trouble("test")?.txIds?.length, 2);

    await stage.block(first, second);
    await stage.blocks(LAG + 8);
    assert.deepEqual([stage.state(first), stage.state(second)], ["solidified", "solidified"]);
    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("T5: holds up none of those that are found in blocks", async () => {
    for (const error of OF_ONE_ANSWER) {
      stage = await trackingFixture();
      const ids = await stage.send(...Array.from({ length: 40 }, (_, index) => index + 1));
      const [first = fakeTxId(0)] = ids;
      const receipt = { contractType: "TriggerSmartContract", info: { receiptResult: "SUCCESS" } };
      poison(stage, first, error);

      await stage.block(...ids.slice(0, 20).map((txId) => ({ txId, ...receipt })));
      await stage.block(...ids.slice(20).map((txId) => ({ txId, ...receipt })));
      await stage.blocks(LAG + 8);

      const open = ids.filter((it) => stage.state(it) !== "solidified");
      assert.deepEqual(open, [first], error.code);
      assert.deepEqual(stage.tracker.trouble("test")?.txIds, [first], error.code);
      await stage.stop();
    }
  });

  it("T5: a search for proofs that always fails holds up no transaction", async () => {
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage = await trackingFixture();
    const [lost = fakeTxId(0)] = await stage.record(TIMED_OUT, 1);
    const own = stage.gateway.solidBlocks.bind(stage.gateway);
    stage.gateway.solidBlocks = async (start, end, signal) => {
      if (end - start === 1) return await own(start, end, signal);
      stage.gateway.requests.push(`solidBlocks ${start} ${end}`);
      throw error;
    };
    await stage.blocks(40);
    stage.gateway.requests.length = 0;
    const [txId = fakeTxId(0)] = await stage.send(2);

    await stage.block(txId);
    await stage.blocks(LAG + 4);

    assert.deepEqual([stage.state(lost), stage.state(txId)], ["unknown", "solidified"]);
    assert.equal(stage.tracker.trouble("test")?.code, "GATEWAY_HTTP_STATUS");
    stage.gateway.requests.length = 0;
    await stage.blocks(200);
    const scans = stage.gateway.requests.filter((it) => it.startsWith("solidBlocks")).length;
    assert.ok(scans >= 5 && scans <= 30, `${scans} scans in ten minutes`);
  });

  it("T5: holds up no search for what was refused, and no proof of absence", async () => {
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage = await trackingFixture();
    const [poisoned = fakeTxId(0)] = await stage.record(TIMED_OUT, 1);
    const [refused = fakeTxId(0), poisonedToo = fakeTxId(0)] = await stage.record(rejected("SIGERROR"), 2, 3);
    const [lost = fakeTxId(0)] = await stage.record(TIMED_OUT, 4);
    poison(stage, poisoned, error);
    poison(stage, poisonedToo, error);

    await stage.blocks(60);

    assert.equal(stage.state(poisoned), "proven-absent");
    assert.equal(stage.state(lost), "proven-absent");
    assert.notEqual(stage.tracker.get(refused)?.notFoundAt, undefined);
    assert.equal(stage.tracker.get(poisonedToo)?.notFoundAt, undefined);
    assert.deepEqual(stage.tracker.trouble("test")?.txIds, [poisonedToo]);
  });
});
