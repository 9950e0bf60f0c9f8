import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { reflect } from "@bufbuild/protobuf/reflect";
import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { addressToBytes, bytesToBase58Check, parseAddress } from "../primitives/address.ts";
import { bytesToHex, hexToBytes, isHexPairs, shorten } from "../primitives/bytes.ts";
import {
  integerFromJson,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonInteger,
  quoteJson,
} from "../primitives/json.ts";
import { contractTypeByName, typeUrl } from "./contract-types.ts";
import { type Contract, type Raw, RawSchema } from "./gen/transaction_pb.js";
import { contractEntry, decodeContract } from "./raw-data-codec.ts";

/** Format of a byte field with `visible: true`. Without it every byte field is hex. */
export type VisibleFormat = "address" | "text" | "hex";

/** Byte fields that are not hex with `visible: true` (java-tron's HttpSelfFormatFieldName, protocol reference §3.1). */
const VISIBLE_FORMATS = new Map<string, VisibleFormat>([
  ["owner_address", "address"],
  ["to_address", "address"],
  ["contract_address", "address"],
  ["receiver_address", "address"],
  ["account_address", "address"],
  ["vote_address", "address"],
  ["witness_address", "address"],
  ["origin_address", "address"],
  ["transparent_from_address", "address"],
  ["transparent_to_address", "address"],
  ["address", "address"],
  ["asset_name", "text"],
  ["name", "text"],
  ["abbr", "text"],
  ["description", "text"],
  ["url", "text"],
  ["update_url", "text"],
  ["account_name", "text"],
  ["account_id", "text"],
  ["permission_name", "text"],
  ["ContractName", "text"],
  ["token_id", "text"],
  ["first_token_id", "text"],
  ["second_token_id", "text"],
  ["sell_token_id", "text"],
  ["buy_token_id", "text"],
]);

/** Returns the format in which a byte field is both printed and read with `visible: true`. */
export function visibleFormat(fieldName: string): VisibleFormat {
  return VISIBLE_FORMATS.get(fieldName) ?? "hex";
}

/** Fields that the node never prints. */
const UNPRINTED = new Set(["provider", "ContractName"]);

const RESOURCES = ["BANDWIDTH", "ENERGY", "TRON_POWER"];
/** Integers that JSON shows by name, by message and field. */
const ENUMS: { readonly [field: string]: readonly string[] } = {
  "FreezeBalanceContract.resource": RESOURCES,
  "UnfreezeBalanceContract.resource": RESOURCES,
  "FreezeBalanceV2Contract.resource": RESOURCES,
  "UnfreezeBalanceV2Contract.resource": RESOURCES,
  "DelegateResourceContract.resource": RESOURCES,
  "UnDelegateResourceContract.resource": RESOURCES,
  "AccountCreateContract.type": ["Normal", "AssetIssue", "Contract"],
  "Permission.type": ["Owner", "Witness", "Active"],
  "Entry.type": ["UnknownEntryType", "Constructor", "Function", "Event", "Fallback", "Receive", "Error"],
  "Entry.stateMutability": ["UnknownMutabilityType", "Pure", "View", "Nonpayable", "Payable"],
};

/**
 * Converts `raw_data` to the node's JSON: proto names, default values omitted, bytes as hex (or base58 and text with
 * visible).
 */
export function rawDataToJson(raw: Raw, visible: boolean): JsonObject {
  return { ...messageToJson(RawSchema, raw, visible), contract: raw.contract.map((it) => contractToJson(it, visible)) };
}

/**
 * Parses `raw_data` from the node's JSON. Unknown names are skipped, as in the node.
 *
 * @throws {ChainError} `TRANSACTION_JSON_MALFORMED` with the path of the mismatch
 */
export function rawDataFromJson(json: Json | undefined, visible: boolean): Raw {
  const object = objectAt(json, "raw_data");
  const { contract, ...rest } = object;
  const raw = messageFromJson(RawSchema, rest, visible, "raw_data") as Raw;
  raw.contract = listAt(contract).map((it, index) => contractFromJson(it, visible, `raw_data.contract[${index}]`));
  return raw;
}

/** @throws {ChainError} `TRANSACTION_JSON_MALFORMED`, also for a contract type that is not in our schema */
function contractFromJson(json: Json, visible: boolean, path: string): Contract {
  const object = objectAt(json, path);
  const type = typeof object.type === "string" ? contractTypeByName(object.type) : undefined;
  if (type === undefined) throw malformed(`${path}.type`, t`${quoteJson(object.type)} is not a known contract type`);
  const parameter = objectAt(object.parameter, `${path}.parameter`);
  const message = messageFromJson(
    type.schema,
    objectAt(parameter.value, `${path}.parameter.value`),
    visible,
    `${path}.parameter.value`,
  );
  return contractEntry(type, message, int32FromJson(object.Permission_id ?? 0, `${path}.Permission_id`));
}

/**
 * Returns the first name in `raw_data` that no field of the protocol has: the node ignores it, but the user may read
 * it.
 *
 * @param json - Input of `rawDataFromJson`.
 */
export function unknownNameIn(json: Json | undefined): string | undefined {
  const { contract, ...rest } = objectAt(json, "raw_data");
  const inContracts = listAt(contract).map((it, index) => unknownInContract(it, `raw_data.contract[${index}]`));
  return [unknownInMessage(RawSchema, rest, "raw_data"), ...inContracts].find((it) => it !== undefined);
}

function unknownInContract(json: Json, path: string): string | undefined {
  const { type, parameter, Permission_id: _, ...rest } = objectAt(json, path);
  const { value, type_url, ...beside } = objectAt(parameter, `${path}.parameter`);
  const [name] = [...Object.keys(rest).map((it) => `${path}.${it}`), ...Object.keys(beside)];
  const known = contractTypeByName(String(type));
  if (name !== undefined || known === undefined) return name;
  if (type_url !== undefined && type_url !== typeUrl(known)) return `${path}.parameter.type_url`;
  return unknownInMessage(known.schema, objectAt(value, path), `${path}.parameter.value`);
}

function unknownInMessage(schema: GenMessage<Message>, json: JsonObject, path: string): string | undefined {
  for (const [name, value] of Object.entries(json)) {
    const field = schema.fields.find((it) => it.name === name && !UNPRINTED.has(name));
    if (field === undefined) return `${path}.${name}`;
    if (field.message === undefined || value === undefined) continue;
    const nested = listAt(value).map((it) =>
      unknownInMessage(field.message as GenMessage<Message>, objectAt(it, path), `${path}.${name}`),
    );
    const unknown = nested.find((it) => it !== undefined);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** Converts one message to the node's JSON. */
export function messageToJson(schema: GenMessage<Message>, message: Message, visible: boolean): JsonObject {
  const view = reflect(schema, message);
  const entries = schema.fields
    .filter((field) => view.isSet(field) && !UNPRINTED.has(field.name))
    .map((field): [string, Json] => [field.name, fieldToJson(field, view.get(field), visible)]);
  return Object.fromEntries(entries);
}

/** @throws {ChainError} `TRANSACTION_JSON_MALFORMED` */
export function messageFromJson(
  schema: GenMessage<Message>,
  json: JsonObject,
  visible: boolean,
  path: string,
): Message {
  const message = create(schema);
  const values = message as unknown as Record<string, unknown>;
  for (const field of schema.fields) {
    const value = json[field.name];
    if (value !== undefined && value !== null) {
      values[field.localName] = fieldFromJson(field, value, { visible, path: `${path}.${field.name}` });
    }
  }
  return message;
}

function contractToJson(entry: Contract, visible: boolean): JsonObject {
  const { type, message } = decodeContract(entry);
  return {
    parameter: {
      value:
        type && message
          ? messageToJson(type.schema, message, visible)
          : bytesToHex(entry.parameter?.value ?? new Uint8Array()),
      type_url: entry.parameter?.typeUrl ?? "",
    },
    type: type?.name ?? String(entry.type),
    ...(entry.PermissionId === 0 ? {} : { Permission_id: entry.PermissionId }),
  };
}

function fieldToJson(field: DescField, value: unknown, visible: boolean): Json {
  switch (field.fieldKind) {
    case "list":
      return [...(value as Iterable<unknown>)].map((it) => singleToJson(field, it, visible));
    case "map":
      return [...(value as Iterable<[string, bigint]>)].map(([key, it]) => ({ key, value: jsonInteger(it) }));
    default:
      return singleToJson(field, value, visible);
  }
}

function singleToJson(field: DescField, value: unknown, visible: boolean): Json {
  if (field.message !== undefined) {
    return messageToJson(field.message as GenMessage<Message>, (value as { message: Message }).message, visible);
  }
  if (value instanceof Uint8Array) return bytesToJson(field, value, visible);
  if (typeof value === "bigint") return jsonInteger(value);
  return enumNames(field)?.[Number(value)] ?? (value as Json);
}

function bytesToJson(field: DescField, bytes: Uint8Array, visible: boolean): string {
  switch (visible ? visibleFormat(field.name) : "hex") {
    case "address":
      return bytesToBase58Check(bytes);
    case "text":
      return Buffer.from(bytes).toString("utf8");
    case "hex":
      return bytesToHex(bytes);
  }
}

interface FieldContext {
  readonly visible: boolean;
  readonly path: string;
}

function fieldFromJson(field: DescField, value: Json, context: FieldContext): unknown {
  if (field.fieldKind === "list") {
    return listAt(value).map((it, index) =>
      singleFromJson(field, it, { ...context, path: `${context.path}[${index}]` }),
    );
  }
  if (field.fieldKind === "map") throw malformed(context.path, t`maps are never sent`);
  return singleFromJson(field, value, context);
}

function singleFromJson(field: DescField, value: Json, { visible, path }: FieldContext): unknown {
  if (field.message !== undefined) {
    return messageFromJson(field.message as GenMessage<Message>, objectAt(value, path), visible, path);
  }
  switch (field.scalar) {
    case ScalarType.BYTES:
      return bytesFromJson(field, value, { visible, path });
    case ScalarType.BOOL:
      return value === true || value === "true";
    case ScalarType.STRING:
      if (typeof value !== "string") throw malformed(path, t`it must be text`);
      return value;
    case ScalarType.INT32:
      return numberFromJson(field, value, path);
    default:
      return integerFromJson(value, path);
  }
}

function numberFromJson(field: DescField, value: Json, path: string): number {
  const names = enumNames(field);
  if (typeof value !== "string" || names === undefined) return int32FromJson(value, path);
  const index = names.findIndex((name) => name === value || name.toLowerCase() === value);
  if (index < 0) throw malformed(path, t`${shorten(value)} is not one of ${names.join(", ")}`);
  return index;
}

function int32FromJson(value: Json, path: string): number {
  const number = Number(integerFromJson(value, path));
  if ((number | 0) !== number) throw malformed(path, t`${number} is out of range for a 32-bit integer`);
  return number;
}

function bytesFromJson(field: DescField, value: Json, { visible, path }: FieldContext): Uint8Array {
  if (typeof value !== "string") throw malformed(path, t`it must be text`);
  const format = visible ? visibleFormat(field.name) : "hex";
  if (format === "address") return visibleAddress(value, path);
  if (format === "text") return new Uint8Array(Buffer.from(value, "utf8"));
  const digits = value.replace(/^0x/, "");
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  if (even !== "" && !isHexPairs(even)) throw malformed(path, t`${shorten(value)} is not hex`);
  return hexToBytes(even);
}

function visibleAddress(value: string, path: string): Uint8Array {
  if (!value.startsWith("T")) throw malformed(path, t`${shorten(value)} is not a base58 address`);
  return addressToBytes(parseAddress(value));
}

/** Returns the names of an integer field that JSON shows by name, in the order of their numbers. */
export function enumNames(field: DescField): readonly string[] | undefined {
  return ENUMS[`${field.parent.name}.${field.name}`];
}

/** The node accepts a single value in place of a list. */
function listAt(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function objectAt(value: Json | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(path, t`an object is missing`);
  return value;
}

function malformed(path: string, reason: string): ChainError {
  return new ChainError("TRANSACTION_JSON_MALFORMED", { path, reason });
}
