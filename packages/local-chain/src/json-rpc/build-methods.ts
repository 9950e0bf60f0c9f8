import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, equalBytes, type Json, type JsonObject } from "@finality/tron/primitives";
import {
  type ABI,
  ABISchema,
  CreateSmartContractSchema,
  TransferAssetContractSchema,
  TriggerSmartContractSchema,
} from "@finality/tron/schema";
import type { ChainTransaction } from "../chain/transaction.ts";
import { JavaError, longValue, looseHex } from "../http/java-values.ts";
import { fieldsOf, mergeJson, messageOf } from "../http/json-format.ts";
import type { NodeView } from "../node/node-view.ts";
import { unsignedTransaction, validTransaction } from "../routes/builders.ts";
import { printTransaction } from "../routes/print.ts";
import { MAX_LONG } from "../vm/words.ts";
import { isNothing, kindOfTransaction, mapErrors, transferOf } from "./call-methods.ts";
import type { RpcMethods } from "./rpc-method.ts";
import {
  addressOf,
  amountOf,
  callData,
  invalidParams,
  invalidRequest,
  isSince482,
  RpcError,
  textFields,
} from "./rpc-values.ts";

/** Methods that build an unsigned transaction in the form of the HTTP interface, which only this chain family has. */
export const buildMethods: RpcMethods = {
  buildTransaction: { parameters: 1, answer: ({ view }, [input]) => build(view, input) },
};

const FIELDS = [
  "from",
  "to",
  "gas",
  "gasPrice",
  "value",
  "data",
  "input",
  "nonce",
  "tokenId",
  "tokenValue",
  "abi",
  "consumeUserResourcePercent",
  "originEnergyLimit",
  "name",
  "permissionId",
  "extraData",
  "visible",
] as const;

type BuildFields = ReturnType<typeof textFields<(typeof FIELDS)[number]>>;

function build(view: NodeView, input: Json | undefined): JsonObject {
  const fields = readFields(view, input);
  const from = senderOf(view, fields);
  const to = tokenReceiver(view, fields);
  if (to !== undefined) return printed(tokenTransfer(view, { from, to, fields }), fields.visible === "true");
  const kind = kindOfTransaction(view, fields, "invalid json request");
  const visible = fields.visible === "true";
  switch (kind.type) {
    case "CreateSmartContract":
      return printed(creation(view, from, fields), false);
    case "TriggerSmartContract":
      // The node prints calls with a different function, which omits `visible`.
      return { transaction: printTransaction(call(view, { from, to: kind.to, fields }), visible) };
    case "TransferContract":
      return printed(transfer(view, { from, to: kind.to, fields }), visible);
  }
}

/** Reads the fields, with the data as `data`. @throws {RpcError} `data` and `input` differ */
function readFields(view: NodeView, value: Json | undefined): BuildFields {
  const known = isSince482(view) ? FIELDS : FIELDS.filter((it) => it !== "input");
  const fields: BuildFields = textFields(value, known);
  if (!isSince482(view)) return fields;
  const data = callData(view, fields);
  const { input } = fields;
  if (input !== undefined && fields.data !== undefined && !equalBytes(looseHex(input), looseHex(fields.data))) {
    throw invalidParams(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    );
  }
  return { ...fields, data };
}

function printed(transaction: ChainTransaction, visible: boolean): JsonObject {
  return { transaction: { visible, ...printTransaction(transaction, visible) } };
}

function senderOf(view: NodeView, { from }: BuildFields): Address {
  try {
    return addressOf(view, from);
  } catch (error) {
    throw error instanceof RpcError ? invalidRequest() : error;
  }
}

/** Returns the receiver of a token transfer: token id and amount, no coins, and not a contract. */
function tokenReceiver(view: NodeView, fields: BuildFields): Address | undefined {
  const { tokenId, tokenValue } = tokensOf(fields);
  if (isNothing(fields.to) || tokenId <= 0n || tokenValue <= 0n) return undefined;
  if (fields.value !== undefined && fields.value !== "" && fields.value !== "0x0") return undefined;
  const to = addressOf(view, fields.to);
  return view.state.contract(to) === undefined ? to : undefined;
}

function tokensOf(fields: BuildFields): { readonly tokenId: bigint; readonly tokenValue: bigint } {
  return { tokenId: integer(fields, "tokenId"), tokenValue: integer(fields, "tokenValue") };
}

interface Sending {
  readonly from: Address;
  readonly to: Address;
  readonly fields: BuildFields;
}

function transfer(view: NodeView, { from, to, fields }: Sending): ChainTransaction {
  const message = transferOf(from, to, amountOf(view, fields.value));
  return mapErrors(() =>
    validTransaction(view, "TransferContract", { message, permissionId: permissionOf(fields), memo: memoOf(fields) }),
  );
}

function tokenTransfer(view: NodeView, { from, to, fields }: Sending): ChainTransaction {
  const { tokenId, tokenValue: amount } = tokensOf(fields);
  const message = create(TransferAssetContractSchema, {
    ownerAddress: addressToBytes(from),
    toAddress: addressToBytes(to),
    assetName: new TextEncoder().encode(String(tokenId)),
    amount,
  });
  const contents = { message, permissionId: permissionOf(fields), memo: memoOf(fields) };
  return mapErrors(() => validTransaction(view, "TransferAssetContract", contents));
}

function call(view: NodeView, { from, to, fields }: Sending): ChainTransaction {
  const message = create(TriggerSmartContractSchema, {
    ownerAddress: addressToBytes(from),
    contractAddress: addressToBytes(to),
    callValue: amountOf(view, fields.value),
    data: mapErrors(() => looseHex(fields.data ?? "")),
    callTokenValue: tokensOf(fields).tokenValue,
    tokenId: tokensOf(fields).tokenId,
  });
  const feeLimit = feeLimitOf(view, fields);
  return unsignedTransaction(view, {
    type: "TriggerSmartContract",
    message,
    permissionId: permissionOf(fields),
    feeLimit,
  });
}

function creation(view: NodeView, from: Address, fields: BuildFields): ChainTransaction {
  const ownerAddress = addressToBytes(from);
  const message = create(CreateSmartContractSchema, {
    ownerAddress,
    newContract: {
      originAddress: ownerAddress,
      bytecode: mapErrors(() => looseHex(fields.data ?? "")),
      name: fields.name ?? "",
      abi: mapErrors(() => abiOf(view, fields)),
      callValue: amountOf(view, fields.value),
      consumeUserResourcePercent: integer(fields, "consumeUserResourcePercent"),
      originEnergyLimit: integer(fields, "originEnergyLimit"),
    },
    callTokenValue: tokensOf(fields).tokenValue,
    tokenId: tokensOf(fields).tokenId,
  });
  const feeLimit = feeLimitOf(view, fields);
  return unsignedTransaction(view, {
    type: "CreateSmartContract",
    message,
    permissionId: permissionOf(fields),
    feeLimit,
  });
}

/** Returns the fee limit for a gas value, which is energy. */
function feeLimitOf(view: NodeView, { gas }: BuildFields): bigint {
  const limit = amountOf(view, gas) * BigInt(view.chain.parameters.getEnergyFee);
  if (limit > MAX_LONG && isSince482(view)) throw invalidParams("invalid gas: fee limit overflow");
  return limit;
}

function permissionOf(fields: BuildFields): number {
  return Number(integer(fields, "permissionId"));
}

function integer(fields: BuildFields, name: (typeof FIELDS)[number]): bigint {
  return mapErrors(() => longValue({ [name]: fields[name] }, name));
}

function memoOf({ extraData, visible }: BuildFields): Uint8Array {
  if (extraData === undefined) return new Uint8Array();
  return visible === "true" ? new TextEncoder().encode(extraData) : looseHex(extraData);
}

const ABI_FIELDS = fieldsOf(ABISchema);

function abiOf(view: NodeView, { abi, visible }: BuildFields): ABI {
  if (abi === undefined || abi === "") return create(ABISchema);
  try {
    return parsedAbi(abi, visible);
  } catch (error) {
    throw isSince482(view) && error instanceof JavaError ? invalidParams("invalid abi") : error;
  }
}

function parsedAbi(abi: string, visible: string | undefined): ABI {
  return messageOf(ABISchema, mergeJson(`{"entrys":${abi}}`, ABI_FIELDS, visible === "true")) as ABI;
}
