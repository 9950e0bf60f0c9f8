import { type AbiCandidate, type AbiIndex, type DecodedLog, decodeLog } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { hexToBytes, isHexPairs, type JsonObject, stripHexPrefix } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { EventLog } from "../../gateway/gateway.ts";
import { listOf, objectOf, textOf } from "../decode/json.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { addressText, argumentList, fieldsOfValues } from "./fields.ts";
import { clip } from "./finding.ts";

/**
 * An event in one line, with the names of the index; an unknown one by its topics and data. Topics that stand for
 * texts, bytes, lists or tuples are hashes, and are shown as such.
 *
 * @example
 * eventText(log, index); // "Transfer(from: TJRab…, to: TWAFR…, value: 5000000)"
 */
export function eventText(log: EventLog, index: AbiIndex): string {
  const event = readEvent(log, index);
  return event === undefined
    ? t`an event that no ABI here names: ${[...log.topics, log.data].map((it) => `0x${it}`).join(" ")}`
    : textOfEvent(event);
}

const MAX_EVENTS = 100;

/** The events in the information of a transaction that the index names, each with its arguments. */
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

interface ReadEvent extends DecodedLog {
  readonly name: string;
}

/** The first candidate of the index that fits topics and data. */
function readEvent({ address, topics, data }: RawLog, index: AbiIndex): ReadEvent | undefined {
  if (data === undefined) return undefined;
  for (const candidate of index.lookup(topics[0] ?? "", address)) {
    const read = candidate.kind === "event" ? tryDecodeLog(candidate, topics, hexToBytes(data)) : undefined;
    if (read !== undefined) return { ...read, name: candidate.name };
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

/** Hex in lower case without 0x; nothing for what is none. */
function digitsOf(value: unknown): string[] {
  const digits = typeof value === "string" ? stripHexPrefix(value).toLowerCase() : "-";
  return digits === "" || isHexPairs(digits) ? [digits] : [];
}

/** Logs name their contract by 20 bytes. */
function fullAddress(address: string | undefined): string | undefined {
  const digits = address && stripHexPrefix(address).toLowerCase();
  return digits?.length === 40 ? `41${digits}` : digits;
}
