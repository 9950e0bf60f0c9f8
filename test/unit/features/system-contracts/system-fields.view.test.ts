import assert from "node:assert/strict";
import type { SystemFacts } from "../../../../packages/client/src/reviews/system-effect.view.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import {
  checkAmount,
  intentOf,
  isComplete,
  readField,
  SAMPLES,
  type SystemCommandKind,
} from "../../../../src/features/system-contracts/system-fields.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const ALL = { from: ALICE, resource: "ENERGY", to: BOB, amount: sun(5_000_000n), lockPeriod: 10n } as const;
const KINDS: readonly SystemCommandKind[] = [
  "stake",
  "unstake",
  "withdraw",
  "cancel-unstakes",
  "delegate",
  "undelegate",
];

describe("intentOf a stake command", () => {
  it("contains only the fields of the command", () => {
    const fields = KINDS.map((kind) => Object.keys(intentOf(kind, ALL) ?? {}).join(" "));

    assert.deepEqual(fields, [
      "kind owner resource amount",
      "kind owner resource amount",
      "kind owner",
      "kind owner",
      "kind owner resource receiver amount lockPeriod",
      "kind owner resource receiver amount",
    ]);
  });

  it("is complete without the lock period only", () => {
    for (const kind of KINDS) {
      for (const field of ["from", "resource", "to", "amount"] as const) {
        const { [field]: _, ...rest } = ALL;
        assert.equal(isComplete(kind, rest), intentOf(kind, rest) !== undefined, `${kind} without ${field}`);
      }
    }
    const { lockPeriod: _, ...unlocked } = ALL;
    assert.equal(isComplete("delegate", unlocked), true);
    assert.equal("lockPeriod" in (intentOf("delegate", unlocked) ?? {}), false);
    assert.equal("lockPeriod" in (intentOf("delegate", { ...ALL, lockPeriod: 0n }) ?? {}), false);
  });

  it("refuses to delegate votes", () => {
    assert.equal(intentOf("delegate", { ...ALL, resource: "TRON_POWER" }), undefined);
  });
});

describe("intentOf an account or contract command", () => {
  it("accepts sample values", () => {
    assert.notEqual(intentOf("account-name", { from: ALICE, ...SAMPLES.name }), undefined);
    assert.notEqual(intentOf("contract-share", { from: ALICE, contract: BOB, ...SAMPLES.percent }), undefined);
  });

  const more = { ...ALL, contract: BOB, tokenId: "1000001", units: 7n, name: "tea", percent: 40n, limit: 9n };

  it("contains only the fields of the command", () => {
    assert.deepEqual(intentOf("claim-reward", more), { kind: "claim-reward", owner: ALICE });
    assert.deepEqual(intentOf("token-transfer", more), {
      kind: "token-transfer",
      owner: ALICE,
      to: BOB,
      tokenId: "1000001",
      amount: 7n,
    });
    assert.deepEqual(intentOf("account-creation", more), { kind: "account-creation", owner: ALICE, account: BOB });
    assert.deepEqual(intentOf("account-name", more), { kind: "account-name", owner: ALICE, name: "tea" });
    assert.deepEqual(intentOf("contract-share", more), {
      kind: "contract-share",
      owner: ALICE,
      contract: BOB,
      userPercent: 40n,
    });
    assert.deepEqual(intentOf("contract-limit", more), {
      kind: "contract-limit",
      owner: ALICE,
      contract: BOB,
      originEnergyLimit: 9n,
    });
    assert.deepEqual(intentOf("contract-abi-removal", more), {
      kind: "contract-abi-removal",
      owner: ALICE,
      contract: BOB,
    });
  });

  it("is undefined without counted votes or another field", () => {
    const votes = [{ witness: BOB, count: 3n }];

    assert.deepEqual(intentOf("vote", { ...more, votes }), { kind: "vote", owner: ALICE, votes });
    assert.equal(intentOf("vote", { ...more, candidates: [BOB] }), undefined);
    assert.deepEqual([isComplete("vote", { ...more, votes }), isComplete("vote", more)], [true, false]);
    for (const kind of ["token-transfer", "account-creation", "account-name", "contract-share"] as const)
      assert.equal(intentOf(kind, { from: ALICE }), undefined, kind);
    assert.equal(intentOf("contract-limit", { from: ALICE, contract: BOB }), undefined);
    assert.equal(intentOf("token-transfer", { from: ALICE, to: BOB, units: 1n }), undefined);
  });
});

describe("readField", () => {
  it("checks the bounds", () => {
    assert.deepEqual(readField("percent", " 100 "), { percent: 100n });
    assert.equal(readField("percent", "101"), "Write a whole number from 0 to 100.");
    assert.match(String(readField("units", "0")), /^Write a whole number from 1 to 9,223,372/);
    assert.match(String(readField("limit", "-1")), /^Write a whole number/);
    assert.deepEqual(readField("tokenId", "1000001"), { tokenId: "1000001" });
    assert.equal(readField("tokenId", "TEA"), "Write the number of the token.");
    assert.deepEqual(readField("name", " tea house "), { name: "tea house" });
    assert.equal(readField("name", " "), "Write a name.");
  });
});

describe("checkAmount", () => {
  const missing = { account: undefined, resources: undefined };
  const rich = { account: { address: ALICE, balance: sun(10_000_000n) }, resources: undefined };
  const check = (text: string, owner: SystemFacts["owner"] = rich) => {
    const facts = { owner, parameters: new Map(), headTimestamp: 0, timeOf: String };
    return checkAmount(text, (amount) => intentOf("stake", { ...ALL, resource: "TRON_POWER", amount }), facts);
  };

  it("shows the effect of a valid amount", () => {
    assert.deepEqual(check("5"), { kind: "good", value: 5_000_000n, message: "5,000,000 sun · 5 votes" });
  });

  it("rejects malformed amounts and amounts that the chain would refuse", () => {
    assert.deepEqual(check("11"), { kind: "wrong", message: "The account has 10 coins." });
    assert.deepEqual(check("5", missing), { kind: "wrong", message: "The account has 0 coins." });
    assert.equal(check("0.5").kind, "wrong");
    assert.equal(check("five").kind, "wrong");
    assert.equal(check(" ").kind, "empty");
  });
});
