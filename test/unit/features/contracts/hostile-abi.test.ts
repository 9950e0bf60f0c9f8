import assert from "node:assert/strict";
import { Interface, type JsonFragment } from "ethers";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import {
  constructorOf,
  functionDataOf,
  functionsOf,
  lostFunctions,
} from "../../../../packages/tron/src/abi/contract-functions.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { exampleOf, functionText } from "../../../../src/features/contracts/contracts.view.ts";
import { checkDrafts, type FieldDraft, fittedDrafts } from "../../../../src/features/contracts/form-fields.ts";
import { entryOf, HUGE, REFUSED, USABLE, withoutNames } from "../../../support/forms/hostile-abi.ts";
import { CONTEXT, fillIn } from "../../../support/forms/typed-form.ts";
import { dice } from "../../../support/random/dice.ts";

const usable = Object.entries(USABLE).map(([name, inputs]) => entryOf(name, inputs));
const refused = Object.entries(REFUSED).map(([name, inputs]) => entryOf(name, inputs));

function fieldsIn(draft: FieldDraft): number {
  return "items" in draft ? draft.items.reduce((sum, it) => sum + fieldsIn(it), 1) : 1;
}

describe("form of a hostile ABI", () => {
  it("is offered for each function whose call can be encoded, and the others are named", () => {
    const abi = [...usable, entryOf("huge", HUGE), ...refused];

    assert.deepEqual(
      functionsOf(abi).map(({ signature }) => signature.split("(")[0]),
      [...Object.keys(USABLE), "huge"],
    );
    assert.deepEqual(lostFunctions(abi), Object.keys(REFUSED));
  });

  it("makes the call data of ethers", () => {
    const roll = dice(34);
    for (const entry of usable) {
      const [fn] = functionsOf([entry]);
      assert.ok(fn);
      const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
      const drafts = fittedDrafts(
        fn.parameters,
        filled.map(({ draft }) => draft),
      );
      const { values } = checkDrafts(fn.parameters, drafts, CONTEXT);
      const expected = new Interface([
        { ...entry, inputs: withoutNames(entry.inputs ?? []) } as JsonFragment,
      ]).encodeFunctionData(
        entry.name ?? "",
        filled.map(({ value }) => value),
      );

      assert.equal(values && `0x${functionDataOf(fn, values)}`, expected, entry.name);
    }
  });

  it("has at most 1,000 fields at first", () => {
    for (const fn of functionsOf([...usable, entryOf("huge", HUGE)])) {
      const fields = fittedDrafts(fn.parameters, undefined).reduce((sum, draft) => sum + fieldsIn(draft), 0);

      assert.ok(fields <= 1_000, `${fn.signature.slice(0, 20)} has ${fields}`);
    }
  });

  it("has texts of a limited length", () => {
    for (const fn of functionsOf([...usable, entryOf("huge", HUGE)])) {
      const examples = fn.parameters.map(({ type }) => exampleOf(type));

      for (const text of [functionText(fn), ...examples]) assert.ok(text.length <= 2_000, `${text.length} characters`);
    }
  });

  it("refuses a deployment whose call cannot be encoded", () => {
    for (const { inputs = [], name } of refused)
      assert.throws(
        () => constructorOf([{ type: "constructor", inputs }]),
        (error) => isChainError(error) && error.code === "ABI_MALFORMED",
        name,
      );
  });

  it("names the length of a list that is too short, and offers a value of the type function", () => {
    const { parameters } = parseSignature("f(uint256[100000],function)");
    const drafts = fittedDrafts(parameters, undefined);
    const code = "ab".repeat(24);

    assert.deepEqual(drafts, [{ json: "" }, { text: "" }]);
    assert.deepEqual(checkDrafts(parameters, [{ json: "[1]" }, { text: code }], CONTEXT).checks, [
      { id: "a.0", kind: "wrong", message: "100,000 items are needed, but there is 1." },
      { id: "a.1", kind: "good", message: "" },
    ]);
  });
});
