import { type AbiCandidate, type AddressOf, encodeAbi, inputFromText, keyOf, typedValue } from "@finality/tron/abi";
import { bytesToHex, type Hex, hex, hexToBytes, nameText } from "@finality/tron/primitives";
import { listOf, mark, object, type ReadOf, hex as readHex, text, wholeNumber } from "@finality/tron/read";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";

export const eventFilter = object(
  {
    /** By position; an empty one matches every topic. */
    topics: listOf(readHex),
    /** Bytes of the data that must be equal. */
    data: listOf(object({ at: wholeNumber, bytes: readHex }, { pointer: mark })),
  },
  {
    /** Text of the filter, such as `Transfer, to = TWAFR…`. */
    text,
  },
);

/**
 * Condition for topics and data of an event. It holds bytes only, so that it means the same after the ABI is gone. `at`
 * is an offset in bytes; a pointer is the offset of the bytes themselves, as values of dynamic length have it.
 */
export type EventFilter = ReadOf<typeof eventFilter>;

export const EVERY_EVENT: EventFilter = { topics: [], data: [] };

/** Required value of a parameter, by its name or its position from 0. */
export interface EventArgument {
  readonly parameter: string;
  readonly value: string;
}

/** Filter, or the reason why the arguments do not fit the event. */
export type FilterResult =
  | { readonly ok: true; readonly filter: EventFilter }
  | { readonly ok: false; readonly argument: string; readonly reason: string };

/** Returns the filter for one event with these values. Values are addresses, numbers and text as in a call. */
export function filterOf(
  event: Pick<AbiCandidate, "kind" | "name" | "signature" | "parameters" | "indexed">,
  required: readonly EventArgument[],
  addressOf: AddressOf = () => undefined,
): FilterResult {
  const topics: Hex[] = [keyOf(event)];
  const data: { at: number; bytes: Hex; pointer?: true }[] = [];
  for (const { parameter, value } of required) {
    const at = positionOf(event, parameter);
    const field = event.parameters[at];
    if (field === undefined) return { ok: false, argument: parameter, reason: t`the event has no such parameter` };
    const typed = typedValue(field.type, inputFromText(field.type, value), addressOf, parameter);
    if (!typed.ok) return { ok: false, argument: parameter, reason: typed.misfits[0]?.reason ?? "" };
    const encoded = encodeAbi([field], [typed.value]);
    if (event.indexed[at] !== true) {
      const offset = event.parameters.slice(0, at).reduce((sum, { type }, before) => {
        return event.indexed[before] === true ? sum : sum + type.head;
      }, 0);
      data.push(
        field.type.dynamic ? { at: offset, bytes: afterHead(encoded), pointer: true } : { at: offset, bytes: encoded },
      );
      continue;
    }
    const topic = topicFor(field.type.kind, encoded);
    if (topic === undefined)
      return { ok: false, argument: parameter, reason: t`lists and tuples that are indexed cannot be compared` };
    const position = event.indexed.slice(0, at + 1).filter(Boolean).length;
    while (topics.length < position) topics.push(hex(""));
    topics[position] = topic;
  }
  const conditions = required.map(({ parameter, value }) => `${parameter} = ${value}`);
  return { ok: true, filter: { topics, data, text: [event.name, ...conditions].join(", ") } };
}

function positionOf({ parameters }: Pick<AbiCandidate, "parameters">, parameter: string): number {
  const named = parameters.findIndex(({ name }) => nameText(name) === parameter);
  if (named >= 0) return named;
  return /^\d{1,3}$/.test(parameter) ? Number(parameter) : -1;
}

/** Length and content of a value without the offset before it. */
function afterHead(encoded: Hex): Hex {
  return hex(encoded.slice(64));
}

/** Returns the topic of an indexed value; undefined for lists and tuples, of which a topic has a hash. */
function topicFor(kind: string, encoded: Hex): Hex | undefined {
  if (kind === "array" || kind === "tuple") return undefined;
  if (kind !== "string" && kind !== "bytes") return encoded;
  const length = Number.parseInt(encoded.slice(64, 128), 16);
  return bytesToHex(keccak_256(hexToBytes(encoded.slice(128, 128 + 2 * length))));
}

/** Returns whether an event matches. */
export function matchesFilter(
  { topics, data }: EventFilter,
  event: { readonly topics: readonly Hex[]; readonly data: Hex },
): boolean {
  if (!topics.every((topic, at) => topic === "" || topic === event.topics[at])) return false;
  return data.every(({ at, bytes, pointer }) => {
    const start = pointer === undefined ? 2 * at : 2 * offsetAt(event.data, at);
    return event.data.startsWith(bytes, start);
  });
}

/** Reads an offset; one outside of the data is its end. */
function offsetAt(data: Hex, at: number): number {
  const word = data.slice(2 * at, 2 * at + 64);
  return /^0{56}[0-9a-f]{8}$/.test(word) ? Number.parseInt(word, 16) : data.length;
}
