import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { hexToBytes } from "../../core/primitives/bytes.ts";
import { contractResults } from "../../core/transaction/contract-result.ts";
import { contractTypeName } from "../../core/transaction/contract-types.ts";
import type { FieldKind, Fields, Value, Values } from "./json-format.ts";

const ADDRESSES = new Set([
  "owner_address",
  "to_address",
  "account_address",
  "contract_address",
  "receiver_address",
  "address",
  "vote_address",
  "transparent_from_address",
  "transparent_to_address",
]);
/** Bytes that are text for people. */
const NAMES = new Set([
  "account_name",
  "ContractName",
  "permission_name",
  "account_id",
  "asset_name",
  "name",
  "abbr",
  "description",
  "url",
  "update_url",
  "token_id",
  "first_token_id",
  "second_token_id",
  "sell_token_id",
  "buy_token_id",
]);
/** Names by their numbers, with gaps where the protocol has some. */
const CONTRACT_TYPES = Array.from({ length: 60 }, (_, number) => {
  const name = contractTypeName(number);
  return name.startsWith("UNKNOWN") ? undefined : name;
});
const ENUMERATIONS: { readonly [field: string]: FieldKind } = {
  "Permission.type": { enumeration: "protocol.Permission.PermissionType", names: ["Owner", "Witness", "Active"] },
  ...Object.fromEntries(
    [
      "FreezeBalance",
      "UnfreezeBalance",
      "FreezeBalanceV2",
      "UnfreezeBalanceV2",
      "DelegateResource",
      "UnDelegateResource",
    ].map((it) => [
      `${it}Contract.resource`,
      { enumeration: "protocol.ResourceCode", names: ["BANDWIDTH", "ENERGY", "TRON_POWER"] },
    ]),
  ),
  "Entry.type": {
    enumeration: "protocol.SmartContract.ABI.Entry.EntryType",
    names: ["UnknownEntryType", "Constructor", "Function", "Event", "Fallback", "Receive", "Error"],
  },
  "Entry.stateMutability": {
    enumeration: "protocol.SmartContract.ABI.Entry.StateMutabilityType",
    names: ["UnknownMutabilityType", "Pure", "View", "Nonpayable", "Payable"],
  },
  "Contract.type": { enumeration: "protocol.Transaction.Contract.ContractType", names: CONTRACT_TYPES },
  "Result.ret": { enumeration: "protocol.Transaction.Result.code", names: ["SUCESS", "FAILED"] },
  "Result.contractRet": { enumeration: "protocol.Transaction.Result.contractResult", names: contractResults },
  "AccountCreateContract.type": { enumeration: "protocol.AccountType", names: ["Normal", "AssetIssue", "Contract"] },
};

const known = new Map<GenMessage<Message>, Fields>();

/** The fields of a protobuf message, as a body may have them. */
export function fieldsOf(schema: GenMessage<Message>): Fields {
  const fields = known.get(schema) ?? readFields(schema);
  known.set(schema, fields);
  return fields;
}

function readFields(schema: GenMessage<Message>): Fields {
  const fields = schema.fields.filter((it) => it.fieldKind !== "map").sort((a, b) => a.number - b.number);
  return Object.fromEntries(fields.map((field) => [field.name, kindOf(field)]));
}

/** The message that a body has described. */
export function messageOf(schema: GenMessage<Message>, values: Values): Message {
  const message = create(schema);
  const target = message as unknown as Record<string, unknown>;
  for (const field of schema.fields) {
    const value = values[field.name];
    if (value !== undefined) target[field.localName] = fieldValue(field, value);
  }
  return message;
}

function kindOf(field: DescField): FieldKind {
  const kind = singleKind(field);
  return field.fieldKind === "list" ? { each: kind } : kind;
}

function singleKind(field: DescField): FieldKind {
  const enumeration = ENUMERATIONS[`${field.parent.name}.${field.name}`];
  if (enumeration !== undefined) return enumeration;
  if (field.message !== undefined) return { fields: fieldsOf(field.message as GenMessage<Message>) };
  switch (field.scalar) {
    case ScalarType.BYTES:
      if (ADDRESSES.has(field.name)) return "address";
      return NAMES.has(field.name) ? "name" : "bytes";
    case ScalarType.STRING:
      return "text";
    case ScalarType.BOOL:
      return "bool";
    case ScalarType.INT32:
      return "int32";
    default:
      return "int64";
  }
}

function fieldValue(field: DescField, value: Value): unknown {
  return Array.isArray(value) ? value.map((it: Value) => singleValue(field, it)) : singleValue(field, value);
}

function singleValue(field: DescField, value: Value): unknown {
  if (field.message !== undefined) return messageOf(field.message as GenMessage<Message>, value as Values);
  if (field.scalar === ScalarType.BYTES) return hexToBytes(String(value));
  if (field.scalar === ScalarType.INT32) return Number(value);
  return value;
}
