import assert from "node:assert/strict";
import { ALICE, BOB } from "../../../../test/support/tracking/tracked.ts";
import { approveData, transferData } from "../../../client/src/tokens.ts";
import { shortAddress } from "../../src/format/short.ts";
import { type Address, parseAddress } from "../../src/primitives/address.ts";
import { sun } from "../../src/primitives/amount.ts";
import type { Hex } from "../../src/primitives/bytes.ts";
import { type Intent, lookalikesOf, partiesOf } from "../../src/transaction/intent.ts";

/** Address of a friend, and an attacker's address with the same beginning and end. */
const FRIEND = parseAddress("TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13");
const POISON = parseAddress("TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13");

describe("lookalike recipients", () => {
  it("are found when their short form is the same", () => {
    assert.equal(shortAddress(POISON), shortAddress(FRIEND));
    assert.deepEqual(lookalikesOf(POISON, [ALICE, FRIEND, BOB, FRIEND]), [FRIEND]);
  });

  it("exclude the recipient itself and other accounts", () => {
    assert.deepEqual(lookalikesOf(FRIEND, [FRIEND, ALICE, BOB]), []);
    assert.deepEqual(lookalikesOf(ALICE, [FRIEND, POISON, BOB]), []);
  });

  it("are searched in all recipients of signed transactions, including tokens and approvals", () => {
    const call = (data: Hex): Intent => ({
      kind: "contract-call",
      owner: ALICE,
      contract: BOB,
      data,
      callValue: sun(0n),
      feeLimit: sun(1n),
    });
    const word = (address: Address): string => address.slice(2).padStart(64, "0");
    const from = `23b872dd${word(ALICE)}${word(FRIEND)}${"0".repeat(64)}` as Hex;
    const intents: readonly Intent[] = [
      { kind: "transfer", owner: ALICE, to: FRIEND, amount: sun(1n) },
      { kind: "token-transfer", owner: ALICE, to: FRIEND, tokenId: "1000001", amount: 1n },
      { kind: "delegate", owner: ALICE, receiver: FRIEND, resource: "ENERGY", amount: sun(1n) },
      call(transferData(FRIEND, 1n)),
      call(approveData(FRIEND, 1n)),
      call(from),
    ];

    for (const intent of intents) assert.deepEqual(partiesOf(intent), [FRIEND], intent.kind);
    assert.deepEqual(partiesOf(call("a9059cbb00" as Hex)), []);
    assert.deepEqual(partiesOf(call("12345678" as Hex)), []);
    assert.deepEqual(partiesOf({ kind: "withdraw", owner: ALICE }), []);
  });
});
