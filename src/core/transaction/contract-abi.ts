import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { JsonAbiEntry } from "../abi/abi-index.ts";
import type { JsonParameter } from "../abi/abi-type.ts";
import { bytesToHex, type Hex } from "../primitives/bytes.ts";
import { ABISchema, type EntrySchema } from "./gen/transaction_pb.js";

const TYPES = ["unknown", "constructor", "function", "event", "fallback", "receive", "error"];
const MUTABILITIES = ["unknown", "pure", "view", "nonpayable", "payable"];

/**
 * The ABI as a deployment carries it: the chain keeps names and types, and no fields of tuples.
 *
 * @returns the serialised message, for the intent of a creation
 */
export function serialisedAbi(abi: readonly JsonAbiEntry[]): Hex {
  return bytesToHex(toBinary(ABISchema, create(ABISchema, { entrys: abi.map(entryOf) })));
}

function entryOf(entry: JsonAbiEntry): MessageInitShape<typeof EntrySchema> {
  const { type = "function", name = "", inputs = [], outputs = [], stateMutability = "", anonymous = false } = entry;
  return {
    anonymous,
    constant: entry.constant === true,
    payable: entry.payable === true,
    name,
    inputs: inputs.map(parameterOf),
    outputs: outputs.map(parameterOf),
    type: Math.max(TYPES.indexOf(type.toLowerCase()), 0),
    stateMutability: Math.max(MUTABILITIES.indexOf(stateMutability.toLowerCase()), 0),
  };
}

function parameterOf({ name = "", type, indexed = false }: JsonParameter & { indexed?: boolean | undefined }) {
  return { name, type, indexed };
}
