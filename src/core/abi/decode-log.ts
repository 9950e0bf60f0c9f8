import { ChainError } from "../errors/chain-error.ts";
import { hexToBytes } from "../primitives/bytes.ts";
import type { AbiCandidate } from "./abi-index.ts";
import { type AbiParameter, type AbiType, elementaryType } from "./abi-type.ts";
import { type AbiValue, decodeAbi } from "./decode-abi.ts";

/**
 * The values of an event in the order of its parameters. What is in a topic as a hash only has the type bytes32 here.
 */
export interface DecodedLog {
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
}

/**
 * Decodes a log as an event.
 *
 * @param topics - in hex, the first of which names the event
 * @throws {ChainError} `ABI_MALFORMED` the event has other topics or data; `HEX_MALFORMED`
 */
export function decodeLog(
  { parameters, indexed }: Pick<AbiCandidate, "parameters" | "indexed">,
  topics: readonly string[],
  data: Uint8Array,
): DecodedLog {
  const inTopics = parameters.filter((_, at) => indexed[at] === true).map(ofTopic);
  if (topics.length !== inTopics.length + 1) {
    throw new ChainError("ABI_MALFORMED", {
      reason: `the event has ${inTopics.length + 1} topics, not ${topics.length}`,
    });
  }
  const fromTopics = inTopics.flatMap((one, at) => decodeAbi([one], hexToBytes(topics[at + 1] ?? "")));
  const fromData = decodeAbi(
    parameters.filter((_, at) => indexed[at] !== true),
    data,
  );
  const rest = { topics: fromTopics.values(), data: fromData.values() };
  return {
    parameters: parameters.map((one, at) => (indexed[at] === true ? ofTopic(one) : one)),
    values: parameters.flatMap((_, at) => {
      const { value, done } = (indexed[at] === true ? rest.topics : rest.data).next();
      return done === true ? [] : [value];
    }),
  };
}

/** A topic holds one word: of anything longer it is the hash. */
function ofTopic(parameter: AbiParameter): AbiParameter {
  return isWord(parameter.type) ? parameter : { ...parameter, type: elementaryType("bytes32") };
}

function isWord({ kind }: AbiType): boolean {
  return kind !== "string" && kind !== "bytes" && kind !== "array" && kind !== "tuple";
}
