/**
 * Behaviour of one adversarial gateway. Its fields agree with each other, so its answers do too; `noise` is the share
 * of answers that are changed at random.
 */
export interface Story {
  /** True if its blocks and look-ups leave out the user's transactions. */
  readonly hides: boolean;
  /** Difference of its blocks from the honest ones. */
  readonly seal: Seal;
  /** First block that is forged. */
  readonly from: "transaction" | "reference" | "early" | "genesis";
  /** `future`: the newest solidified block is one that nobody has made yet; `beyond`: and it is above the head. */
  readonly solid: "true" | "frozen" | "head" | "future" | "beyond" | "other-chain";
  /** Difference of its times from the true ones; ms. */
  readonly shiftMs: number;
  readonly broadcast: Broadcast;
  /** Invented outcome of the user's transactions that no block contains. */
  readonly invents: "nothing" | "success" | "failure";
  /** `honest-block`: refers to a block of the chain, whatever blocks it shows itself. */
  readonly builder: "true" | "earlier" | "late" | "other" | "honest-block";
  readonly token: "true" | "two" | "eighteen" | "changes" | "huge";
  /** Factor on the price of code; 1 is the true price. */
  readonly energy: number;
  readonly abi: "true" | "narrow";
  readonly noise: number;
}

/**
 * `bare`: transactions are left out, and nothing else is changed. `root`: the root and the id fit, the next block does not follow.
 * `chain`: all ids follow each other under the signatures of the honest blocks. `forged`: signed by keys of the liar's own in the
 * names of the honest witnesses. `own`: by witnesses of its own.
 */
export const SEALS = ["bare", "root", "chain", "forged", "own"] as const;
export type Seal = (typeof SEALS)[number];

/**
 * `swallow`: says that it took them. `refuse`, `refuse-4xx`: says that it did not, and hands them on, at once or (`-late`) when somebody
 * relies on it. `silent`: hands them on and gives a page of a gateway. `other`: speaks of another txID. `known`: has
 * seen them before.
 */
export const BROADCASTS = [
  ...(["true", "swallow", "swallow-late", "refuse", "refuse-late"] as const),
  ...(["refuse-4xx", "refuse-4xx-late", "silent", "other", "known"] as const),
] as const;
export type Broadcast = (typeof BROADCASTS)[number];

export const TRUTH: Story = {
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
