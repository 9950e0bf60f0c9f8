import assert from "node:assert/strict";
import fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { type RandomError, randomErrors } from "../../../../test/support/random/random-errors.ts";
import { decodedByEthers, decodedByViem, plainOfOurs } from "../../../../test/support/samples/abi-oracles.ts";
import { candidateFromJson, createAbiIndex } from "../../src/abi/abi-index.ts";
import { readRevertData } from "../../src/abi/revert-data.ts";

const RUNS = howOften(200, 5_000);

function decodedByUs({ name, inputs, data }: RandomError) {
  const candidate = candidateFromJson({ type: "error", name, inputs }, "random");
  assert.ok(candidate);
  const result = readRevertData(Buffer.from(data.slice(2), "hex"), createAbiIndex([candidate]));
  assert.equal(result.kind, "custom");
  return result.matches.map(({ values }) => plainOfOurs(candidate.parameters, values))[0];
}

describe("readRevertData", () => {
  it(`agrees with viem and ethers on ${RUNS} random errors`, () => {
    let nested = 0;
    fc.assert(
      fc.property(randomErrors, (error) => {
        const ours = decodedByUs(error);
        if (error.inputs.some(({ type }) => /tuple|\]/.test(type))) nested++;

        assert.deepEqual(ours, decodedByViem(error));
        assert.deepEqual(ours, decodedByEthers(error));
      }),
      { numRuns: RUNS },
    );
    process.stdout.write(`        ${RUNS} of ${RUNS} agree, ${nested} with tuples or arrays\n`);
    assert.ok(nested > RUNS / 4);
  }).timeout(120_000);

  it("refuses truncated data, as viem and ethers do", () => {
    fc.assert(
      fc.property(randomErrors, fc.nat(), (error, cut) => {
        const bytes = Buffer.from(error.data.slice(2), "hex");
        if (bytes.length < 36) return;
        const short = {
          ...error,
          data: `0x${bytes.subarray(0, 4 + ((cut % (bytes.length - 4)) >> 5) * 32).toString("hex")}` as const,
        };
        const candidate = candidateFromJson({ type: "error", name: error.name, inputs: error.inputs }, "random");
        assert.ok(candidate);

        const { kind } = readRevertData(Buffer.from(short.data.slice(2), "hex"), createAbiIndex([candidate]));

        if (kind === "custom") assert.deepEqual(decodedByUs(short), decodedByEthers(short));
      }),
      { numRuns: RUNS },
    );
  }).timeout(120_000);
});
