import assert from "node:assert/strict";
import fc from "fast-check";
import { loadExchanges } from "../../../../test/support/recorded/exchanges.ts";
import { WITNESSES, witnessAt } from "../../../../test/support/tracking/system-facts.ts";
import { ALICE } from "../../../../test/support/tracking/tracked.ts";
import { addStakeUsage, addUsage, stakeUsageAt, UNUSED_WINDOW, usageAt } from "../../../local-chain/src/chain/stake.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../../tron/src/primitives/block.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";
import {
  dailyLimit,
  dailyLimitAfter,
  rankWitnesses,
  resourceUses,
  sumOfVotes,
  totalsOf,
  voteChanges,
} from "../../src/estimates/stakes.ts";
import type { Account, AccountResources } from "../../src/gateway/gateway.ts";
import { parseAccount, parseAccountResources } from "../../src/gateway/wire/accounts.ts";

const bodyOf = (name: string): Json => loadExchanges("resources").find((it) => it.case === name)?.responseBody ?? {};
const COIN = 1_000_000n;

describe("dailyLimit and dailyLimitAfter", () => {
  it("return the limit that a real node shows", () => {
    const account = parseAccount(bodyOf("account-delegated-owner"));
    const resources = parseAccountResources(bodyOf("accountresource-delegated-owner"));
    const [energy, bandwidth] = [totalsOf(resources, "ENERGY"), totalsOf(resources, "BANDWIDTH")];
    assert.ok(account?.stakes && resources && energy && bandwidth);

    assert.equal(dailyLimit(account.stakes.own.ENERGY, energy), resources.energyLimit);
    assert.equal(dailyLimit(account.stakes.own.BANDWIDTH, bandwidth), resources.stakedBandwidthLimit);
    assert.ok(resources.energyLimit > 0n);
  });

  it("decrease per coin when the total stake grows", () => {
    const totals = { limit: 1_000n, weight: 10n };

    assert.equal(dailyLimitAfter(sun(0n), 10n * COIN, totals, true), 500n);
    assert.equal(dailyLimitAfter(sun(0n), 10n * COIN, totals, false), 1_000n, "lent: no weight changes");
    assert.equal(dailyLimitAfter(sun(10n * COIN), -5n * COIN, totals, true), 1_000n, "nobody else has staked");
  });

  it("count fractions of a coin for the share, and whole coins for the weight", () => {
    const totals = { limit: 1_000n, weight: 10n };

    assert.equal(dailyLimit(sun(1_500_000n), totals), 150n);
    assert.equal(dailyLimitAfter(sun(0n), 900_000n, totals, true), 90n);
  });

  it("return 0 on a chain without stakes", () => {
    assert.equal(dailyLimit(sun(5n * COIN), { limit: 1_000n, weight: 0n }), 0n);
  });
});

const RECOVERY_MS = 86_400_000;
const HEAD = 1_000 * RECOVERY_MS;
const account = (recovery: Account["recovery"]): Account => ({
  address: ALICE,
  balance: sun(0n),
  ...(recovery === undefined ? {} : { recovery }),
});
const resources: AccountResources = {
  freeBandwidthLimit: 600n,
  freeBandwidthUsed: 268n,
  stakedBandwidthLimit: 5n,
  stakedBandwidthUsed: 0n,
  energyLimit: 10_000n,
  energyUsed: 3_200n,
};

describe("resourceUses", () => {
  it("returns the time until the window ends, and a day after the last use for free bandwidth", () => {
    const recovery = { freeBandwidthUsedAt: HEAD - 3_600_000, bandwidthMs: 7_000, energyMs: 18_000_000 };

    assert.deepEqual(resourceUses(account(recovery), resources, HEAD), {
      freeBandwidth: { limit: 600n, used: 268n, backInMs: RECOVERY_MS - 3_600_000 },
      stakedBandwidth: { limit: 5n, used: 0n, backInMs: 0 },
      energy: { limit: 10_000n, used: 3_200n, backInMs: 18_000_000 },
    });
  });

  it("returns no time when the node does not report one", () => {
    const { freeBandwidth, energy } = resourceUses(account(undefined), resources, HEAD);

    assert.deepEqual([freeBandwidth.backInMs, energy.backInMs], [undefined, undefined]);
  });

  it("limits the time to a day when a gateway reports more", () => {
    const lie = { freeBandwidthUsedAt: HEAD * 9, bandwidthMs: 1e15, energyMs: 1e15 };
    const { freeBandwidth, energy } = resourceUses(account(lie), resources, HEAD);

    assert.deepEqual([freeBandwidth.backInMs, energy.backInMs], [RECOVERY_MS, RECOVERY_MS]);
  });

  it("agrees with the recovery rule of the local chain", () => {
    const amount = fc.bigInt(1_000n, 10_000_000n);
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 28_000 }), (first, second, gap) => {
        const usage = addStakeUsage(addStakeUsage(UNUSED_WINDOW, first, 100), second, 100 + gap);
        const slots = Number(usage.window / 1000n);
        assert.equal(stakeUsageAt(usage, usage.slot + slots), 0n);
        assert.ok(stakeUsageAt(usage, usage.slot + Math.floor(slots / 2)) > 0n);
      }),
    );
    const free = addUsage({ amount: 0n, slot: 0 }, 500n, 7);
    assert.equal(usageAt(free, 7 + RECOVERY_MS / BLOCK_INTERVAL_MS), 0n);
  });
});

const [first, second, third] = [witnessAt(1), witnessAt(2), witnessAt(3)];

describe("rankWitnesses", () => {
  it("orders by votes, and equal votes by the higher address", () => {
    const even = WITNESSES.map((it) => ({ ...it, votes: 1n }));

    assert.deepEqual(
      rankWitnesses(WITNESSES).map(({ address }) => address),
      [second, first, third],
    );
    for (const witnesses of [even, even.toReversed()]) {
      assert.deepEqual(
        rankWitnesses(witnesses).map(({ address }) => address),
        [third, second, first],
      );
    }
  });
});

describe("voteChanges", () => {
  const votes = (...counts: readonly (readonly [typeof first, bigint])[]) =>
    counts.map(([witness, count]) => ({ witness, count }));

  it("returns new, changed and removed votes, and no equal ones", () => {
    const [before, after] = [votes([first, 5n], [second, 7n]), votes([third, 2n], [second, 7n])];

    assert.equal(sumOfVotes(before), 12n);
    assert.deepEqual(voteChanges(before, after), [
      { witness: third, before: 0n, after: 2n },
      { witness: first, before: 5n, after: 0n },
    ]);
    assert.deepEqual(voteChanges(before, before.toReversed()), []);
  });

  it("adds the votes of a witness that is named twice", () => {
    assert.deepEqual(voteChanges([], votes([first, 1n], [first, 2n])), [{ witness: first, before: 0n, after: 3n }]);
  });
});
