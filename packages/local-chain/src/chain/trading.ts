import type { Address, Hex } from "@finality/tron/primitives";
import { strictPower } from "./strict-power.ts";
import type { TokenId } from "./token.ts";

/** A tradable asset: a token by its number, or the coin. */
export type Asset = TokenId | typeof COIN;

export const COIN = "_";

/** Returns the asset that a contract's bytes name; the text may be invalid. */
export function assetOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Returns whether a text has the form of an asset. The token may not exist. */
export function isAsset(text: string): boolean {
  return text === COIN || /^(?:0|[1-9]\d*)$/.test(text);
}

/** Hash of an order's fields and its sequence number per seller. */
export type OrderId = Hex & { readonly of: "OrderId" };

/** A market order. Immutable: each change creates a new value. Amounts are in smallest units. */
export interface Order {
  readonly id: OrderId;
  readonly owner: Address;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly sell: Offer;
  readonly buy: Offer;
  /** Amount that is still to be sold. */
  readonly remaining: bigint;
  /** Amount returned to the seller because it could buy nothing. */
  readonly returned: bigint;
  readonly state: "ACTIVE" | "INACTIVE" | "CANCELED";
}

export interface Offer {
  readonly asset: Asset;
  readonly amount: bigint;
}

/** Orders of an account. */
export interface Seller {
  /** Active orders, oldest first. */
  readonly active: readonly OrderId[];
  /** Number of orders ever placed. */
  readonly total: number;
}

export const NO_ORDERS: Seller = { active: [], total: 0 };

/** Active orders of one price, a reduced fraction; oldest first. */
export interface PriceLevel {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly orders: readonly OrderId[];
}

/** Sold and bought asset. */
export type Pair = `${Asset} ${Asset}`;

export function pairOf(sell: Asset, buy: Asset): Pair {
  return `${sell} ${buy}`;
}

/** A match with an older order. */
export interface Fill {
  readonly maker: OrderId;
  readonly taker: OrderId;
  /** Amounts that the older order received and gave. */
  readonly paid: bigint;
  readonly received: bigint;
}

/** A liquidity pool of two assets. Immutable: each change creates a new value. */
export interface Exchange {
  readonly id: bigint;
  readonly creator: Address;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly first: Reserve;
  readonly second: Reserve;
}

/** Reserve of one asset in an exchange. */
interface Reserve {
  readonly asset: Asset;
  /** In the smallest unit of the asset. */
  readonly amount: bigint;
}

/** The reserves of an exchange, by the asset that a transaction names. */
export interface Sides {
  readonly named: Reserve;
  readonly other: Reserve;
}

/** Most units of one asset in an exchange. */
export const EXCHANGE_LIMIT = 1_000_000_000_000_000n;

/** @returns undefined when the asset is not part of the exchange */
export function sidesOf({ first, second }: Exchange, asset: string): Sides | undefined {
  if (asset === first.asset) return { named: first, other: second };
  return asset === second.asset ? { named: second, other: first } : undefined;
}

/** Returns the exchange with changed reserves; amounts may be negative. */
export function addToReserves(exchange: Exchange, { named }: Sides, amount: bigint, other: bigint): Exchange {
  const [first, second] = named.asset === exchange.first.asset ? [amount, other] : [other, amount];
  return { ...exchange, first: plus(exchange.first, first), second: plus(exchange.second, second) };
}

function plus({ asset, amount }: Reserve, delta: bigint): Reserve {
  return { asset, amount: amount + delta };
}

/** Returns the proportional amount of the other asset, rounded down. */
export function inProportion({ named, other }: Sides, amount: bigint): bigint {
  return (other.amount * amount) / named.amount;
}

const WHOLE = 10_000n;
const PRECISION = 0.0001;

/** Returns whether rounding loses more than one part in 10,000. */
export function tooImprecise(sides: Sides, amount: bigint): boolean {
  const taken = inProportion(sides, amount);
  const doubled = (sides.other.amount * amount * WHOLE * 2n) / sides.named.amount;
  const exact = Number(`${(doubled + 1n) / 2n}e-4`);
  return (exact - Number(taken)) / Number(taken) > PRECISION;
}

/** Supply of the intermediate currency and the exponent of its growth (ExchangeProcessor). */
const SUPPLY = 1_000_000_000_000_000_000n;
const GROWTH = 0.0005;
const SHRINKAGE = 2000;

/** Returns the amount of the other asset that a sale yields. */
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
