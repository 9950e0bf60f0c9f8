import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import type { BlockId } from "../../../../packages/tron/src/primitives/block.ts";
import type { Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import { MovedBalances } from "../../../../src/features/credentials/balance-looks.ts";
import { ALICE, adopted, BOB, signedPart, tracked } from "../../../support/tracking/tracked.ts";

const block = (number: number) => ({ number, timestamp: 1_000, id: "0".repeat(64) as BlockId });
const included = (number: number): TrackingState => ({ kind: "included", block: block(number) });
const solidified = (number: number): TrackingState => ({
  kind: "solidified",
  block: block(number),
  outcome: { kind: "success" },
});
const call = signedPart({
  kind: "contract-call",
  owner: ALICE,
  contract: BOB,
  data: "00" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
});

describe("whose coins a change of transactions moved", () => {
  it("P5: those of the payer and the recipient, when a block takes a payment in", () => {
    assert.deepEqual(new MovedBalances().after([tracked({ state: included(7) })]), [ALICE, BOB]);
  });

  it("P5: those of both sides, when resources are lent, a token is sent or an account is created", () => {
    const intents: readonly Intent[] = [
      { kind: "delegate", owner: ALICE, receiver: BOB, resource: "ENERGY", amount: sun(1n) },
      { kind: "token-transfer", owner: ALICE, to: BOB, tokenId: "1", amount: 1n },
      { kind: "account-creation", owner: ALICE, account: BOB },
    ];
    for (const intent of intents)
      assert.deepEqual(new MovedBalances().after([tracked({ state: included(7), signed: signedPart(intent) })]), [
        ALICE,
        BOB,
      ]);
  });

  it("P5: nobody's, when an answer comes, a search goes on, or the block that holds it is solidified", () => {
    const moved = new MovedBalances();
    moved.after([tracked({ state: included(7) })]);

    assert.deepEqual(moved.after([tracked({ state: solidified(7) })]), []);
    assert.deepEqual(new MovedBalances().after([tracked(), tracked({ state: { kind: "pending" } })]), []);
  });

  it("again, when a block loses it, or another one holds it", () => {
    const moved = new MovedBalances();
    moved.after([tracked({ state: included(7) })]);

    assert.deepEqual(moved.after([tracked({ state: { kind: "pending" } })]), [ALICE, BOB]);
    assert.deepEqual(moved.after([tracked({ state: solidified(9) })]), [ALICE, BOB]);
  });

  it("anybody's, when a contract decides, or the transaction is of somebody else", () => {
    assert.equal(new MovedBalances().after([tracked({ state: included(7), signed: call })]), "any");
    assert.equal(new MovedBalances().after([adopted({ state: included(7) })]), "any");
  });
});
