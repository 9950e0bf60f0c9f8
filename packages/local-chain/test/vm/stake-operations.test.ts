import assert from "node:assert/strict";
import {
  type ContractFixture,
  contractFixture,
  type Receipt,
} from "../../../../test/support/chain/contract-fixture.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { COIN, DELEGATOR, push, RETURN_TOP, word } from "./bytecode.ts";

const DAY_MS = 86_400_000;

/** Pushes operands, the last one on top, runs an operation and returns its result. */
const returning = (operation: string, ...operands: readonly (number | string)[]): string =>
  `${operands.map(push).join("")}${operation}${RETURN_TOP}`;

const [BANDWIDTH, ENERGY, POWER] = [0, 1, 2];
const freeze = (amount: number, type: number): string => returning("da", amount, type);
const unfreeze = (amount: number, type: number): string => returning("db", amount, type);
const CANCEL = returning("dc");
const WITHDRAW = returning("dd");
const delegate = (to: Address, amount: number, type: number): string => returning("de", to.slice(2), amount, type);
const undelegate = (to: Address, amount: number, type: number): string => returning("df", to.slice(2), amount, type);

describe("staking by opcode", () => {
  let contracts: ContractFixture;
  let staker: Address;

  beforeEach(async () => {
    contracts = await contractFixture();
    staker = await contracts.install(DELEGATOR);
    await run("00", 100 * COIN);
  });

  /** Runs code as the staking contract. */
  async function run(code: string, value = 0): Promise<Receipt> {
    const library = await contracts.install(code);
    return await contracts.call(staker, word(library.slice(2)), { value });
  }

  const account = (address: string = staker): Promise<JsonObject> => contracts.ask("getaccount", { address });
  const accountAt = (index: number): Address => contracts.chain.accounts[index]?.hex as Address;

  /** Returns the internal transactions besides the call, and whether they were rejected. */
  function notes({ info }: Receipt): readonly string[] {
    const entries = (info.internal_transactions ?? []) as readonly JsonObject[];
    return entries.slice(1).map(({ note, callValueInfo, rejected }) => {
      const [{ callValue = 0 } = {}] = callValueInfo as readonly { callValue?: number }[];
      return `${Buffer.from(String(note), "hex")} ${callValue}${rejected === true ? " rejected" : ""}`;
    });
  }

  it("moves coins from the balance to the stake and records an internal transaction", async () => {
    const receipt = await run(freeze(40 * COIN, ENERGY));
    assert.equal(receipt.returned, word(1));
    assert.deepEqual(notes(receipt), ["freezeBalanceV2ForEnergy 40000000"]);
    const { balance, frozenV2 } = await account();
    assert.equal(balance, 60 * COIN);
    assert.deepEqual((frozenV2 as readonly JsonObject[])[1], { type: "ENERGY", amount: 40 * COIN });
  });

  it("returns 0 and records a rejected internal transaction when the operation is impossible", async () => {
    for (const [code, note] of [
      [freeze(COIN - 1, BANDWIDTH), "freezeBalanceV2ForBandwidth 999999 rejected"],
      [freeze(1000 * COIN, POWER), "freezeBalanceV2ForTronPower 1000000000 rejected"],
      [freeze(COIN, 3), "freezeBalanceV2ForUnknownType 1000000 rejected"],
      [unfreeze(COIN, ENERGY), "unfreezeBalanceV2ForEnergy 1000000 rejected"],
      [delegate(accountAt(3), COIN, ENERGY), "delegateResourceOfEnergy 1000000 rejected"],
      [undelegate(accountAt(3), COIN, ENERGY), "unDelegateResourceOfEnergy 1000000 rejected"],
      [returning("d6", accountAt(3).slice(2), BANDWIDTH), "unfreezeForBandwidth 0 rejected"],
    ] as const) {
      const receipt = await run(code);
      assert.deepEqual([receipt.result, receipt.returned, ...notes(receipt)], ["SUCCESS", word(0), note]);
    }
    assert.equal((await account()).balance, 100 * COIN);
  });

  it("returns unstaked coins after fourteen days", async () => {
    await run(freeze(40 * COIN, ENERGY));
    const taken = await run(unfreeze(30 * COIN, ENERGY));
    assert.deepEqual([taken.returned, ...notes(taken)], [word(1), "unfreezeBalanceV2ForEnergy 30000000"]);
    const early = await run(WITHDRAW);
    assert.deepEqual([early.returned, ...notes(early)], [word(0), "withdrawExpireUnfreeze 0"]);
    contracts.chain.simulation.chain.warp(14 * DAY_MS);
    contracts.chain.mine();
    const due = await run(WITHDRAW);
    assert.deepEqual([due.returned, ...notes(due)], [word(30 * COIN), "withdrawExpireUnfreeze 30000000"]);
    assert.equal((await account()).balance, 90 * COIN);
  });

  it("withdraws due coins while it unstakes more", async () => {
    await run(freeze(40 * COIN, BANDWIDTH));
    await run(unfreeze(10 * COIN, BANDWIDTH));
    contracts.chain.simulation.chain.warp(14 * DAY_MS);
    contracts.chain.mine();
    const again = await run(unfreeze(5 * COIN, BANDWIDTH));
    assert.deepEqual(notes(again), [
      "unfreezeBalanceV2ForBandwidth 5000000",
      "withdrawExpireUnfreezeWhileUnfreezing 10000000",
    ]);
  });

  it("stakes again all pending unstakes", async () => {
    await run(freeze(40 * COIN, ENERGY));
    await run(unfreeze(30 * COIN, ENERGY));
    const receipt = await run(CANCEL);
    assert.deepEqual([receipt.returned, ...notes(receipt)], [word(1), "cancelAllUnfreezeV2 0"]);
    const { frozenV2, unfrozenV2 } = await account();
    assert.deepEqual([(frozenV2 as readonly JsonObject[])[1]?.amount, unfrozenV2], [40 * COIN, undefined]);
  });

  it("delegates to accounts but not to contracts, and undelegates", async () => {
    await run(freeze(40 * COIN, ENERGY));
    assert.equal((await run(delegate(staker, COIN, ENERGY))).returned, word(0));
    assert.equal((await run(delegate(accountAt(3), 7 * COIN, ENERGY))).returned, word(1));
    const resource = (await account(accountAt(3))).account_resource as JsonObject;
    assert.equal(resource.acquired_delegated_frozenV2_balance_for_energy, 7 * COIN);
    const back = await run(undelegate(accountAt(3), 7 * COIN, ENERGY));
    assert.deepEqual([back.returned, ...notes(back)], [word(1), "unDelegateResourceOfEnergy 7000000"]);
  });

  it("cannot self-destruct with pending unstakes, and passes the rest to the beneficiary", async () => {
    const end = `73${accountAt(4).slice(2)}ff`;
    await run(freeze(40 * COIN, ENERGY));
    await run(unfreeze(10 * COIN, ENERGY));
    assert.deepEqual([(await run(end)).result, (await account()).balance], ["SUCCESS", 60 * COIN]);
    contracts.chain.simulation.chain.warp(14 * DAY_MS);
    contracts.chain.mine();
    const before = Number((await account(accountAt(4))).balance);
    assert.deepEqual(notes(await run(end)), ["suicide 70000000", "withdrawExpireUnfreezeWhileSuiciding 10000000"]);
    const { balance, frozenV2 } = await account(accountAt(4));
    assert.deepEqual([Number(balance) - before, await account()], [70 * COIN, {}]);
    assert.deepEqual((frozenV2 as readonly JsonObject[])[1], { type: "ENERGY", amount: 30 * COIN });
  });

  it("fails inside a static call", async () => {
    const code = freeze(COIN, ENERGY);
    const caller = await contracts.install("5f5f5f5f5f356207a120fa5f5260205ff3");
    const { returned } = await contracts.call(caller, word((await contracts.install(code)).slice(2)));
    assert.equal(returned, word(0));
  });
});

describe("voting by opcode", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  /** Stakes 10 coins for votes, and votes with some of them. */
  async function vote(witness: string, count: number): Promise<Receipt> {
    const lists = [1, witness, 1, count]
      .map((it, index) => `${push(it)}60${(index * 32).toString(16).padStart(2, "0")}52`)
      .join("");
    const staking = `${push(10 * COIN)}6002da50`;
    const voter = await contracts.install(`${staking}${lists}5f60016040 6001d85f5260205ff3`.replace(" ", ""));
    return await contracts.call(voter, "", { value: 10 * COIN });
  }

  async function someWitness(): Promise<string> {
    contracts.chain.mine(5);
    const { witnesses } = await contracts.ask("listwitnesses", {});
    return String((witnesses as readonly JsonObject[])[0]?.address).slice(2);
  }

  it("accepts votes up to the stake, for existing witnesses only", async () => {
    const witness = await someWitness();
    const outcome = async (who: string, count: number): Promise<readonly unknown[]> => {
      const { returned, info } = await vote(who, count);
      const entry = (info.internal_transactions as readonly JsonObject[])[1];
      return [returned, Buffer.from(String(entry?.note), "hex").toString(), entry?.rejected, entry?.transferTo_address];
    };
    assert.deepEqual(await outcome(witness, 10), [word(1), "voteWitness", undefined, undefined]);
    assert.deepEqual(await outcome(witness, 11), [word(0), "voteWitness", true, undefined]);
    assert.deepEqual(await outcome("ab".repeat(20), 1), [word(0), "voteWitness", true, undefined]);
  });

  it("records the votes in the internal transaction", async () => {
    const { info } = await vote(await someWitness(), 3);
    const { extra } = (info.internal_transactions as readonly JsonObject[])[1] ?? {};
    assert.match(String(extra), /^\{"votes":\[\{"vote_address":"T\w{33}","vote_count":3\}\]\}$/u);
  });

  it("fails when a length does not match the one in memory", async () => {
    const voter = await contracts.install("60015f525f5f60015fd8");
    const { result, message } = await contracts.call(voter);
    assert.equal(result, "UNKNOWN");
    assert.equal(message, "TVM VoteWitness: memory array length do not match length parameter!");
  });

  it("withdraws no reward, and records the attempt", async () => {
    const { returned, info } = await contracts.call(await contracts.install(returning("d9")));
    const [entry] = info.internal_transactions as readonly JsonObject[];
    assert.deepEqual(
      [returned, Buffer.from(String(entry?.note), "hex").toString(), entry?.rejected],
      [word(0), "withdrawReward", undefined],
    );
  });

  it("distinguishes candidates from other accounts", async () => {
    const candidate = (who: string): Promise<JsonObject> =>
      contracts.constant(`${push(who)}5f5260205f60205f6301000006 5afa5060205ff3`.replace(" ", ""));
    assert.deepEqual((await candidate(await someWitness())).constant_result, [word(1)]);
    assert.deepEqual((await candidate("ab".repeat(20))).constant_result, [word(0)]);
  });
});

describe("stake precompiles", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
    const staker = await contracts.install(`${push(50 * COIN)}6001da50${push(20 * COIN)}6001db5000`);
    await contracts.call(staker, "", { value: 60 * COIN });
    stakedContract = staker;
  });

  let stakedContract: Address;

  async function answer(
    query: number,
    ...input: readonly (number | string)[]
  ): Promise<readonly (string | undefined)[]> {
    const store = input.map((it, index) => `${push(it)}60${(index * 32).toString(16).padStart(2, "0")}52`).join("");
    const size = (input.length * 32).toString(16).padStart(2, "0");
    const ask = `60605f60${size}5f63${query.toString(16).padStart(8, "0")}5afa503d5ff3`;
    const { constant_result } = await contracts.constant(store + ask);
    return String((constant_result as readonly string[])[0]).match(/.{64}/gu) ?? [];
  }

  it("return the staked, unstaking and delegated amounts", async () => {
    const who = stakedContract.slice(2);
    const now = Math.floor(Number(contracts.chain.simulation.chain.head.header.timestamp) / 1000);
    assert.deepEqual(await answer(0x0100000c, who), [word(31)]);
    assert.deepEqual(await answer(0x0100000c, "ab".repeat(20)), [word(0)]);
    assert.deepEqual(await answer(0x0100000d, who, ENERGY), [word(30 * COIN)]);
    assert.deepEqual(await answer(0x0100000e, who, now), [word(0)]);
    assert.deepEqual(await answer(0x0100000e, who, now + 15 * 86_400), [word(20 * COIN)]);
    assert.deepEqual(await answer(0x0100000f, who, ENERGY), [word(30 * COIN)]);
    assert.deepEqual(await answer(0x01000011, who, 40 * COIN, ENERGY), [word(30 * COIN), word(0), word(0)]);
    assert.deepEqual((await answer(0x01000012, who, ENERGY))[0], word(0));
    assert.deepEqual(await answer(0x01000013, who, ENERGY), [word(30 * COIN)]);
    assert.deepEqual(await answer(0x01000013, who), [word(0)], "an input of another length");
  });
});
