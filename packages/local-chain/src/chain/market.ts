import { type Address, addressToBytes, bytesToHex } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { addAsset, type Ledger } from "./ledger.ts";
import { Refusal } from "./refusal.ts";
import { NO_TOKENS } from "./token.ts";
import {
  type Asset,
  COIN,
  type Fill,
  NO_ORDERS,
  type Offer,
  type Order,
  type OrderId,
  type PriceLevel,
  pairOf,
  type Seller,
} from "./trading.ts";

export const ORDER_LIMIT = 100;
const MATCH_LIMIT = 20;
/** Bytes of an asset in an order id: digits of the largest token number. */
const ASSET_BYTES = 19;

export function orderId(owner: Address, sell: Asset, buy: Asset, count: number): OrderId {
  const bytes = Buffer.alloc(21 + 2 * ASSET_BYTES + 8);
  bytes.set(addressToBytes(owner));
  bytes.write(sell, 21, "latin1");
  bytes.write(buy, 21 + ASSET_BYTES, "latin1");
  bytes.writeBigInt64BE(BigInt(count), 21 + 2 * ASSET_BYTES);
  return bytesToHex(keccak_256(bytes)) as OrderId;
}

/** An order during matching. */
interface Taker {
  readonly order: Order;
  readonly fills: readonly Fill[];
}

/**
 * Places a paid order: matches older orders, cheapest first, and queues the rest (MarketSellAssetActuator).
 *
 * @throws {Refusal} `CONTRACT_EXE_ERROR` more than 20 older orders would have to be looked at
 */
export function placeOrder(ledger: Ledger, order: Order): readonly Fill[] {
  const { active, total } = sellerOf(ledger, order.owner);
  ledger.tables.sellers.set(order.owner, { active: [...active, order.id], total: total + 1 });
  const filled = fillOrder(ledger, { order, fills: [] });
  if (filled.order.remaining !== 0n) queue(ledger, filled.order);
  ledger.tables.orders.set(order.id, filled.order);
  return filled.fills;
}

/** Cancels an order, and returns the unsold rest. */
export function cancelOrder(ledger: Ledger, order: Order): void {
  credit(ledger, order.owner, order.sell.asset, order.remaining);
  unqueue(ledger, order);
  deactivate(ledger, { ...order, remaining: 0n, state: "CANCELED" });
}

export function sellerOf(ledger: Ledger, address: Address): Seller {
  return ledger.tables.sellers.get(address) ?? NO_ORDERS;
}

/** Returns open orders of a pair, cheapest first. */
export function levelsOf(ledger: Ledger, sell: Asset, buy: Asset): readonly PriceLevel[] {
  return ledger.tables.prices.get(pairOf(sell, buy)) ?? [];
}

/** Returns the previous and next order of the same price. */
export function neighbours(ledger: Ledger, order: Order): readonly [OrderId | undefined, OrderId | undefined] {
  const level = levelsOf(ledger, order.sell.asset, order.buy.asset).find((it) => it.orders.includes(order.id));
  const place = level?.orders.indexOf(order.id) ?? 0;
  return [level?.orders[place - 1], level?.orders[place + 1]];
}

function fillOrder(ledger: Ledger, start: Taker): Taker {
  let taker = start;
  for (let matches = 1; taker.order.remaining !== 0n; matches += 1) {
    const maker = bestMaker(ledger, taker.order);
    if (maker === undefined) return taker;
    taker = match(ledger, taker, maker);
    if (matches > MATCH_LIMIT) {
      throw new Refusal("CONTRACT_EXE_ERROR", `Too many matches. MAX_MATCH_NUM = ${MATCH_LIMIT}`);
    }
  }
  return taker;
}

/** Returns the oldest of the cheapest matching orders within the price limit. */
function bestMaker(ledger: Ledger, { sell, buy }: Order): Order | undefined {
  const [level] = levelsOf(ledger, buy.asset, sell.asset);
  const oldest = level?.orders[0];
  if (level === undefined || oldest === undefined) return undefined;
  return sell.amount * level.sell < level.buy * buy.amount ? undefined : ledger.tables.orders.get(oldest);
}

/** Matches one older order at its price. */
function match(ledger: Ledger, taker: Taker, maker: Order): Taker {
  const affordable = share(taker.order.remaining, maker.sell.amount, maker.buy.amount);
  if (affordable === 0n) return returnRest(ledger, taker);
  if (affordable >= maker.remaining) return fillMaker(ledger, taker, maker, affordable === maker.remaining);
  ledger.tables.orders.set(maker.id, { ...maker, remaining: maker.remaining - affordable });
  const order = deactivate(ledger, { ...taker.order, remaining: 0n, state: "INACTIVE" });
  return swap(ledger, { ...taker, order }, maker, { paid: taker.order.remaining, received: affordable });
}

/** Fills the older order completely. @param exactly - the taker can pay for just this much */
function fillMaker(ledger: Ledger, taker: Taker, maker: Order, exactly: boolean): Taker {
  const paid = share(maker.remaining, maker.buy.amount, maker.sell.amount);
  unqueue(ledger, maker);
  if (paid === 0n && !exactly) {
    deactivate(ledger, { ...maker, remaining: 0n, returned: maker.remaining, state: "INACTIVE" });
    creditMaker(ledger, taker.order, maker, { asset: maker.sell.asset, amount: maker.remaining });
    return taker;
  }
  deactivate(ledger, { ...maker, remaining: 0n, state: "INACTIVE" });
  const rest = { ...taker.order, remaining: taker.order.remaining - paid };
  const order = exactly && rest.remaining === 0n ? deactivate(ledger, { ...rest, state: "INACTIVE" }) : rest;
  return swap(ledger, { ...taker, order }, maker, { paid, received: maker.remaining });
}

/** Returns a rest that is too small to buy a unit. */
function returnRest(ledger: Ledger, { order, fills }: Taker): Taker {
  credit(ledger, order.owner, order.sell.asset, order.remaining);
  return {
    order: deactivate(ledger, { ...order, remaining: 0n, returned: order.remaining, state: "INACTIVE" }),
    fills,
  };
}

function swap(ledger: Ledger, taker: Taker, maker: Order, amounts: Pick<Fill, "paid" | "received">): Taker {
  const { order, fills } = taker;
  credit(ledger, order.owner, order.buy.asset, amounts.received);
  creditMaker(ledger, order, maker, { asset: maker.buy.asset, amount: amounts.paid });
  return { order, fills: [...fills, { maker: maker.id, taker: order.id, ...amounts }] };
}

/** Credits the maker. An account that matches its own order receives nothing: the node overwrites it. */
function creditMaker(ledger: Ledger, taker: Order, { owner }: Order, { asset, amount }: Offer): void {
  if (owner !== taker.owner) credit(ledger, owner, asset, amount);
  else if (asset === COIN) ledger.lose(amount, NO_TOKENS);
  else ledger.lose(0n, new Map([[asset, amount]]));
}

function credit(ledger: Ledger, owner: Address, asset: Asset, amount: bigint): void {
  const account = ledger.account(owner);
  if (account !== undefined) addAsset(ledger, account, asset, amount);
}

/** Marks an order as inactive. */
function deactivate(ledger: Ledger, order: Order): Order {
  const { active, total } = sellerOf(ledger, order.owner);
  ledger.tables.sellers.set(order.owner, { active: active.filter((it) => it !== order.id), total });
  ledger.tables.orders.set(order.id, order);
  return order;
}

function queue(ledger: Ledger, order: Order): void {
  const divisor = greatestDivisor(order.sell.amount, order.buy.amount);
  const price = { sell: order.sell.amount / divisor, buy: order.buy.amount / divisor };
  const levels = levelsOf(ledger, order.sell.asset, order.buy.asset);
  const same = levels.find((it) => compare(it, price) === 0);
  const level = { ...price, orders: [...(same?.orders ?? []), order.id] };
  const others = levels.filter((it) => it !== same);
  setLevels(ledger, order, [...others, level].sort(compare));
}

/** Removes an order from its price level, and empty levels and pairs. */
function unqueue(ledger: Ledger, order: Order): void {
  const levels = levelsOf(ledger, order.sell.asset, order.buy.asset);
  const left = levels.map((it) => ({ ...it, orders: it.orders.filter((id) => id !== order.id) }));
  setLevels(
    ledger,
    order,
    left.filter((it) => it.orders.length > 0),
  );
}

function setLevels(ledger: Ledger, { sell, buy }: Order, levels: readonly PriceLevel[]): void {
  ledger.tables.prices.set(pairOf(sell.asset, buy.asset), levels.length === 0 ? undefined : levels);
}

type Price = Pick<PriceLevel, "sell" | "buy">;

/** Compares two prices. */
function compare(one: Price, other: Price): number {
  const difference = one.buy * other.sell - other.buy * one.sell;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns amount × of ÷ per, rounded down, in wrapping 64 bits as on the node. */
function share(amount: bigint, of: bigint, per: bigint): bigint {
  return BigInt.asIntN(64, (amount * of) / per);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
}
