import type { AbiIndex } from "@finality/tron/abi";
import { csvText, isoTime, type NameOf } from "@finality/tron/format";
import { type JsonObject, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { FoundEvent, WatchedEvent } from "../events/event-entry.ts";
import { argumentList, type DecodedField, fieldsOfValues, readEvent } from "../explain.ts";

/** Event with the names of an ABI, if one has it. */
export interface EventLabels {
  /** Undefined if no ABI names the event. */
  readonly name?: string;
  readonly arguments: readonly DecodedField[];
  /** In one line: `Transfer(from: TJRab…, to: TWAFR…, value: 5000000)`, or the topics and the data. */
  readonly text: string;
}

/** Returns the texts of an event. Indexed texts, bytes, lists and tuples are hashes and shown as such. */
export function eventLabels(event: WatchedEvent, abi: AbiIndex, nameOf?: NameOf): EventLabels {
  const { contract: address, topics, data } = event;
  const read = readEvent({ address, topics, data }, abi);
  if (read === undefined) {
    const words = [...topics, ...(data === "" ? [] : [data])].map((it) => `0x${it}`);
    return { arguments: [], text: t`unknown event: ${words.join(" ")}` };
  }
  const { name, parameters, values } = read;
  const text = `${name}(${argumentList(parameters, values, nameOf)})`;
  return { name, arguments: fieldsOfValues(parameters, values), text };
}

/** Returns an event for programs. Numbers are decimal texts, and addresses are base58. */
export function eventJson({ event, withdrawn }: FoundEvent, abi: AbiIndex): JsonObject {
  const { txId, index, contract, topics, data, block } = event;
  const { name, arguments: fields } = eventLabels(event, abi);
  return {
    id: `${txId} ${index}`,
    ...(name === undefined ? {} : { name }),
    arguments: fields.map(fieldJson),
    contract: toBase58(contract),
    block: block.number,
    blockId: block.id,
    timestamp: block.timestamp,
    txId,
    index,
    topics: [...topics],
    data,
    removed: withdrawn,
  };
}

function fieldJson({ name, value, kind, type, children }: DecodedField): JsonObject {
  const nested = children?.map(fieldJson);
  return { name, value, kind, ...(type !== undefined && { type }), ...(nested && { children: nested }) };
}

const COLUMNS = [
  ...["block", "blockTime", "txID", "index", "contract", "event", "arguments"],
  ...["topics", "data", "blockID", "state"],
] as const;

/** Events with the names for them. */
interface NamedEvents {
  readonly events: readonly FoundEvent[];
  readonly abi: AbiIndex;
}

/** Formats events as CSV (RFC 4180). Arguments are JSON. */
export function eventsCsv(all: readonly NamedEvents[]): string {
  const rows = all.flatMap(({ events, abi }) =>
    events.map(({ event, withdrawn }) => {
      const { txId, index, contract, topics, data, block } = event;
      const { name = "", arguments: fields } = eventLabels(event, abi);
      const values = fields.map(({ name: field, value }) => [field, value]);
      return [
        ...[String(block.number), isoTime(block.timestamp), txId, String(index), toBase58(contract), name],
        ...[values.length === 0 ? "" : JSON.stringify(Object.fromEntries(values)), topics.join(" "), data, block.id],
        withdrawn ? "removed" : "final",
      ];
    }),
  );
  return csvText(COLUMNS, rows);
}
