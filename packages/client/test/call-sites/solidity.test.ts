import assert from "node:assert/strict";
import { findSolidityContracts } from "../../src/call-sites/solidity.ts";

const callables = (body: string) => findSolidityContracts(`contract C { ${body} }`)[0]?.callables ?? [];

describe("callSitesInSolidity", () => {
  it("finds the constructor and the external functions", () => {
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

  it("writes parameter types as the ABI does", () => {
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

  it("returns each kind of contract with its range", () => {
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

  it("reads sample calls in the documentation", () => {
    const [f] = callables(`
      /// Pays an account.
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

  it("reads a sample in a block comment, and one without arguments", () => {
    const [f] = callables('/** @custom:estimate {"arguments": [7]} */ function f(uint a) public {} ');
    const [g] = callables("/**\n * @custom:estimate {}\n */ function g() public {}");

    assert.deepEqual([f?.samples.length, g?.samples.length], [1, 1]);
  });

  it("ignores comments and strings", () => {
    assert.deepEqual(
      callables('// function a() external;\n /* function b() public */ string s = "function c() external {}";'),
      [],
    );
  });

  it("returns the complete parts of a contract that is being typed", () => {
    const names = findSolidityContracts(
      "contract C { function a() external {} function b(uint) public { if (x) {",
    ).flatMap(({ callables: all }) => all.map(({ name }) => name));

    assert.deepEqual(names, ["a", "b"]);
  });

  it("accepts a variable named contract", () => {
    assert.deepEqual(findSolidityContracts("uint constant contract_ = 1; contract x;"), []);
  });
});
