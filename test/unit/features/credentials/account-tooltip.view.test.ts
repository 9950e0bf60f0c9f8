import assert from "node:assert/strict";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { accountTooltip } from "../../../../src/features/credentials/account-tooltip.view.ts";

const address = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const alice = { address, label: "Alice", watchOnly: false };
const known = { kind: "known", account: { address, balance: sun(1_234_500_000n) } } as const;

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
      { name: "Key", value: "asks before each signature" },
      { name: "Balance", value: "1,234.5 coins (1,234,500,000 sun)" },
      { name: "Free bandwidth", value: "332 of 600 left" },
      { name: "Staked bandwidth", value: "none" },
      { name: "Energy", value: "0 of 12,000 left" },
    ]);
  });

  it("explains an account that does not exist on the chain yet", () => {
    const [, , , balance] = accountTooltip(alice, { kind: "not-activated" }, undefined);

    assert.match(balance?.value ?? "", /first transfer/);
  });

  it("names the path that would tell its balance, where the gateway tells none", () => {
    const untold = { kind: "known", account: { address, untold: "/wallet/getaccount" } } as const;
    const [, , , balance] = accountTooltip(alice, untold, undefined);

    assert.match(balance?.value ?? "", /^not known here: the gateway does not serve \/wallet\/getaccount$/);
  });

  it("says where its key comes from, what it may sign and where it is kept", () => {
    const policy = { kind: "retype-above", amount: "1500000" };
    const lines = accountTooltip({ ...alice, path: "m/44'/195'/0'/0/2", policy, sessionOnly: true }, known, undefined);

    assert.deepEqual(lines.slice(2, 5), [
      { name: "Path", value: "m/44'/195'/0'/0/2" },
      { name: "Key", value: "asks before each signature, and twice above 1.5 coins" },
      { name: "Kept", value: "in the memory of this window, for this session only" },
    ]);
  });

  it("says nothing of a key that is not here, or that is of a chain", () => {
    for (const account of [
      { ...alice, watchOnly: true },
      { ...alice, chain: "c4a1" },
    ])
      assert.equal(
        accountTooltip(account, known, undefined).some(({ name }) => name === "Key"),
        false,
      );
  });
});
