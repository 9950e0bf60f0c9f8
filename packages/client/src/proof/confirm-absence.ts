import { isChainError } from "@finality/tron/errors";
import type { Address, Hex, TxId } from "@finality/tron/primitives";
import { recoverAddress } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type Clock, createYielder } from "../gateway/clock.ts";
import type { Block, BlockSeal, Gateway } from "../gateway/gateway.ts";
import type { AbsenceScan, KnownWitnesses } from "./absence-scan.ts";
import type { NoProof, OtherUrl, ProofChecks } from "./evidence.ts";

/** Further sources to query before blocks count as a proof. */
export interface ProofSources {
  /** Further URLs of the network, each by itself. */
  readonly others: readonly Gateway[];
  /** True if chain time follows real time. The time of an embedded chain can be moved forward. */
  readonly inRealTime: boolean;
}

/** Gateway and sources to query, and the local clock. */
export interface ConfirmationOptions {
  readonly gateway: Gateway;
  readonly sources: ProofSources;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type Confirmed =
  | { readonly kind: "confirmed"; readonly checks: ProofChecks }
  | { readonly kind: "stopped"; readonly reason: NoProof };

/** Sources for a caller that has only the gateway. */
export const GATEWAY_ONLY: ProofSources = { others: [], inRealTime: false };

/** Maximum time that a block may be ahead of the local clock; ms. */
const AHEAD_MS = 5 * 60_000;
const BLOCKS_A_REQUEST = 100;

/**
 * Checks the facts that the blocks of a finished scan cannot show, with one request and one for each further URL. The
 * last block must not be in the future, and the full node must have it too. The earlier witnesses must have built on
 * it, and no other URL of the network may have another block there.
 *
 * @throws the errors of an unreachable gateway, and the signal's reason
 */
export async function confirmAbsence(scan: AbsenceScan, confirmation: ConfirmationOptions): Promise<Confirmed> {
  const { gateway, sources, clock, signal } = confirmation;
  const [last] = [...scan.ended.values()].map(({ absent }) => absent.last).sort((a, b) => b.number - a.number);
  if (last === undefined) return stopped({ kind: "unreadable", message: t`No block was read.` });
  const { number: height } = last;
  const ahead = last.timestamp - clock.now();
  if (sources.inRealTime && ahead > AHEAD_MS) return stopped({ kind: "future", height, ahead });
  const tail = await gateway.headBlocks(height, height + BLOCKS_A_REQUEST, signal);
  if (tail[0]?.id !== last.id) return stopped({ kind: "not-in-head", height });
  const witnesses = await checkWitnesses(scan.opening, linkedPart(tail), createYielder(clock));
  if ("kind" in witnesses) return stopped(witnesses);
  const others: OtherUrl[] = [];
  for (const other of sources.others) {
    const answer = await checkOtherUrl(other, last, { txIds: [...scan.ended.keys()], signal });
    if ("kind" in answer) return stopped(answer);
    others.push(answer);
  }
  return { kind: "confirmed", checks: { witnesses, others } };
}

/** Returns the blocks up to the first one that does not follow the previous one. */
function linkedPart(blocks: readonly Block[]): readonly Block[] {
  const broken = blocks.findIndex((it, index) => index > 0 && it.parentId !== blocks[index - 1]?.id);
  return broken < 0 ? blocks : blocks.slice(0, broken);
}

/** Equal IDs suffice: an ID covers every earlier block, and those were read. */
async function checkOtherUrl(
  other: Gateway,
  last: { readonly number: number; readonly id: string },
  { txIds, signal }: { readonly txIds: readonly TxId[]; readonly signal: AbortSignal },
): Promise<OtherUrl | NoProof> {
  const { endpoint } = other;
  const { number: height } = last;
  try {
    const [block] = await other.solidBlocks(height, height + 1, signal);
    if (block?.id === last.id) return { endpoint, answer: "agrees" };
    for (const txId of txIds) if (await holds(other, txId, signal)) return { kind: "held-elsewhere", endpoint };
    return block === undefined
      ? { endpoint, answer: "behind" }
      : { kind: "differs-elsewhere", endpoint, height: last.number };
  } catch (error) {
    signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return { endpoint, answer: "silent" };
  }
}

/**
 * Returns true if a block of this gateway holds the transaction. A transaction that is only pending ends with its
 * expiration.
 */
async function holds(gateway: Gateway, txId: TxId, signal: AbortSignal): Promise<boolean> {
  if ((await gateway.solidTransaction(txId, signal)) !== undefined) return true;
  return (await gateway.headTransactionInfo(txId, signal)) !== undefined;
}

function stopped(reason: NoProof): Confirmed {
  return { kind: "stopped", reason };
}

/** A block is final when 70 % of the witnesses have built on it (protocol reference §6). */
const SHARE_BEHIND = 0.3;

/**
 * Counts the witnesses that built on a block, itself included, and checks the signers. Only witnesses of blocks before
 * the reference block count, which the transaction's bytes name. Each must sign with the key of its own address or its
 * earlier key, because witnesses may let another key sign. Each header is an ancestor of a checked block, whose header
 * has its ID.
 *
 * @param tail - The block and its successors, linked.
 * @param turn - Awaited after each signature, which takes a few ms.
 */
async function checkWitnesses(
  witnesses: KnownWitnesses,
  tail: readonly Block[],
  turn: () => Promise<void>,
): Promise<ProofChecks["witnesses"] | NoProof> {
  const needed = witnesses.size - Math.floor(witnesses.size * SHARE_BEHIND);
  const signers = new Map<Address, Address>();
  const built = new Map<Address, boolean>();
  for (const { number, witness, seal } of tail) {
    if (built.size >= needed && built.size > 0) break;
    await turn();
    const signer = seal && signerOf(seal);
    const before = witness && (signers.get(witness) ?? signerOfKnown(witnesses, witness));
    if (witness === undefined || signer === undefined || (before !== undefined && before !== signer)) {
      if (number === 0) continue;
      return { kind: "stranger", height: number };
    }
    signers.set(witness, signer);
    if (witnesses.has(witness)) built.set(witness, signer === witness);
  }
  if (built.size < needed) return { kind: "not-built-on", height: tail[0]?.number ?? 0, built: built.size, needed };
  return { known: witnesses.size, built: built.size, own: [...built.values()].filter(Boolean).length };
}

function signerOfKnown(witnesses: KnownWitnesses, witness: Address): Address | undefined {
  const seal = witnesses.get(witness);
  return seal && signerOf(seal);
}

/** Returns undefined for an invalid signature. */
function signerOf({ hash, signature }: BlockSeal): Address | undefined {
  try {
    return recoverAddress(hash as Hex as TxId, signature);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}
