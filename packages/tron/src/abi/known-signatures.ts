import { type AbiCandidate, type AbiIndex, candidateFromSignature } from "./abi-index.ts";
import { parseSignature, signatureText, topicOf } from "./abi-signature.ts";

/** The text of a dictionary, and where its names come from. */
export interface SignatureRows {
  readonly knownSignatures: string;
  readonly knownOrigins: readonly string[];
}

/**
 * The dictionary as an index. A row is read when its selector is asked for, so it is there at once; rows that cannot be
 * read are no names.
 */
export function createKnownIndex({ knownSignatures, knownOrigins }: SignatureRows): AbiIndex {
  const rows = new Map<string, string[]>();
  for (const row of knownSignatures.split("\n")) {
    const key = row.slice(0, 8);
    if (key.length === 8) rows.set(key, [...(rows.get(key) ?? []), row.slice(9)]);
  }
  return {
    lookup: (key) => (rows.get(key.slice(0, 8)) ?? []).flatMap((row) => candidateOf(row, key, knownOrigins)),
  };
}

function candidateOf(row: string, key: string, origins: readonly string[]): readonly AbiCandidate[] {
  const [digits = "", letter = "", ...words] = row.split(" ");
  const text = words.join(" ");
  const from = [...digits].map((digit) => origins[Number(digit)] ?? "").join(", ");
  if (letter === "v") return eventOf(text, key, from);
  return key.length === 8 ? [candidateFromSignature(letter === "e" ? "error" : "function", text, from)] : [];
}

function eventOf(text: string, key: string, origin: string): readonly AbiCandidate[] {
  const { name, parameters } = parseSignature(text);
  const signature = signatureText({ name, parameters });
  if (key.length !== 64 || topicOf(signature) !== key) return [];
  return [{ kind: "event", name, parameters, signature, outputs: [], indexed: indexedOf(text), origin }];
}

/** Which parameters at the top of the list are topics. */
function indexedOf(text: string): readonly boolean[] {
  const flags = [false];
  let depth = 0;
  for (const word of text.split(/([(),\s])/)) {
    if (word === "(") depth++;
    if (word === ")") depth--;
    if (word === "," && depth === 1) flags.push(false);
    if (word === "indexed" && depth === 1) flags[flags.length - 1] = true;
  }
  return flags;
}
