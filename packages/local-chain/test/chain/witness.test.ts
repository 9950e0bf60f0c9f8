import assert from "node:assert/strict";
import type { Address } from "../../../tron/src/primitives/address.ts";
import { chosen, keptBy, newWitness, sharesOf, type Witness } from "../../src/chain/witness.ts";

const addressOf = (index: number): Address => `41${index.toString(16).padStart(40, "0")}` as Address;
const witness = (index: number, votes: bigint): Witness => ({ ...newWitness(addressOf(index), ""), votes });

describe("the witnesses of a chain", () => {
  it("make blocks by their votes, and of equals the higher address first", () => {
    const order = chosen([witness(1, 5n), witness(3, 7n), witness(2, 7n), witness(4, 0n)]);
    assert.deepEqual(order, [3, 2, 1, 4].map(addressOf));
  });

  it("make blocks when they are among the first 27", () => {
    const all = Array.from({ length: 30 }, (_, index) => witness(index, BigInt(index)));
    const order = chosen(all);
    assert.deepEqual([order.length, order[0], order[26]], [27, addressOf(29), addressOf(3)]);
  });

  it("share what is paid for votes when they are among the first 127 and have some", () => {
    const all = Array.from({ length: 130 }, (_, index) => witness(index, BigInt(index)));
    const shares = sharesOf(all, 16_000_000);
    assert.equal(shares.size, 127);
    assert.deepEqual([shares.has(addressOf(2)), shares.has(addressOf(3))], [false, true]);
    const votes = (129 * 130) / 2 - 3;
    assert.equal(shares.get(addressOf(129)), BigInt(Math.trunc(129 * (16_000_000 / votes))));
    assert.equal(sharesOf([witness(1, 0n)], 16_000_000).size, 0);
  });

  it("keep a part of a reward, rounded down", () => {
    const greedy = { ...witness(1, 0n), brokerageNow: 33 };
    assert.equal(keptBy(greedy, 100_001n), 33_000n);
    assert.equal(keptBy({ ...greedy, brokerageNow: 0 }, 100_001n), 0n);
  });
});
