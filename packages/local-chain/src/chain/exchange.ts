import type { Address } from "@finality/tron/primitives";
import type { Asset } from "./asset.ts";
import { strictPower } from "./strict-power.ts";

/** A pool of two assets that anybody may trade with. Never changed: every change makes a new value. */
export interface Exchange {
  readonly id: bigint;
  readonly creator: Address;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly first: Reserve;
  readonly second: Reserve;
}

/** What an exchange has of one of its assets. */
export interface Reserve {
  readonly asset: Asset;
  /** In the asset's smallest unit. */
  readonly amount: bigint;
}

/** An exchange as somebody sees it who names one of its assets. */
export interface Sides {
  readonly named: Reserve;
  readonly other: Reserve;
}

/** More than this nobody may keep in an exchange of one asset. */
export const EXCHANGE_LIMIT = 1_000_000_000_000_000n;

/** @returns undefined when the asset is not part of the exchange */
export function sidesOf({ first, second }: Exchange, asset: string): Sides | undefined {
  if (asset === first.asset) return { named: first, other: second };
  return asset === second.asset ? { named: second, other: first } : undefined;
}

/** The exchange with so much more of both, or less. */
export function addToReserves(exchange: Exchange, { named }: Sides, amount: bigint, other: bigint): Exchange {
  const [first, second] = named.asset === exchange.first.asset ? [amount, other] : [other, amount];
  return { ...exchange, first: plus(exchange.first, first), second: plus(exchange.second, second) };
}

function plus({ asset, amount }: Reserve, delta: bigint): Reserve {
  return { asset, amount: amount + delta };
}

/** What there is of the other asset for so much of the named one, cut off. */
export function inProportion({ named, other }: Sides, amount: bigint): bigint {
  return (other.amount * amount) / named.amount;
}

const WHOLE = 10_000n;
const PRECISION = 0.0001;

/** Whether what the cutting leaves behind is too much to be taken out in proportion: more than a part in 10,000. */
export function tooImprecise(sides: Sides, amount: bigint): boolean {
  const taken = inProportion(sides, amount);
  const doubled = (sides.other.amount * amount * WHOLE * 2n) / sides.named.amount;
  const exact = Number(`${(doubled + 1n) / 2n}e-4`);
  return (exact - Number(taken)) / Number(taken) > PRECISION;
}

/** What both reserves are worth in a currency between them, and by which power it grows with them (ExchangeProcessor). */
const SUPPLY = 1_000_000_000_000_000_000n;
const GROWTH = 0.0005;
const SHRINKAGE = 2000;

/** What somebody gets of the other asset who sells so much of the named one. */
export function bought({ named, other }: Sides, amount: bigint): bigint {
  const supply = Number(SUPPLY);
  const share = Number(amount) / Number(named.amount + amount);
  const issued = toLong(-supply * (1 - strictPower(1 + share, GROWTH)));
  const power = strictPower(1 + Number(issued) / supply, SHRINKAGE);
  return toLong(Number(other.amount) * (power - 1));
}

function toLong(value: number): bigint {
  return BigInt(Math.trunc(value));
}
