import assert from "node:assert/strict";
import { parseSignature } from "../../../../src/core/abi/abi-signature.ts";
import { foreignText } from "../../../../src/core/primitives/plain-text.ts";
import { argumentBlamed } from "../../../../src/features/energy-hints/call-file-function.ts";

function parametersNamed(...names: readonly string[]) {
  const { parameters } = parseSignature(`f(${names.map(() => "uint256").join(",")})`);
  return parameters.map((one, index) => ({ ...one, name: foreignText(names[index] ?? "") }));
}

describe("the argument of a call file that a reason is about", () => {
  it("is found by its name, its path or its number", () => {
    const parameters = parametersNamed("to", "total", "");

    assert.equal(argumentBlamed(parameters, "to: it is no address"), 0);
    assert.equal(argumentBlamed(parameters, "total: it is too large"), 1);
    assert.equal(argumentBlamed(parameters, "total[2].a: it is too large"), 1);
    assert.equal(argumentBlamed(parameters, "argument 3: it is no number"), 2);
    assert.equal(argumentBlamed(parameters, "totally different"), -1);
  });

  it("is found whatever an artifact calls it", () => {
    const parameters = parametersNamed("$amount", "(", "a.b", "[");

    assert.equal(argumentBlamed(parameters, "$amount: it is too large"), 0);
    assert.equal(argumentBlamed(parameters, "(: it is too large"), 1);
    assert.equal(argumentBlamed(parameters, "aXb: it is too large"), -1);
  });
});
