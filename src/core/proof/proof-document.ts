import { type ChainId, chainId } from "../chain/chain-place.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { BlockId } from "../primitives/block.ts";
import { type Hex, hexToBytes, isHexPairs, type TxId, transactionId } from "../primitives/bytes.ts";
import { object, oneOf, type Read, type ReadOf, text, tryReadJson, wholeNumber } from "../primitives/read.ts";
import type { Clock } from "../time/clock.ts";
import { readLifetime, refersTo } from "../transaction/reference-block.ts";
import { type AbsenceScan, type AbsentFrom, beginScan, scanForAbsence } from "./absence-scan.ts";
import { confirmAbsence, ONE_GATEWAY, type ProofSources } from "./confirm-absence.ts";
import {
  describeChecks,
  digestOf,
  evidenceFields,
  furtherEvidence,
  heightOf,
  LISTED_IDS,
  type ProofChecks,
  sentenceOf,
} from "./evidence.ts";
import { inclusionInterval } from "./inclusion-interval.ts";

const FORMAT = "finality.proof-of-absence/2";
/** What is in it was one gateway's word: no id, root or witness was checked. */
const EARLIER_FORMAT = "finality.proof-of-absence/1";

const proof = object(
  {
    format: oneOf(FORMAT, EARLIER_FORMAT),
    // Whether the two are what they are called, `recheckProof` says in sentences of its own.
    txId: text as Read<TxId>,
    rawDataHex: text as Read<Hex>,
    /** When it was proven: local clock, Unix ms. */
    provenAt: wholeNumber,
    ...evidenceFields,
  },
  {
    ...furtherEvidence,
    /** The chain that the transaction was signed for; absent where it was not known then. */
    chain: chainId,
  },
);

/** A proof that stands by itself: the evidence with the bytes that were signed, without their signatures. */
export type ProofDocument = ReadOf<typeof proof>;

/**
 * What checking a document again gave. `unlisted`: all is well, and the ids of its many blocks are left to the chain.
 */
export type Recheck =
  | { readonly kind: "ok" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/** The document of a proof. */
export function proofDocument(about: Omit<ProofDocument, "format">): ProofDocument {
  return { format: about.checks === undefined ? EARLIER_FORMAT : FORMAT, ...about };
}

/** The document as JSON, indented, for a file that `recheckProof` reads. */
export function proofToJson(document: ProofDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Checks a document from itself alone: the txID belongs to the bytes, their expiration is the one that was waited for,
 * and the blocks are without a gap from after the reference block of the bytes to one that reached the expiration.
 * Whether the chain had these blocks, only a node can tell.
 *
 * @param json - what `proofToJson` wrote. Never throws
 */
export function recheckProof(json: string): Recheck {
  const document = readProof(json);
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
  const { txId, network, chain, endpoint, expiration, parentId, first, last, count, digest, provenAt, checks } =
    document;
  const rows = [
    ["Transaction", `\`${txId}\``],
    ["Network", escaped(network)],
    ...(chain === undefined ? [] : [["Chain, by its genesis block", `\`${chain}\``]]),
    ["Endpoint", `\`${endpoint.replace(/[`|]/g, "")}\``],
    ["Expiration", timeOf(expiration)],
    ["Block before the first one", `\`${parentId}\``],
    ["First block", `${first.number}, ${timeOf(first.timestamp)}, \`${first.id}\``],
    ["Last block", `${last.number}, ${timeOf(last.timestamp)}, \`${last.id}\``],
    ["Blocks read", String(count)],
    ["SHA-256 of their ids", `\`${digest}\``],
    ["Proven (local clock)", timeOf(provenAt)],
    ["Checked", escaped(describeChecks(checks))],
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

/** Names and URLs are only text in a table. */
function escaped(name: string): string {
  return name.replace(/[|`\\<>[\]*_]/g, "\\$&");
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

/** A height that a file tells is no beginning; in those of earlier versions there is often nothing better. */
function beginsEarlyEnough({ format, first, solidHeight, parentId, rawDataHex }: ProofDocument): boolean {
  if (format === EARLIER_FORMAT && first.number <= solidHeight + 1) return true;
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
export function readProof(json: string): ProofDocument | undefined {
  const document = tryReadJson(proof, json);
  if (document === undefined) return undefined;
  return (document.checks !== undefined) === (document.format === FORMAT) ? document : undefined;
}

/** What a node says to a proof: it has these blocks and none holds the transaction, or what is different there. */
export type ChainRecheck =
  | { readonly kind: "confirmed"; readonly blocks: number; readonly checks: ProofChecks }
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

export interface RecheckWay {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Who else is asked; without them the gateway alone. */
  readonly sources?: ProofSources;
  /** The chain that the gateway follows, where that is known. */
  readonly chain?: ChainId | undefined;
  /** Called with the number of blocks that were read so far. */
  readonly read?: (blocks: number) => void;
}

/**
 * Proves anew what a document says, from its bytes alone: asks for the txID, reads from the reference block that the
 * bytes name until their expiration, and compares the ids with those of the document. A number in the file only says
 * where to look for that block first.
 *
 * @throws what the gateway throws when it cannot be reached, and the signal's reason
 */
export async function recheckOnChain(
  gateway: Gateway,
  document: ProofDocument,
  { signal, read, clock, sources = ONE_GATEWAY, chain }: RecheckWay,
): Promise<ChainRecheck> {
  const { txId, rawDataHex, first } = document;
  if (document.chain !== undefined && chain !== undefined && document.chain !== chain) {
    return refused(`The node follows another chain (genesis block ${chain}) than the transaction was signed for.`);
  }
  const expiration = readLifetime(rawDataHex)?.expiration;
  if (expiration === undefined) return refused("The signed bytes cannot be read.");
  if ((await gateway.solidTransaction(txId, signal)) !== undefined) return refused("The node holds the transaction.");
  const interval = inclusionInterval({ rawDataHex, expiration, solidHeight: first.number - 1 });
  for await (const step of scanForAbsence(gateway, beginScan([[txId, interval]]), signal)) {
    if (step.kind === "stopped") return refused(sentenceOf(step.reason));
    read?.(step.scan.blocks.length);
    const [found] = step.found;
    if (found !== undefined) return refused(`Block ${found.block.number} holds it.`);
    if (step.foreign.length > 0) return refused("The block that the bytes refer to is not on the node's chain.");
    const [absent] = step.absent;
    if (absent === undefined) continue;
    const confirmed = await confirmAbsence(step.scan, { gateway, sources, clock, signal });
    if (confirmed.kind === "stopped") return refused(sentenceOf(confirmed.reason));
    return compared(document, { absent, scan: step.scan, checks: confirmed.checks });
  }
  return refused("The node gave no blocks.");
}

/**
 * The file has to end where the time of the bytes ended, and begin where it began; those of earlier versions began
 * later.
 */
function compared(
  { first, last, digest, checks: earlier }: ProofDocument,
  { absent, scan, checks }: ReadAgain,
): ChainRecheck {
  const theirs = scan.blocks.filter(({ number }) => number >= first.number && number <= last.number);
  if (theirs.at(-1)?.id !== last.id) return refused(`Block ${last.number} has another id there.`);
  if (absent.last.id !== last.id) return refused(`Block ${last.number} is not the first that reached the expiration.`);
  if (earlier !== undefined && first.id !== absent.first.id) {
    return refused(`Block ${first.number} is not the first that could hold it.`);
  }
  return digestOf(theirs.map(({ id }) => id)) === digest
    ? { kind: "confirmed", blocks: theirs.length, checks }
    : refused("The ids of the blocks are others there.");
}

interface ReadAgain {
  readonly absent: AbsentFrom;
  readonly scan: AbsenceScan;
  readonly checks: ProofChecks;
}

function refused(...reasons: readonly string[]): ChainRecheck {
  return { kind: "refused", reasons };
}
