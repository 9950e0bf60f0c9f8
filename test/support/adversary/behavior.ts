/**
 * Behavior of an adversarial gateway, whose answers are consistent with each other; `noise` is the share
 * of answers that are changed at random.
 */
export interface GatewayBehavior {
  /** True if blocks and look-ups omit the user's transactions. */
  readonly hides: boolean;
  /** Difference of its blocks from the honest ones. */
  readonly seal: Seal;
  /** First block that is forged. */
  readonly from: "transaction" | "reference" | "early" | "genesis";
  /** `future`: the newest solidified block does not exist yet; `beyond`: it is above the head, too. */
  readonly solid: "true" | "frozen" | "head" | "future" | "beyond" | "other-chain";
  /** Difference of its times from the true ones; ms. */
  readonly shiftMs: number;
  readonly broadcast: Broadcast;
  /** Invented outcome of the user's transactions that no block contains. */
  readonly invents: "nothing" | "success" | "failure";
  /** `honest-block`: refers to a block of the honest chain, even if the gateway shows other blocks. */
  readonly builder: "true" | "earlier" | "late" | "other" | "honest-block";
  readonly token: "true" | "two" | "eighteen" | "changes" | "huge";
  /** Factor on the price of code; 1 is the true price. */
  readonly energy: number;
  readonly abi: "true" | "narrow";
  readonly noise: number;
}

/**
 * `bare`: transactions are left out, and nothing else is changed. `root`: the root and the id fit, the next block does not follow.
 * `chain`: all ids are linked, with the signatures of the honest blocks. `forged`: signed by keys of the gateway in the
 * names of the honest witnesses. `own`: signed by witnesses of the gateway.
 */
export const SEALS = ["bare", "root", "chain", "forged", "own"] as const;
export type Seal = (typeof SEALS)[number];

/**
 * `swallow`: accepts and drops the bytes. `refuse`, `refuse-4xx`: refuses them and relays them, at once or (`-late`) before the next
 * broadcast. `silent`: relays them and answers with an HTML page. `other`: names another txID. `known`: reports a
 * duplicate.
 */
export const BROADCASTS = [
  ...(["true", "swallow", "swallow-late", "refuse", "refuse-late"] as const),
  ...(["refuse-4xx", "refuse-4xx-late", "silent", "other", "known"] as const),
] as const;
export type Broadcast = (typeof BROADCASTS)[number];

export const HONEST_BEHAVIOR: GatewayBehavior = {
  hides: false,
  seal: "own",
  from: "transaction",
  solid: "true",
  shiftMs: 0,
  broadcast: "true",
  invents: "nothing",
  builder: "true",
  token: "true",
  energy: 1,
  abi: "true",
  noise: 0,
};
