import type { AbiType } from "../../../packages/tron/src/abi/abi-type.ts";
import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  type AmountUnit,
  type CheckContext,
  childTypeOf,
  emptyDraft,
  type FieldDraft,
  mayHaveUnit,
} from "../../../src/features/contracts/form-fields.ts";

type Throw = (bound: number) => number;

/** Value as ethers accepts it. */
export type EthersValue = string | bigint | boolean | readonly EthersValue[];

/** A field of the form as a user fills it in, with the value that it means. */
export interface FilledField {
  readonly draft: FieldDraft;
  readonly value: EthersValue;
}

export const COINS: AmountUnit = { id: "coins", label: "coins", decimals: 6 };

/** Checks without names of addresses. */
export const CONTEXT: CheckContext = {
  addressOf: () => undefined,
  units: [COINS],
  likenessOf: () => undefined,
  nameOf: () => undefined,
};

/** Fills in a parameter with random values. Lists have up to three rows. */
export function fillIn(type: AbiType, roll: Throw): FilledField {
  const empty = emptyDraft(type);
  if (type.kind !== "array" && type.kind !== "tuple") return textField(type, roll);
  const rows = type.kind === "tuple" ? type.fields.length : (type.length ?? roll(4));
  const filled = Array.from({ length: rows }, (_, at) => fillIn(childTypeOf(type, at) ?? type, roll));
  const value = filled.map((it) => it.value);
  // A form without fields for so many rows is filled in as JSON.
  if ("json" in empty) return { draft: { json: JSON.stringify(value, jsonValue) }, value };
  return { draft: { items: filled.map(({ draft }) => draft) }, value };
}

function jsonValue(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function textField(type: AbiType, roll: Throw): FilledField {
  switch (type.kind) {
    case "uint":
      return amountField(type, roll);
    case "int": {
      const value = BigInt.asIntN(type.bits, randomInteger(roll));
      return { draft: { text: String(value) }, value };
    }
    case "bool": {
      const value = roll(2) === 1;
      return { draft: { text: String(value) }, value };
    }
    case "address": {
      const digits = randomHex(20, roll);
      const address = `41${digits}` as Hex as Address;
      return { draft: { text: roll(2) === 1 ? toBase58(address) : address }, value: `0x${digits}` };
    }
    case "string": {
      const text = ["", "Tea", " with spaces ", '茶 "quoted" \\', "two\nlines", "[1]", "0x00"][roll(7)] ?? "";
      return { draft: { text }, value: text };
    }
    default: {
      const digits = randomHex(type.kind === "fixed-bytes" ? type.size : roll(70), roll);
      return { draft: { text: digits === "" ? "" : `0x${digits}` }, value: `0x${digits}` };
    }
  }
}

function amountField(type: Extract<AbiType, { kind: "uint" | "int" }>, roll: Throw): FilledField {
  if (mayHaveUnit(type) && roll(4) === 0) return { draft: { text: "1,234.5", unit: COINS.id }, value: 1_234_500_000n };
  const value = BigInt.asUintN(type.bits, randomInteger(roll));
  const texts = [String(value), value.toLocaleString("en-US"), `0x${value.toString(16)}`];
  return { draft: { text: texts[roll(3)] ?? String(value) }, value };
}

function randomInteger(roll: Throw): bigint {
  const edges = [0n, 1n, -1n, 2n ** 255n - 1n, 2n ** 255n];
  return edges[roll(10)] ?? BigInt(`0x${randomHex(1 + roll(32), roll)}`);
}

function randomHex(size: number, roll: Throw): string {
  return bytesToHex(Uint8Array.from({ length: size }, () => roll(256)));
}
