import assert from "node:assert/strict";
import { type ChainId, parseChainId } from "../../../packages/client/src/gateway/network.ts";
import type {
  TrackedTransaction,
  TrackingState,
} from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { ConflictGuard, duplicateText } from "../../../src/sending/conflicting-payments.ts";
import { blockReference, TRANSFER, tracked, txId } from "../../support/tracking/tracked.ts";

const payment = { network: "Local chain", intent: TRANSFER, acknowledged: [], txId: txId("2") };
const pending = tracked({ txId: txId("1"), state: { kind: "pending" } });
const over = (...all: TrackedTransaction[]): ConflictGuard => new ConflictGuard(() => all);
const work = async (): Promise<string> => "sent";
const conflict = (id: string, state: string) => ({ code: "EQUAL_TRANSACTION_ALIVE", details: { txId: id, state } });

describe("ConflictGuard", () => {
  it("allows a payment without a conflict", async () => {
    assert.equal(await over().runAlone(payment, work), "sent");
  });

  it("refuses a payment while an equal one may execute, unless its txID is acknowledged", async () => {
    await assert.rejects(over(pending).runAlone(payment, work), conflict(txId("1"), "pending"));
    assert.equal(await over(pending).runAlone({ ...payment, acknowledged: [txId("1")] }, work), "sent");
    await assert.rejects(over(pending).runAlone({ ...payment, acknowledged: [txId("9")] }, work), {
      code: "EQUAL_TRANSACTION_ALIVE",
    });
  });

  it("allows only one of two equal payments at the same time", async () => {
    const equals = over();
    const first = Promise.withResolvers<string>();

    const sending = equals.runAlone(payment, () => first.promise);
    await assert.rejects(equals.runAlone({ ...payment, txId: txId("3") }, work), conflict(txId("2"), "being sent"));
    first.resolve("first");

    assert.equal(await sending, "first");
    assert.equal(await equals.runAlone({ ...payment, txId: txId("3") }, work), "sent");
  });

  it("allows the payment again after a failure", async () => {
    const equals = over();
    await assert.rejects(
      equals.runAlone(payment, () => Promise.reject(new Error("disk full"))),
      /disk full/,
    );

    assert.equal(await equals.runAlone(payment, work), "sent");
  });

  it("does not delay another payment", async () => {
    const equals = over();
    void equals.runAlone(payment, () => new Promise(() => undefined));

    assert.equal(await equals.runAlone({ ...payment, network: "Main" }, work), "sent");
  });

  it("H1: allows only one of two equal payments on two networks of one chain", async () => {
    const equals = over();
    const chain = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
    const first = Promise.withResolvers<string>();
    const sending = equals.runAlone({ ...payment, network: "Provider A", chain }, () => first.promise);

    const duplicate = { ...payment, network: "Provider B", chain, txId: txId("3") };
    await assert.rejects(equals.runAlone(duplicate, work), conflict(txId("2"), "being sent"));
    const { chain: _unknown, ...anywhere } = duplicate;
    await assert.rejects(equals.runAlone(anywhere, work), conflict(txId("2"), "being sent"));

    first.resolve("first");
    assert.equal(await sending, "first");
  });
});

const CHAIN = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
const textOf = (state: TrackingState) =>
  duplicateText(
    "1.5 coins → Bob",
    { tracked: tracked({ state, network: "Main" }), relation: "same" },
    { network: "Main" },
  );

describe("duplicateText", () => {
  it("warns about a double payment", () => {
    const solidified: TrackingState = { kind: "solidified", block: blockReference(1), outcome: { kind: "success" } };
    assert.match(
      textOf({ kind: "unknown", reason: "" }).detail,
      /may still be executed\. A second one would pay twice/,
    );
    assert.match(textOf({ kind: "pending" }).detail, /not final yet\. A second one would pay twice/);
    assert.match(textOf(solidified).title, /executed meanwhile/);
  });

  it("H1: names the other network of the conflicting payment", () => {
    const here = { network: "Provider B", chain: CHAIN };
    const text = (network: string, relation: "same" | "unknown") =>
      duplicateText("1.5 coins → Bob", { tracked: tracked({ network }), relation }, here).detail;

    assert.match(text("Provider A", "same"), /Network: Provider A, the same chain as Provider B\n/);
    assert.match(
      text("Provider A", "unknown"),
      /Network: Provider A\. Finality could not verify that it is another chain than Provider B, so it counts as the same\. Try again/,
    );
    assert.doesNotMatch(text("Provider B", "same"), /Network:/);
    assert.match(text("Provider B", "unknown"), /could not verify/);
  });
});
