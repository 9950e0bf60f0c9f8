import assert from "node:assert/strict";
import { loadExchanges } from "../../../../test/support/recorded/exchanges.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";
import { parseAccount, parseAccountResources } from "../../src/gateway/wire/account.ts";
import { dailyLimit, dailyLimitAfter, totalsOf } from "../../src/resources/stake-worth.ts";

const bodyOf = (name: string): Json => loadExchanges("resources").find((it) => it.case === name)?.responseBody ?? {};
const COIN = 1_000_000n;

describe("what a stake gives to use in a day", () => {
  it("is the limit that a real node shows for it, to the unit", () => {
    const account = parseAccount(bodyOf("account-delegated-owner"));
    const resources = parseAccountResources(bodyOf("accountresource-delegated-owner"));
    const [energy, bandwidth] = [totalsOf(resources, "ENERGY"), totalsOf(resources, "BANDWIDTH")];
    assert.ok(account?.stakes && resources && energy && bandwidth);

    assert.equal(dailyLimit(account.stakes.own.ENERGY, energy), resources.energyLimit);
    assert.equal(dailyLimit(account.stakes.own.BANDWIDTH, bandwidth), resources.stakedBandwidthLimit);
    assert.ok(resources.energyLimit > 0n);
  });

  it("is less for each coin the more is staked, for the stakes of all grow with it", () => {
    const totals = { limit: 1_000n, weight: 10n };

    assert.equal(dailyLimitAfter(sun(0n), 10n * COIN, totals, true), 500n);
    assert.equal(dailyLimitAfter(sun(0n), 10n * COIN, totals, false), 1_000n, "lent: no weight changes");
    assert.equal(dailyLimitAfter(sun(10n * COIN), -5n * COIN, totals, true), 1_000n, "nobody else has staked");
  });

  it("counts fractions of a coin for the share, and whole coins for the weight", () => {
    const totals = { limit: 1_000n, weight: 10n };

    assert.equal(dailyLimit(sun(1_500_000n), totals), 150n);
    assert.equal(dailyLimitAfter(sun(0n), 900_000n, totals, true), 90n);
  });

  it("is nothing on a chain where nobody has staked", () => {
    assert.equal(dailyLimit(sun(5n * COIN), { limit: 1_000n, weight: 0n }), 0n);
  });
});
