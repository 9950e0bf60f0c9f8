/** Two versions of a contract, and the verdict of OpenZeppelin's upgrade plugins on the upgrade. */
export interface UpgradeSituation {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly isSafe: boolean;
  /** Slot, old variable and new variable that the refusal names. */
  readonly collision?: readonly [slot: string, before: string, after: string];
}

/** A version that is deployed first, and the kinds of its errors. */
export interface SafetySituation {
  readonly title: string;
  readonly source: string;
  readonly errors: readonly string[];
}

const safe = (title: string, before: string, after: string): UpgradeSituation => ({
  title,
  before,
  after,
  isSafe: true,
});
const unsafe = (title: string, before: string, after: string): UpgradeSituation => ({
  ...safe(title, before, after),
  isSafe: false,
});

/** Changes of the storage. */
export const upgradeSituations: readonly UpgradeSituation[] = [
  safe("nothing changes", "uint256 a; address b;", "uint256 a; address b;"),
  safe("a variable is appended", "uint256 a;", "uint256 a; address b;"),
  safe("a variable is appended in the free bytes of a slot", "uint128 a;", "uint128 a; uint128 b;"),
  safe("constants and immutables are inserted", "uint256 a;", "uint256 constant C = 1; uint256 a;"),
  safe(
    "members of a mapped struct are appended",
    "struct S { uint256 x; } mapping(uint256 => S) m;",
    "struct S { uint256 x; uint256 y; } mapping(uint256 => S) m;",
  ),
  safe("members of an enum are appended", "enum E { A, B } E e;", "enum E { A, B, C } E e;"),
  safe(
    "a gap shrinks by what is inserted before it",
    "uint256 a; uint256[50] __gap;",
    "uint256 a; uint256 b; uint256[49] __gap;",
  ),
  safe("a variable is renamed with an annotation", "uint256 a;", "/// @custom:oz-renamed-from a\n uint256 b;"),
  safe("a variable is retyped with an annotation", "address a;", "/// @custom:oz-retyped-from address\n uint160 a;"),
  safe(
    "a contract type becomes an address with an annotation",
    "Other a;",
    "/// @custom:oz-retyped-from contract Other\n address a;",
  ),
  unsafe("a variable is renamed", "uint256 a;", "uint256 b;"),
  unsafe("the last variable is removed", "uint256 a; address b;", "uint256 a;"),
  unsafe(
    "members of a stored struct are appended",
    "struct S { uint256 x; } S s; uint256 z;",
    "struct S { uint256 x; uint256 y; } S s; uint256 z;",
  ),
  unsafe("members of an enum are removed", "enum E { A, B } E e;", "enum E { A } E e;"),
  unsafe("members of an enum are inserted", "enum E { A, B } E e;", "enum E { C, A, B } E e;"),
  unsafe("an array shrinks", "uint256[3] a;", "uint256[2] a;"),
  unsafe("an array becomes dynamic", "uint256[3] a;", "uint256[] a;"),
  unsafe("a gap grows", "uint256 a; uint256[49] __gap;", "uint256 a; uint256[50] __gap;"),
  unsafe("the key of a mapping changes", "mapping(uint256 => uint256) m;", "mapping(address => uint256) m;"),
  unsafe("the value of a mapping changes", "mapping(uint256 => uint256) m;", "mapping(uint256 => address) m;"),
  unsafe("a variable moves within its slot", "uint64 a; uint64 b;", "uint64 b; uint64 a;"),
];

const collision = (
  title: string,
  [before, after]: readonly [string, string],
  named: readonly [string, string, string],
): UpgradeSituation => ({ ...unsafe(title, before, after), collision: named });

/** Collisions: other data are read from a slot than were written. */
export const plantedCollisions: readonly UpgradeSituation[] = [
  collision("inserted first", ["uint256 a;", "address owner; uint256 a;"], ["0", "a", "owner"]),
  collision("inserted between", ["uint256 a; uint256 b;", "uint256 a; uint256 x; uint256 b;"], ["1", "b", "x"]),
  collision("removed first", ["uint256 a; address b;", "address b;"], ["0", "a", "b"]),
  collision("removed between", ["uint256 a; uint256 b; address c;", "uint256 a; address c;"], ["1", "b", "c"]),
  collision("swapped", ["uint256 a; address b;", "address b; uint256 a;"], ["0", "a", "b"]),
  collision(
    "swapped at the end",
    ["uint256 a; uint256 b; uint256 c;", "uint256 a; uint256 c; uint256 b;"],
    ["1", "b", "c"],
  ),
  collision("retyped: number to address", ["uint256 a;", "address a;"], ["0", "a", "a"]),
  collision("retyped: signed", ["uint256 a;", "int256 a;"], ["0", "a", "a"]),
  collision("retyped: smaller", ["uint256 a; uint256 b;", "uint128 a; uint256 b;"], ["0", "a", "a"]),
  collision("retyped: bytes to text", ["bytes a;", "string a;"], ["0", "a", "a"]),
  collision("retyped: mapping", ["mapping(address => uint256) a;", "mapping(address => bool) a;"], ["0", "a", "a"]),
  collision("packed: inserted", ["uint64 a; uint64 b;", "uint64 a; uint64 x; uint64 b;"], ["0", "b", "x"]),
  collision("packed: removed", ["uint64 a; uint64 b; uint64 c;", "uint64 a; uint64 c;"], ["0", "b", "c"]),
  collision("packed: larger", ["uint64 a; uint64 b;", "uint128 a; uint64 b;"], ["0", "b", "a"]),
  collision("replaced", ["uint256 a; address b;", "uint256 a; bool paused;"], ["1", "b", "paused"]),
  collision("array: longer before another", ["uint256[2] a; uint256 b;", "uint256[3] a; uint256 b;"], ["2", "b", "a"]),
  collision(
    "gap: not shortened",
    ["uint256[3] __gap; uint256 b;", "uint256 x; uint256[3] __gap; uint256 b;"],
    ["3", "b", "__gap"],
  ),
  collision(
    "struct: grown",
    ["struct S { uint256 x; } S s; uint256 b;", "struct S { uint256 x; uint256 y; } S s; uint256 b;"],
    ["1", "b", "s"],
  ),
  collision("struct: replaced", ["struct S { uint256 x; } S s; uint256 b;", "uint256 x; uint256 b;"], ["0", "s", "x"]),
  collision(
    "boolean before an address",
    ["address a; uint256 b;", "bool paused; address a; uint256 b;"],
    ["0", "a", "paused"],
  ),
];

/** Contracts behind a proxy that upgrades them itself. */
export const safetySituations: readonly SafetySituation[] = [
  { title: "no constructor", source: "uint256 a;", errors: [] },
  { title: "a constructor", source: "uint256 a; constructor() { a = 1; }", errors: ["constructor"] },
  {
    title: "a constructor that is allowed",
    source: "/// @custom:oz-upgrades-unsafe-allow constructor\n constructor() {}",
    errors: [],
  },
  { title: "an initial value", source: "uint256 a = 1;", errors: ["state-variable-assignment"] },
  { title: "a constant", source: "uint256 constant A = 1;", errors: [] },
  { title: "an immutable", source: "uint256 immutable a = 1;", errors: ["state-variable-immutable"] },
  {
    title: "delegatecall",
    source: 'function f(address to) external { (bool ok, ) = to.delegatecall(""); require(ok); }',
    errors: ["delegatecall"],
  },
  {
    title: "selfdestruct",
    source: "function f() external { selfdestruct(payable(msg.sender)); }",
    errors: ["selfdestruct"],
  },
  {
    title: "an external library",
    source: "function f() external pure returns (uint256) { return Lib.one(); }",
    errors: ["external-library-linking"],
  },
  { title: "a stored function", source: "function() internal f;", errors: ["internal-function-storage"] },
];

const UUPS = "function upgradeToAndCall(address, bytes calldata) external payable {}";

/** Returns one source file with both versions of each situation, as `Before0` and `After0`, and the others as `Safe0`. */
export function situationSource(upgrades: readonly UpgradeSituation[], others: readonly SafetySituation[]): string {
  return [
    "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;",
    "contract Other {}\nlibrary Lib { function one() external pure returns (uint256) { return 1; } }",
    ...upgrades.flatMap(({ before, after }, at) => [
      `contract Before${at} { ${before} ${UUPS} }`,
      `contract After${at} { ${after} ${UUPS} }`,
    ]),
    ...others.map(({ source }, at) => `contract Safe${at} { ${source} ${UUPS} }`),
  ].join("\n");
}
