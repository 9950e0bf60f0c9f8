import { isChainError } from "../errors/chain-error.ts";
import type { Block, Gateway } from "../gateway/gateway.ts";
import type { BlockId } from "../primitives/block.ts";
import { newSolidifiedBlocks } from "../tracking/solidified-block-scanner.ts";
import { digestOf } from "./evidence.ts";
import type { ProofDocument } from "./proof-document.ts";

/** What a node says to a proof: it has these blocks and none holds the transaction, or what is different there. */
export type ChainRecheck =
  | { readonly kind: "confirmed"; readonly blocks: number }
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

export interface RecheckWay {
  readonly signal: AbortSignal;
  /** Called with the number of blocks that were read so far. */
  readonly read?: (blocks: number) => void;
}

/**
 * Reads the blocks of a proof again, each the parent of the next, and compares their ids with the digest. It works for proofs
 * of any length, 100 blocks a request; nothing but ids is kept.
 *
 * @throws what the gateway throws when it cannot be reached, and the signal's reason
 */
export async function recheckOnChain(
  gateway: Gateway,
  document: ProofDocument,
  { signal, read }: RecheckWay,
): Promise<ChainRecheck> {
  const { first, last, parentId, txId } = document;
  const ids: BlockId[] = [];
  let newest: Block | undefined;
  try {
    for await (const run of newSolidifiedBlocks(gateway, { number: first.number - 1, id: parentId }, signal)) {
      for (const block of run.filter(({ number }) => number <= last.number)) {
        if (block.transactions.some((it) => it.txId === txId)) return refused(`Block ${block.number} holds it.`);
        ids.push(block.id);
        newest = block;
      }
      read?.(ids.length);
      if ((newest?.number ?? 0) >= last.number) break;
    }
  } catch (error) {
    const reason = whatIsNoChain(error);
    if (reason === undefined) throw error;
    return refused(reason);
  }
  return verdict(document, ids, newest);
}

function verdict({ last, expiration, digest }: ProofDocument, ids: readonly BlockId[], newest: Block | undefined) {
  if (newest === undefined || newest.number < last.number) {
    return refused(`The newest solidified block that the node has is before block ${last.number}. Ask again later.`);
  }
  const reasons = [
    ...(newest.id === last.id ? [] : [`Block ${last.number} has another id there.`]),
    ...(newest.timestamp >= expiration ? [] : [`Block ${last.number} has not reached the expiration there.`]),
    ...(digestOf(ids) === digest ? [] : ["The ids of the blocks are others there."]),
  ];
  return reasons.length === 0 ? ({ kind: "confirmed", blocks: ids.length } as const) : refused(...reasons);
}

function refused(...reasons: readonly string[]): ChainRecheck {
  return { kind: "refused", reasons };
}

function whatIsNoChain(error: unknown): string | undefined {
  if (!isChainError(error)) return undefined;
  switch (error.code) {
    case "CHAIN_BLOCK_MISSING":
      return `The node does not give block ${error.details.height}.`;
    case "CHAIN_LINK_BROKEN":
      return `Block ${error.details.height} has another parent there: the node follows another chain.`;
    default:
      return undefined;
  }
}
