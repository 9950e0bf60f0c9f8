import { ChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import {
  builtFromIntent,
  type Intent,
  type SignedTransaction,
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "@finality/tron/transaction";
import type { Clock } from "../gateway/clock.ts";
import type { Block, Gateway, Head } from "../gateway/gateway.ts";

/** Key that signs the rows of a run, after the user has reviewed the run. It must not send the bytes itself. */
export interface RunSigner {
  readonly address: Address;
  /** @throws {ChainError} if there is no signature */
  sign(verified: VerifiedTransaction): Promise<SignedTransaction>;
}

/** Verified bytes of an attempt, before their signature. */
export interface BuiltAttempt {
  readonly verified: VerifiedTransaction;
  /** Solidified height before the signature. */
  readonly solidHeight: number;
}

interface RecentBlocks {
  readonly solid: Block;
  readonly head: Head;
}

/** Attempts of one block time share the reference block; ms. */
const FRESH_MS = 3_000;

/** Builds the attempts of a worker: locally, so that no gateway chooses a byte, and each with bytes of its own. */
export class AttemptBuilder {
  readonly #gateway: Gateway;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  #blocks: Promise<RecentBlocks> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #timestamp = 0;

  /** @param lifetimeMs - chain time from the newest block to the expiration, ms */
  constructor(gateway: Gateway, clock: Clock, lifetimeMs: number) {
    this.#gateway = gateway;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  /**
   * Builds and verifies the bytes of an intent. Two calls never return the same bytes.
   *
   * @throws {ChainError} the errors of the gateway, and `TRANSACTION_DIFFERS`
   */
  async build(intent: Intent): Promise<BuiltAttempt> {
    const { solid, head } = await this.#recentBlocks();
    // Rows with equal intents differ in this field alone.
    this.#timestamp = Math.max(this.#clock.now(), this.#timestamp + 1);
    const times = { expiration: head.timestamp + this.#lifetimeMs, timestamp: this.#timestamp };
    const built = builtFromIntent(intent, { referenceBlock: solid.id, ...times });
    const verified = verifyAgainstIntent(built, intent, { headTimestamp: head.timestamp });
    if (verified.kind !== "same") throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
    return { verified, solidHeight: solid.number };
  }

  /** Returns the chain time of the head, read at most a block time ago; ms. @throws {ChainError} the gateway's errors */
  async headTime(): Promise<number> {
    return (await this.#recentBlocks()).head.timestamp;
  }

  async #recentBlocks(): Promise<RecentBlocks> {
    const now = this.#clock.now();
    if (this.#blocks === undefined || Math.abs(now - this.#readAt) >= FRESH_MS) {
      this.#readAt = now;
      this.#blocks = Promise.all([this.#gateway.solidBlock(), this.#gateway.headBlock()]).then(([solid, head]) => ({
        solid,
        head,
      }));
    }
    const blocks = this.#blocks;
    try {
      return await blocks;
    } catch (error) {
      if (this.#blocks === blocks) this.#blocks = undefined;
      throw error;
    }
  }
}
