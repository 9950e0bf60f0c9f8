import assert from "node:assert/strict";
import { join } from "node:path";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { importVariant, type Mutation } from "../../../../test/support/random/mutants.ts";
import {
  type FuzzPlan,
  fuzzedKinds,
  fuzzVerification,
} from "../../../../test/support/verification/fuzz-verification.ts";
import { verifyAgainstIntent } from "../../src/transaction/verify-against-intent.ts";

const USUALLY: FuzzPlan = { seed: 1, intents: 3, structural: 30, random: 25, answers: 10 };
/** All structural changes of small transactions, and many random ones. */
const IN_FULL: FuzzPlan = { seed: 1, intents: 20, structural: 2_000, random: 500, answers: 100 };
const PLAN = howOften(0, 1) === 1 ? IN_FULL : USUALLY;
const CHANGES = howOften(100, 20_000);

describe("a gateway that builds another transaction", () => {
  for (const kind of fuzzedKinds) {
    it(`gets no signature for a changed ${kind}, except for reference block, expiration and timestamp in their bounds`, function () {
      this.timeout(600_000);

      const { structural, random, answers, refused, sameBytes, choices } = fuzzVerification(
        verifyAgainstIntent,
        kind,
        PLAN,
      );

      const changes = structural + random + answers;
      process.stdout.write(
        `        ${kind}: ${changes} changes (${structural} structural, ${random} random, ${answers} of the JSON): ` +
          `${refused} refused, ${choices} with another block or time, ${sameBytes} with the same bytes\n`,
      );
      assert.ok(changes >= CHANGES, `${changes}`);
      assert.ok(choices > 0 && sameBytes > 0, "no acceptable change was tried");
    });
  }
});

/** Versions of the verification that are one line less strict. */
const MISTAKES: readonly (readonly [name: string, ...Mutation[]])[] = [
  ["without the check of the txID", verification("...txIdDifferences(built.txId, bytes),", "")],
  ["without the latest expiration", verification("|| raw.expiration > latest", "")],
  ["with expirations in the past", verification("raw.expiration <= head || ", "")],
  ["with any reference block", verification("if (raw.refBlockHash.length !== 8)", "if (false)")],
  ["with any memo", ...takenOver("data: hexToBytes(intent.memo ?? ''),".replaceAll("'", '"'), "data,", "data")],
  ["with any fee limit", ...takenOver("feeLimit: feeLimitOf(intent),", "feeLimit,", "feeLimit")],
  [
    "with any permission",
    ...takenOver(
      "contract: [contractFromIntent(intent)],",
      "contract: [{ ...contractFromIntent(intent), PermissionId: contract[0]?.PermissionId ?? 0 }],",
      "contract",
    ),
  ],
  [
    "with any number of contracts",
    ...takenOver(
      "contract: [contractFromIntent(intent)],",
      "contract: [contractFromIntent(intent), ...contract.slice(1)],",
      "contract",
    ),
  ],
  [
    "without the comparison of the bytes",
    verification("...hiddenDifferences(decoded),", ""),
    verification("if (hasOtherBytes)", "if (false)"),
  ],
];

describe("a weakened verification", () => {
  for (const [name, ...mutations] of MISTAKES) {
    it(`is detected: ${name}`, async () => {
      const path = join(import.meta.dirname, "../../src/transaction/verify-against-intent.ts");
      const mutant = await importVariant<{ verifyAgainstIntent: typeof verifyAgainstIntent }>(path, mutations);

      assert.throws(() => {
        for (const kind of fuzzedKinds) fuzzVerification(mutant.verifyAgainstIntent, kind, { ...USUALLY, random: 0 });
      }, /accepted although/);
    });
  }
});

function verification(from: string, to: string): Mutation {
  return { file: "/packages/tron/src/transaction/verify-against-intent.ts", from, to };
}

/** Returns a mutation that copies a field of the built transaction into the expected one. */
function takenOver(from: string, to: string, field: string): readonly [Mutation, Mutation] {
  const parameters = "function expectedRaw(intent: Intent, { refBlockBytes";
  return [
    verification(from, to),
    verification(parameters, parameters.replace("refBlockBytes", `${field}, refBlockBytes`)),
  ];
}
