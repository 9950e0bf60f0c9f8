import assert from "node:assert/strict";
import { addressAt, done, issue } from "../../../../test/support/chain/build-and-send.ts";
import {
  type ContractFixture,
  contractFixture,
  type Receipt,
  resultText,
} from "../../../../test/support/chain/contract-fixture.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { BLACK_HOLE } from "../../src/chain/account.ts";
import { COIN, push, RETURN_TOP, word } from "./bytecode.ts";

const TOKEN = 1_000_001;
const NEWCOMER = `41${"34".repeat(20)}` as Address;

/** Returns a CALLTOKEN without input and output, with all energy. */
const callToken = (to: Address, amount: bigint | number, id: bigint | number): string =>
  `5f5f5f5f${push(id)}${push(amount)}${push(to.slice(2))}5ad0`;
const tokenBalance = (of: Address, id: bigint | number): string => `${push(of.slice(2))}${push(id)}d1`;

describe("tokens of contracts", () => {
  let contracts: ContractFixture;

  beforeEach(async () => {
    contracts = await contractFixture();
    await issue(contracts.chain);
  });

  const tokens = async (address: Address, id = TOKEN): Promise<number> => {
    const { assetV2 = [] } = await contracts.ask("getaccount", { address });
    const entry = (assetV2 as readonly JsonObject[]).find(({ key }) => key === String(id));
    return Number(entry?.value ?? 0);
  };
  const owner = (): Address => addressAt(contracts.chain, 0);

  async function callWith(address: Address, tokenValue: number, tokenId = TOKEN, data = ""): Promise<Receipt> {
    return await contracts.call(address, data, { tokenValue, tokenId });
  }

  async function refusalOf(address: Address, tokenValue: number, tokenId: number, value = 0): Promise<string> {
    const request = { owner_address: owner(), contract_address: address, call_value: value };
    return resultText(
      await contracts.ask("triggerconstantcontract", { ...request, call_token_value: tokenValue, token_id: tokenId }),
    );
  }

  it("arrive with a call, which can read amount and token id", async () => {
    const reader = await contracts.install(`d3d25f5260205260405ff3`);
    const { returned } = await callWith(reader, 7);
    assert.equal(returned, word(7) + word(TOKEN));
    assert.equal(await tokens(reader), 7);
    assert.equal(await tokens(owner()), 999_993);
  });

  it("arrive with a deployment", async () => {
    const { address, returned } = await contracts.deploy(`d25f5260205ff3`, { tokenId: TOKEN, tokenValue: 5 });
    assert.equal(returned, word(5));
    assert.equal(await tokens(address), 5);
  });

  it("return when the code fails", async () => {
    const failing = await contracts.install("5f5ffd");
    assert.equal((await callWith(failing, 7)).result, "REVERT");
    assert.equal(await tokens(owner()), 1_000_000);
  });

  it("are refusalOf when the token is missing, invalid or not owned", async () => {
    const contract = await contracts.install("00");
    const refusals: readonly [number, number, string][] = [
      [1, 1_000_000, "tokenId must be > 1000000"],
      [0, -1, "tokenId must be > 1000000"],
      [1, 0, "invalid arguments with tokenValue = 1, tokenId = 0"],
      [-1, TOKEN, "tokenValue must be >= 0"],
      [1, TOKEN + 1, "No asset !"],
      [1_000_001, TOKEN, "assetBalance is not sufficient."],
    ];
    for (const [value, id, text] of refusals) {
      assert.equal(await refusalOf(contract, value, id), text);
    }
    const coinsFirst = await refusalOf(contract, 1, TOKEN + 1, 20_000 * COIN);
    assert.match(coinsFirst, /Validate InternalTransfer error, balance is not sufficient\.$/);
    await done(contracts.chain, "createtransaction", { to_address: NEWCOMER, amount: 1 });
    const request = { owner_address: NEWCOMER, contract_address: contract, call_token_value: 1, token_id: TOKEN };
    const answer = await contracts.ask("triggerconstantcontract", request);
    assert.match(resultText(answer), /assetBalance must greater than 0\.$/);
  });

  it("can be sent by code, with an internal transaction that names them", async () => {
    const sender = await contracts.install(`${callToken(NEWCOMER, 3, TOKEN)}${RETURN_TOP}`);
    const { returned, info } = await callWith(sender, 7);
    assert.equal(returned, word(1));
    assert.deepEqual([await tokens(sender), await tokens(NEWCOMER)], [4, 3]);
    const [internal] = info.internal_transactions as readonly JsonObject[];
    assert.deepEqual(internal?.callValueInfo, [{}, { callValue: 3, tokenId: "1000001" }]);
    assert.equal(internal?.transferTo_address, NEWCOMER);
  });

  it("fail the inner call only, when the contract does not own them", async () => {
    const sender = await contracts.install(`${callToken(NEWCOMER, 8, TOKEN)}${RETURN_TOP}`);
    const { returned, info } = await callWith(sender, 7);
    assert.equal(returned, word(0));
    assert.equal(info.internal_transactions, undefined);
  });

  it("cannot be sent to the contract itself, nor by an invalid token id", async () => {
    const self = await contracts.install(`5f5f5f5f${push(TOKEN)}6001305ad000`);
    const receipt = await callWith(self, 7);
    assert.equal(receipt.result, "TRANSFER_FAILED");
    assert.equal(receipt.message, "transfer trc10 failed: Cannot transfer asset to yourself.");
    for (const id of [0, 1_000_000, 1n << 63n, (1n << 256n) - 1n]) {
      const odd = await contracts.install(`${callToken(NEWCOMER, 1, id)}00`);
      const { result, message } = await callWith(odd, 7);
      assert.equal(result, "TRANSFER_FAILED");
      assert.equal(message, "validateForSmartContract failure:not valid token id");
    }
  });

  it("do not create the account of a precompiled contract", async () => {
    const sender = await contracts.install(`${callToken(`41${"00".repeat(19)}02` as Address, 1, TOKEN)}00`);
    const { result, message } = await callWith(sender, 7);
    assert.equal(result, "UNKNOWN");
    const rule = "no ToAccount. And not allowed to create account in smart contract.";
    assert.equal(message, `validateForSmartContract failure:Validate InternalTransfer error, ${rule}`);
  });

  it("can be read by code for any account and any id above a million", async () => {
    const ask = async (of: Address, id: bigint | number): Promise<Receipt> =>
      await contracts.call(await contracts.install(`${tokenBalance(of, id)}${RETURN_TOP}`));
    assert.equal((await ask(owner(), TOKEN)).returned, word(1_000_000));
    assert.equal((await ask(owner(), TOKEN + 1)).returned, word(0));
    assert.equal((await ask(NEWCOMER, TOKEN)).returned, word(0));
    assert.equal((await ask(owner(), 1_000_000)).result, "UNKNOWN");
    assert.equal((await ask(owner(), 1n << 63n)).result, "TRANSFER_FAILED");
  });

  it("are not visible to code called with coins, or run as its caller", async () => {
    const sumAndOne = "d3d201600101";
    const reader = await contracts.install(`${sumAndOne}${RETURN_TOP}`);
    const relay = (operation: string): string =>
      `60205f5f5f${operation === "f4" ? "" : "5f"}${push(reader.slice(2))}5a${operation}5060205ff3`;
    for (const operation of ["f1", "f4"]) {
      const caller = await contracts.install(relay(operation));
      assert.equal((await callWith(caller, 7)).returned, word(1), "both are 0");
    }
  });

  it("and coins below zero are read as 64-bit words in a simulated deployment, and refusalOf in a call", async () => {
    const ask = async (code: string, amounts: JsonObject): Promise<unknown> => {
      const body = { owner_address: owner(), data: code, token_id: TOKEN, ...amounts };
      return (await contracts.ask("triggerconstantcontract", body)).constant_result;
    };
    const almost = word((1n << 64n) - 1n);
    assert.deepEqual(await ask(`d2${RETURN_TOP}`, { call_token_value: -1 }), [almost]);
    assert.deepEqual(await ask(`34${RETURN_TOP}`, { call_value: -1 }), [almost]);
    const contract = await contracts.install("00");
    assert.equal(await refusalOf(contract, 0, TOKEN, -1), "callValue must be >= 0");
  });

  it("stay with the sender where the TVM does not know tokens", async () => {
    contracts = await contractFixture({ getAllowTvmTransferTrc10: 0 });
    await issue(contracts.chain);
    const contract = await contracts.install("00");
    assert.equal((await callWith(contract, 7)).result, "SUCCESS");
    assert.deepEqual([await tokens(contract), await tokens(owner())], [0, 1_000_000]);
    assert.equal((await callWith(await contracts.install("d200"), 7)).result, "ILLEGAL_OPERATION");
  });

  it("go to the beneficiary of a self-destruct, or to the black hole when it names itself", async () => {
    const ending = await contracts.install("5f35ff");
    await callWith(ending, 7, TOKEN, word(NEWCOMER.slice(2)));
    assert.equal(await tokens(NEWCOMER), 7);

    const selfish = await contracts.install("30ff");
    const { info } = await callWith(selfish, 5);
    const [internal] = info.internal_transactions as readonly JsonObject[];
    assert.deepEqual(internal?.callValueInfo, [{}, { callValue: 5, tokenId: "1000001" }]);
    assert.equal(await tokens(selfish), 0);
    assert.equal(await tokens(BLACK_HOLE), 5);
  });

  it("can be sent in a constant call and an estimate, which move nothing", async () => {
    const reader = await contracts.install("d25f5260205ff3");
    const request = { owner_address: owner(), contract_address: reader, call_token_value: 9, token_id: TOKEN };
    const answer = await contracts.ask("triggerconstantcontract", request);
    assert.deepEqual(answer.constant_result, [word(9)]);
    const { energy_required } = await contracts.ask("estimateenergy", request);
    assert.ok(Number(energy_required) > 0);
    const creation = { owner_address: owner(), data: "d25f5260205ff3", call_token_value: 9, token_id: TOKEN };
    assert.deepEqual((await contracts.ask("triggerconstantcontract", creation)).constant_result, [word(9)]);
    assert.equal(await tokens(owner()), 1_000_000);
  });
});
