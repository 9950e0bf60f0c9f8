import assert from "node:assert/strict";
import { candidateFromJson, type JsonAbiEntry } from "../../src/abi/abi-index.ts";
import { typeLabel } from "../../src/abi/abi-type.ts";
import {
  abiEntryOf,
  constructorOf,
  functionDataOf,
  functionsNamed,
  functionsOf,
  lostFunctions,
  onlyReads,
} from "../../src/abi/contract-functions.ts";
import { rawText } from "../../src/primitives/plain-text.ts";

const entry = (name: string, types: readonly string[], more: Partial<JsonAbiEntry> = {}): JsonAbiEntry => ({
  type: "function",
  name,
  inputs: types.map((type) => ({ name: "", type })),
  outputs: [],
  ...more,
});

describe("contract functions", () => {
  it("are read in both spellings, and in that of the first compilers", () => {
    const abi = [
      entry("a", [], { stateMutability: "view" }),
      entry("b", [], { type: "Function", stateMutability: "Payable" }),
      entry("c", [], { constant: true }),
      entry("d", [], { payable: true }),
      entry("e", []),
    ];

    assert.deepEqual(
      functionsOf(abi).map(({ name, mutability }) => `${rawText(name)} ${mutability}`),
      ["a view", "b payable", "c view", "d payable", "e nonpayable"],
    );
    assert.deepEqual(functionsOf(abi).filter(onlyReads).length, 2);
  });

  it("become the same ABI entry again, with structs, lists and the members of enums", () => {
    const components = [
      { name: "state", type: "uint8[]", members: ["Open", "Paid"] },
      { name: "rest", type: "bytes[2][]" },
    ];
    const inputs = [{ name: "orders", type: "tuple[3][]", components, internalType: "struct Order[3][]" }];
    const [fn] = functionsOf([
      entry("order", [], { inputs, outputs: [{ name: "", type: "uint256" }], stateMutability: "payable" }),
    ]);

    assert.ok(fn);
    assert.deepEqual(abiEntryOf(fn).inputs, inputs);
    assert.deepEqual(functionsOf([abiEntryOf(fn)]), [fn]);
  });

  it("show structs by the names that the ABI has, and others by their fields", () => {
    const components = [{ name: "cups", type: "uint256" }];
    const labelOf = (type: string, internalType?: unknown) =>
      functionsOf([
        entry("f", [], { inputs: [{ name: "a", type, components, internalType: internalType as string }] }),
      ])[0]?.parameters.map(typeLabel);

    assert.deepEqual(labelOf("tuple", "struct Shop.Order"), ["Order"]);
    assert.deepEqual(labelOf("tuple[2][]", "struct Order[2][]"), ["Order[2][]"]);
    for (const other of [undefined, "contract Order", "struct a b", 5])
      assert.deepEqual(labelOf("tuple[]", other), ["(uint256)[]"]);
    assert.deepEqual(labelOf("uint256", "struct Order"), ["uint256"]);
  });

  it("ignore members that are no names, as a chain can store them", () => {
    for (const members of [5, [5], ["a", null], Array(300).fill("a")]) {
      const input = { name: "state", type: "uint8", members: members as string[] };

      assert.equal(functionsOf([entry("f", [], { inputs: [input] })])[0]?.parameters[0]?.members, undefined);
    }
  });

  it("omit and name those whose tuples lost their fields on the chain", () => {
    const whole = { type: "tuple[]", components: [{ name: "cups", type: "uint256" }] };
    const abi = [entry("order", ["tuple[]"]), entry("kept", [], { inputs: [whole] })];

    assert.deepEqual(
      functionsOf(abi).map(({ signature }) => signature),
      ["kept((uint256)[])"],
    );
    assert.deepEqual(lostFunctions(abi), ["order"]);
  });

  it("F5: omit and name those with an unknown type, and keep the others", () => {
    const strange = ["Lib.Data storage", "Lib.Kind", "decimal", "mapping(uint256 => uint256) storage", "uint257"];
    for (const type of strange) {
      const abi = [entry("lost", [type]), entry("kept", ["uint256"]), entry("gives", [], { outputs: [{ type }] })];

      assert.deepEqual(
        functionsOf(abi).map(({ signature }) => signature),
        ["kept(uint256)"],
        type,
      );
      assert.deepEqual(lostFunctions(abi), ["lost", "gives"]);
      assert.deepEqual(
        abi.map((it) => candidateFromJson(it, "here")?.signature),
        [undefined, "kept(uint256)", undefined],
      );
    }
  });

  it("are found by name, by signature, and by name and number of arguments", () => {
    const functions = functionsOf([entry("mint", ["uint256"]), entry("mint", ["address", "uint256"]), entry("x", [])]);
    const found = (named: string, count?: number) =>
      functionsNamed(functions, named, count).map(({ signature }) => signature);

    assert.deepEqual(found("x", 3), ["x()"]);
    assert.deepEqual(found("mint"), []);
    assert.deepEqual(found("mint", 2), ["mint(address,uint256)"]);
    assert.deepEqual(found("mint( uint256 )"), ["mint(uint256)"]);
    assert.deepEqual(found("burn"), []);
  });

  it("include a default constructor without parameters that is not payable", () => {
    assert.deepEqual(constructorOf([]), { ...constructorOf([]), parameters: [], mutability: "nonpayable" });
  });

  it("encode selector and arguments", () => {
    const [transfer] = functionsOf([entry("transfer", ["address", "uint256"])]);
    assert.ok(transfer);

    const data = functionDataOf(transfer, [`41${"0b".repeat(20)}`, 5n]);

    assert.equal(data, `a9059cbb${"0".repeat(24)}${"0b".repeat(20)}${"5".padStart(64, "0")}`);
  });
});
