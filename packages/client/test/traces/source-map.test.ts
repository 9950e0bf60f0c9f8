import { deepEqual, equal } from "node:assert/strict";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { readInstructionMap } from "../../src/traces/source-map.ts";
import { outlineOf } from "../../src/traces/source-outline.ts";
import { sourceText } from "../../src/traces/source-text.ts";

describe("readInstructionMap", () => {
  // PUSH1 80, PUSH2 0102, JUMP, JUMPDEST, metadata
  const map = readInstructionMap(hex("60806101025b56fefe"), "10:5:1:-;;20:3::i;:::-");

  it("counts instructions with a range, and skips pushed data", () => {
    equal(map.count, 4);
    deepEqual([...map.counters], [0, 2, 5, 6]);
    equal(map.indexAt(1), -1);
    equal(map.indexAt(7), -1);
  });

  it("repeats the fields that an entry leaves out", () => {
    deepEqual(map.range(1), { start: 10, length: 5, file: 1, jump: "-" });
    deepEqual(map.range(2), { start: 20, length: 3, file: 1, jump: "i" });
    deepEqual(map.range(3), { start: 20, length: 3, file: 1, jump: "-" });
  });

  it("returns pushed values", () => {
    equal(map.pushed(1), 0x0102);
    equal(map.pushed(2), undefined);
  });
});

describe("sourceText", () => {
  it("counts positions in bytes and columns in UTF-16 units", () => {
    const source = sourceText('// 余额 💰\nstring a = unicode"余";\n');
    equal(source.length, Buffer.byteLength(source.text));
    const byte = Buffer.byteLength('// 余额 💰\nstring a = unicode"余');
    deepEqual(source.positionAt(byte), { line: 1, column: 'string a = unicode"余'.length });
  });
});

describe("outlineOf", () => {
  it("lists contracts with bases, functions, modifiers and imports", () => {
    const { contracts, functions, imports } = outlineOf(
      sourceText(`import {Base} from "./Base.sol";
function free(uint a) pure returns (uint) { return a; }
abstract contract Main is Base(1), Other.Second {
  uint256 constant ONE = 1;
  function (uint) internal returns (uint) pointer;
  constructor(uint a, uint b) Base(a) {}
  modifier only(address a) { require(a == msg.sender); _; }
  function run() external virtual;
  receive() external payable { if (ONE == 1) { revert(); } }
}`),
    );
    deepEqual(imports, ["./Base.sol"]);
    deepEqual(
      contracts.map(({ name, bases }) => [name, ...bases]),
      [["Main", "Base", "Second"]],
    );
    deepEqual(
      functions.filter(({ body }) => body).map(({ kind, name, contract, arity }) => [kind, name, contract, arity]),
      [
        ["function", "free", undefined, 1],
        ["constructor", "", "Main", 2],
        ["modifier", "only", "Main", 1],
        ["receive", "", "Main", 0],
      ],
    );
  });

  it("reads incomplete code as far as possible", () => {
    for (const text of [
      "contract",
      "contract A is",
      "contract A { function",
      "contract A { function f(",
      "}",
      "import",
    ])
      equal(
        outlineOf(sourceText(text)).functions.every(({ end }) => end <= text.length),
        true,
        text,
      );
  });
});
