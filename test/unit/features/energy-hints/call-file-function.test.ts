import assert from "node:assert/strict";
import { callSitesInCallFile } from "../../../../packages/client/src/call-sites/find-call-sites.ts";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { argumentBlamed, callOnlyReads } from "../../../../src/features/energy-hints/call-file-function.ts";
import type { Hints } from "../../../../src/features/energy-hints/hints.ts";

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

describe("a call of a call file that only reads", () => {
  const uint = { type: "uint256", name: "" };
  const abi = [
    { type: "function", name: "total", inputs: [], outputs: [uint], stateMutability: "view" },
    { type: "function", name: "twice", inputs: [uint], outputs: [uint], stateMutability: "pure" },
    { type: "function", name: "stop", inputs: [], outputs: [], stateMutability: "nonpayable" },
    { type: "function", name: "set", inputs: [], outputs: [uint], stateMutability: "view" },
    { type: "function", name: "set", inputs: [uint], outputs: [], stateMutability: "nonpayable" },
    { type: "function", name: "pick", inputs: [uint], outputs: [uint], stateMutability: "view" },
    { type: "function", name: "pick", inputs: [{ type: "bool", name: "" }], outputs: [], stateMutability: "payable" },
  ];
  const index = { contractsNamed: (name: string) => (name === "Leaf" ? [{ abi: () => abi }] : []) };
  const hints = { index, contextOf: () => undefined } as object as Hints;

  /** Which functions of a contract only read when they are called with so many arguments. */
  function read(contract: string, called: string, inputs?: readonly string[]): boolean {
    const text = JSON.stringify({ calls: [{ contract, function: called, ...(inputs && { arguments: inputs }) }] });
    const [wanted = assert.fail("there is no call")] = callSitesInCallFile(text);
    return callOnlyReads(wanted, text, hints);
  }

  it("U3: is one of a view or pure function, by its name or its signature", () => {
    assert.deepEqual(
      [read("Leaf", "total"), read("Leaf", "total()"), read("Leaf", "twice", ["1"]), read("Leaf", "stop")],
      [true, true, true, false],
    );
  });

  it("U3: is none where a function of the same name may need a transaction, or no ABI tells", () => {
    assert.deepEqual(
      [read("Leaf", "set", []), read("Leaf", "set", ["1"]), read("Leaf", "pick", ["1"]), read("Tea", "total")],
      [true, false, false, false],
    );
  });
});
