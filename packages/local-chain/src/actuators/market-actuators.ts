import { bytesToHex } from "@finality/tron/primitives";
import type { MarketCancelOrderContract, MarketSellAssetContract } from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { type Asset, assetOf, COIN, isAsset } from "../chain/asset.ts";
import { addAsset, burn, holding, type Ledger } from "../chain/ledger.ts";
import { cancelOrder, ORDER_LIMIT, orderId, placeOrder, sellerOf } from "../chain/market.ts";
import type { Offer, Order, OrderId } from "../chain/order.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

const AMOUNT_LIMIT = 1_000_000_000_000_000n;

/** Offers one asset for another, and takes what others offer for it (MarketSellAssetActuator). */
export const sellOnMarket: Actuator = {
  validate(execution) {
    checkOpen(execution);
    const message = execution.contract.message as MarketSellAssetContract;
    const owner = existing(execution.ledger, message.ownerAddress);
    const { sell, buy } = offersOf(message);
    checkOffers(sell, buy);
    if (sellerOf(execution.ledger, owner.address).active.length >= ORDER_LIMIT) {
      throw invalidContract(`Maximum number of orders exceeded，${ORDER_LIMIT}`);
    }
    checkBalance(execution, owner, sell);
    if (!exists(execution.ledger, buy.asset)) throw invalidContract("No buyTokenId !");
  },

  execute({ ledger, contract, parameters, now }) {
    const message = contract.message as MarketSellAssetContract;
    const owner = existing(ledger, message.ownerAddress);
    const { sell, buy } = offersOf(message);
    const fee = BigInt(parameters.getMarketSellFee);
    burn(ledger, owner, fee);
    addAsset(ledger, { ...owner, balance: owner.balance - fee }, sell.asset, -sell.amount);
    const id = orderId(owner.address, sell.asset, buy.asset, sellerOf(ledger, owner.address).total);
    const order: Order = {
      id,
      owner: owner.address,
      createdAt: now,
      sell,
      buy,
      remaining: sell.amount,
      returned: 0n,
      state: "ACTIVE",
    };
    const fills = placeOrder(ledger, order);
    return { result: "SUCCESS", fee, trade: { order: id, fills } };
  },
};

/** Takes an order back (MarketCancelOrderActuator). */
export const cancelMarketOrder: Actuator = {
  validate(execution) {
    checkOpen(execution);
    const message = execution.contract.message as MarketCancelOrderContract;
    const owner = existing(execution.ledger, message.ownerAddress);
    const order = existingOrder(execution.ledger, message.orderId);
    if (order.state !== "ACTIVE") throw invalidContract("Order is not active!");
    if (order.owner !== owner.address) throw invalidContract("Order does not belong to the account!");
    if (owner.balance < BigInt(execution.parameters.getMarketCancelFee)) throw invalidContract("No enough balance !");
  },

  execute({ ledger, contract, parameters }) {
    const message = contract.message as MarketCancelOrderContract;
    const owner = existing(ledger, message.ownerAddress);
    const fee = BigInt(parameters.getMarketCancelFee);
    burn(ledger, owner, fee);
    cancelOrder(ledger, existingOrder(ledger, message.orderId));
    return { result: "SUCCESS", fee };
  },
};

function checkOpen({ parameters }: Execution): void {
  if (parameters.getAllowMarketTransaction !== 1) {
    throw invalidContract("Not support Market Transaction, need to be opened by the committee");
  }
}

function existing(ledger: Ledger, address: Uint8Array): Account {
  const owner = validAddress(address);
  if (owner === undefined) throw invalidContract("Invalid address");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract("Account does not exist!");
  return account;
}

function existingOrder(ledger: Ledger, id: Uint8Array): Order {
  const order = ledger.tables.orders.get(bytesToHex(id) as OrderId);
  if (order === undefined) throw invalidContract("orderId not exists");
  return order;
}

function offersOf(message: MarketSellAssetContract): { sell: Offer; buy: Offer } {
  return {
    sell: { asset: assetOf(message.sellTokenId), amount: message.sellTokenQuantity },
    buy: { asset: assetOf(message.buyTokenId), amount: message.buyTokenQuantity },
  };
}

function checkOffers(sell: Offer, buy: Offer): void {
  if (!isAsset(sell.asset)) throw invalidContract("sellTokenId is not a valid number");
  if (!isAsset(buy.asset)) throw invalidContract("buyTokenId is not a valid number");
  if (sell.asset === buy.asset) throw invalidContract("cannot exchange same tokens");
  if (sell.amount <= 0n || buy.amount <= 0n) throw invalidContract("token quantity must greater than zero");
  if (sell.amount > AMOUNT_LIMIT || buy.amount > AMOUNT_LIMIT) {
    throw invalidContract(`token quantity must less than ${AMOUNT_LIMIT}`);
  }
}

function checkBalance({ ledger, parameters }: Execution, owner: Account, { asset, amount }: Offer): void {
  const fee = BigInt(parameters.getMarketSellFee);
  if (owner.balance < (asset === COIN ? amount + fee : fee)) throw invalidContract("No enough balance !");
  if (asset === COIN) return;
  if (!exists(ledger, asset)) throw invalidContract("No sellTokenId !");
  if (holding(owner, asset) < amount) throw invalidContract("SellToken balance is not enough !");
}

function exists(ledger: Ledger, asset: Asset): boolean {
  return asset === COIN || ledger.tables.tokens.get(asset) !== undefined;
}
