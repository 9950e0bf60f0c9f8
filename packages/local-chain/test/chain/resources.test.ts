import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { genesisLedger } from "../../src/chain/genesis.ts";
import { chainParameters } from "../../src/chain/parameters.ts";
import { availableEnergy, type EnergyContext, energyLimit, settleUsage, useEnergy } from "../../src/chain/resources.ts";
import { addStakeUsage, FULL_WINDOW, takeOverUsage } from "../../src/chain/stake.ts";

const STAKER = parseAddress(`41${"01".repeat(20)}`);
const OTHERS = parseAddress(`41${"02".repeat(20)}`);
const STRANGER = parseAddress(`41${"03".repeat(20)}`);
const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

/** Returns a context in which STAKER has 277.85 of 5,001,300,000 staked coins, which are 10,000 energy. */
function context(): EnergyContext {
  const staked = (address: Address, energy: bigint) => ({ address, balance: 0n, stake: { bandwidth: 0n, energy } });
  const accounts = [staked(STAKER, 277_850_000n), staked(OTHERS, 5_001_299_723_000_000n)];
  const parameters = chainParameters();
  return { ledger: genesisLedger({ accounts, parameters, startTime: NOW }), parameters, now: NOW };
}

describe("staked energy", () => {
  it("is shown with fractions of a coin, and available to executions without them", () => {
    const { ledger, parameters, now } = context();
    const account = ledger.account(STAKER);
    assert.ok(account);
    assert.equal(energyLimit(account, ledger, parameters), 10_000n);
    assert.equal(availableEnergy({ ledger, parameters, now }, STAKER), 9969n);
    assert.equal(availableEnergy({ ledger, parameters, now }, STRANGER), 0n);
  });

  it("S75 recovers within a day of chain time", () => {
    const before = context();
    useEnergy(before, STAKER, 9969n);
    const after = (hours: number) => availableEnergy({ ...before, now: NOW + hours * HOUR_MS }, STAKER);
    assert.equal(after(0), 0n);
    assert.equal(after(6), 2493n);
    assert.equal(after(12), 4985n);
    assert.equal(after(24), 9969n);
  });

  it("updates the time of use even when nothing is used, as the node does", () => {
    const before = context();
    useEnergy(before, STAKER, 0n);
    assert.equal(before.ledger.account(STAKER)?.used.energy.slot, NOW / 3000);
    assert.equal(before.ledger.account(STAKER)?.lastOperationAt, NOW);
    useEnergy(before, STRANGER, 5n);
    assert.equal(before.ledger.account(STRANGER), undefined);
  });

  it("is rounded twice when successful code settles it first, otherwise once", () => {
    const used = (settles: boolean): bigint | undefined => {
      const before = context();
      useEnergy(before, STAKER, 1084n);
      const later = { ...before, now: NOW + 6 * HOUR_MS };
      if (settles) settleUsage(later, { caller: STAKER, value: 0n, feeLimit: 0n });
      useEnergy(later, STAKER, 333n);
      return later.ledger.account(STAKER)?.used.energy.amount;
    };
    assert.deepEqual([used(true), used(false)], [1145n, 1146n]);
  });

  it("of a contract's owner is settled with the caller's, regardless of its share", () => {
    const before = context();
    useEnergy(before, STAKER, 1084n);
    const later = { ...before, now: NOW + 6 * HOUR_MS };
    const share = { owner: STAKER, consumeUserResourcePercent: 100n, originEnergyLimit: 1n };
    settleUsage(later, { caller: OTHERS, value: 0n, feeLimit: 0n, share });
    assert.equal(later.ledger.account(STAKER)?.used.energy.amount, 812n);
    assert.equal(later.ledger.account(OTHERS)?.used.energy.slot, later.now / 3000);
  });

  it("recovers in the mean of the remaining windows", () => {
    const first = addStakeUsage({ amount: 0n, slot: 0, window: FULL_WINDOW }, 1000n, 100);
    assert.deepEqual(first, { amount: 1000n, slot: 100, window: FULL_WINDOW });
    const second = addStakeUsage(first, 500n, 100 + 14_400);
    assert.deepEqual(second, { amount: 1000n, slot: 14_500, window: 21_600_000n });
    assert.equal(addStakeUsage(second, 0n, 14_500 + 21_600).amount, 0n, "half of a day and half of the rest");
  });

  it("takes over a part of a receiver's usage with its window", () => {
    const nothing = { amount: 0n, slot: 0, window: FULL_WINDOW };
    const borrower = { amount: 1000n, slot: 100, window: 20_000_000n };
    assert.deepEqual(takeOverUsage(nothing, 400n, borrower, 100), { amount: 400n, slot: 100, window: 20_000_000n });
    assert.deepEqual(takeOverUsage(nothing, 0n, borrower, 100), { amount: 0n, slot: 100, window: FULL_WINDOW });
  });
});
