import assert from "node:assert/strict";
import { nextLabel } from "../../../../packages/client/src/labels/accounts.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { describeAccount } from "../../../../src/features/accounts-view/account.view.ts";

const address = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const alice = { address, label: "Alice", watchOnly: false };
const known = { kind: "known", account: { address, balance: sun(1_234_500_000n) } } as const;

describe("describeAccount", () => {
  it("shows balance and address, in the coin of the network (U19)", () => {
    assert.deepEqual(describeAccount(alice, known), {
      label: "Alice",
      description: "1,234.5 coins · TWAFRf…qpHp",
      icon: "key",
      contextValue: "account+signs+own",
      spoken: "Alice, 1,234.5 coins, TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
    });
    const row = describeAccount(alice, { ...known, symbol: "TRX" });

    assert.equal(row.description, "1,234.5 TRX · TWAFRf…qpHp");
    assert.equal(row.spoken, "Alice, 1,234.5 TRX, TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
  });

  it("marks a watch-only address", () => {
    const row = describeAccount({ ...alice, watchOnly: true }, known);

    assert.equal(row.icon, "eye");
    assert.equal(row.contextValue, "account+watchOnly");
    assert.match(row.description, /watch-only/);
    assert.match(row.spoken, /watch-only/);
  });

  it("marks an account that signs in the browser", () => {
    const row = describeAccount({ ...alice, signer: "outside" }, known);

    assert.deepEqual([row.icon, row.contextValue], ["browser", "account+signs"]);
    assert.equal(row.description, "1,234.5 coins · signs in the browser · TWAFRf…qpHp");
    assert.match(row.spoken, /^Alice, signs in the browser, /);
  });

  it("marks a session key, and offers no key actions for a local chain account", () => {
    const row = describeAccount({ ...alice, sessionOnly: true }, known);

    assert.match(row.description, /this session only/);
    assert.match(row.spoken, /this session only/);
    assert.equal(describeAccount({ ...alice, chain: "c4a1" }, known).contextValue, "account+signs");
  });

  it("shows no balance that is unknown or not reported", () => {
    assert.equal(describeAccount(alice, { kind: "unknown" }).description, "TWAFRf…qpHp");
    assert.match(describeAccount(alice, { kind: "failed" }).description, /^balance unknown/);
    assert.match(describeAccount(alice, { kind: "not-activated" }).description, /^not activated/);
    const row = describeAccount(alice, { kind: "known", account: { address, missingPath: "/wallet/getaccount" } });
    assert.equal(row.description, "balance not available · TWAFRf…qpHp");
    assert.match(row.spoken, /balance not available/);
  });
});

describe("nextLabel", () => {
  it("uses the first free number", () => {
    assert.equal(nextLabel([]), "Account 1");
    assert.equal(nextLabel(["Account 1", "Savings"]), "Account 2");
    assert.equal(nextLabel(["Account 2"]), "Account 1");
  });
});
