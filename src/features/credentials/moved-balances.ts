import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/bytes.ts";
import type { Intent } from "../../core/transaction/intent.ts";

/**
 * Whose balances moved: these accounts, or any, because what a contract or somebody else's transaction pays is not
 * known.
 */
export type Moved = readonly Address[] | "any";

/**
 * Tells whose balances a change of transactions may have moved. A balance moves when a block takes a transaction in or
 * loses it; that the same block is solidified later, that an answer came or that a proof is searched for moves nothing.
 */
export class MovedBalances {
  /** The height of the block that each was seen in last; undefined while it is in none. */
  readonly #heights = new Map<TxId, number | undefined>();

  after(changed: readonly TrackedTransaction[]): Moved {
    const moved = new Set<Address>();
    let any = false;
    for (const { txId, state, signed } of changed) {
      const height = state.kind === "included" || state.kind === "solidified" ? state.block.number : undefined;
      if (this.#heights.get(txId) === height) continue;
      this.#heights.set(txId, height);
      const parties = signed === undefined ? undefined : partiesOf(signed.intent);
      any ||= parties === undefined;
      for (const it of parties ?? []) moved.add(it);
    }
    return any ? "any" : [...moved];
  }
}

/** Whose coins it moves; undefined when a contract decides about that. */
function partiesOf(intent: Intent): readonly Address[] | undefined {
  if (intent.kind === "contract-call" || intent.kind === "contract-creation") return undefined;
  return intent.kind === "transfer" ? [intent.owner, intent.to] : [intent.owner];
}
