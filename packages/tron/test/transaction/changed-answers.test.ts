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

const USUALLY: FuzzPlan = { seed: 1, intents: 8, structural: 30, random: 25, answers: 10 };
/** Of small transactions everything that can be done to their structure, and chance beside it. */
const IN_FULL: FuzzPlan = { seed: 1, intents: 20, structural: 2_000, random: 500, answers: 100 };
const IN_SHORT: FuzzPlan = { ...USUALLY, intents: 3 };
const PLAN = [USUALLY, IN_FULL, IN_SHORT][howOften(0, 1, 2)] ?? USUALLY;
const CHANGES = howOften(400, 20_000, 100);

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
      assert.ok(choices > 0 && sameBytes > 0, "what may be accepted was never tried");
    });
  }
});

/** Each is one line less strict than the product. */
const MISTAKES: readonly (readonly [name: string, ...Mutation[]])[] = [
  ["the txID is not computed", verification("...txIdDifferences(built.txId, bytes),", "")],
  ["no end to the expiration", verification("|| raw.expiration > latest", "")],
  ["the past is no expiration", verification("raw.expiration <= head || ", "")],
  ["any reference", verification("if (raw.refBlockHash.length !== 8)", "if (false)")],
  ["any memo", ...takenOver("data: hexToBytes(intent.memo ?? ''),".replaceAll("'", '"'), "data,", "data")],
  ["any fee limit", ...takenOver("feeLimit: feeLimitOf(intent),", "feeLimit,", "feeLimit")],
  [
    "any permission",
    ...takenOver(
      "contract: [contractFromIntent(intent)],",
      "contract: [{ ...contractFromIntent(intent), PermissionId: contract[0]?.PermissionId ?? 0 }],",
      "contract",
    ),
  ],
  [
    "any number of contracts",
    ...takenOver(
      "contract: [contractFromIntent(intent)],",
      "contract: [contractFromIntent(intent), ...contract.slice(1)],",
      "contract",
    ),
  ],
  [
    "the bytes are not compared",
    verification("...hiddenDifferences(decoded),", ""),
    verification("!equalBytes(encodeRawData(expected), bytes)", "false"),
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

/** A field of what was asked is that of what was built. */
function takenOver(from: string, to: string, field: string): readonly [Mutation, Mutation] {
  const parameters = "function expectedRaw(intent: Intent, { refBlockBytes";
  return [
    verification(from, to),
    verification(parameters, parameters.replace("refBlockBytes", `${field}, refBlockBytes`)),
  ];
}
