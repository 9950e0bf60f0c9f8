import assert from "node:assert/strict";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { checkAmount, intentOf, isAnswered, type StakeKind } from "../../../../src/features/stakes/stakes.view.ts";
import type { SystemFacts } from "../../../../src/words/sentences/system-review.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const ALL = { from: ALICE, resource: "ENERGY", to: BOB, amount: sun(5_000_000n), lockPeriod: 10n } as const;
const KINDS: readonly StakeKind[] = ["stake", "unstake", "withdraw", "cancel-unstakes", "delegate", "undelegate"];

describe("the answers about a stake", () => {
  it("make the intent of each command, and of no field that it does not have", () => {
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

  it("are complete with all but the lock, and make no intent before", () => {
    for (const kind of KINDS) {
      for (const field of ["from", "resource", "to", "amount"] as const) {
        const { [field]: _, ...rest } = ALL;
        assert.equal(isAnswered(kind, rest), intentOf(kind, rest) !== undefined, `${kind} without ${field}`);
      }
    }
    const { lockPeriod: _, ...unlocked } = ALL;
    assert.equal(isAnswered("delegate", unlocked), true);
    assert.equal("lockPeriod" in (intentOf("delegate", unlocked) ?? {}), false);
    assert.equal("lockPeriod" in (intentOf("delegate", { ...ALL, lockPeriod: 0n }) ?? {}), false);
  });

  it("lend no votes", () => {
    assert.equal(intentOf("delegate", { ...ALL, resource: "TRON_POWER" }), undefined);
  });
});

describe("a typed amount", () => {
  const nobody = { account: undefined, resources: undefined };
  const rich = { account: { address: ALICE, balance: sun(10_000_000n) }, resources: undefined };
  const check = (text: string, owner: SystemFacts["owner"] = rich) => {
    const facts = { owner, parameters: new Map(), headTimestamp: 0, timeOf: String };
    return checkAmount(text, (amount) => intentOf("stake", { ...ALL, resource: "TRON_POWER", amount }), facts);
  };

  it("is good with what it brings", () => {
    assert.deepEqual(check("5"), { kind: "good", value: 5_000_000n, message: "5,000,000 sun · 5 votes" });
  });

  it("is wrong where the chain would refuse it, or where it is no amount", () => {
    assert.deepEqual(check("11"), { kind: "wrong", message: "The account has 10 coins." });
    assert.deepEqual(check("5", nobody), { kind: "wrong", message: "The account has 0 coins." });
    assert.equal(check("0.5").kind, "wrong");
    assert.equal(check("five").kind, "wrong");
    assert.equal(check(" ").kind, "empty");
  });
});
