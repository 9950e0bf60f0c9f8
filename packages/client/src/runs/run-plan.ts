import { SUN_PER_COIN, type Sun, sun } from "@finality/tron/primitives";
import type { Resource } from "@finality/tron/transaction";
import { energyLeft, energyPrice } from "../estimates/costs.ts";
import { dailyLimitAfter, totalsOf } from "../estimates/stakes.ts";
import type { Account, AccountResources, ChainParameters } from "../gateway/gateway.ts";

/** Resources that all rows of a run need. */
export interface RunNeeds {
  /** Number of rows. */
  readonly rows: number;
  /** Energy that the caller pays for; undefined if no figure exists. */
  readonly energy: bigint | undefined;
  /** Bytes that quotas of bandwidth can pay for. */
  readonly bandwidth: bigint;
  /** New accounts: their creation costs coins, whatever is staked. */
  readonly activations: number;
  readonly memos: number;
  /** True if recipients were not queried, so that they count as new. */
  readonly isUpperBound: boolean;
}

/** Resources and prices that a plan starts from. */
export interface RunMeans {
  /** Undefined if the account is not activated. */
  readonly account: Account | undefined;
  readonly resources: AccountResources | undefined;
  readonly parameters: ChainParameters;
}

/** A way to pay for a run. */
export interface RunPlan {
  /** `burn`: with today's resources, and coins for the rest. The others add stake, own or delegated by another account. */
  readonly kind: "burn" | "stake" | "delegation";
  /** Coins that are spent besides the amounts. */
  readonly fee: Sun;
  /** Whole coins in sun to stake, or that another account has to delegate, for each resource. */
  readonly energyStake: Sun;
  readonly bandwidthStake: Sun;
}

/** Coins that every plan spends: new accounts and memos. */
function fixedFee({ activations, memos }: RunNeeds, parameters: ChainParameters): bigint {
  const price = (name: string): bigint => parameters.get(name) ?? 0n;
  const perAccount = price("getCreateAccountFee") + price("getCreateNewAccountFeeInSystemContract");
  return BigInt(activations) * perAccount + BigInt(memos) * price("getMemoFee");
}

/**
 * Returns the ways to pay for a run: burning coins, staking first, or a delegation of another account. Resources count as
 * they are now; they recover within 24 hours, so a long run costs less. A plan without figures is left out: without a
 * price of energy there is none, and without the network's totals only burning.
 */
export function planRun(needs: RunNeeds, means: RunMeans): readonly RunPlan[] {
  const { resources, parameters, account } = means;
  const price = energyPrice(parameters);
  if (needs.energy === undefined || (price === undefined && needs.energy > 0n)) return [];
  const missing = missingOf(needs, needs.energy, means);
  const fixed = fixedFee(needs, parameters);
  const bytePrice = parameters.get("getTransactionFee") ?? 0n;
  const burn: RunPlan = {
    kind: "burn",
    fee: sun(fixed + missing.energy * (price ?? 0n) + missing.bandwidth * bytePrice),
    energyStake: sun(0n),
    bandwidthStake: sun(0n),
  };
  if (missing.energy === 0n && missing.bandwidth === 0n) return [burn];
  const others = (["stake", "delegation"] as const).map((kind): RunPlan | undefined => {
    const stakeFor = (resource: Resource, added: bigint): Sun | undefined =>
      added === 0n ? sun(0n) : stakeOf({ account, resources, resource, added }, kind === "stake");
    const energyStake = stakeFor("ENERGY", missing.energy);
    const bandwidthStake = stakeFor("BANDWIDTH", missing.bandwidth);
    if (energyStake === undefined || bandwidthStake === undefined) return undefined;
    return { kind, fee: sun(fixed), energyStake, bandwidthStake };
  });
  return [burn, ...others.filter((it) => it !== undefined)];
}

/** Energy and bytes that today's resources do not pay for. A quota pays for all bytes of a transaction or none. */
function missingOf(
  { rows, bandwidth }: RunNeeds,
  energy: bigint,
  { resources, account }: RunMeans,
): { readonly energy: bigint; readonly bandwidth: bigint } {
  const left = energyLeft(resources, account?.energyStake);
  const size = rows === 0 ? 0n : (bandwidth + BigInt(rows) - 1n) / BigInt(rows);
  const paid = [
    (resources?.stakedBandwidthLimit ?? 0n) - (resources?.stakedBandwidthUsed ?? 0n),
    (resources?.freeBandwidthLimit ?? 0n) - (resources?.freeBandwidthUsed ?? 0n),
  ].map((quota) => (size === 0n || quota <= 0n ? 0n : (quota / size) * size));
  const covered = paid.reduce((sum, it) => sum + it, 0n);
  return { energy: energy > left ? energy - left : 0n, bandwidth: bandwidth > covered ? bandwidth - covered : 0n };
}

interface Addition {
  readonly account: Account | undefined;
  readonly resources: AccountResources | undefined;
  readonly resource: Resource;
  /** Energy or bytes a day, besides today's limit. */
  readonly added: bigint;
}

/** More coins than exist. */
const MOST_COINS = 2n ** 43n;

/** Returns the smallest stake of whole coins that adds the amount; undefined if no stake does, or totals are unknown. */
function stakeOf({ account, resources, resource, added }: Addition, weighs: boolean): Sun | undefined {
  const totals = totalsOf(resources, resource);
  if (totals === undefined || totals.weight === 0n) return undefined;
  const { own, received } = account?.stakes ?? {};
  const stake = sun((own?.[resource] ?? 0n) + (received?.[resource] ?? 0n));
  const limitWith = (coins: bigint): bigint => dailyLimitAfter(stake, coins * SUN_PER_COIN, totals, weighs);
  const goal = limitWith(0n) + added;
  if (limitWith(MOST_COINS) < goal) return undefined;
  let [low, high] = [0n, MOST_COINS];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (limitWith(middle) >= goal) high = middle;
    else low = middle;
  }
  return sun(high * SUN_PER_COIN);
}
