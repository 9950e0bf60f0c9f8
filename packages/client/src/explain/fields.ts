import {
  type AbiCandidate,
  type AbiIndex,
  type AbiInput,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type DecodedLog,
  decodeLog,
  isAbiName,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { counted, type NameOf } from "@finality/tron/format";
import {
  type Address,
  anyAddressIn,
  type Hex,
  hexToBytes,
  isForeignText,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  nameText,
  printJson,
  rawText,
  seen,
  stripHexPrefix,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { EventLog } from "../gateway/gateway.ts";
import { listOf, objectOf, textOf } from "./decode/json.ts";
import { clip } from "./diagnosis.ts";
import type { DecodedField, ExplainContext } from "./explanation.ts";
import { readMessage } from "./messages/message-text.ts";

/** Value that a contract returned, or value to pass to it. */
type Shown = AbiValue | AbiInput;

/** Formats decoded values as a tree, with names and types. */
export function fieldsOfValues(
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
): readonly DecodedField[] {
  return parameters.map(({ name, type }, index) => fieldOfValue(rawText(name) || `[${index}]`, type, values[index]));
}

/**
 * Formats the arguments in one line, as in a call. Omits names that no compiler accepts, because they could end the
 * list.
 *
 * @param nameOf - Returns the user's name for an address.
 */
export function argumentList(
  parameters: readonly AbiParameter[],
  values: readonly Shown[],
  nameOf: NameOf = NO_NAMES,
): string {
  return parameters
    .map(({ name, type }, index) => {
      const before = isAbiName(rawText(name)) ? `${nameText(name)}: ` : "";
      return before + valueText(type, values[index], nameOf);
    })
    .join(", ");
}

const NO_NAMES: NameOf = () => undefined;

const MAX_ITEMS = 200;
const MAX_TEXT = 120;

function fieldOfValue(name: string, type: AbiType, value: AbiValue | undefined): DecodedField {
  const base = { name, type: type.text };
  if (type.kind === "tuple") {
    const children = fieldsOfValues(type.fields, itemsOf(value));
    return { ...base, kind: "list", value: counted(type.fields.length, t`field`, t`fields`), children };
  }
  if (type.kind === "array") {
    const items = itemsOf(value);
    const children = items.slice(0, MAX_ITEMS).map((item, index) => fieldOfValue(`[${index}]`, type.element, item));
    return { ...base, kind: "list", value: counted(items.length, t`item`, t`items`), children };
  }
  if (typeof value === "object" && !Array.isArray(value) && "bytes" in value) {
    return {
      ...base,
      kind: "text",
      value: rawText(value.text),
      children: [{ name: "hex", value: value.bytes, kind: "hex" }],
    };
  }
  return { ...base, kind: kindOf(type), value: fullText(type, value) };
}

function kindOf(type: AbiType): DecodedField["kind"] {
  if (type.kind === "uint" || type.kind === "int") return "number";
  if (type.kind === "address") return "address";
  return type.kind === "bytes" || type.kind === "fixed-bytes" ? "hex" : "text";
}

function fullText(type: AbiType, value: Shown | undefined): string {
  if (type.kind === "address") return toBase58(value as Address);
  if (type.kind === "bytes" || type.kind === "fixed-bytes") return `0x${value as Hex}`;
  return isForeignText(value) ? rawText(value) : String(value);
}

function valueText(type: AbiType, value: Shown | undefined, nameOf: NameOf): string {
  if (type.kind === "tuple") return `(${argumentList(type.fields, itemsOf(value), nameOf)})`;
  if (type.kind === "address") return nameOf(value as Address) ?? fullText(type, value);
  if (type.kind === "array") {
    const items = itemsOf(value);
    const shown = items.slice(0, 4).map((item) => valueText(type.element, item, nameOf));
    return `[${[...shown, ...(items.length > 4 ? [t`… ${items.length} items`] : [])].join(", ")}]`;
  }
  const text = typeof value === "object" && "bytes" in value ? rawText(value.text) : fullText(type, value);
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
  const shown = type.kind === "string" ? seen(JSON.stringify(short)) : short;
  return text.length <= MAX_TEXT ? shown : `${shown} (${counted(text.length, t`character`, t`characters`)})`;
}

function itemsOf<T extends Shown>(value: T | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

/** Converts any form of an address, including 20 bytes, to T…; leaves other text unchanged. */
export function addressText(text: string): string {
  const address = anyAddressIn(text);
  return address === undefined ? text : toBase58(address);
}

const MAX_CHILDREN = 100;
const MAX_DEPTH = 12;

/** Formats JSON of the chain as a tree: addresses as T…, times as dates, messages decoded. */
export function fieldsOfJson(json: JsonObject, depth = 0): readonly DecodedField[] {
  return Object.entries(json)
    .slice(0, MAX_CHILDREN)
    .flatMap(([name, value]) => (value === undefined ? [] : [fieldOfJson(name, value, depth)]));
}

function fieldOfJson(name: string, value: Json, depth: number): DecodedField {
  if (depth >= MAX_DEPTH) return { name, value: "…", kind: "text" };
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_CHILDREN) as readonly Json[];
    const children = items.map((item, index) => fieldOfJson(`[${index}]`, item, depth + 1));
    return { name, value: counted(value.length, t`item`, t`items`), kind: "list", children };
  }
  if (isJsonObject(value)) return { name, value: "", kind: "list", children: fieldsOfJson(value, depth + 1) };
  return typeof value === "string" ? fieldOfText(name, value) : fieldOfNumber(name, value);
}

function fieldOfText(name: string, value: string): DecodedField {
  if (name === "message" || name === "resMessage") return { name, value: readMessage(value).readable, kind: "text" };
  if (/address$/i.test(name)) return { name, value: addressText(value), kind: "address" };
  if (/^(?:txid|id)$/i.test(name)) return { name, value, kind: "tx-id" };
  return { name, value, kind: isHexPairs(value) ? "hex" : "text" };
}

function fieldOfNumber(name: string, value: Json): DecodedField {
  const text = clip(printJson(value), 100);
  const time = /^(?:expiration|timestamp|blockTimeStamp)$/.test(name);
  return { name, value: text, kind: typeof value === "boolean" || value === null ? "text" : time ? "time" : "number" };
}

/**
 * Formats an event in one line, with the names of the index; an unknown one by its topics and data. Topics of texts,
 * bytes, lists or tuples are hashes and shown as such.
 *
 * @example eventText(log, index); // "Transfer(from: TJRab…, to: TWAFR…, value: 5000000)"
 */
export function eventText(log: EventLog, index: AbiIndex): string {
  const event = readEvent(log, index);
  return event === undefined
    ? t`an event that is in no ABI here: ${[...log.topics, log.data].map((it) => `0x${it}`).join(" ")}`
    : textOfEvent(event);
}

const MAX_EVENTS = 100;

/** Returns the events of a transaction info that the index names, each with its arguments. */
export function eventFields(info: JsonObject, { abi }: ExplainContext): readonly DecodedField[] {
  if (abi === undefined) return [];
  return listOf(info.log)
    .slice(0, MAX_EVENTS)
    .flatMap((json, at) => {
      const { address, topics, data } = objectOf(json);
      const event = readEvent(
        {
          address: fullAddress(textOf(address)),
          topics: listOf(topics).flatMap(digitsOf),
          data: digitsOf(data ?? "")[0],
        },
        abi,
      );
      if (event === undefined) return [];
      const emitter = textOf(address);
      const said = textOfEvent(event);
      const value = clip(emitter === undefined ? said : `${said}${t` of ${addressText(clip(emitter, 60))}`}`, 300);
      const children = fieldsOfValues(event.parameters, event.values);
      return [{ name: t`event ${at + 1}`, value, kind: "list" as const, children }];
    });
}

interface RawLog {
  readonly address?: string | undefined;
  readonly topics: readonly string[];
  readonly data: string | undefined;
}

/** Event with the name and the parameters of an ABI. */
interface ReadEvent extends DecodedLog {
  readonly name: string;
  /** Source of the name. */
  readonly origin: string;
}

/** Returns the first event of the index that matches topics and data; undefined if none does. */
export function readEvent({ address, topics, data }: RawLog, index: AbiIndex): ReadEvent | undefined {
  if (data === undefined) return undefined;
  for (const candidate of index.lookup(topics[0] ?? "", address)) {
    const read = candidate.kind === "event" ? tryDecodeLog(candidate, topics, hexToBytes(data)) : undefined;
    if (read !== undefined) return { ...read, name: candidate.name, origin: candidate.origin };
  }
  return undefined;
}

function tryDecodeLog(candidate: AbiCandidate, topics: readonly string[], data: Uint8Array): DecodedLog | undefined {
  try {
    return decodeLog(candidate, topics, data);
  } catch (error) {
    if (isChainError(error) && error.code === "ABI_MALFORMED") return undefined;
    throw error;
  }
}

const textOfEvent = ({ name, parameters, values }: ReadEvent): string => `${name}(${argumentList(parameters, values)})`;

/** Normalizes hex to lower case without 0x; undefined for other text. */
function digitsOf(value: unknown): string[] {
  const digits = typeof value === "string" ? stripHexPrefix(value).toLowerCase() : "-";
  return digits === "" || isHexPairs(digits) ? [digits] : [];
}

/** Logs name their contract by 20 bytes. */
function fullAddress(address: string | undefined): string | undefined {
  const digits = address && stripHexPrefix(address).toLowerCase();
  return digits?.length === 40 ? `41${digits}` : digits;
}
