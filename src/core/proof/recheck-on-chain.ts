import type { ChainId } from "../chain/chain-place.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Clock } from "../time/clock.ts";
import { readLifetime } from "../transaction/reference-block.ts";
import { type AbsenceScan, type AbsentFrom, beginScan, scanForAbsence } from "./absence-scan.ts";
import { confirmAbsence, ONE_GATEWAY, type ProofSources } from "./confirm-absence.ts";
import { digestOf, type ProofChecks, sentenceOf } from "./evidence.ts";
import { inclusionInterval } from "./inclusion-interval.ts";
import type { ProofDocument } from "./proof-document.ts";

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
