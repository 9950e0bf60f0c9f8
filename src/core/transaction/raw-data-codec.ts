import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ChainError } from "../errors/chain-error.ts";
import { equalBytes } from "../primitives/bytes.ts";
import { type ContractResult, contractResultNumber } from "./contract-result.ts";
import { type ContractType, contractTypeByNumber, typeUrl } from "./contract-types.ts";
import {
  type Contract,
  ContractSchema,
  type Raw,
  RawSchema,
  ResultSchema,
  type Transaction,
  TransactionSchema,
} from "./gen/transaction_pb.js";

/** A field that the schema does not know: whatever it says, a person never saw it. */
export interface UnknownField {
  /** Where it stands, such as `raw_data.contract[0].parameter.value`. */
  readonly path: string;
  readonly number: number;
}

/** One contract entry; `message` is absent when the type is not in our schema. */
export interface DecodedContract {
  readonly entry: Contract;
  readonly type: ContractType | undefined;
  readonly message: Message | undefined;
}

export interface DecodedRawData {
  readonly raw: Raw;
  readonly contracts: readonly DecodedContract[];
  readonly unknownFields: readonly UnknownField[];
  /** Whether encoding the decoded fields gives the very same bytes; if not, the bytes hide something. */
  readonly canonical: boolean;
}

/**
 * Decodes the bytes of `raw_data`, every level of it, and reports what the schema does not know.
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

/** Serialises `raw_data` as the node does: ascending field numbers, defaults left out, minimal varints. */
export function encodeRawData(raw: Raw): Uint8Array {
  return toBinary(RawSchema, raw);
}

/** A contract entry around its message. Contract type 0 has no type tag on the wire. */
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

/**
 * The signed bytes that `/wallet/broadcasthex` takes: `raw_data` and the signatures.
 *
 * @param result - what a block adds (its `contractRet`); such bytes are the leaves of the block's Merkle tree
 */
export function encodeTransaction(raw: Raw, signatures: readonly Uint8Array[], result?: ContractResult): Uint8Array {
  const ret = result === undefined ? [] : [create(ResultSchema, { contractRet: contractResultNumber(result) ?? 0 })];
  return toBinary(TransactionSchema, create(TransactionSchema, { rawData: raw, signature: [...signatures], ret }));
}

/** @throws {ChainError} `TRANSACTION_MALFORMED` the message does not fit its type */
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
 * Reads one message.
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

/**
 * The same raw_data with each known parameter encoded anew, so that bytes hidden inside `parameter.value` show as well.
 */
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
