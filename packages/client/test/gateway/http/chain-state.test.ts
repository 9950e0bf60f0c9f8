import assert from "node:assert/strict";
import { parseAddress } from "../../../../tron/src/primitives/address.ts";
import type { Hex } from "../../../../tron/src/primitives/bytes.ts";
import type { SimulatedRun } from "../../../src/gateway/gateway.ts";
import { readState, stateRun } from "../../../src/gateway/http/chain-state.ts";

const word = (value: bigint | string): string =>
  (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");
const ran = (...words: readonly (bigint | string)[]): SimulatedRun => ({
  reverted: false,
  energyUsed: 1n,
  energyPenalty: 0n,
  returned: words.map(word).join("") as Hex,
});

describe("what a full node says of its state by code that it runs", () => {
  it("is asked with the account and the height in the code, and nobody's coins", () => {
    const account = parseAddress("410a3a98b458fa3094cc846fe82df15c0509e9df11");
    const { data, callValue, contract, owner } = stateRun({ account, height: 77_000_000 });
    assert.equal(data, `43600052${"42602052"}73${account.slice(2)}31604052${"6304"}${"96ed40"}4060605260806000f3`);
    assert.deepEqual([callValue, contract, owner], [0n, undefined, `41${"00".repeat(20)}`]);
  });

  it("is height, time, balance, and the id of one of the 256 blocks before", () => {
    const id = word("4b").padEnd(64, "0");
    const state = readState(ran(1_000n, 1_767_225_600n, 5_000_000n, id), { height: 744 });
    assert.deepEqual(state, { number: 1_000, timestamp: 1_767_225_600_000, balance: 5_000_000n, blockId: id });
    assert.equal(readState(ran(1_000n, 1n, 0n, id), { height: 743 })?.blockId, undefined);
    assert.equal(readState(ran(1_000n, 1n, 0n, id), { height: 1_000 })?.blockId, undefined);
  });

  it("is nothing where the run failed, gave something else, or a height that no chain has", () => {
    assert.equal(readState({ ...ran(1n, 1n, 1n, 1n), reverted: true }, {}), undefined);
    assert.equal(readState(ran(1n, 1n, 1n), {}), undefined);
    assert.equal(readState(ran("ff".repeat(32), 1n, 1n, 1n), {}), undefined);
    assert.equal(readState(ran(1n, "ff".repeat(32), 1n, 1n), {}), undefined);
  });
});
