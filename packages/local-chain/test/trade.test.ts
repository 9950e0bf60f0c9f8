import assert from "node:assert/strict";
import { bytesOf, SUPPLY, type TradingFloor, text, tradingFloor } from "../../../test/support/chain/trading-floor.ts";
import { dice } from "../../../test/support/random/dice.ts";
import { howOften } from "../../../test/support/random/how-often.ts";
import { hexToBytes } from "../../tron/src/primitives/bytes.ts";
import * as schemas from "../../tron/src/transaction/gen/transaction_pb.js";
import { assetBalance, type Ledger } from "../src/chain/ledger.ts";
import { Refusal } from "../src/chain/refusal.ts";
import { type Asset, COIN } from "../src/chain/trading.ts";
import type { TransactionInfo } from "../src/chain/transaction.ts";

const STEPS = 250;
const TRADERS = 3;

/** Returns the sum of an asset in accounts, exchanges and open orders. */
function sumOf({ tables }: Ledger, asset: Asset): bigint {
  let sum = 0n;
  for (const account of tables.accounts.entries().values()) sum += assetBalance(account, asset);
  for (const { first, second } of tables.exchanges.entries().values()) {
    for (const reserve of [first, second]) if (reserve.asset === asset) sum += reserve.amount;
  }
  for (const { sell, remaining } of tables.orders.entries().values()) if (sell.asset === asset) sum += remaining;
  return sum;
}

/** Sends a random exchange or market transaction. */
function randomStep(floor: TradingFloor, roll: (bound: number) => number): TransactionInfo {
  const from = roll(TRADERS);
  const ownerAddress = bytesOf(floor, from);
  const assets = [text(floor.token), text(COIN)];
  if (roll(2) === 0) assets.reverse();
  const [one = text(COIN), other = text(COIN)] = assets;
  const amount = (): bigint => BigInt(1 + roll(10 ** (1 + roll(5))));
  const part = { ownerAddress, exchangeId: BigInt(1 + roll(2)), tokenId: one, quant: amount() };
  switch (roll(12)) {
    case 0:
      return floor.send(from, schemas.ExchangeInjectContractSchema, part);
    case 1:
      return floor.send(from, schemas.ExchangeWithdrawContractSchema, part);
    case 2:
    case 3:
      return floor.send(from, schemas.ExchangeTransactionContractSchema, { ...part, expected: 1n });
    case 4: {
      const orders = [...floor.chain.simulation.chain.pendingState.tables.orders.entries().keys()];
      const orderId = hexToBytes(orders[roll(orders.length)] ?? "");
      return floor.send(from, schemas.MarketCancelOrderContractSchema, { ownerAddress, orderId });
    }
    default:
      return floor.send(from, schemas.MarketSellAssetContractSchema, {
        ownerAddress,
        sellTokenId: one,
        sellTokenQuantity: amount(),
        buyTokenId: other,
        buyTokenQuantity: amount(),
      });
  }
}

/** Gives tokens to two accounts, each of which creates an exchange. */
function prepare(floor: TradingFloor): void {
  for (const to of [1, 2]) {
    const gift = { assetName: text(floor.token), amount: 1_000_000n };
    const parties = { ownerAddress: bytesOf(floor, 0), toAddress: bytesOf(floor, to) };
    floor.send(0, schemas.TransferAssetContractSchema, { ...gift, ...parties });
    floor.send(to, schemas.ExchangeCreateContractSchema, {
      ownerAddress: bytesOf(floor, to),
      firstTokenId: text(floor.token),
      firstTokenBalance: 10_000n,
      secondTokenId: text(COIN),
      secondTokenBalance: 7_001n,
    });
  }
}

describe("exchanges and market", () => {
  for (const seed of [1, 2, 3].slice(0, howOften(1, 3))) {
    it(`neither create nor lose coins or tokens in ${STEPS} random steps, seed ${seed}`, async () => {
      const floor = await tradingFloor();
      prepare(floor);
      const roll = dice(seed);
      const { chain } = floor.chain.simulation;
      const sun = (state: Ledger): bigint => sumOf(state, COIN) + state.totals.burnt + state.totals.lost;
      const before = sun(chain.pendingState);
      let [done, filled] = [0, 0];

      for (let step = 0; step < STEPS; step += 1) {
        try {
          const info = randomStep(floor, roll);
          done += 1;
          filled += info.trade?.fills?.length ?? 0;
        } catch (refusal) {
          if (!(refusal instanceof Refusal)) throw refusal;
        }
      }

      assert.ok(done > STEPS / 4 && filled > STEPS / 10, `${done} steps, ${filled} matched orders`);
      assert.equal(sun(chain.pendingState), before);
      const { lostTokens } = chain.pendingState.totals;
      assert.equal(sumOf(chain.pendingState, floor.token) + (lostTokens.get(floor.token) ?? 0n), SUPPLY);
    });
  }
});
