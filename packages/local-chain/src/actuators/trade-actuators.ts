import { bytesToHex } from "@finality/tron/primitives";
import type {
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
  ExchangeWithdrawContract,
  MarketCancelOrderContract,
  MarketSellAssetContract,
} from "@finality/tron/schema";
import type { Account } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/execution.ts";
import { addAsset, assetBalance, burn, type Ledger } from "../chain/ledger.ts";
import { cancelOrder, ORDER_LIMIT, orderId, placeOrder, sellerOf } from "../chain/market.ts";
import { type ChainParameters, versionOf } from "../chain/parameters.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import {
  type Asset,
  addToReserves,
  assetOf,
  bought,
  COIN,
  EXCHANGE_LIMIT,
  type Exchange,
  inProportion,
  isAsset,
  type Offer,
  type Order,
  type OrderId,
  type Sides,
  sidesOf,
  tooImprecise,
} from "../chain/trading.ts";
import { validAddress } from "../chain/transaction.ts";

/** Opens an exchange with the creator's deposit of two assets (ExchangeCreateActuator). */
export const createExchange: Actuator = {
  validate({ ledger, contract, parameters }) {
    const message = contract.message as ExchangeCreateContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const fee = BigInt(parameters.getExchangeCreateFee);
    if (owner.balance < fee) throw invalidContract("No enough balance for exchange create fee!");
    const first = { asset: assetOf(message.firstTokenId), amount: message.firstTokenBalance };
    const second = { asset: assetOf(message.secondTokenId), amount: message.secondTokenBalance };
    if (!isAsset(first.asset)) throw invalidContract("first token id is not a valid number");
    if (!isAsset(second.asset)) throw invalidContract("second token id is not a valid number");
    if (first.asset === second.asset) throw invalidContract("cannot exchange same tokens");
    if (first.amount <= 0n || second.amount <= 0n) throw invalidContract("token balance must greater than zero");
    checkLimit(parameters, first.amount, second.amount);
    checkHolding(owner, first, fee, "first token balance is not enough");
    checkHolding(owner, second, fee, "second token balance is not enough");
  },

  execute({ ledger, contract, parameters, now }) {
    const message = contract.message as ExchangeCreateContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const fee = BigInt(parameters.getExchangeCreateFee);
    const first = { asset: assetOf(message.firstTokenId), amount: message.firstTokenBalance };
    const second = { asset: assetOf(message.secondTokenId), amount: message.secondTokenBalance };
    burn(ledger, owner, fee);
    subtractAmounts(ledger, { ...owner, balance: owner.balance - fee }, [first, second]);
    const id = ledger.totals.exchanges + 1n;
    ledger.tables.exchanges.set(id, { id, creator: owner.address, createdAt: now, first, second });
    ledger.changeTotals({ exchanges: id });
    return { result: "SUCCESS", fee, trade: { exchange: id } };
  },
};

/** Deposits more of both assets in their proportion; creator only (ExchangeInjectActuator). */
export const injectIntoExchange: Actuator = {
  validate({ ledger, contract, parameters }) {
    const message = contract.message as ExchangeInjectContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = ownExchange(ledger, owner, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token id is not in exchange");
    checkExchangeOpen(sides);
    if (message.quant <= 0n) throw invalidContract("injected token quant must greater than zero");
    const other = exactLong(inProportion(sides, message.quant), "BigInteger out of long range", parameters);
    if (other <= 0n) throw invalidContract("the calculated token quant  must be greater than 0");
    checkLimit(parameters, sides.named.amount + message.quant, sides.other.amount + other);
    checkHolding(owner, { ...sides.named, amount: message.quant }, 0n, "token balance is not enough");
    checkHolding(owner, { ...sides.other, amount: other }, 0n, "another token balance is not enough");
  },

  execute({ ledger, contract }) {
    const message = contract.message as ExchangeInjectContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = ownExchange(ledger, owner, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token id is not in exchange");
    const other = inProportion(sides, message.quant);
    subtractAmounts(ledger, owner, [
      { ...sides.named, amount: message.quant },
      { ...sides.other, amount: other },
    ]);
    ledger.tables.exchanges.set(exchange.id, addToReserves(exchange, sides, message.quant, other));
    return { result: "SUCCESS", fee: 0n, trade: { injected: other } };
  },
};

/** Withdraws both assets in their proportion; creator only (ExchangeWithdrawActuator). */
export const withdrawFromExchange: Actuator = {
  validate({ ledger, contract, parameters }) {
    const message = contract.message as ExchangeWithdrawContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = ownExchange(ledger, owner, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token is not in exchange");
    if (message.quant <= 0n) throw invalidContract("withdraw token quant must greater than zero");
    checkExchangeOpen(sides);
    const other = exactLong(inProportion(sides, message.quant), "Overflow", parameters);
    if (sides.named.amount < message.quant || sides.other.amount < other) {
      throw invalidContract("exchange balance is not enough");
    }
    if (other <= 0n) throw invalidContract("withdraw another token quant must greater than zero");
    if (tooImprecise(sides, message.quant, isHardened(parameters))) throw invalidContract("Not precise enough");
  },

  execute({ ledger, contract }) {
    const message = contract.message as ExchangeWithdrawContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = ownExchange(ledger, owner, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token is not in exchange");
    const other = inProportion(sides, message.quant);
    subtractAmounts(ledger, owner, [
      { ...sides.named, amount: -message.quant },
      { ...sides.other, amount: -other },
    ]);
    ledger.tables.exchanges.set(exchange.id, addToReserves(exchange, sides, -message.quant, -other));
    return { result: "SUCCESS", fee: 0n, trade: { withdrawn: other } };
  },
};

/** Sells one asset to an exchange for the other (ExchangeTransactionActuator). */
export const tradeWithExchange: Actuator = {
  validate({ ledger, contract, parameters }) {
    const message = contract.message as ExchangeTransactionContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = existingExchange(ledger, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token is not in exchange");
    if (message.quant <= 0n) throw invalidContract("token quant must greater than zero");
    if (message.expected <= 0n) throw invalidContract("token expected must greater than zero");
    checkExchangeOpen(sides);
    checkLimit(parameters, sides.named.amount + message.quant);
    checkHolding(owner, { ...sides.named, amount: message.quant }, 0n, "token balance is not enough");
    if (bought(sides, message.quant, isHardened(parameters)) < message.expected) {
      throw invalidContract("token required must greater than expected");
    }
  },

  execute({ ledger, contract, parameters }) {
    const message = contract.message as ExchangeTransactionContract;
    const owner = exchangeTrader(ledger, message.ownerAddress);
    const exchange = existingExchange(ledger, message.exchangeId);
    const sides = namedSides(exchange, message.tokenId, "token is not in exchange");
    const received = bought(sides, message.quant, isHardened(parameters));
    subtractAmounts(ledger, owner, [
      { ...sides.named, amount: message.quant },
      { ...sides.other, amount: -received },
    ]);
    ledger.tables.exchanges.set(exchange.id, addToReserves(exchange, sides, message.quant, -received));
    return { result: "SUCCESS", fee: 0n, trade: { received } };
  },
};

function exchangeTrader(ledger: Ledger, address: Uint8Array): Account {
  const owner = validAddress(address);
  if (owner === undefined) throw invalidContract("Invalid address");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(`account[${owner}] not exists`);
  return account;
}

function existingExchange(ledger: Ledger, id: bigint): Exchange {
  const exchange = ledger.tables.exchanges.get(id);
  if (exchange === undefined) throw invalidContract(`Exchange[${id}] not exists`);
  return exchange;
}

function ownExchange(ledger: Ledger, { address }: Account, id: bigint): Exchange {
  const exchange = existingExchange(ledger, id);
  if (exchange.creator !== address) throw invalidContract(`account[${address}] is not creator`);
  return exchange;
}

function namedSides(exchange: Exchange, tokenId: Uint8Array, complaint: string): Sides {
  const asset = assetOf(tokenId);
  if (!isAsset(asset)) throw invalidContract("token id is not a valid number");
  const sides = sidesOf(exchange, asset);
  if (sides === undefined) throw invalidContract(complaint);
  return sides;
}

function checkExchangeOpen({ named, other }: Sides): void {
  if (named.amount === 0n || other.amount === 0n) {
    throw invalidContract("Token balance in exchange is equal with 0,the exchange has been closed");
  }
}

/** Returns whether proposal 98 is in force, with which exchanges are calculated without rounding errors (TIP-836). */
function isHardened({ getAllowHardenExchangeCalculation }: ChainParameters): boolean {
  return getAllowHardenExchangeCalculation === 1;
}

/** Sums wrap around at 2^63, as on the node; with proposal 98 they are refused. */
function checkLimit(parameters: ChainParameters, ...amounts: readonly bigint[]): void {
  if (isHardened(parameters) && amounts.some((it) => BigInt.asIntN(64, it) !== it))
    throw invalidContract("long overflow");
  if (amounts.some((it) => BigInt.asIntN(64, it) > EXCHANGE_LIMIT)) {
    throw invalidContract(`token balance must less than ${EXCHANGE_LIMIT}`);
  }
}

/** @throws {Refusal} the result is no long: `OTHER_ERROR`, since 4.8.2 an invalid contract */
function exactLong(value: bigint, complaint: string, parameters: ChainParameters): bigint {
  if (value === BigInt.asIntN(64, value)) return value;
  throw versionOf(parameters) === "4.8.0" ? new Refusal("OTHER_ERROR", complaint) : invalidContract(complaint);
}

interface Amount {
  readonly asset: string;
  readonly amount: bigint;
}

function checkHolding(owner: Account, { asset, amount }: Amount, fee: bigint, complaint: string): void {
  const needed = asset === COIN ? amount + fee : amount;
  if (assetBalance(owner, asset) < needed) throw invalidContract(asset === COIN ? "balance is not enough" : complaint);
}

/** Subtracts amounts from an account; negative amounts are added. */
function subtractAmounts(ledger: Ledger, owner: Account, amounts: readonly Amount[]): void {
  let account = owner;
  for (const { asset, amount } of amounts) account = addAsset(ledger, account, asset, -amount);
}

const AMOUNT_LIMIT = 1_000_000_000_000_000n;

/** Sells one asset for another: fills existing orders, then adds an order (MarketSellAssetActuator). */
export const sellOnMarket: Actuator = {
  validate(execution) {
    checkMarketOpen(execution);
    const message = execution.contract.message as MarketSellAssetContract;
    const owner = marketTrader(execution.ledger, message.ownerAddress);
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
    const owner = marketTrader(ledger, message.ownerAddress);
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

/** Cancels an order (MarketCancelOrderActuator). */
export const cancelMarketOrder: Actuator = {
  validate(execution) {
    checkMarketOpen(execution);
    const message = execution.contract.message as MarketCancelOrderContract;
    const owner = marketTrader(execution.ledger, message.ownerAddress);
    const order = existingOrder(execution.ledger, message.orderId);
    if (order.state !== "ACTIVE") throw invalidContract("Order is not active!");
    if (order.owner !== owner.address) throw invalidContract("Order does not belong to the account!");
    if (owner.balance < BigInt(execution.parameters.getMarketCancelFee)) throw invalidContract("No enough balance !");
  },

  execute({ ledger, contract, parameters }) {
    const message = contract.message as MarketCancelOrderContract;
    const owner = marketTrader(ledger, message.ownerAddress);
    const fee = BigInt(parameters.getMarketCancelFee);
    burn(ledger, owner, fee);
    cancelOrder(ledger, existingOrder(ledger, message.orderId));
    return { result: "SUCCESS", fee };
  },
};

function checkMarketOpen({ parameters }: Execution): void {
  if (parameters.getAllowMarketTransaction !== 1) {
    throw invalidContract("Not support Market Transaction, need to be opened by the committee");
  }
}

function marketTrader(ledger: Ledger, address: Uint8Array): Account {
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
  if (assetBalance(owner, asset) < amount) throw invalidContract("SellToken balance is not enough !");
}

function exists(ledger: Ledger, asset: Asset): boolean {
  return asset === COIN || ledger.tables.tokens.get(asset) !== undefined;
}
