import assert from "node:assert/strict";
import { findSolidityContracts } from "../../src/call-sites/solidity.ts";

const callables = (body: string) => findSolidityContracts(`contract C { ${body} }`)[0]?.callables ?? [];

describe("call sites in Solidity", () => {
  it("finds the constructor and what can be called from outside", () => {
    const found = callables(`
      constructor(address owner) payable Base(owner) {}
      function shown() external view returns (uint) { return hidden(); }
      function open(uint a) public virtual override(A, B) onlyOwner {}
      function hidden() internal pure returns (uint) {}
      function own() private {}
    `);

    assert.deepEqual(
      found.map(({ kind, name, mutability }) => [kind, name, mutability]),
      [
        ["constructor", "", "payable"],
        ["function", "shown", "view"],
        ["function", "open", "nonpayable"],
      ],
    );
  });

  it("spells parameters as the ABI does", () => {
    const [f] = callables(
      "function f(uint a, address payable b, uint[2][] calldata c, Lib.Kind d, bytes memory) external;",
    );

    assert.deepEqual(f?.parameters, [
      { type: "uint256", name: "a" },
      { type: "address", name: "b" },
      { type: "uint256[2][]", name: "c" },
      { type: "Lib.Kind", name: "d" },
      { type: "bytes", name: "" },
    ]);
  });

  it("names each kind of contract, with its range", () => {
    const source = "interface I {} abstract contract A {} library L {} contract C is A, I {}";

    const found = findSolidityContracts(source);

    assert.deepEqual(
      found.map(({ kind, name }) => [kind, name]),
      [
        ["interface", "I"],
        ["abstract", "A"],
        ["library", "L"],
        ["contract", "C"],
      ],
    );
    assert.deepEqual(
      found.map(({ range }) => source.slice(range.start, range.end)),
      ["interface I {}", "contract A {}", "library L {}", "contract C is A, I {}"],
    );
  });

  it("reads sample calls from the documentation", () => {
    const [f] = callables(`
      /// Pays somebody.
      /// @custom:estimate {"caller": "Bob", "arguments": ["Carol", "1000000"], "callValue": 5}
      /// @custom:estimate {"arguments": [[["Sencha", 2]], {"a": true}]}
      /// @custom:estimate {"arguments": [
      /// @custom:estimate {"key": "never"}
      function pay(address to, uint amount) external;
    `);

    assert.deepEqual(
      f?.samples
        .filter(({ problem }) => problem === undefined)
        .map(({ caller, callValue, arguments: input }) => [caller, callValue?.value, input.map(({ value }) => value)]),
      [
        ["Bob", 5n, ["Carol", "1000000"]],
        [undefined, undefined, [[["Sencha", 2n]], { a: true }]],
      ],
    );
    assert.deepEqual(
      f?.samples.flatMap(({ problem }) => problem ?? []),
      [
        "This is not JSON with comments: close bracket expected.",
        'A sample has no "key". Allowed: arguments, caller, feeLimit, callValue.',
      ],
    );
  });

  it("reads a sample in a comment of several lines, and one without arguments", () => {
    const [f] = callables('/** @custom:estimate {"arguments": [7]} */ function f(uint a) public {} ');
    const [g] = callables("/**\n * @custom:estimate {}\n */ function g() public {}");

    assert.deepEqual([f?.samples.length, g?.samples.length], [1, 1]);
  });

  it("marks nothing in comments and texts", () => {
    assert.deepEqual(
      callables('// function a() external;\n /* function b() public */ string s = "function c() external {}";'),
      [],
    );
  });

  it("keeps what is whole of a contract that is being typed", () => {
    const names = findSolidityContracts(
      "contract C { function a() external {} function b(uint) public { if (x) {",
    ).flatMap(({ callables: all }) => all.map(({ name }) => name));

    assert.deepEqual(names, ["a", "b"]);
  });

  it("takes a variable called contract for what it is", () => {
    assert.deepEqual(findSolidityContracts("uint constant contract_ = 1; contract x;"), []);
  });
});
