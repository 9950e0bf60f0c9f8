import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { PlantCall, PlantedRevert } from "./planted-reverts.ts";

/** Reverts that other tools located wrongly, and those that the compiler adds. The failing line has `// FAILS`. */
interface Situation {
  readonly name: string;
  readonly text: string;
  readonly call?: PlantCall;
  readonly isCreation?: boolean;
  /** Contract to deploy first; its address is passed to the constructor. */
  readonly callee?: string;
}

function selector(signature: string): string {
  return bytesToHex(keccak_256(Buffer.from(signature)).subarray(0, 4));
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

const GUARD = `modifier ownerOnly() {
        require(msg.sender == owner || msg.sender != address(0), "You are not the owner");
        _;
    }`;

/** A body behind a modifier, as users of another tool reported it: the compiler knows that the statement fails. */
function behindModifier(name: string, body: string, { guard = GUARD, head = "ownerOnly" } = {}): Situation {
  return {
    name: `${name} behind a modifier`,
    text: `contract Main {
    address owner = msg.sender;
    uint256 count;
    ${guard}
    function run() external ${head} {
        ${body} // FAILS
    }
    function other() external ${head} {
        count += 1;
    }
}`,
    call: { data: selector("run()") },
  };
}

const MODIFIERS: readonly Situation[] = [
  behindModifier("text", `require(false, "Can't call this method");`),
  behindModifier("revert with text", `revert("Can't call this method");`),
  behindModifier("require without text", "require(false);"),
  behindModifier("revert without text", "revert();"),
  behindModifier("assert", "assert(false);"),
  behindModifier("the same text as in its modifier", 'require(false, "You are not the owner");'),
  behindModifier("text and other code", 'count = 1; require(count == 2, "wrong");'),
  behindModifier("text and a modifier with code after the body", 'require(false, "no");', {
    guard: GUARD.replace("_;", "_;\n        count += 1;"),
  }),
  behindModifier("text and two modifiers", 'require(false, "no");', {
    guard: `${GUARD}
    modifier counted(uint256 most) {
        require(count < most, "too many");
        _;
        count += 1;
    }`,
    head: "ownerOnly counted(9)",
  }),
  behindModifier("call of a function that fails", 'count = 2; revert("no");', { guard: GUARD }),
];

/** A statement that always fails, behind a branch with the same failure. */
function behindBranch(name: string, inBranch: string, failing: string, members = ""): Situation {
  return {
    name: `${name} behind a branch`,
    text: `contract Main {
    uint256 public count;
    ${members}
    function run(uint256 x) external {
        count = x;
        if (x == 1) {
            ${inBranch}
            count = 3;
        }
        ${failing} // FAILS
    }
    function other(uint256 x) external {
        count = 2 * x;
    }
}`,
    call: { data: selector("run(uint256)") + word(13) },
  };
}

const BRANCHES: readonly Situation[] = [
  behindBranch("text", 'require(count != 5, "same");', 'revert("same");'),
  behindBranch("no text", "require(count != 5);", "revert();"),
  behindBranch("an error", "if (count == 5) revert Bad(x);", "revert Bad(x);", "error Bad(uint256 x);"),
  behindBranch("assert", "assert(count != 5);", "assert(false);"),
  behindBranch("index", "count = items[x];", "count = items[x + 1];", "uint256[] items;"),
  behindBranch("division", "count = 5 / (x - 1);", "count = 7 / (x - 13);"),
];

const VALUE = "a function that takes no coins";
const COMPILER: readonly Situation[] = [
  {
    name: `coins for ${VALUE}`,
    text: `contract Main {
    uint256 count;
    function pay() external payable { count += msg.value; }
    function run() external { // FAILS
        count += 1;
    }
}`,
    call: { data: selector("run()"), value: 5 },
  },
  {
    name: `coins for ${VALUE} behind a modifier`,
    text: `contract Main {
    uint256 count;
    modifier first() { require(count == 0, "not the first run"); _; }
    function pay() external payable { count += msg.value; }
    function run() external first { // FAILS
        count += 1;
    }
}`,
    call: { data: selector("run()"), value: 5 },
  },
  {
    name: "coins for a contract that takes none anywhere",
    text: `contract Main {
    uint256 count;
    function run() external { // FAILS
        require(count == 0, "not the first run");
        count += 1;
    }
    function stop() external {
        count = 0;
    }
}`,
    call: { data: selector("run()"), value: 5 },
  },
  {
    name: "coins for an inherited function that takes none",
    text: `contract Base {
    uint256 count;
    function run() external virtual { // FAILS
        count += 1;
    }
}
contract Main is Base {
    function pay() external payable { count += msg.value; }
}`,
    call: { data: selector("run()"), value: 5 },
  },
  {
    name: "coins for the getter of a variable",
    text: `contract Main {
    uint256 public count; // FAILS
    function pay() external payable { count += msg.value; }
}`,
    call: { data: selector("count()"), value: 5 },
  },
  {
    name: "coins for a constructor that takes none",
    text: `contract Main {
    uint256 count;
    constructor() { // FAILS
        count = 1;
    }
}`,
    call: { data: "", value: 5 },
    isCreation: true,
  },
  {
    name: "coins for a contract without a constructor",
    text: `contract Main { // FAILS
    uint256 count = 7;
    function run() external { count += 1; }
}`,
    call: { data: "", value: 5 },
    isCreation: true,
  },
  {
    name: "coins for a contract without receive",
    text: `contract Main { // FAILS
    uint256 count;
    function run() external payable { count += 1; }
}`,
    call: { data: "", value: 5 },
  },
  {
    name: "coins for a fallback function that takes none",
    text: `contract Main {
    uint256 count;
    function run() external payable { count += 1; }
    fallback() external { // FAILS
        count += 2;
    }
}`,
    call: { data: "11223344", value: 5 },
  },
  {
    name: "call data without an argument",
    text: `contract Main {
    uint256 count;
    function run(uint256 a, uint256 b) external { // FAILS
        count = a / b;
    }
    function stop() external { count = 0; }
}`,
    call: { data: selector("run(uint256,uint256)") + word(13) },
  },
  {
    name: "call data without an array",
    text: `contract Main {
    uint256 count;
    function run(uint256[] memory a) public { // FAILS
        require(a.length != 13);
        count = a[0];
    }
    function stop() external { count = 0; }
}`,
    call: { data: selector("run(uint256[])") + word(32) + word(9) },
  },
  {
    name: "an enum out of range as an argument",
    text: `contract Main {
    enum Color { Red, Green }
    Color last;
    function run(Color a) external { // FAILS
        last = a;
        require(uint256(a) != 5);
    }
    function stop() external { last = Color.Red; }
}`,
    call: { data: selector("run(uint8)") + word(7) },
  },
  {
    name: "a wide number as an argument",
    text: `contract Main {
    uint8 last;
    function run(uint8 a) external { // FAILS
        require(a != 5);
        last = a;
    }
    function stop() external { last = 0; }
}`,
    call: { data: selector("run(uint8)") + word(700) },
  },
  {
    name: "a function that the contract does not have",
    text: `contract Main { // FAILS
    uint256 count;
    function run() external { count += 1; require(count != 3); }
}`,
    call: { data: "11223344" },
  },
  {
    name: "a function that a contract with receive does not have",
    text: `contract Main { // FAILS
    uint256 count;
    receive() external payable { count += 1; }
    function run() external { count += 1; require(count != 3); }
}`,
    call: { data: "11223344" },
  },
  {
    name: "call data that are shorter than a selector",
    text: `contract Main { // FAILS
    uint256 count;
    function run() external { count += 1; require(count != 3); }
}`,
    call: { data: "1122" },
  },
];

const LOGIC = `interface Half { function half(uint256 a) external returns (uint256); }
`;

const CALLS: readonly Situation[] = [
  {
    name: "a called contract that reverts without a reason",
    text: `${LOGIC}contract Callee {
    uint256 public count;
    function half(uint256 a) external returns (uint256) {
        require(a != 2);
        require(a != 13); // FAILS
        count = a;
        return a / 2;
    }
}
contract Main {
    Half callee;
    constructor(Half target) payable { callee = target; }
    function run() external returns (uint256) {
        return callee.half(13);
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a catch that reverts after a called contract without a reason",
    text: `${LOGIC}contract Callee {
    uint256 public count;
    function half(uint256 a) external returns (uint256) {
        require(a != 13);
        count = a;
        return a / 2;
    }
}
contract Main {
    Half callee;
    constructor(Half target) payable { callee = target; }
    function run() external returns (uint256 y) {
        try callee.half(13) returns (uint256 a) {
            y = a;
            require(a != 2);
        } catch {
            revert(); // FAILS
        }
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a catch with a text after a called contract without a reason",
    text: `${LOGIC}contract Callee {
    uint256 public count;
    function half(uint256 a) external returns (uint256) {
        require(a != 13);
        count = a;
        return a / 2;
    }
}
contract Main {
    Half callee;
    constructor(Half target) payable { callee = target; }
    function run() external returns (uint256 y) {
        try callee.half(13) returns (uint256 a) {
            y = a;
            require(a != 2);
        } catch Error(string memory) {
            y = 3;
        } catch (bytes memory reason) {
            require(reason.length != 0, "no reason"); // FAILS
        }
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a try whose clauses do not match",
    text: `${LOGIC}contract Callee {
    uint256 public count;
    function half(uint256 a) external returns (uint256) {
        require(a != 2);
        require(a != 13); // FAILS
        count = a;
        return a / 2;
    }
}
contract Main {
    Half callee;
    constructor(Half target) payable { callee = target; }
    function run() external returns (uint256 y) {
        try callee.half(13) returns (uint256 a) {
            y = a;
        } catch Error(string memory) {
            y = 3;
        }
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a low-level call whose failure is checked",
    text: `contract Callee {
    uint256 public count;
    function half(uint256 a) external {
        require(a != 13);
        count = a;
    }
}
contract Main {
    address callee;
    constructor(address target) payable { callee = target; }
    function run() external {
        (bool ok, ) = callee.call(abi.encodeWithSignature("half(uint256)", 13));
        require(ok, "call failed"); // FAILS
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a low-level call whose failure is checked without a text",
    text: `contract Callee {
    uint256 public count;
    function half(uint256 a) external {
        require(a != 13);
        count = a;
    }
}
contract Main {
    address callee;
    constructor(address target) payable { callee = target; }
    function run() external {
        (bool ok, ) = callee.call(abi.encodeWithSignature("half(uint256)", 13));
        require(ok); // FAILS
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "a call of an address without code",
    text: `${LOGIC}contract Main {
    uint256 count;
    function run() external {
        count = 1;
        count = Half(address(0x70001)).half(7); // FAILS
        require(count != 2);
    }
}`,
    call: { data: selector("run()") },
  },
  {
    name: "a try with an address without code",
    text: `${LOGIC}contract Main {
    uint256 count;
    function run() external {
        count = 1;
        try Half(address(0x70001)).half(7) returns (uint256 a) { // FAILS
            count = a;
        } catch {
            count = 3;
        }
        require(count != 2);
    }
}`,
    call: { data: selector("run()") },
  },
  {
    name: "a call of an address without code behind a modifier",
    text: `${LOGIC}contract Main {
    uint256 count;
    modifier first() { require(count == 0, "not the first run"); _; }
    function run() external first {
        count = Half(address(0x70001)).half(7); // FAILS
    }
}`,
    call: { data: selector("run()") },
  },
  {
    name: "a called contract that returns too little",
    text: `${LOGIC}contract Callee {
    uint256 public count;
    fallback() external payable { count = 1; }
}
contract Main {
    Half callee;
    constructor(Half target) payable { callee = target; }
    function run() external returns (uint256 y) {
        y = 1;
        y = callee.half(13); // FAILS
        require(y != 7);
    }
}`,
    call: { data: selector("run()") },
    callee: "Callee",
  },
  {
    name: "coins for a called function that takes none",
    text: `interface Paid { function half(uint256 a) external payable returns (uint256); }
contract Callee {
    uint256 public count;
    function half(uint256 a) external returns (uint256) { // FAILS
        count = a;
        return a / 2;
    }
    function pay() external payable { count += msg.value; }
}
contract Main {
    Paid callee;
    constructor(Paid target) payable { callee = target; }
    function run() external payable returns (uint256) {
        return callee.half{value: msg.value}(13);
    }
}`,
    call: { data: selector("run()"), value: 5 },
    callee: "Callee",
  },
  {
    name: "a created contract whose constructor reverts without a reason",
    text: `contract Child {
    uint256 public count;
    constructor(uint256 a) payable {
        require(a != 2);
        require(a != 13); // FAILS
        count = a;
    }
}
contract Main {
    uint256 count;
    function run() external returns (address) {
        count = 1;
        return address(new Child(13));
    }
}`,
    call: { data: selector("run()") },
  },
  {
    name: "an enum out of range",
    text: `contract Main {
    enum Color { Red, Green }
    Color last;
    function run(uint256 a) external {
        last = Color(a - 6);
        last = Color(a); // FAILS
    }
}`,
    call: { data: selector("run(uint256)") + word(7) },
  },
  {
    name: "an enum out of range in storage",
    text: `contract Main {
    enum Color { Red, Green }
    Color public last;
    uint256 public y;
    function run(uint256 a) external {
        assembly { sstore(last.slot, a) }
        y = 1;
        y = uint256(last); // FAILS
    }
}`,
    call: { data: selector("run(uint256)") + word(7) },
  },
];

/** Returns the situations, as contracts for Solidity 0.8. */
export function plantedSituations(): readonly PlantedRevert[] {
  return [...MODIFIERS, ...BRANCHES, ...COMPILER, ...CALLS].map(({ name, text, call, isCreation = false, callee }) => {
    const source = `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n${text}\n`;
    const line = source.split("\n").findIndex((it) => it.includes("// FAILS")) + 1;
    return {
      ...{ name, source, contract: "Main", line, isCreation },
      ...(call && { call }),
      ...(callee !== undefined && { callee }),
    };
  });
}
