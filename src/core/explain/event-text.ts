import type { AbiCandidate, AbiIndex } from "../abi/abi-index.ts";
import type { AbiParameter } from "../abi/abi-type.ts";
import type { AbiValue } from "../abi/decode-abi.ts";
import { tryDecode } from "../abi/revert-data.ts";
import type { EventLog } from "../gateway/gateway.ts";
import { hexToBytes } from "../primitives/bytes.ts";
import { argumentList } from "./abi-fields.ts";

/**
 * An event in one line, with the names of the index; an unknown one by its topics and data. Topics that stand for texts, bytes,
 * lists or tuples are hashes, and are shown as such.
 *
 * @example
 * eventText(log, index); // "Transfer(from: TJRab…, to: TWAFR…, value: 5000000)"
 */
export function eventText(log: EventLog, index: AbiIndex): string {
  const [topic = "", ...topics] = log.topics;
  for (const candidate of index.lookup(topic, log.address)) {
    const text = candidate.kind === "event" ? textOf(candidate, topics, log) : undefined;
    if (text !== undefined) return text;
  }
  return `an event that no ABI here names: ${[...log.topics, log.data].map((it) => `0x${it}`).join(" ")}`;
}

function textOf(
  { name, parameters, indexed }: AbiCandidate,
  topics: readonly string[],
  { data }: EventLog,
): string | undefined {
  const inTopics = parameters.filter((_, at) => indexed[at] === true).map(asTopic);
  const inData = parameters.filter((_, at) => indexed[at] !== true);
  if (inTopics.length !== topics.length) return undefined;
  const words = tryDecode(inTopics, hexToBytes(topics.join("")));
  const rest = tryDecode(inData, hexToBytes(data));
  if (words === undefined || rest === undefined) return undefined;
  const [fromTopics, fromData] = [[...words], [...rest]];
  const shown = parameters.map((it, at): AbiParameter => (indexed[at] === true ? asTopic(it) : it));
  const values = parameters.flatMap((_, at): AbiValue[] => (indexed[at] === true ? fromTopics : fromData).splice(0, 1));
  return `${name}(${argumentList(shown, values)})`;
}

/** A topic has one word: of what does not fit it is the hash. */
function asTopic({ name, type }: AbiParameter): AbiParameter {
  const fits = type.kind !== "array" && type.kind !== "tuple" && !type.dynamic;
  if (fits) return { name, type };
  return { name, type: { kind: "fixed-bytes", size: 32, text: "bytes32", head: 32, dynamic: false } };
}
