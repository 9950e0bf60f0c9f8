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

/** Returns whether rounding loses more than one part in 10,000. @param hardened - proposal 98 is in force */
export function tooImprecise(sides: Sides, amount: bigint, hardened = false): boolean {
  const taken = inProportion(sides, amount);
  const doubled = (sides.other.amount * amount * WHOLE * 2n) / sides.named.amount;
  if (hardened) return (doubled + 1n) / 2n - taken * WHOLE > taken;
  const exact = Number(`${(doubled + 1n) / 2n}e-4`);
  return (exact - Number(taken)) / Number(taken) > PRECISION;
}

/** Supply of the intermediate currency and the exponent of its growth (ExchangeProcessor). */
const SUPPLY = 1_000_000_000_000_000_000n;
const GROWTH = 0.0005;
const SHRINKAGE = 2000;

/** Returns the amount of the other asset that a sale yields. @param hardened - proposal 98 is in force */
export function bought(sides: Sides, amount: bigint, hardened = false): bigint {
  if (hardened) return boughtExactly(sides, amount);
  const { named, other } = sides;
  const supply = Number(SUPPLY);
  const share = Number(amount) / Number(named.amount + amount);
  const issued = toLong(-supply * (1 - strictPower(1 + share, GROWTH)));
  const power = strictPower(1 + Number(issued) / supply, SHRINKAGE);
  return toLong(Number(other.amount) * (power - 1));
}

/** Decimals of the hardened calculation: 18. */
const UNIT = 10n ** 18n;

/** Returns the same with decimal numbers in place of doubles but for the powers (TIP-836). */
function boughtExactly({ named, other }: Sides, amount: bigint): bigint {
  const share = (2n * amount * UNIT) / (named.amount + amount);
  const issued = (SUPPLY * (decimalPower(UNIT + (share + 1n) / 2n, GROWTH) - UNIT)) / UNIT;
  return (other.amount * (decimalPower(UNIT + issued, SHRINKAGE) - UNIT)) / UNIT;
}

/** Returns a power as Java prints the double. @param base - with 18 decimals */
function decimalPower(base: bigint, exponent: number): bigint {
  const digits = base.toString();
  const power = strictPower(Number(`${digits.slice(0, -18)}.${digits.slice(-18)}`), exponent);
  const [whole = "0", fraction = ""] = String(power).split(".");
  return BigInt(whole + fraction.padEnd(18, "0"));
}

function toLong(value: number): bigint {
  return BigInt(Math.trunc(value));
}
