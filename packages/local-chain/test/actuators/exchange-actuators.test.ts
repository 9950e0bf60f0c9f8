import assert from "node:assert/strict";
import { bytesOf, type TradingFloor, text, tradingFloor } from "../../../../test/support/chain/trading-floor.ts";
import * as schemas from "../../../tron/src/transaction/gen/transaction_pb.js";
import { tokenBalance } from "../../src/chain/ledger.ts";
import type { TransactionInfo } from "../../src/chain/transaction.ts";

const FEE = 1_024_000_000n;
const COIN = text("_");
const MAX_LONG = 2n ** 63n - 1n;

/** Creates the recorded exchange of 1,549 tokens and 1,323 sun. */
function open(floor: TradingFloor): TransactionInfo {
  return floor.send(0, schemas.ExchangeCreateContractSchema, {
    ownerAddress: bytesOf(floor, 0),
    firstTokenId: text(floor.token),
    firstTokenBalance: 1549n,
    secondTokenId: COIN,
    secondTokenBalance: 1323n,
  });
}

function amounts(floor: TradingFloor): readonly [tokens: bigint, sun: bigint] {
  const exchange = floor.chain.simulation.chain.pendingState.tables.exchanges.get(1n);
  return [exchange?.first.amount ?? 0n, exchange?.second.amount ?? 0n];
}

describe("exchangecreate, exchangeinject and exchangewithdraw", () => {
  it("deposits the reserves of the creator, who pays 1,024 coins", async () => {
    const floor = await tradingFloor();
    const before = floor.state(0);

    const { fee, netFee, trade } = open(floor);

    assert.deepEqual(trade, { exchange: 1n });
    assert.equal(fee - netFee, FEE);
    assert.deepEqual(amounts(floor), [1549n, 1323n]);
    assert.equal(floor.state(0).balance, before.balance - fee - 1323n);
    assert.equal(tokenBalance(floor.state(0), floor.token), tokenBalance(before, floor.token) - 1549n);
  });

  it("trades for any account by the formula", async () => {
    const floor = await tradingFloor();
    open(floor);
    const trade = { ownerAddress: bytesOf(floor, 0), exchangeId: 1n, tokenId: text(floor.token), quant: 1023n };

    const info = floor.send(0, schemas.ExchangeTransactionContractSchema, { ...trade, expected: 526n });

    assert.deepEqual(info.trade, { received: 526n });
    assert.deepEqual(amounts(floor), [1549n + 1023n, 1323n - 526n]);
  });

  it("accepts deposits and withdrawals in proportion, from the creator only", async () => {
    const floor = await tradingFloor();
    open(floor);
    const part = { exchangeId: 1n, tokenId: COIN };
    const owner = { ...part, ownerAddress: bytesOf(floor, 0) };

    const injected = floor.send(0, schemas.ExchangeInjectContractSchema, { ...owner, quant: 1323n });
    assert.deepEqual(injected.trade, { injected: 1549n });
    const withdrawn = floor.send(0, schemas.ExchangeWithdrawContractSchema, { ...owner, quant: 2646n });
    assert.deepEqual(withdrawn.trade, { withdrawn: 3098n });

    assert.deepEqual(amounts(floor), [0n, 0n]);
    const other = { ...part, ownerAddress: bytesOf(floor, 1), quant: 1n };
    const error = `account[${floor.address(1)}] is not creator`;
    assert.equal(floor.refusal(1, schemas.ExchangeInjectContractSchema, other), error);
    assert.equal(floor.refusal(1, schemas.ExchangeWithdrawContractSchema, other), error);
    assert.equal(
      floor.refusal(0, schemas.ExchangeInjectContractSchema, { ...owner, quant: 1n }),
      "Token balance in exchange is equal with 0,the exchange has been closed",
    );
  });

  it("refuses an invalid exchange with the node's message for the first error", async () => {
    const floor = await tradingFloor();
    const fits = {
      ownerAddress: bytesOf(floor, 0),
      firstTokenId: text(floor.token),
      firstTokenBalance: 1n,
      secondTokenId: COIN,
      secondTokenBalance: 1n,
    };
    const errors = [
      [{ firstTokenId: text("x"), secondTokenId: text("x") }, "first token id is not a valid number"],
      [{ secondTokenId: text("01") }, "second token id is not a valid number"],
      [{ secondTokenId: text(floor.token), firstTokenBalance: 0n }, "cannot exchange same tokens"],
      [{ firstTokenBalance: 0n, secondTokenBalance: MAX_LONG }, "token balance must greater than zero"],
      [{ secondTokenBalance: MAX_LONG }, "token balance must less than 1000000000000000"],
      [{ firstTokenBalance: 1_000_000_001n, secondTokenBalance: 10n ** 15n }, "first token balance is not enough"],
      [{ secondTokenBalance: 10n ** 15n }, "balance is not enough"],
      [{ secondTokenId: text("1999999") }, "second token balance is not enough"],
    ] as const;
    for (const [change, error] of errors) {
      assert.equal(floor.refusal(0, schemas.ExchangeCreateContractSchema, { ...fits, ...change }), error);
    }
  });
});

describe("exchangetransaction", () => {
  it("refuses an invalid trade with the node's message for the first error", async () => {
    const floor = await tradingFloor();
    open(floor);
    const fits = { ownerAddress: bytesOf(floor, 1), exchangeId: 1n, tokenId: COIN, quant: 10n, expected: 1n };
    const errors = [
      [{ exchangeId: 2n }, "Exchange[2] not exists"],
      [{ tokenId: text("x") }, "token id is not a valid number"],
      [{ tokenId: text("1999999") }, "token is not in exchange"],
      [{ quant: 0n, expected: 0n }, "token quant must greater than zero"],
      [{ expected: 0n }, "token expected must greater than zero"],
      [{ quant: 10n ** 15n }, "token balance must less than 1000000000000000"],
      [{ quant: MAX_LONG }, "balance is not enough"],
      [{ tokenId: text(floor.token) }, "token balance is not enough"],
      [{ expected: 1549n }, "token required must greater than expected"],
    ] as const;
    for (const [change, error] of errors) {
      assert.equal(floor.refusal(1, schemas.ExchangeTransactionContractSchema, { ...fits, ...change }), error);
    }
  });

  it("refuses a withdrawal or deposit when the proportion cannot be kept or overflows", async () => {
    const floor = await tradingFloor();
    open(floor);
    const part = { ownerAddress: bytesOf(floor, 0), exchangeId: 1n, tokenId: COIN };
    const refusal = (quant: bigint) => floor.refusal(0, schemas.ExchangeWithdrawContractSchema, { ...part, quant });
    assert.equal(refusal(2000n), "exchange balance is not enough");
    assert.equal(refusal(7n), "Not precise enough");
    assert.equal(refusal(MAX_LONG), "Overflow");
    assert.equal(
      floor.refusal(0, schemas.ExchangeWithdrawContractSchema, { ...part, tokenId: text(floor.token), quant: 1n }),
      "withdraw another token quant must greater than zero",
    );
    assert.equal(
      floor.refusal(0, schemas.ExchangeInjectContractSchema, { ...part, quant: MAX_LONG }),
      "BigInteger out of long range",
    );
  });
});
