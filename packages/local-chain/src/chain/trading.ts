import type { Address, Hex } from "@finality/tron/primitives";
import { strictPower } from "./strict-power.ts";
import type { TokenId } from "./token.ts";

/** What is exchanged and sold: a token by its number, or the chain's own coin. */
export type Asset = TokenId | typeof COIN;

export const COIN = "_";

/** The asset that a contract's bytes name, or a text that is none. */
export function assetOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Whether a text can name an asset; whether there is such a token is another question. */
export function isAsset(text: string): boolean {
  return text === COIN || /^(?:0|[1-9]\d*)$/.test(text);
}

/** The hash of what an order is and the how-manieth of its seller. */
export type OrderId = Hex & { readonly of: "OrderId" };

/** An offer to sell one asset for another. Never changed: every change makes a new value. Amounts in smallest units. */
export interface Order {
  readonly id: OrderId;
  readonly owner: Address;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly sell: Offer;
  readonly buy: Offer;
  /** What is still to be sold. */
  readonly remaining: bigint;
  /** What went back to the seller because it was worth nothing any more. */
  readonly returned: bigint;
  readonly state: "ACTIVE" | "INACTIVE" | "CANCELED";
}

export interface Offer {
  readonly asset: Asset;
  readonly amount: bigint;
}

/** The orders of an account. */
export interface Seller {
  /** Those that are active, the oldest first. */
  readonly active: readonly OrderId[];
  /** How many it has ever made. */
  readonly total: number;
}

export const NO_ORDERS: Seller = { active: [], total: 0 };

/** Active orders of one price, which is a fraction that cannot be reduced; the oldest first. */
export interface PriceLevel {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly orders: readonly OrderId[];
}

/** What is sold for what. */
export type Pair = `${Asset} ${Asset}`;

export function pairOf(sell: Asset, buy: Asset): Pair {
  return `${sell} ${buy}`;
}

/** What an order took from an older one. */
export interface Fill {
  readonly maker: OrderId;
  readonly taker: OrderId;
  /** What the older one got, and gave. */
  readonly paid: bigint;
  readonly received: bigint;
}

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
