import assert from "node:assert/strict";
import { findSolidityContracts } from "../../../../src/core/call-sites/solidity.ts";

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

  it("reads sample arguments from the documentation", () => {
    const [f] = callables(`
      /// Pays somebody.
      /// @custom:estimate TXYZ, 1_000_000
      /// @custom:estimate Bob, 5, [1, 2], "text"
      /// @custom:estimate (not closed
      function pay(address to, uint amount) external;
    `);

    assert.deepEqual(f?.estimates, [
      ["TXYZ", 1_000_000n],
      ["Bob", 5n, [1n, 2n], "text"],
    ]);
  });

  it("reads a tag in a comment of several lines, and an empty one", () => {
    const [f] = callables("/** @custom:estimate 7 */ function f(uint a) public {} ");
    const [g] = callables("/**\n * @custom:estimate\n */ function g() public {}");

    assert.deepEqual([f?.estimates, g?.estimates], [[[7n]], [[]]]);
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
