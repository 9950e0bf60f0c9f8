import assert from "node:assert/strict";
import { isChainError } from "../../../tron/src/errors.ts";
import { type DebugScope, type DebugValue, evaluate } from "../../src/debugger/values.ts";

const numberValue = (name: string, type: string, raw: bigint): DebugValue => ({ name, type, text: `${raw}`, raw });
const items = [numberValue("[0]", "uint8", 3n), numberValue("[1]", "uint8", 4n)];
const values: readonly DebugValue[] = [
  numberValue("a", "uint8", 200n),
  numberValue("b", "uint256", 7n),
  numberValue("c", "int16", -9n),
  { name: "flag", type: "bool", text: "true", raw: true },
  { name: "text", type: "string", text: '"abc"', raw: "abc" },
  { name: "data", type: "bytes", text: "0x0102", raw: "0x0102" },
  { name: "tag", type: "bytes4", text: "0x01020304", raw: "0x01020304" },
  { name: "owner", type: "address", text: "T", raw: 0xabcn },
  { name: "mode", type: "enum Shop.Mode", text: "Mode.On", raw: 1n },
  { name: "lost", type: "uint256", text: "", notAvailable: "the trace has no stack" },
  { name: "item", type: "struct Item", text: "", children: () => [numberValue("id", "uint64", 5n)] },
  {
    ...{ name: "list", type: "uint8[]", text: "", length: 2n, children: () => items },
    element: ({ raw }) => items[Number(raw)],
  },
];
const scopes: readonly DebugScope[] = [
  { kind: "locals", name: "Locals", variables: () => values },
  { kind: "global", name: "Global", variables: () => [numberValue("msg.value", "uint256", 20n)] },
];

/** Returns the text of a value, or the sentence of an error. */
function result(expression: string): string {
  const value = evaluate(expression, scopes);
  return isChainError(value) ? value.message : (value as DebugValue).text;
}

describe("expressions of the debugger", () => {
  for (const [expression, expected] of [
    ["b", "7"],
    ["a + 55", "255"],
    ["b - 2 * 3", "1"],
    ["(b - 2) * 3", "15"],
    ["2 ** 3 ** 2", "512"],
    ["-7 / 2", "-3"],
    ["c % 4", "-1"],
    ["uint8(300)", "44"],
    ["int8(uint8(200))", "-56"],
    ["uint256(int256(c)) > 0", "true"],
    ["a > 100 && b == 7", "true"],
    ["flag ? 1 : lost", "1"],
    ["flag || b / 0 == 1", "true"],
    ["false && lost == 1", "false"],
    ["item.id", "5"],
    ["list[1] + list.length", "6"],
    ["data.length", "2"],
    ["data[1]", "0x02"],
    ["tag & 0xff000000", "0x01000000"],
    ["uint32(tag) >> 8", "66051"],
    ["bytes2(tag)", "0x0102"],
    ["owner == address(0xabc)", "true"],
    ["owner != address(0)", "true"],
    ["address(0)", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
    ['text == "abc"', "true"],
    ["msg.value", "20"],
    ["mode == Mode.On && mode != Mode.Off", "true"],
    ["uint8(mode)", "1"],
    ["1.5 trx + 3 sun", "1500003"],
    ["1 ether == 1e18", "true"],
    ["2 days == 48 hours", "true"],
    ["type(uint8).max", "255"],
    ["~uint8(1)", "254"],
    ["keccak256(bytes(text))", "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
    ["keccak256(abi.encode(b))", "0xa66cc928b5edb82af9bd49922954155ab7b0942694bea4ce44661d9a8736c688"],
    ["abi.encodePacked(a, text)", "0xc8616263"],
  ] as const)
    it(`evaluates ${expression}`, () => assert.equal(result(expression), expected));

  for (const [expression, expected] of [
    ["a + a", "The expression has no value: + gives 400, which does not fit uint8."],
    ["b - 8", "The expression has no value: - gives -1, which does not fit uint256."],
    ["b / 0", "The expression has no value: it divides by zero."],
    ["b + c", "The expression has no value: uint256 and int16 have no common type."],
    ["lost + 1", "The expression has no value: lost is not available: the trace has no stack."],
    ["gone", "The expression has no value: there is no variable gone here."],
    ["list[2]", "The expression has no value: there is no element 2."],
    ["item.none", "The expression has no value: a value of type struct Item has no member none."],
    ["b +", "The expression has no value: it is incomplete."],
    ["b b", 'The expression has no value: "b" was not expected.'],
    ["b = 3", 'The expression has no value: "=" was not expected.'],
    ["flag + 1", "The expression has no value: a value of type bool is not a number."],
    ["1.5", 'The expression has no value: "1.5" is not a whole number.'],
    ["2 ** 100000", "The expression has no value: a number is too large."],
    [`${"(".repeat(40)}1`, "The expression has no value: it is nested too deeply."],
    ["1".repeat(1_001), "The expression has no value: it is longer than 1000 characters."],
  ] as const)
    it(`refuses ${expression.slice(0, 40)}`, () => assert.equal(result(expression), expected));
});
