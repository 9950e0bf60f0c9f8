import { type BlockId, type Hex, hexToBytes, isHexPairs, type TxId, transactionId } from "@finality/tron/primitives";
import { object, oneOf, type Read, type ReadOf, text, tryReadJson, wholeNumber } from "@finality/tron/read";
import { readLifetime, refersTo } from "@finality/tron/transaction";
import type { Clock } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { type ChainId, chainId } from "../gateway/network.ts";
import { type AbsenceScan, type BlockEvidence, beginScan, scanForAbsence } from "./absence-scan.ts";
import { confirmAbsence, GATEWAY_ONLY, type ProofSources } from "./confirm-absence.ts";
import {
  digestOf,
  evidenceFields,
  furtherEvidence,
  heightOf,
  LISTED_IDS,
  type NoProof,
  type ProofChecks,
} from "./evidence.ts";
import { inclusionInterval } from "./inclusion-interval.ts";

const FORMAT = "finality.proof-of-absence/2";
/** Format of earlier proofs. Their content was one gateway's claim: no id, root or witness was checked. */
const EARLIER_FORMAT = "finality.proof-of-absence/1";

const proof = object(
  {
    format: oneOf(FORMAT, EARLIER_FORMAT),
    // The content of these two fields is checked by `recheckProof`, which has messages of its own.
    txId: text as Read<TxId>,
    rawDataHex: text as Read<Hex>,
    /** Time of the proof: local clock, Unix ms. */
    provenAt: wholeNumber,
    ...evidenceFields,
  },
  {
    ...furtherEvidence,
    /** Chain that the transaction was signed for; undefined if unknown then. */
    chain: chainId,
  },
);

/** Self-contained proof: the evidence with the signed bytes, without their signatures. */
export type ProofDocument = ReadOf<typeof proof>;

/** Faults of a document that the document alone reveals. */
export type DocumentFault =
  | "no-proof"
  | "bytes-not-hex"
  | "tx-id-differs"
  | "bytes-unreadable"
  | "expiration-differs"
  | "begins-late"
  | "ends-early"
  | "count-wrong"
  | "height-wrong"
  | "parent-height-wrong"
  | "times-wrong"
  | "ids-missing"
  | "ids-have-gap"
  | "digest-wrong";

/**
 * Result of checking a document again. `unlisted`: the document is valid, but the IDs of its many blocks can only be
 * checked on the chain.
 */
export type Recheck =
  | { readonly kind: "ok" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "refused"; readonly faults: readonly DocumentFault[] };

/** Creates the document of a proof. */
export function proofDocument(about: Omit<ProofDocument, "format">): ProofDocument {
  return { format: about.checks === undefined ? EARLIER_FORMAT : FORMAT, ...about };
}

/** Formats the document as indented JSON, for a file that `recheckProof` reads. */
export function proofToJson(document: ProofDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Checks a document by itself: the txID belongs to the bytes, their expiration is the expected one, and the blocks have
 * no gap. The blocks reach from after the reference block of the bytes to one that reached the expiration. Only a node
 * can tell if the chain had these blocks.
 *
 * @param json - Output of `proofToJson`. Never throws.
 */
export function recheckProof(json: string): Recheck {
  const document = readProof(json);
  if (document === undefined) return { kind: "refused", faults: ["no-proof"] };
  const faults = [...faultsOfBytes(document), ...faultsOfBlocks(document)];
  if (faults.length > 0) return { kind: "refused", faults };
  return { kind: document.blockIds === undefined ? "unlisted" : "ok" };
}

function faultsOfBytes({ txId, rawDataHex, expiration }: ProofDocument): DocumentFault[] {
  if (!isHexPairs(rawDataHex)) return ["bytes-not-hex"];
  if (transactionId(hexToBytes(rawDataHex)) !== txId) return ["tx-id-differs"];
  const lifetime = readLifetime(rawDataHex);
  if (lifetime === undefined) return ["bytes-unreadable"];
  return lifetime.expiration === expiration ? [] : ["expiration-differs"];
}

function faultsOfBlocks(document: ProofDocument): DocumentFault[] {
  const { first, last, count, expiration, parentId, blockIds } = document;
  return [
    ...unless(beginsEarlyEnough(document), "begins-late"),
    ...unless(last.timestamp >= expiration, "ends-early"),
    ...unless(count >= 1 && count === last.number - first.number + 1, "count-wrong"),
    ...unless(
      [first, last].every(({ id, number }) => heightOf(id) === number),
      "height-wrong",
    ),
    ...unless(heightOf(parentId) === first.number - 1, "parent-height-wrong"),
    ...unless(count === 1 || first.timestamp < last.timestamp, "times-wrong"),
    ...(blockIds === undefined ? whyNotUnlisted(count) : faultsOfIds(document, blockIds)),
  ];
}

function unless(isRight: boolean, fault: DocumentFault): DocumentFault[] {
  return isRight ? [] : [fault];
}

/** Only proofs that are too long for a line of the journal have no list. */
function whyNotUnlisted(count: number): DocumentFault[] {
  return count > LISTED_IDS ? [] : ["ids-missing"];
}

/** A height in a file does not prove the start; earlier versions often have nothing better. */
function beginsEarlyEnough({ format, first, solidHeight, parentId, rawDataHex }: ProofDocument): boolean {
  if (format === EARLIER_FORMAT && first.number <= solidHeight + 1) return true;
  const reference = isHexPairs(rawDataHex) ? readLifetime(rawDataHex)?.reference : undefined;
  return reference !== undefined && refersTo(reference, parentId);
}

function faultsOfIds({ first, last, count, digest }: ProofDocument, ids: readonly BlockId[]): DocumentFault[] {
  const inOrder = ids.every((id, index) => heightOf(id) === first.number + index);
  const ends = ids[0] === first.id && ids.at(-1) === last.id;
  return [
    ...unless(inOrder && ends && ids.length === count, "ids-have-gap"),
    ...unless(digestOf(ids) === digest, "digest-wrong"),
  ];
}

/**
 * Returns the document if its fields have the right types, undefined otherwise. The claims of the document are not
 * checked.
 */
export function readProof(json: string): ProofDocument | undefined {
  const document = tryReadJson(proof, json);
  if (document === undefined) return undefined;
  return (document.checks !== undefined) === (document.format === FORMAT) ? document : undefined;
}

/**
 * Result of checking a proof against a node: the node has these blocks and none contains the transaction, or the
 * difference found.
 */
export type ChainRecheck =
  | { readonly kind: "confirmed"; readonly blocks: number; readonly checks: ProofChecks }
  | { readonly kind: "refused"; readonly fault: ChainFault };

/** Difference found on the node's chain. */
export type ChainFault =
  | NoProof
  | { readonly kind: "another-chain"; readonly chain: ChainId }
  | { readonly kind: "bytes-unreadable" }
  | { readonly kind: "held" }
  | { readonly kind: "held-in-block"; readonly height: number }
  /** The block that the bytes refer to is not there. */
  | { readonly kind: "foreign" }
  | { readonly kind: "no-blocks" }
  | { readonly kind: "last-block-differs"; readonly height: number }
  | { readonly kind: "ends-elsewhere"; readonly height: number }
  | { readonly kind: "begins-elsewhere"; readonly height: number }
  | { readonly kind: "ids-differ" };

export interface RecheckOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Further sources to query; if absent, only the gateway is queried. */
  readonly sources?: ProofSources;
  /** Chain that the gateway follows, if known. */
  readonly chain?: ChainId | undefined;
  /** Called with the number of blocks that were read so far. */
  readonly read?: (blocks: number) => void;
}

/**
 * Repeats the proof of a document from its bytes alone. Queries the txID, reads from the reference block named by the
 * bytes until their expiration, and compares the block IDs with those of the document. The height in the file is only
 * the first place to search.
 *
 * @throws the errors of an unreachable gateway, and the signal's reason
 */
export async function recheckOnChain(
  gateway: Gateway,
  document: ProofDocument,
  { signal, read, clock, sources = GATEWAY_ONLY, chain }: RecheckOptions,
): Promise<ChainRecheck> {
  const { txId, rawDataHex, first } = document;
  if (document.chain !== undefined && chain !== undefined && document.chain !== chain) {
    return refused({ kind: "another-chain", chain });
  }
  const expiration = readLifetime(rawDataHex)?.expiration;
  if (expiration === undefined) return refused({ kind: "bytes-unreadable" });
  if ((await gateway.solidTransaction(txId, signal)) !== undefined) return refused({ kind: "held" });
  const interval = inclusionInterval({ rawDataHex, expiration, solidHeight: first.number - 1 });
  for await (const step of scanForAbsence(gateway, beginScan([[txId, interval]]), signal)) {
    if (step.kind === "stopped") return refused(step.reason);
    read?.(step.scan.blocks.length);
    const [found] = step.found;
    if (found !== undefined) return refused({ kind: "held-in-block", height: found.block.number });
    if (step.foreign.length > 0) return refused({ kind: "foreign" });
    const [absent] = step.absent;
    if (absent === undefined) continue;
    const confirmed = await confirmAbsence(step.scan, { gateway, sources, clock, signal });
    if (confirmed.kind === "stopped") return refused(confirmed.reason);
    return compared(document, { absent, scan: step.scan, checks: confirmed.checks });
  }
  return refused({ kind: "no-blocks" });
}

/** The file must end where the validity of the bytes ended, and begin where it began; earlier versions began later. */
function compared(
  { first, last, digest, checks: earlier }: ProofDocument,
  { absent, scan, checks }: RereadBlocks,
): ChainRecheck {
  const theirs = scan.blocks.filter(({ number }) => number >= first.number && number <= last.number);
  if (theirs.at(-1)?.id !== last.id) return refused({ kind: "last-block-differs", height: last.number });
  if (absent.last.id !== last.id) return refused({ kind: "ends-elsewhere", height: last.number });
  if (earlier !== undefined && first.id !== absent.first.id) {
    return refused({ kind: "begins-elsewhere", height: first.number });
  }
  return digestOf(theirs.map(({ id }) => id)) === digest
    ? { kind: "confirmed", blocks: theirs.length, checks }
    : refused({ kind: "ids-differ" });
}

interface RereadBlocks {
  readonly absent: BlockEvidence;
  readonly scan: AbsenceScan;
  readonly checks: ProofChecks;
}

function refused(fault: ChainFault): ChainRecheck {
  return { kind: "refused", fault };
}
