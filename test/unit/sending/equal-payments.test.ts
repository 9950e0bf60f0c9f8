import assert from "node:assert/strict";
import { type ChainId, parseChainId } from "../../../packages/client/src/gateway/network.ts";
import type { TrackedTransaction } from "../../../packages/client/src/life/tracked-transaction.ts";
import { EqualPayments } from "../../../src/sending/equal-payments.ts";
import { TRANSFER, tracked, txId } from "../../support/tracking/tracked.ts";

const payment = { network: "Local chain", intent: TRANSFER, acknowledged: [], txId: txId("2") };
const pending = tracked({ txId: txId("1"), state: { kind: "pending" } });
const over = (...all: TrackedTransaction[]): EqualPayments => new EqualPayments(() => all);
const work = async (): Promise<string> => "sent";
const alive = (id: string, state: string) => ({ code: "EQUAL_TRANSACTION_ALIVE", details: { txId: id, state } });

describe("EqualPayments", () => {
  it("lets a payment through that has no living equal", async () => {
    assert.equal(await over().alone(payment, work), "sent");
  });

  it("refuses a payment while an equal one may still be executed, and names it", async () => {
    await assert.rejects(over(pending).alone(payment, work), alive(txId("1"), "pending"));
  });

  it("lets it through for a sender who knows exactly that one", async () => {
    assert.equal(await over(pending).alone({ ...payment, acknowledged: [txId("1")] }, work), "sent");
    await assert.rejects(over(pending).alone({ ...payment, acknowledged: [txId("9")] }, work), {
      code: "EQUAL_TRANSACTION_ALIVE",
    });
  });

  it("lets only one of two equal payments through that come at the same time", async () => {
    const equals = over();
    const first = Promise.withResolvers<string>();

    const sending = equals.alone(payment, () => first.promise);
    await assert.rejects(equals.alone({ ...payment, txId: txId("3") }, work), alive(txId("2"), "being sent"));
    first.resolve("first");

    assert.equal(await sending, "first");
    assert.equal(await equals.alone({ ...payment, txId: txId("3") }, work), "sent");
  });

  it("is open again after a failure", async () => {
    const equals = over();
    await assert.rejects(
      equals.alone(payment, () => Promise.reject(new Error("disk full"))),
      /disk full/,
    );

    assert.equal(await equals.alone(payment, work), "sent");
  });

  it("does not hold up another payment", async () => {
    const equals = over();
    void equals.alone(payment, () => new Promise(() => undefined));

    assert.equal(await equals.alone({ ...payment, network: "Main" }, work), "sent");
  });

  it("H1: lets only one of two equal payments through under two names of one chain", async () => {
    const equals = over();
    const chain = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
    const first = Promise.withResolvers<string>();
    const sending = equals.alone({ ...payment, network: "Provider A", chain }, () => first.promise);

    const duplicate = { ...payment, network: "Provider B", chain, txId: txId("3") };
    await assert.rejects(equals.alone(duplicate, work), alive(txId("2"), "being sent"));
    const { chain: _unknown, ...anywhere } = duplicate;
    await assert.rejects(equals.alone(anywhere, work), alive(txId("2"), "being sent"));

    first.resolve("first");
    assert.equal(await sending, "first");
  });
});
