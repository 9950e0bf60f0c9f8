import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { hexToBytes } from "../../core/primitives/bytes.ts";
import type { FieldKind, Fields, Value, Values } from "./json-format.ts";

const ADDRESSES = new Set([
  "owner_address",
  "to_address",
  "account_address",
  "contract_address",
  "receiver_address",
  "address",
  "vote_address",
]);
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
  "AccountCreateContract.type": { enumeration: "protocol.AccountType", names: ["Normal", "AssetIssue", "Contract"] },
};

/** The fields of a protobuf message, as a body may have them. */
export function fieldsOf(schema: GenMessage<Message>): Fields {
  return Object.fromEntries(schema.fields.map((field) => [field.name, kindOf(field)]));
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
      return ADDRESSES.has(field.name) ? "address" : "bytes";
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
