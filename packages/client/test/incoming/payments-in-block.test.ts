import assert from "node:assert/strict";
import { FakeGateway, type ScriptedTransaction } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  call,
  coins,
  included,
  paidInside,
  party,
  transferEvent,
} from "../../../../test/support/incoming/incoming-fixture.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import type { Block, TransactionInfo } from "../../src/gateway/gateway.ts";
import { paymentsInBlock, paymentsInReceipt } from "../../src/incoming/payments-in-block.ts";

const [PAYER, SHOP, TOKEN] = [party(1), party(20), party(7)];
const [EVENT] = transferEvent(TOKEN, SHOP, 3n);
assert.ok(EVENT);
const INSIDE = paidInside(PAYER, SHOP, 4n);

/** Returns a call that pays coins and a TRC-10 token. */
function payingCall(callValue: bigint, callTokenValue: bigint): ScriptedTransaction {
  return included({
    kind: "contract-call",
    owner: PAYER,
    contract: SHOP,
    data: hex(""),
    callValue: sun(callValue),
    tokenId: 1_000_001n,
    tokenValue: callTokenValue,
    feeLimit: sun(1n),
  });
}

const tokens = (amount: bigint): ScriptedTransaction =>
  included({ kind: "token-transfer", owner: PAYER, to: SHOP, tokenId: "1000001", amount });

const blockOf = (...transactions: readonly ScriptedTransaction[]): Block => new FakeGateway().mine(transactions);

describe("paymentsInBlock", () => {
  const cases: readonly (readonly [name: string, ScriptedTransaction, paid: readonly string[]])[] = [
    ["a transfer of coins", coins(SHOP, 5n), ["contract coins 5"]],
    ["a transfer of 1 sun", coins(SHOP, 1n), ["contract coins 1"]],
    ["a transfer of nothing", coins(SHOP, 0n), []],
    ["a transfer of a negative amount", coins(SHOP, -1n), []],
    ["a transfer of a TRC-10 token", tokens(7n), ["contract trc10 1000001 7"]],
    ["a transfer of no TRC-10 token", tokens(0n), []],
    ["a call that pays nothing", call(SHOP, {}), []],
    ["a call with coins", call(SHOP, {}, { callValue: 6n }), ["value coins 6"]],
    ["a call with coins and tokens", payingCall(6n, 8n), ["value coins 6", "token trc10 1000001 8"]],
    ["a stake", included({ kind: "stake", owner: SHOP, resource: "ENERGY", amount: sun(5n) }), []],
    ["a failed transfer", coins(SHOP, 5n, { contractResult: "OUT_OF_TIME" }), []],
  ];
  for (const [name, transaction, paid] of cases) {
    it(`returns ${paid.length === 0 ? "no payment" : paid.join(" and ")} for ${name}`, () => {
      const block = blockOf(transaction);
      const { payments } = paymentsInBlock(block);

      assert.deepEqual(payments.map(printed), paid);
      for (const { from, to, txId, block: of } of payments) {
        assert.deepEqual({ from, to, txId }, { from: PAYER, to: SHOP, txId: transaction.txId });
        assert.deepEqual(of, { number: block.number, id: block.id, timestamp: block.timestamp });
      }
    });
  }

  it("returns the transactions whose code succeeded, and no others", () => {
    const ran = call(TOKEN, {});
    const block = blockOf(coins(SHOP, 1n), ran, call(TOKEN, {}, { contractResult: "REVERT" }));

    assert.deepEqual(paymentsInBlock(block).ranCode, [ran.txId]);
  });
});

describe("paymentsInReceipt", () => {
  const cases: readonly (readonly [name: string, info: Partial<TransactionInfo>, paid: readonly string[]])[] = [
    ["an event of a token", { logs: [EVENT] }, ["log 0 trc20 3"]],
    ["an event about nothing", { logs: transferEvent(TOKEN, SHOP, 0n) }, []],
    ["an event with a third indexed value", { logs: [{ ...EVENT, topics: [...EVENT.topics, EVENT.data] }] }, []],
    ["another event", { logs: [{ ...EVENT, topics: [EVENT.data, ...EVENT.topics.slice(1)] }] }, []],
    ["an event with more data", { logs: [{ ...EVENT, data: `${EVENT.data}00` as Hex }] }, []],
    ["an event without a receiver", { logs: [{ ...EVENT, topics: EVENT.topics.slice(0, 2) }] }, []],
    ["coins that code moved", { internal: INSIDE }, ["internal 0.0 coins 4"]],
    [
      "tokens that code moved",
      { internal: INSIDE.map((it) => ({ ...it, values: [{ amount: 0n }, { amount: 4n, tokenId: "1000001" }] })) },
      ["internal 0.1 trc10 1000001 4"],
    ],
    ["coins of a rejected internal call", { internal: INSIDE.map((it) => ({ ...it, rejected: true })) }, []],
    ["a stake of a contract", { internal: INSIDE.map((it) => ({ ...it, note: "freezeBalanceV2ForEnergy" })) }, []],
    ["coins without a receiver", { internal: INSIDE.map((it) => ({ ...it, to: undefined })) }, []],
  ];
  for (const [name, info, paid] of cases) {
    it(`returns ${paid.length === 0 ? "no payment" : paid.join(" and ")} for ${name}`, () => {
      const transaction = call(TOKEN, info);
      const block = blockOf(transaction);
      const payments = paymentsInReceipt(block, { txId: transaction.txId, ...info } as TransactionInfo);

      assert.deepEqual(payments.map(printed), paid);
      for (const { claimed, to } of payments) assert.deepEqual({ claimed, to }, { claimed: true, to: SHOP });
    });
  }
});

function printed({ path, token, amount }: ReturnType<typeof paymentsInReceipt>[number]): string {
  return [path, token.kind, ...(token.kind === "trc10" ? [token.id] : []), amount].join(" ");
}
