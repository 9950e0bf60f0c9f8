import assert from "node:assert/strict";
import fc from "fast-check";
import { ALICE } from "../../../../test/support/tracking/tracked.ts";
import { stakeUsedAt, UNUSED_WINDOW, used, usedAt, usedStake } from "../../../local-chain/src/chain/usage.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../../tron/src/primitives/block.ts";
import type { Account, AccountResources } from "../../src/gateway/gateway.ts";
import { resourceUses } from "../../src/resources/recovery.ts";

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

describe("what an account has used", () => {
  it("is back after its window, and free bandwidth a day after its last use, by the chain's time", () => {
    const recovery = { freeBandwidthUsedAt: HEAD - 3_600_000, bandwidthMs: 7_000, energyMs: 18_000_000 };

    assert.deepEqual(resourceUses(account(recovery), resources, HEAD), {
      freeBandwidth: { limit: 600n, used: 268n, backInMs: RECOVERY_MS - 3_600_000 },
      stakedBandwidth: { limit: 5n, used: 0n, backInMs: 0 },
      energy: { limit: 10_000n, used: 3_200n, backInMs: 18_000_000 },
    });
  });

  it("is back at a time that is not known, where the node does not tell", () => {
    const { freeBandwidth, energy } = resourceUses(account(undefined), resources, HEAD);

    assert.deepEqual([freeBandwidth.backInMs, energy.backInMs], [undefined, undefined]);
  });

  it("is never told to be away for longer than it can be, whatever a gateway says", () => {
    const lie = { freeBandwidthUsedAt: HEAD * 9, bandwidthMs: 1e15, energyMs: 1e15 };
    const { freeBandwidth, energy } = resourceUses(account(lie), resources, HEAD);

    assert.deepEqual([freeBandwidth.backInMs, energy.backInMs], [RECOVERY_MS, RECOVERY_MS]);
  });

  it("is nothing when the window of the chain's own rule is over, and something a slot before half of it", () => {
    const amount = fc.bigInt(1_000n, 10_000_000n);
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 28_000 }), (first, second, gap) => {
        const usage = usedStake(usedStake(UNUSED_WINDOW, first, 100), second, 100 + gap);
        const slots = Number(usage.window / 1000n);
        assert.equal(stakeUsedAt(usage, usage.slot + slots), 0n);
        assert.ok(stakeUsedAt(usage, usage.slot + Math.floor(slots / 2)) > 0n);
      }),
    );
    const free = used({ amount: 0n, slot: 0 }, 500n, 7);
    assert.equal(usedAt(free, 7 + RECOVERY_MS / BLOCK_INTERVAL_MS), 0n);
  });
});
