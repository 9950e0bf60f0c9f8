import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, isJsonObject, type Json } from "@finality/tron/primitives";
import { type TransferContract, TransferContractSchema, TriggerSmartContractSchema } from "@finality/tron/schema";
import { Refusal } from "../chain/refusal.ts";
import { JavaError, looseHex } from "../http/java-values.ts";
import type { NodeView } from "../node/node-view.ts";
import { validTransaction } from "../routes/builders.ts";
import { type ConstantRequest, constantCall, estimateEnergy } from "../routes/contract-calls.ts";
import { type CodeRun, messageOf } from "../vm/machine.ts";
import { wordOfBytes } from "../vm/words.ts";
import type { RpcMethods } from "./rpc-method.ts";
import {
  addressOf,
  amountOf,
  blockNumber,
  blockOfHash,
  callData,
  checkLatest,
  dataOf,
  hashOf,
  invalidRequest,
  isSince482,
  nodeError,
  quantity,
  RpcError,
  text,
  textFields,
} from "./rpc-values.ts";

/** Methods that simulate calls. */
export const callMethods: RpcMethods = {
  eth_call: { parameters: 2, answer: ({ view }, [call, block]) => answerCall(view, readCall(view, call), block) },
  eth_estimateGas: { parameters: 1, answer: ({ view }, [call]) => estimateGas(view, readCall(view, call)) },
};

export const CALL_FIELDS = ["from", "to", "gas", "gasPrice", "value", "data", "nonce"] as const;
const ZERO_ADDRESS = `0x${"00".repeat(20)}`;

type CallFields = ReturnType<typeof textFields<(typeof CALL_FIELDS)[number] | "input">>;

/** Reads the fields of a call object. Before 4.8.2 `input` is invalid JSON for the node. @throws {MalformedParameter} */
export function callFields(view: NodeView, value: Json | undefined): CallFields {
  return textFields(value, isSince482(view) ? [...CALL_FIELDS, "input"] : CALL_FIELDS);
}

function readCall(view: NodeView, value: Json | undefined): CallFields {
  return { from: ZERO_ADDRESS, ...callFields(view, value) };
}

function answerCall(view: NodeView, call: CallFields, block: Json | undefined): string {
  checkLatest(view, tagOf(view, block));
  const from = addressOf(view, call.from);
  const to = addressOf(view, call.to);
  const request = requestOf(view, call, { from, to });
  const run = mapErrors(() => succeeded(constantCall(view, request).run));
  return dataOf(run.output);
}

/** Returns the block tag; a block given as an object only has to exist. */
function tagOf(view: NodeView, block: Json | undefined): string | undefined {
  if (typeof block === "string") return block;
  if (!isJsonObject(block)) throw invalidRequest();
  if (block.blockNumber !== undefined) {
    const height = blockNumber(view, text(block.blockNumber));
    if (view.block(Number(height)) === undefined) throw nodeError("header not found");
  } else if (block.blockHash !== undefined) {
    const id = hashOf(view, text(block.blockHash));
    if (blockOfHash(view, id) === undefined) throw nodeError("header for hash not found");
  } else {
    throw invalidRequest();
  }
  return "latest";
}

/** Sender and receiver of a call. */
interface Parties {
  readonly from: Address;
  readonly to: Address | undefined;
}

function requestOf(view: NodeView, call: CallFields, { from, to }: Parties): ConstantRequest {
  const message = create(TriggerSmartContractSchema, {
    ownerAddress: addressToBytes(from),
    contractAddress: to === undefined ? new Uint8Array() : addressToBytes(to),
    callValue: amountOf(view, call.value),
    data: looseHex(callData(view, call) ?? ""),
  });
  return { message, permissionId: 0, feeLimit: 0n };
}

/** Returns a successful run. @throws {RpcError} the code halted or reverted */
function succeeded(run: CodeRun): CodeRun {
  if (run.halt !== undefined) throw nodeError(run.halt.message.replaceAll('"', "'"));
  if (run.result !== "SUCCESS") throw failure(run);
  return run;
}

/** Returns the error of a failed run, with the revert reason. */
function failure(run: CodeRun): Error {
  const reason = revertReason(run.output);
  const data = run.output.length === 0 ? undefined : dataOf(run.output);
  return nodeError(`${messageOf(run)}${reason === undefined ? "" : `: ${reason}`}`, data);
}

function estimateGas(view: NodeView, call: CallFields): string {
  const from = addressOf(view, call.from);
  const kind = kindOf(view, call);
  if (kind.type === "TransferContract") {
    checkTransfer(view, from, kind.to, amountOf(view, call.value));
    return "0x0";
  }
  return quantity(mapErrors(() => energyOf(view, estimateRequest(view, call, { from, to: kind.to }))));
}

/**
 * Reads the request of an estimate. An invalid amount is a server error here, and invalid parameters in eth_call.
 *
 * @throws {RpcError}
 */
function estimateRequest(view: NodeView, call: CallFields, parties: Parties): ConstantRequest {
  try {
    return requestOf(view, call, parties);
  } catch (error) {
    throw error instanceof RpcError ? nodeError(error.message) : error;
  }
}

function energyOf(view: NodeView, request: ConstantRequest): bigint | number {
  if (!view.settings.estimateEnergy) return succeeded(constantCall(view, request).run).energy;
  const estimate = estimateEnergy(view, request);
  switch (estimate.kind) {
    case "energy":
      return estimate.required;
    case "failed":
      throw failure(estimate.run);
    case "outOfTime":
      throw nodeError(messageOf(estimate.run).replaceAll('"', "'"));
  }
}

/** Transaction kind of a request. */
export type CallKind =
  | { readonly type: "CreateSmartContract"; readonly to: undefined }
  | { readonly type: "TriggerSmartContract" | "TransferContract"; readonly to: Address };

/** @throws {RpcError} it says too little */
function kindOf(view: NodeView, call: CallFields): CallKind {
  if (isNothing(call.from)) throw invalidRequest();
  const { to, value } = call;
  return kindOfTransaction(view, { to, data: callData(view, call), value }, "invalid json request: invalid value");
}

/** @throws {RpcError} it says too little */
export function kindOfTransaction(view: NodeView, { to, data, value }: CallFields, withoutValue: string): CallKind {
  if (isNothing(to)) {
    if (isNothing(data)) throw invalidRequest();
    return { type: "CreateSmartContract", to: undefined };
  }
  const address = addressOf(view, to);
  if (view.state.contract(address) !== undefined) return { type: "TriggerSmartContract", to: address };
  if (value === undefined || value === "") throw invalidRequest(withoutValue);
  return { type: "TransferContract", to: address };
}

/** Returns whether a text is missing or empty. */
export function isNothing(input: string | undefined): input is undefined | "" | "0x" {
  return input === undefined || input === "" || input === "0x";
}

function checkTransfer(view: NodeView, from: Address, to: Address, amount: bigint): void {
  mapErrors(() =>
    validTransaction(view, "TransferContract", { message: transferOf(from, to, amount), permissionId: 0 }),
  );
}

/** @param amount - sun */
export function transferOf(from: Address, to: Address, amount: bigint): TransferContract {
  return create(TransferContractSchema, {
    ownerAddress: addressToBytes(from),
    toAddress: addressToBytes(to),
    amount,
  });
}

/** Maps refusals of the chain to invalid requests, and other errors to server errors. @throws {RpcError} */
export function mapErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) throw invalidRequest(error.message);
    if (error instanceof JavaError) throw nodeError(error.message.replaceAll('"', "'"));
    throw error;
  }
}

/** The selector of `Error(string)`. */
const ERROR_STRING = "08c379a0";
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;

/** Returns the reason of `Error(string)`; undefined for other or truncated data. */
export function revertReason(output: Uint8Array): string | undefined {
  if (bytesToHex(output.subarray(0, SELECTOR_BYTES)) !== ERROR_STRING) return undefined;
  const body = output.subarray(SELECTOR_BYTES);
  const start = numberAt(body, 0);
  const end = start + WORD_BYTES + numberAt(body, start);
  if (end > body.length) return undefined;
  return Buffer.from(body.subarray(start + WORD_BYTES, end)).toString("utf8");
}

/** Reads a word as a number; infinite beyond the data. */
function numberAt(body: Uint8Array, offset: number): number {
  const word = body.subarray(offset, offset + WORD_BYTES);
  return word.length < WORD_BYTES ? Number.POSITIVE_INFINITY : Number(wordOfBytes(word));
}
