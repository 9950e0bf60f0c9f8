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

describe("argumentBlamed", () => {
  it("finds the argument by name, path or number", () => {
    const parameters = parametersNamed("to", "total", "");

    assert.equal(argumentBlamed(parameters, "to: it is no address"), 0);
    assert.equal(argumentBlamed(parameters, "total: it is too large"), 1);
    assert.equal(argumentBlamed(parameters, "total[2].a: it is too large"), 1);
    assert.equal(argumentBlamed(parameters, "argument 3: it is no number"), 2);
    assert.equal(argumentBlamed(parameters, "totally different"), -1);
    const special = parametersNamed("$amount", "(", "a.b", "[");

    assert.equal(argumentBlamed(special, "$amount: it is too large"), 0);
    assert.equal(argumentBlamed(special, "(: it is too large"), 1);
    assert.equal(argumentBlamed(special, "aXb: it is too large"), -1);
  });
});

describe("callOnlyReads", () => {
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

  /** Returns the result for a call with these arguments. */
  function read(contract: string, called: string, inputs?: readonly string[]): boolean {
    const text = JSON.stringify({ calls: [{ contract, function: called, ...(inputs && { arguments: inputs }) }] });
    const [callSite = assert.fail("there is no call")] = callSitesInCallFile(text);
    return callOnlyReads(callSite, text, hints);
  }

  it("U3: is true for a view or pure function, by name or signature", () => {
    assert.deepEqual(
      [read("Leaf", "total"), read("Leaf", "total()"), read("Leaf", "twice", ["1"]), read("Leaf", "stop")],
      [true, true, true, false],
    );
  });

  it("U3: is false when an overload may need a transaction, or without an ABI", () => {
    assert.deepEqual(
      [read("Leaf", "set", []), read("Leaf", "set", ["1"]), read("Leaf", "pick", ["1"]), read("Tea", "total")],
      [true, false, false, false],
    );
  });
});
