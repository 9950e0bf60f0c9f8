import assert from "node:assert/strict";
import { Interface, type JsonFragment } from "ethers";
import { parseSignature } from "../../packages/tron/src/abi/abi-signature.ts";
import { abiEntryOf, type ContractFunction, functionDataOf } from "../../packages/tron/src/abi/contract-functions.ts";
import { foreignText } from "../../packages/tron/src/primitives/plain-text.ts";
import { checkDrafts, type FieldDraft, jsonOfDraft, readDraft } from "../../src/features/contracts/form-fields.ts";
import { parameterLists } from "../support/forms/function-parameters.ts";
import { COINS, CONTEXT, fillIn } from "../support/forms/typed-form.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";

function functionOf(list: string): ContractFunction {
  const { parameters } = parseSignature(`f(${list})`);
  return { name: foreignText("f"), signature: `f(${list})`, parameters, outputs: [], mutability: "nonpayable" };
}

/** Returns the call data of the drafts, or the messages of the fields that are wrong. */
function callDataOf(fn: ContractFunction, drafts: readonly FieldDraft[]): string {
  const { values, checks } = checkDrafts(fn.parameters, drafts, CONTEXT);
  if (values !== undefined) return functionDataOf(fn, values);
  return checks.flatMap(({ id, kind, message }) => (kind === "good" ? [] : `${id} ${kind} ${message}`)).join("; ");
}

describe("argument form beside ethers", () => {
  const functions = parameterLists().map(functionOf);

  it("has at least the parameter lists of the collected artifacts", () => {
    assert.ok(functions.length >= 400, `${functions.length} lists`);
  });

  for (const [kind, drafted] of [
    ["fields", (draft: FieldDraft) => draft],
    ["a stored draft", (draft: FieldDraft) => readDraft(JSON.parse(JSON.stringify(draft)))],
  ] as const)
    it(`makes the call data of ethers from ${kind} of every function`, () => {
      const roll = dice(31);
      for (const fn of functions)
        for (let round = 0; round < howOften(1, 100); round++) {
          const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
          const values = filled.map(({ value }) => value);
          const expected = new Interface([abiEntryOf(fn) as JsonFragment]).encodeFunctionData("f", values);

          assert.equal(
            `0x${callDataOf(
              fn,
              filled.map(({ draft }) => drafted(draft)),
            )}`,
            expected,
            fn.signature,
          );
        }
    });

  it("makes the same call data from the JSON of every list and struct", () => {
    const roll = dice(32);
    for (const fn of functions) {
      const drafts = fn.parameters.map(({ type }) => fillIn(type, roll).draft);
      const asJson = drafts.map((draft, at): FieldDraft => {
        const type = fn.parameters[at]?.type;
        return type === undefined || "text" in draft ? draft : { json: jsonOfDraft(type, draft, [COINS]) };
      });

      assert.equal(callDataOf(fn, asJson), callDataOf(fn, drafts), fn.signature);
    }
  });
});
