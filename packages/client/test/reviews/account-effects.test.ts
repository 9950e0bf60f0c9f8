import assert from "node:assert/strict";
import { ALICE, BOB } from "../../../../test/support/tracking/tracked.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { IntentOf } from "../../../tron/src/transaction/intent.ts";
import type { SystemFacts } from "../../src/reviews/system-effect.view.ts";
import {
  accountNameEffect,
  contractEffect,
  creationEffect,
  rewardEffect,
  trc10Effect,
} from "../../src/reviews/system-effect.view.ts";

function facts(more: Partial<SystemFacts> = {}): SystemFacts {
  const account = { address: ALICE, balance: sun(0n), trc10: new Map([["1000001", 70n]]) };
  const owner = { account, resources: undefined };
  return { owner, parameters: new Map(), headTimestamp: 0, timeOf: String, ...more };
}

const missing = { account: undefined, resources: undefined, party: { address: BOB, name: "Bob" } };
const existing = { ...missing, account: { address: BOB, balance: sun(1n) } };

describe("rewardEffect", () => {
  it("shows the reward, and warns when there is none", () => {
    assert.equal(rewardEffect(facts({ reward: sun(2_500_000n) })).action, "Withdraw 2.5 coins of reward");
    assert.deepEqual(rewardEffect(facts({ reward: sun(0n) })).doubts, ["There is no reward to withdraw."]);
    assert.deepEqual(rewardEffect(facts()).doubts, ["There is no reward to withdraw."]);
  });

  it("warns about a second withdrawal within 24 hours of chain time", () => {
    const [day, reward] = [86_400_000, sun(1n)];
    const owner = { account: { address: ALICE, balance: sun(0n), rewardWithdrawnAt: day }, resources: undefined };

    assert.deepEqual(rewardEffect(facts({ reward, owner, headTimestamp: 2 * day - 1 })).doubts, [
      `The chain allows it once in 24 hours: next at ${2 * day} by its time.`,
    ]);
    assert.deepEqual(rewardEffect(facts({ reward, owner, headTimestamp: 2 * day })).doubts, []);
  });
});

describe("trc10Effect", () => {
  const send = (amount: bigint, tokenId = "1000001"): IntentOf<"token-transfer"> => ({
    kind: "token-transfer",
    owner: ALICE,
    to: BOB,
    tokenId,
    amount,
  });
  const token = {
    id: "1000001",
    name: foreignText("Tea ”free\nTo: Mallory"),
    symbol: foreignText("TEA"),
    decimals: 1,
    issuer: BOB,
  };

  it("shows units first, then the issuer's name in quotes", () => {
    const { action, lines, doubts } = trc10Effect(send(15n), facts({ token, receiver: existing }));

    assert.equal(action, "Send 15 units of token 1000001");
    assert.equal(lines.length, 3, "a name added a line");
    assert.match(lines[0] ?? "", /^Token: 1000001, calls itself “[^”\n]*”$/);
    assert.equal(lines[1], "Amount: 15 units = 1.5 TEA in the issuer's decimals");
    assert.deepEqual(doubts, []);
    assert.equal(
      trc10Effect(send(1n), facts({ token, receiver: missing })).lines.at(-1),
      "Creates: the account of the receiver",
    );
  });

  it("warns about a missing balance and an unknown token", () => {
    assert.deepEqual(trc10Effect(send(71n), facts({ token, receiver: existing })).doubts, [
      "There are 70 units on this account.",
    ]);
    assert.deepEqual(trc10Effect(send(1n, "7"), facts({ receiver: existing })).doubts, [
      "No token has the number 7.",
      "There are 0 units on this account.",
    ]);
  });
});

describe("creationEffect and accountNameEffect", () => {
  it("warn about an existing account", () => {
    assert.deepEqual(creationEffect(facts({ receiver: missing })).doubts, []);
    assert.deepEqual(creationEffect(facts({ receiver: existing })).doubts, ["This account exists already."]);
  });

  it("count the bytes of a name", () => {
    const name = (text: string) => accountNameEffect({ kind: "account-name", owner: ALICE, name: text });

    assert.equal(name("茶").effect, "3 bytes");
    assert.deepEqual(name("茶".repeat(66)).doubts, []);
    assert.equal(name("茶".repeat(67)).doubts.length, 1);
  });
});

describe("contractEffect", () => {
  const contract = (owner: Address) => ({
    address: BOB,
    owner,
    name: "Tea”\nhouse",
    callerPercent: 100n,
    ownerEnergyLimit: 5_000n,
    created: "" as never,
    abi: [],
  });
  const share = { kind: "contract-share", owner: ALICE, contract: BOB, userPercent: 40n } as const;

  it("shows old and new values", () => {
    const { lines, doubts } = contractEffect(share, facts({ contract: contract(ALICE) }));

    assert.match(lines[0] ?? "", /^Contract: T\w+, calls itself “[^”\n]*”$/);
    assert.equal(lines[1], "Callers pay: 100 % → 40 % of the energy of a call");
    assert.match(lines[2] ?? "", /^You pay: up to 60 % of it/);
    assert.deepEqual(doubts, []);
    const limit = { kind: "contract-limit", owner: ALICE, contract: BOB, originEnergyLimit: 9_000n } as const;
    assert.equal(
      contractEffect(limit, facts({ contract: contract(ALICE) })).lines[1],
      "You pay at most: 5,000 → 9,000 energy for one call",
    );
  });

  it("warns about a missing contract and a foreign owner", () => {
    assert.deepEqual(contractEffect(share, facts()).doubts, ["There is no contract at this address."]);
    assert.match(
      contractEffect(share, facts({ contract: contract(BOB) })).doubts.join(),
      /^Only T\w+, who deployed it/,
    );
  });
});
