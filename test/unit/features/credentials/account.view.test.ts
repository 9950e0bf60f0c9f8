import assert from "node:assert/strict";
import { parseAddress } from "../../../../src/core/primitives/address.ts";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { accountTooltip, describeAccount, nextLabel } from "../../../../src/features/credentials/account.view.ts";

const address = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const alice = { address, label: "Alice", watchOnly: false };
const known = { kind: "known", account: { address, balance: sun(1_234_500_000n) } } as const;

describe("the row of an account", () => {
  it("shows balance and address, and can sign", () => {
    assert.deepEqual(describeAccount(alice, known), {
      label: "Alice",
      description: "1,234.5 · TWAFRf…qpHp",
      icon: "key",
      contextValue: "account+signs",
      spoken: "Alice, 1,234.5 coins, TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
    });
  });

  it("marks an address that is only watched", () => {
    const row = describeAccount({ ...alice, watchOnly: true }, known);

    assert.equal(row.icon, "eye");
    assert.equal(row.contextValue, "account+watchOnly");
    assert.match(row.description, /watch-only/);
    assert.match(row.spoken, /watch-only/);
  });

  it("never shows a number that is not known", () => {
    assert.equal(describeAccount(alice, { kind: "unknown" }).description, "TWAFRf…qpHp");
    assert.match(describeAccount(alice, { kind: "failed" }).description, /^balance not known/);
    assert.match(describeAccount(alice, { kind: "not-activated" }).description, /^not activated/);
  });
});

describe("an account of which the gateway tells no balance", () => {
  const untold = { kind: "known", account: { address, untold: "/wallet/getaccount" } } as const;

  it("is said to be not known here, never 0, and which path would tell it", () => {
    const row = describeAccount(alice, untold);
    assert.equal(row.description, "balance not known here · TWAFRf…qpHp");
    assert.match(row.spoken, /balance not known here/);
    assert.deepEqual(accountTooltip(alice, untold, undefined)[2], {
      name: "Balance",
      value: "not known here: the gateway does not serve /wallet/getaccount",
    });
  });
});

describe("the tooltip of an account", () => {
  it("has both forms of the address, and what is left of its resources", () => {
    const resources = {
      freeBandwidthLimit: 600n,
      freeBandwidthUsed: 268n,
      stakedBandwidthLimit: 0n,
      stakedBandwidthUsed: 0n,
      energyLimit: 12_000n,
      energyUsed: 13_000n,
    };

    assert.deepEqual(accountTooltip(alice, known, resources), [
      { name: "Address", value: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" },
      { name: "Hex", value: address },
      { name: "Balance", value: "1,234.5 (1,234,500,000 sun)" },
      { name: "Free bandwidth", value: "332 of 600 left" },
      { name: "Staked bandwidth", value: "none" },
      { name: "Energy", value: "0 of 12,000 left" },
    ]);
  });

  it("explains an account that does not exist on the chain yet", () => {
    const [, , balance] = accountTooltip(alice, { kind: "not-activated" }, undefined);

    assert.match(balance?.value ?? "", /first transfer/);
  });
});

describe("the name of the next account", () => {
  it("is the first number that is free", () => {
    assert.equal(nextLabel([]), "Account 1");
    assert.equal(nextLabel(["Account 1", "Savings"]), "Account 2");
    assert.equal(nextLabel(["Account 2"]), "Account 1");
  });
});
