import assert from "node:assert/strict";
import { bytesOf, type TradingFloor, text, tradingFloor } from "../../../../test/support/chain/trading-floor.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import {
  MarketCancelOrderContractSchema,
  MarketSellAssetContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";
import { tokenBalance } from "../../src/chain/ledger.ts";
import { levelsOf, orderId } from "../../src/chain/market.ts";
import type { Order, OrderId } from "../../src/chain/trading.ts";
import type { TradeOutcome } from "../../src/chain/transaction.ts";

const COIN = text("_");

/** Account 0 offers tokens for sun. */
function sellTokens(floor: TradingFloor, tokens: bigint, sun: bigint): Placed {
  return placed(
    floor.send(0, MarketSellAssetContractSchema, {
      ownerAddress: bytesOf(floor, 0),
      sellTokenId: text(floor.token),
      sellTokenQuantity: tokens,
      buyTokenId: COIN,
      buyTokenQuantity: sun,
    }).trade,
  );
}

/** Places an order that sells sun for tokens. */
function buyTokens(floor: TradingFloor, sun: bigint, tokens: bigint, from = 1): Placed {
  return placed(floor.send(from, MarketSellAssetContractSchema, offer(floor, sun, tokens, from)).trade);
}

function offer(floor: TradingFloor, sun: bigint, tokens: bigint, from: number) {
  return {
    ownerAddress: bytesOf(floor, from),
    sellTokenId: COIN,
    sellTokenQuantity: sun,
    buyTokenId: text(floor.token),
    buyTokenQuantity: tokens,
  };
}

interface Placed {
  readonly id: OrderId;
  /** Amounts that each older order received and gave. */
  readonly fills: readonly (readonly [maker: OrderId, paid: bigint, received: bigint])[];
}

function placed({ order, fills = [] }: TradeOutcome = {}): Placed {
  assert.ok(order);
  return { id: order, fills: fills.map((it) => [it.maker, it.paid, it.received] as const) };
}

function orderIn(floor: TradingFloor, id: OrderId): Pick<Order, "state" | "remaining" | "returned"> {
  const order = floor.chain.simulation.chain.pendingState.tables.orders.get(id);
  assert.ok(order);
  return { state: order.state, remaining: order.remaining, returned: order.returned };
}

function levels(floor: TradingFloor): readonly (readonly [sell: bigint, buy: bigint, orders: number])[] {
  const state = floor.chain.simulation.chain.pendingState;
  return levelsOf(state, floor.token, "_").map((it) => [it.sell, it.buy, it.orders.length] as const);
}

describe("marketsellasset and marketcancelorder", () => {
  it("queues an order at its price, cheapest first", async () => {
    const floor = await tradingFloor();
    sellTokens(floor, 10n, 30n);
    const { id } = sellTokens(floor, 20n, 40n);
    sellTokens(floor, 5n, 10n);
    sellTokens(floor, 7n, 22n);

    assert.deepEqual(levels(floor), [
      [1n, 2n, 2],
      [1n, 3n, 1],
      [7n, 22n, 1],
    ]);
    assert.deepEqual(orderIn(floor, id), { state: "ACTIVE", remaining: 20n, returned: 0n });
    assert.equal(id, orderId(floor.address(0), floor.token, "_", 1));
  });

  it("matches the cheapest and then oldest orders, at their prices", async () => {
    const floor = await tradingFloor();
    const dear = sellTokens(floor, 10n, 30n);
    const first = sellTokens(floor, 10n, 20n);
    const second = sellTokens(floor, 10n, 20n);
    const before = floor.state(1).balance;

    const taker = buyTokens(floor, 55n, 18n);

    assert.deepEqual(taker.fills, [
      [first.id, 20n, 10n],
      [second.id, 20n, 10n],
      [dear.id, 15n, 5n],
    ]);
    assert.equal(tokenBalance(floor.state(1), floor.token), 25n);
    assert.ok(floor.state(1).balance <= before - 55n);
    assert.deepEqual(orderIn(floor, first.id), { state: "INACTIVE", remaining: 0n, returned: 0n });
    assert.deepEqual(orderIn(floor, dear.id), { state: "ACTIVE", remaining: 5n, returned: 0n });
    assert.deepEqual(orderIn(floor, taker.id), { state: "INACTIVE", remaining: 0n, returned: 0n });
    assert.deepEqual(levels(floor), [[1n, 3n, 1]]);
  });

  it("skips orders above its limit and queues the rest", async () => {
    const floor = await tradingFloor();
    sellTokens(floor, 10n, 20n);
    sellTokens(floor, 10n, 30n);

    const taker = buyTokens(floor, 50n, 25n);

    assert.deepEqual(taker.fills.length, 1);
    assert.deepEqual(orderIn(floor, taker.id), { state: "ACTIVE", remaining: 30n, returned: 0n });
    assert.deepEqual(levels(floor), [[1n, 3n, 1]]);
  });

  it("returns a rest that buys nothing", async () => {
    const floor = await tradingFloor();
    sellTokens(floor, 10n, 30n);
    sellTokens(floor, 10n, 30n);
    const taker = buyTokens(floor, 32n, 8n);
    assert.deepEqual(taker.fills.length, 1);
    assert.deepEqual(orderIn(floor, taker.id), { state: "INACTIVE", remaining: 0n, returned: 2n });
  });

  it("loses the amounts of a match with its own seller, as the node does", async () => {
    const floor = await tradingFloor();
    const own = sellTokens(floor, 10n, 20n);
    assert.deepEqual(buyTokens(floor, 20n, 10n, 0).fills, [[own.id, 20n, 10n]]);
    assert.equal(tokenBalance(floor.state(0), floor.token), 1_000_000_000n);
    assert.equal(floor.chain.simulation.chain.pendingState.totals.lost, 20n);
  });

  it("refuses an order that would match more than 20 orders", async () => {
    const floor = await tradingFloor();
    for (let made = 0; made < 21; made += 1) sellTokens(floor, 1n, 1n);
    const refusal = floor.refusal(1, MarketSellAssetContractSchema, offer(floor, 21n, 21n, 1));
    assert.equal(refusal, "Too many matches. MAX_MATCH_NUM = 20");
    assert.equal(buyTokens(floor, 20n, 20n).fills.length, 20);
  });

  it("returns the rest of a cancelled order and closes the gap in the queue", async () => {
    const floor = await tradingFloor();
    const [first, second, third] = [1, 2, 3].map(() => sellTokens(floor, 10n, 20n).id);
    assert.ok(first && second && third);
    const ask = async (id: OrderId) => {
      const { prev, next, state } = await floor.chain.ask("/wallet/getmarketorderbyid", { value: id });
      return { prev, next, state };
    };
    assert.deepEqual(await ask(second), { prev: first, next: third, state: undefined });
    const before = tokenBalance(floor.state(0), floor.token);

    floor.send(0, MarketCancelOrderContractSchema, { ownerAddress: bytesOf(floor, 0), orderId: hexToBytes(second) });

    assert.equal(tokenBalance(floor.state(0), floor.token), before + 10n);
    assert.deepEqual(await ask(second), { prev: undefined, next: undefined, state: "CANCELED" });
    assert.deepEqual(await ask(first), { prev: undefined, next: third, state: undefined });
    assert.deepEqual(await ask(third), { prev: first, next: undefined, state: undefined });
  });
});

describe("refused market orders", () => {
  it("report the node's message for the first error", async () => {
    const floor = await tradingFloor();
    const fits = offer(floor, 1n, 1n, 1);
    const errors = [
      [{ sellTokenId: text("x"), buyTokenId: text("x") }, "sellTokenId is not a valid number"],
      [{ buyTokenId: text("") }, "buyTokenId is not a valid number"],
      [{ buyTokenId: COIN, buyTokenQuantity: 0n }, "cannot exchange same tokens"],
      [{ buyTokenQuantity: 0n, sellTokenQuantity: 10n ** 16n }, "token quantity must greater than zero"],
      [{ sellTokenQuantity: 10n ** 15n + 1n }, "token quantity must less than 1000000000000000"],
      [{ sellTokenQuantity: 10n ** 15n, buyTokenId: text("1999999") }, "No enough balance !"],
      [{ sellTokenId: text("1999999") }, "No sellTokenId !"],
      [{ sellTokenId: text(floor.token), buyTokenId: text("1999999") }, "SellToken balance is not enough !"],
      [{ buyTokenId: text("1999999") }, "No buyTokenId !"],
    ] as const;
    for (const [change, error] of errors) {
      assert.equal(floor.refusal(1, MarketSellAssetContractSchema, { ...fits, ...change }), error);
    }
  });

  it("include the 101st open order, and the cancellation of a missing, foreign or closed order", async () => {
    const floor = await tradingFloor();
    const { id } = sellTokens(floor, 1n, 1000n);
    const cancel = (from: number, order: Uint8Array) => ({ ownerAddress: bytesOf(floor, from), orderId: order });
    const refusal = (from: number, order: Uint8Array) =>
      floor.refusal(from, MarketCancelOrderContractSchema, cancel(from, order));
    assert.equal(refusal(0, new Uint8Array(32)), "orderId not exists");
    assert.equal(refusal(1, hexToBytes(id)), "Order does not belong to the account!");
    floor.send(0, MarketCancelOrderContractSchema, cancel(0, hexToBytes(id)));
    assert.equal(refusal(0, hexToBytes(id)), "Order is not active!");

    for (let made = 0; made < 100; made += 1) buyTokens(floor, 1n, 1n);
    assert.equal(
      floor.refusal(1, MarketSellAssetContractSchema, offer(floor, 1n, 1n, 1)),
      "Maximum number of orders exceeded，100",
    );
  });
});

describe("market queries", () => {
  it("return prices, orders, pairs and orders of an account, as text when visible, otherwise as hex", async () => {
    const floor = await tradingFloor();
    const { id } = sellTokens(floor, 10n, 20n);
    const pair = { sell_token_id: floor.token, buy_token_id: "_", visible: true };
    const order = {
      order_id: id,
      create_time: floor.chain.simulation.chain.head.header.timestamp - 3000,
      sell_token_id: floor.token,
      sell_token_quantity: 10,
      buy_token_id: "_",
      buy_token_quantity: 20,
      sell_token_quantity_remain: 10,
    };
    const owner = floor.chain.accounts[0]?.address;

    const prices = await floor.chain.ask("/wallet/getmarketpricebypair", pair);
    assert.deepEqual(prices, {
      sell_token_id: floor.token,
      buy_token_id: "_",
      prices: [{ sell_token_quantity: 1, buy_token_quantity: 2 }],
    });
    const list = { orders: [{ ...order, owner_address: owner }] };
    assert.deepEqual(await floor.chain.ask("/wallet/getmarketorderlistbypair", pair), list);
    const byAccount = { value: owner ?? "", visible: true };
    assert.deepEqual(await floor.chain.ask("/wallet/getmarketorderbyaccount", byAccount), list);
    assert.deepEqual(await floor.chain.ask("/wallet/getmarketpairlist", {}), {
      orderPair: [{ sell_token_id: Buffer.from(floor.token).toString("hex"), buy_token_id: "5f" }],
    });
    assert.deepEqual(await floor.chain.ask("/walletsolidity/getmarketpairlist", {}), {}, "nothing is solidified");
    floor.chain.mine(5);
    assert.notDeepEqual(await floor.chain.ask("/walletsolidity/getmarketpairlist", {}), {});
  });
});
