import type { BlockId } from "../primitives/block.ts";
import { type Hex, hexToBytes, isHexPairs } from "../primitives/bytes.ts";
import { type TxId, transactionId } from "../primitives/hash.ts";
import { isJsonObject } from "../primitives/json.ts";
import { readLifetime } from "../transaction/raw-data-reader.ts";
import { refersTo } from "../transaction/reference-block.ts";
import { type AbsenceEvidence, digestOf, heightOf, LISTED_IDS } from "./evidence.ts";

/** A proof that stands by itself: the evidence with the bytes that were signed, without their signatures. */
export interface ProofDocument extends AbsenceEvidence {
  readonly format: typeof FORMAT;
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  /** When it was proven: local clock, Unix ms. */
  readonly provenAt: number;
}

/** What checking a document again gave. `unlisted`: all is well, and the ids of its many blocks are left to the chain. */
export type Recheck =
  | { readonly kind: "ok" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

const FORMAT = "finality.proof-of-absence/1";

/** The document of a proof. */
export function proofDocument(about: Omit<ProofDocument, "format">): ProofDocument {
  return { format: FORMAT, ...about };
}

/** The document as JSON, indented, for a file that `recheckProof` reads. */
export function proofToJson(document: ProofDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Checks a document from itself alone: the txID belongs to the bytes, their expiration is the one that was waited for, and the blocks
 * are without a gap from after the height known at signing (or the reference block) to one that reached the expiration.
 * Whether the chain had these blocks, only a node can tell.
 *
 * @param text - what `proofToJson` wrote. Never throws
 */
export function recheckProof(text: string): Recheck {
  const document = readProof(text);
  if (document === undefined) return { kind: "refused", reasons: ["It is not a proof of absence."] };
  const reasons = [...whatIsWrongWithBytes(document), ...whatIsWrongWithBlocks(document)];
  if (reasons.length > 0) return { kind: "refused", reasons };
  return { kind: document.blockIds === undefined ? "unlisted" : "ok" };
}

/**
 * The document for people: one table.
 *
 * @param timeOf - Unix ms as a date and time
 */
export function proofToMarkdown(document: ProofDocument, timeOf: (ms: number) => string): string {
  const { txId, network, endpoint, expiration, first, last, count, digest, provenAt } = document;
  const rows = [
    ["Transaction", `\`${txId}\``],
    ["Network", network.replace(/[|`\\<>[\]*_]/g, "\\$&")],
    ["Endpoint", `\`${endpoint.replace(/[`|]/g, "")}\``],
    ["Expiration", timeOf(expiration)],
    ["First block", `${first.number}, ${timeOf(first.timestamp)}, \`${first.id}\``],
    ["Last block", `${last.number}, ${timeOf(last.timestamp)}, \`${last.id}\``],
    ["Blocks read", String(count)],
    ["SHA-256 of their ids", `\`${digest}\``],
    ["Proven (local clock)", timeOf(provenAt)],
  ];
  return [
    "# Proof of absence",
    "",
    "Every solidified block that could have held this transaction was read, each the parent of the next. None holds it.",
    "The last one reached its expiration by the clock of the chain, so it can never be executed any more.",
    "",
    "| | |",
    "| --- | --- |",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    "",
  ].join("\n");
}

function whatIsWrongWithBytes({ txId, rawDataHex, expiration }: ProofDocument): string[] {
  if (!isHexPairs(rawDataHex)) return ["The signed bytes are not hex."];
  if (transactionId(hexToBytes(rawDataHex)) !== txId) return ["The txID is not that of the signed bytes."];
  const lifetime = readLifetime(rawDataHex);
  if (lifetime === undefined) return ["The signed bytes cannot be read."];
  return lifetime.expiration === expiration ? [] : ["The expiration is not that of the signed bytes."];
}

function whatIsWrongWithBlocks(document: ProofDocument): string[] {
  const { first, last, count, expiration, parentId, blockIds } = document;
  return [
    ...(beginsEarlyEnough(document) ? [] : ["The blocks begin later than the transaction could have been included."]),
    ...(last.timestamp >= expiration ? [] : ["The last block has not reached the expiration."]),
    ...(count >= 1 && count === last.number - first.number + 1 ? [] : ["The count of blocks is wrong."]),
    ...([first, last].every(({ id, number }) => heightOf(id) === number) ? [] : ["An id is of another height."]),
    ...(heightOf(parentId) === first.number - 1 ? [] : ["The block before the first one is of another height."]),
    ...(count === 1 || first.timestamp < last.timestamp ? [] : ["The times of the blocks do not increase."]),
    ...(blockIds === undefined ? whyNotUnlisted(count) : whatIsWrongWithIds(document, blockIds)),
  ];
}

/** Only what is too long for a line of the journal has no list. */
function whyNotUnlisted(count: number): string[] {
  return count > LISTED_IDS ? [] : ["The ids of the blocks are not in the file."];
}

function beginsEarlyEnough({ first, solidHeight, parentId, rawDataHex }: ProofDocument): boolean {
  if (first.number <= solidHeight + 1) return true;
  const reference = isHexPairs(rawDataHex) ? readLifetime(rawDataHex)?.reference : undefined;
  return reference !== undefined && refersTo(reference, parentId);
}

function whatIsWrongWithIds({ first, last, count, digest }: ProofDocument, ids: readonly BlockId[]): string[] {
  const inOrder = ids.every((id, index) => heightOf(id) === first.number + index);
  const ends = ids[0] === first.id && ids.at(-1) === last.id;
  return [
    ...(inOrder && ends && ids.length === count ? [] : ["The list of ids has a gap."]),
    ...(digestOf(ids) === digest ? [] : ["The digest is not that of the ids."]),
  ];
}

/** A document whose fields have the right types, or undefined. What it says is not checked. */
export function readProof(text: string): ProofDocument | undefined {
  const value = tryParse(text);
  if (!isJsonObject(value) || value.format !== FORMAT) return undefined;
  const numbers = [value.expiration, value.solidHeight, value.count, value.provenAt];
  const texts = [value.txId, value.network, value.endpoint, value.rawDataHex];
  const ids = value.blockIds ?? [];
  const fits =
    numbers.every((it) => Number.isSafeInteger(it)) &&
    texts.every((it) => typeof it === "string") &&
    [value.parentId, value.digest].every(isHash) &&
    [value.first, value.last].every(isReference) &&
    Array.isArray(ids) &&
    ids.every(isHash);
  return fits ? (value as unknown as ProofDocument) : undefined;
}

function isReference(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return isHash(value.id) && Number.isSafeInteger(value.number) && Number.isSafeInteger(value.timestamp);
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
