import type { Address, Hex } from "@finality/tron/primitives";
import type { Asset } from "./asset.ts";

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
