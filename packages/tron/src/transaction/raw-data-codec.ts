import { create, fromBinary, isMessage, type Message, toBinary } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import { bytesToHex, equalBytes, type Hex, type TxId, transactionId } from "../primitives/bytes.ts";
import { address, tryRead } from "../primitives/read.ts";
import { bytesField, numberField } from "../primitives/wire-format.ts";
import {
  type ContractResult,
  type ContractType,
  contractResultNumber,
  contractTypeByNumber,
  typeUrl,
} from "./contract-types.ts";
import {
  type Contract,
  ContractSchema,
  type Raw,
  RawSchema,
  ResultSchema,
  type Transaction,
  TransactionSchema,
  TriggerSmartContractSchema,
} from "./gen/transaction_pb.js";

/** Field that the schema does not know, so the user cannot have seen it. */
interface UnknownField {
  /** Path of the field, such as `raw_data.contract[0].parameter.value`. */
  readonly path: string;
  readonly number: number;
}

/** Contract entry; `message` is undefined if the type is not in our schema. */
export interface DecodedContract {
  readonly entry: Contract;
  readonly type: ContractType | undefined;
  readonly message: Message | undefined;
}

export interface DecodedRawData {
  readonly raw: Raw;
  readonly contracts: readonly DecodedContract[];
  readonly unknownFields: readonly UnknownField[];
  /** True if the decoded fields encode to the same bytes; else the bytes hide content. */
  readonly canonical: boolean;
}

/**
 * Decodes the bytes of `raw_data` at every level, and reports what the schema does not know.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED`
 */
export function decodeRawData(bytes: Uint8Array): DecodedRawData {
  const raw = readMessage(RawSchema, bytes, "raw_data");
  const contracts = raw.contract.map(decodeContract);
  const unknownFields = [
    ...findUnknown(RawSchema, raw, "raw_data"),
    ...contracts.flatMap(({ type, message }, index) =>
      type && message ? findUnknown(type.schema, message, `raw_data.contract[${index}].parameter.value`) : [],
    ),
  ];
  return {
    raw,
    contracts,
    unknownFields,
    canonical: equalBytes(toBinary(RawSchema, reencoded(raw, contracts)), bytes),
  };
}

/** Contract call, as encoded in its bytes. */
export interface DecodedCall {
  readonly owner: Address;
  readonly contract: Address;
  readonly data: Hex;
  readonly callValue: Sun;
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
  readonly feeLimit: Sun;
}

/**
 * Returns the call in the bytes of a transaction; undefined for any other kind, and for bytes that do not match this
 * txID.
 */
export function callInBytes(txId: TxId, rawData: Uint8Array): DecodedCall | undefined {
  if (transactionId(rawData) !== txId) return undefined;
  const { raw, contracts } = decodeRawData(rawData);
  const message = contracts[0]?.message;
  if (!isMessage(message, TriggerSmartContractSchema)) return undefined;
  const contract = tryRead(address, bytesToHex(message.contractAddress));
  const owner = tryRead(address, bytesToHex(message.ownerAddress));
  if (contract === undefined || owner === undefined) return undefined;
  const { callValue, callTokenValue: tokenValue, tokenId } = message;
  const data = bytesToHex(message.data);
  return { owner, contract, data, callValue: sun(callValue), tokenId, tokenValue, feeLimit: sun(raw.feeLimit) };
}

/** Serializes `raw_data` as the node does: ascending field numbers, default values omitted, minimal varints. */
export function encodeRawData(raw: Raw): Uint8Array {
  return toBinary(RawSchema, raw);
}

/** Returns a contract entry for a message. Contract type 0 has no type field on the wire. */
export function contractEntry(type: ContractType, message: Message, permissionId = 0): Contract {
  return create(ContractSchema, {
    type: type.number,
    parameter: { typeUrl: typeUrl(type), value: toBinary(type.schema, message) },
    PermissionId: permissionId,
  });
}

/** @throws {ChainError} `TRANSACTION_MALFORMED` */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  return readMessage(TransactionSchema, bytes, "transaction");
}

/** Returns the signed bytes for `/wallet/broadcasthex`: `raw_data` and the signatures. */
export function encodeTransaction(raw: Raw, signatures: readonly Uint8Array[]): Uint8Array {
  return transactionBytes(encodeRawData(raw), signatures);
}

/** Returns the same from the bytes of `raw_data`. */
export function transactionBytes(rawData: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array {
  const { rawData: raw, signature } = TransactionSchema.field;
  const fields = [
    bytesField(raw.number, rawData, true),
    ...signatures.map((it) => bytesField(signature.number, it, true)),
  ];
  return new Uint8Array(Buffer.concat(fields));
}

/** Adds the `contractRet` of a block to signed bytes. The result is a leaf of the block's Merkle tree. */
export function withResult(transaction: Uint8Array, result: ContractResult): Uint8Array {
  const number = numberField(ResultSchema.field.contractRet.number, contractResultNumber(result) ?? 0);
  return new Uint8Array(Buffer.concat([transaction, bytesField(TransactionSchema.field.ret.number, number, true)]));
}

/** @throws {ChainError} `TRANSACTION_MALFORMED` if the message does not match its type */
export function decodeContract(entry: Contract, index = 0): DecodedContract {
  const type = contractTypeByNumber(entry.type);
  if (type === undefined || entry.parameter === undefined) return { entry, type, message: undefined };
  return {
    entry,
    type,
    message: readMessage(type.schema, entry.parameter.value, `raw_data.contract[${index}].parameter.value`),
  };
}

/**
 * Decodes one message.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` with the path
 */
export function readMessage<M extends Message>(schema: GenMessage<M>, bytes: Uint8Array, path: string): M {
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    const reason = `${path}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ChainError("TRANSACTION_MALFORMED", { reason }, { cause });
  }
}

/** Encodes each known parameter again, so that bytes hidden inside `parameter.value` are detected. */
function reencoded(raw: Raw, contracts: readonly DecodedContract[]): Raw {
  const contract = contracts.map(({ entry, type, message }) =>
    type && message && entry.parameter
      ? { ...entry, parameter: { ...entry.parameter, value: toBinary(type.schema, message) } }
      : entry,
  );
  return { ...raw, contract };
}

function findUnknown(schema: GenMessage<Message>, message: Message, path: string): UnknownField[] {
  const own = (message.$unknown ?? []).map(({ no }) => ({ path, number: no }));
  return [
    ...own,
    ...nestedMessages(schema, message, path).flatMap((it) => findUnknown(it.schema, it.message, it.path)),
  ];
}

interface Nested {
  readonly schema: GenMessage<Message>;
  readonly message: Message;
  readonly path: string;
}

function nestedMessages(schema: GenMessage<Message>, message: Message, path: string): Nested[] {
  const view = reflect(schema, message);
  return schema.fields.flatMap((field): Nested[] => {
    const at = `${path}.${field.name}`;
    if (field.fieldKind === "message" && view.isSet(field)) {
      return [{ schema: field.message as GenMessage<Message>, message: view.get(field).message, path: at }];
    }
    if (field.fieldKind === "list" && field.listKind === "message") {
      const items = [...view.get(field)] as unknown as readonly { message: Message }[];
      return items.map((it, index) => ({
        schema: field.message as GenMessage<Message>,
        message: it.message,
        path: `${at}[${index}]`,
      }));
    }
    return [];
  });
}
