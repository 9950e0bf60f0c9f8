import { Interface, Result } from "ethers";
import { decodeErrorResult } from "viem";
import type { AbiParameter, AbiType, JsonParameter } from "../../../packages/tron/src/abi/abi-type.ts";
import type { AbiValue } from "../../../packages/tron/src/abi/decode-abi.ts";
import { isForeignText, rawText } from "../../../packages/tron/src/primitives/plain-text.ts";
import type { RandomError } from "../random/random-errors.ts";

/** A decoded value that no library has put into a form of its own. */
type Plain = string | readonly Plain[];

export function decodedByViem({ name, inputs, data }: RandomError): Plain {
  const abi = [{ type: "error", name, inputs }];
  const { args } = decodeErrorResult({ abi: abi as never, data }) as { readonly args?: readonly unknown[] };
  return inputs.map((input, at) => plainOf(input, args?.[at]));
}

export function decodedByEthers({ name, inputs, data }: RandomError): Plain {
  const face = new Interface(JSON.stringify([{ type: "error", name, inputs }]));
  const values = face.decodeErrorResult(name, data).toArray();
  return inputs.map((input, at) => plainOf(input, values[at]));
}

export function plainOfOurs(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Plain {
  return parameters.map(({ type }, at) => plainOfOurValue(type, values[at]));
}

function plainOfOurValue(type: AbiType, value: AbiValue | undefined): Plain {
  if (type.kind === "array") return (value as readonly AbiValue[]).map((it) => plainOfOurValue(type.element, it));
  if (type.kind === "tuple") return plainOfOurs(type.fields, value as readonly AbiValue[]);
  if (type.kind === "address") return `0x${String(value).slice(2)}`;
  if (type.kind === "bytes" || type.kind === "fixed-bytes") return `0x${String(value)}`;
  return isForeignText(value) ? rawText(value) : String(value);
}

/** viem gives objects for tuples, ethers lists; addresses have checksums in their case. */
function plainOf(input: JsonParameter, value: unknown): Plain {
  if (value instanceof Result) return plainOf(input, value.toArray());
  if (input.type.endsWith("]")) {
    const element = { ...input, type: input.type.slice(0, input.type.lastIndexOf("[")) };
    return (value as readonly unknown[]).map((it) => plainOf(element, it));
  }
  if (input.type === "tuple") {
    const fields = input.components ?? [];
    return fields.map((one, at) =>
      plainOf(one, (value as { [key: string]: unknown })[Array.isArray(value) ? at : (one.name ?? at)]),
    );
  }
  return input.type === "string" ? String(value) : String(value).toLowerCase();
}
