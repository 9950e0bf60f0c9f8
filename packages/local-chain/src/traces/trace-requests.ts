import { create } from "@bufbuild/protobuf";
import {
  type Address,
  addressToBytes,
  anyAddressIn,
  hexToBytes,
  isHexPairs,
  type Json,
  parseTxId,
  stripHexPrefix,
  type TxId,
} from "@finality/tron/primitives";
import { object, oneOf, type Read, ReadError, text } from "@finality/tron/read";
import { TriggerSmartContractSchema } from "@finality/tron/schema";
import { coverageToJson, readTraceOptions, traceToJson } from "@finality/tron/traces";
import { ChainCoverage } from "../chain/code-coverage.ts";
import type { NodeView } from "../node/node-view.ts";
import { traceCall, traceTransaction } from "./trace-runs.ts";

/** Error in the parameters of a trace request. */
class BadTraceRequest extends Error {
  override readonly name = "BadTraceRequest";
}

/** Answers a trace request. @throws {Error} its message says why there is no trace */
export type TraceRequest = (parameters: readonly (Json | undefined)[], view: NodeView) => Json;

/** Methods that return a trace in the form of this chain, and those that count executed instructions. */
export const traceRequests: { readonly [name: string]: TraceRequest } = {
  finality_traceTransaction: ([id, options], { chain }) =>
    traceToJson(traceTransaction(chain, requestedId(id), readAs("options", readTraceOptions, options ?? {}))),
  finality_traceCall: ([call, options], view) =>
    traceToJson(traceCall(view, requestedCall(call), readAs("options", readTraceOptions, options ?? {}))),
  finality_startCoverage: (_parameters, { chain }) => {
    chain.coverage = new ChainCoverage();
    return true;
  },
  finality_endCoverage: (_parameters, { chain }) => {
    const { coverage } = chain;
    if (coverage === undefined) throw new BadTraceRequest("finality_startCoverage was not called");
    chain.coverage = undefined;
    return coverageToJson(coverage.record());
  },
};

/** @throws {BadTraceRequest} */
export function requestedId(value: Json | undefined): TxId {
  const id = parseTxId(String(value));
  if (id === undefined) throw new BadTraceRequest("the transaction id has to be 32 bytes in hex");
  return id;
}

const amount: Read<bigint> = (value) => {
  if (typeof value === "bigint" && value >= 0n) return value;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^(?:\d+|0x[\da-f]+)$/i.test(value)) return BigInt(value);
  throw new ReadError("a whole number");
};
const anyAddress: Read<Address> = (value) => {
  const address = anyAddressIn(text(value));
  if (address === undefined) throw new ReadError("an address");
  return address;
};
const anyHex: Read<Uint8Array> = (value) => {
  const digits = stripHexPrefix(text(value));
  if (digits !== "" && !isHexPairs(digits)) throw new ReadError("hex");
  return hexToBytes(digits);
};

const callFields = object(
  { from: anyAddress },
  {
    to: anyAddress,
    data: anyHex,
    value: amount,
    tokenId: amount,
    tokenValue: amount,
    feeLimit: amount,
    kind: oneOf("call", "estimate"),
  },
);

/** Reads a call; without `to` it creates a contract. @throws {BadTraceRequest} */
export function requestedCall(value: Json | undefined): Parameters<typeof traceCall>[1] {
  const {
    from,
    to,
    data,
    value: callValue = 0n,
    tokenId = 0n,
    tokenValue = 0n,
    ...rest
  } = readAs("call", callFields, value);
  const message = create(TriggerSmartContractSchema, {
    ownerAddress: addressToBytes(from),
    contractAddress: to === undefined ? new Uint8Array() : addressToBytes(to),
    callValue,
    callTokenValue: tokenValue,
    tokenId,
    data: data ?? new Uint8Array(),
  });
  return { message, permissionId: 0, feeLimit: rest.feeLimit ?? 0n, kind: rest.kind ?? "call" };
}

/** @throws {BadTraceRequest} */
function readAs<Value>(name: string, read: Read<Value>, value: unknown): Value {
  try {
    return read(value);
  } catch (error) {
    throw error instanceof ReadError ? new BadTraceRequest(`${name}: ${error.message}`) : error;
  }
}
