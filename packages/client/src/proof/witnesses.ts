import { isChainError } from "@finality/tron/errors";
import type { Address, Hex, TxId } from "@finality/tron/primitives";
import { recoverAddress } from "@finality/tron/transaction";
import type { Block, BlockSeal } from "../gateway/gateway.ts";
import type { NoProof, ProofChecks } from "./evidence.ts";

/** The newest signature of each witness before the reference block. */
export type KnownWitnesses = ReadonlyMap<Address, BlockSeal>;

/** A block is final when 70 % of the witnesses have built on it (protocol reference §6). */
const SHARE_BEHIND = 0.3;

/**
 * Counts who built on a block, itself included, and checks who signed. The witnesses that are counted made blocks
 * before the reference block, so the bytes of the transaction name them; a witness who came later is not counted. A
 * signature has to be that of the witness's own address, or of the key that signed for it before: witnesses may let
 * another key sign.
 *
 * Every other header that was read is an ancestor of a block whose signature is checked here: its id stands in that of
 * the next one.
 *
 * @param tail - the block and those after it, linked
 * @param turn - awaited after each signature: one takes a few ms
 */
export async function checkWitnesses(
  known: KnownWitnesses,
  tail: readonly Block[],
  turn: () => Promise<void>,
): Promise<ProofChecks["witnesses"] | NoProof> {
  const needed = known.size - Math.floor(known.size * SHARE_BEHIND);
  const signers = new Map<Address, Address>();
  const built = new Map<Address, boolean>();
  for (const { number, witness, seal } of tail) {
    if (built.size >= needed && built.size > 0) break;
    await turn();
    const signer = seal && signerOf(seal);
    const before = witness && (signers.get(witness) ?? signerOfKnown(known, witness));
    if (witness === undefined || signer === undefined || (before !== undefined && before !== signer)) {
      if (number === 0) continue;
      return { kind: "stranger", height: number };
    }
    signers.set(witness, signer);
    if (known.has(witness)) built.set(witness, signer === witness);
  }
  if (built.size < needed) return { kind: "not-built-on", height: tail[0]?.number ?? 0, built: built.size, needed };
  return { known: known.size, built: built.size, own: [...built.values()].filter(Boolean).length };
}

function signerOfKnown(known: KnownWitnesses, witness: Address): Address | undefined {
  const seal = known.get(witness);
  return seal && signerOf(seal);
}

/** Undefined for a signature that is none. */
function signerOf({ hash, signature }: BlockSeal): Address | undefined {
  try {
    return recoverAddress(hash as Hex as TxId, signature);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}
