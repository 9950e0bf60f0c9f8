import assert from "node:assert/strict";
import {
  type ContractFixture,
  contractFixture,
  type Receipt,
} from "../../../../test/support/chain/contract-fixture.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { COIN, DELEGATOR, push, RETURN_TOP, word } from "./bytecode.ts";

const byte = (value: number): string => value.toString(16).padStart(2, "0");

/** Iteration order of a Java 17 HashMap over the addresses of this chain's witnesses. */
const ORDER = [1, 4, 0, 2, 3];

const STAKE = `${push(100 * COIN)}6002da${RETURN_TOP}`;
const WITHDRAW = `d9${RETURN_TOP}`;

/** Returns code that votes. Both lists are in memory with their lengths. */
function vote(votes: readonly (readonly [witness: string, count: number])[]): string {
  const lists = [votes.length, ...votes.map(([it]) => it.slice(2)), votes.length, ...votes.map(([, it]) => it)];
  const store = lists.map((it, index) => `${push(it)}61${word(index * 32).slice(-4)}52`).join("");
  const [size, second] = [byte(votes.length), word(32 * (votes.length + 1)).slice(-4)];
  return `${store}5f60${size}61${second}60${size}d8${RETURN_TOP}`;
}

/** Returns code that calls a precompiled contract and returns its result. */
function ask(query: number, ...input: readonly string[]): string {
  const store = input.map((it, index) => `${push(it)}60${byte(index * 32)}52`).join("");
  return `${store}60205f60${byte(input.length * 32)}5f63${word(query).slice(-8)}5afa5060205ff3`;
}

describe("votes of contracts", () => {
  let contracts: ContractFixture;
  let voter: Address;
  let witnesses: readonly Address[];

  beforeEach(async () => {
    contracts = await contractFixture();
    voter = await contracts.install(DELEGATOR);
    witnesses = contracts.chain.simulation.chain.pendingState.totals.active;
    await run("00", 200 * COIN);
    await run(STAKE);
  });

  async function run(code: string, value = 0): Promise<Receipt> {
    const library = await contracts.install(code);
    return await contracts.call(voter, word(library.slice(2)), { value });
  }

  const witness = (index: number): Address => witnesses[index] as Address;
  const account = (): Promise<JsonObject> => contracts.ask("getaccount", { address: voter });
  const chain = (): ContractFixture["chain"]["simulation"]["chain"] => contracts.chain.simulation.chain;

  function toMaintenance(times = 1): void {
    const end = chain().pendingState.totals.cycle + times;
    while (chain().pendingState.totals.cycle < end) contracts.chain.mine();
  }

  it("are stored in the account, and counted for the witness at maintenance", async () => {
    assert.equal((await run(vote([[witness(1), 60]]))).returned, word(1));
    assert.deepEqual((await account()).votes, [{ vote_address: witness(1), vote_count: 60 }]);
    toMaintenance();
    assert.equal(chain().pendingState.witness(witness(1))?.votes, 1_000_059n);
    assert.equal((await run(vote([]))).returned, word(1));
    assert.equal((await account()).votes, undefined);
    toMaintenance();
    assert.equal(chain().pendingState.witness(witness(1))?.votes, 999_999n);
  });

  it("are merged per witness, without those of 0, in the order of the node's hash map", async () => {
    const [a, b, c] = [witness(0), witness(1), witness(2)];
    await run(
      vote([
        [a, 1],
        [b, 0],
        [c, 2],
        [a, 3],
        [witness(3), 5],
        [witness(4), 6],
      ]),
    );
    const votes = (await account()).votes as readonly JsonObject[];
    const order = ORDER.filter((index) => index !== 1);
    assert.deepEqual(
      votes.map((it) => it.vote_address),
      order.map(witness),
    );
    assert.deepEqual(
      votes.map((it) => it.vote_count),
      order.map((index) => [4, 0, 2, 5, 6][index]),
    );
  });

  it("stay when new ones are refused", async () => {
    await run(vote([[witness(1), 60]]));
    assert.equal((await run(vote([[witness(1), 101]]))).returned, word(0));
    assert.deepEqual((await account()).votes, [{ vote_address: witness(1), vote_count: 60 }]);
  });

  it("earn rewards, which the contract can query and withdraw at any time", async () => {
    await run(vote([[witness(1), 100]]));
    toMaintenance(2);
    const earned = BigInt(`0x${(await run(ask(0x01000005))).returned}`);
    assert.ok(earned > 25_000n && earned < 40_000n, String(earned));
    const { returned, info } = await run(WITHDRAW);
    assert.equal(BigInt(`0x${returned}`), earned);
    const [, entry] = info.internal_transactions as readonly JsonObject[];
    assert.deepEqual(entry?.callValueInfo, [{ callValue: Number(earned) }]);
    assert.deepEqual(
      [(await account()).balance, (await account()).allowance],
      [100 * COIN + Number(earned), undefined],
    );
    assert.equal((await run(WITHDRAW)).returned, word(0));
  });

  it("can be queried by voter and by witness", async () => {
    await run(
      vote([
        [witness(0), 40],
        [witness(1), 5],
      ]),
    );
    toMaintenance();
    const own = voter.slice(2);
    const answered = async (query: number, ...input: readonly string[]): Promise<number> =>
      Number.parseInt((await run(ask(query, ...input))).returned, 16);
    assert.equal(await answered(0x01000007, own, witness(0).slice(2)), 40);
    assert.equal(await answered(0x01000007, own, witness(2).slice(2)), 0);
    assert.equal(await answered(0x01000008, own), 45);
    assert.equal(await answered(0x01000009, witness(1).slice(2)), 1_000_004);
    assert.equal(await answered(0x01000009, own), 0);
    assert.equal(await answered(0x0100000a, own), 100);
    assert.equal(await answered(0x01000008, own, own), 0, "an input of another length");
  });

  it("shrink with the stake", async () => {
    await run(vote([[witness(0), 90]]));
    await run(`${push(50 * COIN)}6002db${RETURN_TOP}`);
    assert.deepEqual((await account()).votes, [{ vote_address: witness(0), vote_count: 50 }]);
  });

  it("are removed at a self-destruct, with their rewards paid to the beneficiary", async () => {
    const beneficiary = contracts.chain.accounts[4]?.hex as Address;
    await run(vote([[witness(0), 90]]));
    toMaintenance(2);
    const earned = Number(BigInt(`0x${(await run(ask(0x01000005))).returned}`));
    assert.ok(earned > 0);
    const before = Number((await contracts.ask("getaccount", { address: beneficiary })).balance);
    await run(`73${beneficiary.slice(2)}ff`);
    assert.equal(
      Number((await contracts.ask("getaccount", { address: beneficiary })).balance) - before,
      100 * COIN + earned,
    );
    assert.deepEqual(await account(), {});
    toMaintenance();
    assert.equal(chain().pendingState.witness(witness(0))?.votes, 1_000_000n);
  });
});
