import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { hexToBytes } from "@finality/tron/primitives";
import { contractResults, contractTypeName, enumNames, visibleFormat } from "@finality/tron/transaction";
import type { FieldKind, Fields, Value, Values } from "./json-format.ts";

/** Formats in which a body holds bytes. One table serves both directions. */
const BYTES_KINDS = { address: "address", text: "name", hex: "bytes" } as const;
/** Names by their numbers, with gaps where the protocol has some. */
const CONTRACT_TYPES = Array.from({ length: 60 }, (_, number) => {
  const name = contractTypeName(number);
  return name.startsWith("UNKNOWN") ? undefined : name;
});
const RESOURCE_CODE = "protocol.ResourceCode";
/** The Java names of enumerations, as the node's complaints have them, by message and field. */
const ENUMERATION_CLASSES: { readonly [field: string]: string } = {
  "Permission.type": "protocol.Permission.PermissionType",
  "FreezeBalanceContract.resource": RESOURCE_CODE,
  "UnfreezeBalanceContract.resource": RESOURCE_CODE,
  "FreezeBalanceV2Contract.resource": RESOURCE_CODE,
  "UnfreezeBalanceV2Contract.resource": RESOURCE_CODE,
  "DelegateResourceContract.resource": RESOURCE_CODE,
  "UnDelegateResourceContract.resource": RESOURCE_CODE,
  "Entry.type": "protocol.SmartContract.ABI.Entry.EntryType",
  "Entry.stateMutability": "protocol.SmartContract.ABI.Entry.StateMutabilityType",
  "Contract.type": "protocol.Transaction.Contract.ContractType",
  "Result.ret": "protocol.Transaction.Result.code",
  "Result.contractRet": "protocol.Transaction.Result.contractResult",
  "AccountCreateContract.type": "protocol.AccountType",
};
/** Names of enumerations around a contract, which `enumNames` does not have. */
const OUTER_NAMES: { readonly [field: string]: readonly (string | undefined)[] } = {
  "Contract.type": CONTRACT_TYPES,
  "Result.ret": ["SUCESS", "FAILED"],
  "Result.contractRet": contractResults,
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
  const key = `${field.parent.name}.${field.name}`;
  const names = enumNames(field) ?? OUTER_NAMES[key];
  if (names !== undefined) return { enumeration: ENUMERATION_CLASSES[key] ?? key, names };
  if (field.message !== undefined) return { fields: fieldsOf(field.message as GenMessage<Message>) };
  switch (field.scalar) {
    case ScalarType.BYTES:
      return BYTES_KINDS[visibleFormat(field.name)];
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
