import assert from "node:assert/strict";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";

const MOST_INT = 2 ** 31 - 1;
const word = (value: number): string => value.toString(16).padStart(64, "0");
/** Passes its input to MODEXP and returns success and the size of the result. */
const ASKER = "365f5f375f5f365f600562989680fa5f523d60205260405ff3";

describe("MODEXP precompile", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  const ask = async (input: string): ReturnType<ContractFixture["call"]> =>
    await contracts.call(await contracts.install(ASKER), input, { feeLimit: 21_000_000 });

  it("N2: ends the transaction when the node has no memory for an exponent", async () => {
    const { result, message, energy } = await ask(`${word(0)}${word(MOST_INT)}${word(0)}01`);
    assert.deepEqual([result, message, energy], ["UNKNOWN", "Unknown Throwable", 100_000]);
  });

  it("N2: treats an exponent beyond the input as 0", async () => {
    const { result, returned } = await ask(word(0) + word(MOST_INT) + word(0));
    assert.deepEqual([result, returned], ["SUCCESS", word(1) + word(0)]);
  });

  it("N2: refuses lengths of base and modulus that cannot be paid for", async () => {
    for (const lengths of [
      [MOST_INT, 0, 0],
      [0, 0, MOST_INT],
      [1, MOST_INT, 1],
    ]) {
      const { result, returned } = await ask(`${lengths.map(word).join("")}0101`);
      assert.deepEqual([result, returned], ["SUCCESS", word(0) + word(0)], String(lengths));
    }
  });
});
