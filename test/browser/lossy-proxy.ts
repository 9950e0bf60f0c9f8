import { answerOf, askChain, type ChainProxy, isBroadcast, openProxy } from "./proxy.ts";

/**
 * Fate of a broadcast: it passes, it never arrives, its answer is lost, or the node reports a
 * duplicate and drops it.
 */
export type Loss = "nothing" | "requests" | "answers" | "known-and-kept";

/** A proxy in front of a chain that can lose broadcasts on either way. The sender cannot tell which way it was. */
export interface LossyProxy extends ChainProxy {
  lose(what: Loss): void;
}

const DUPLICATE = JSON.stringify({
  code: "DUP_TRANSACTION_ERROR",
  message: Buffer.from("Dup transaction.").toString("hex"),
});

export async function openLossyProxy(chainUrl: string): Promise<LossyProxy> {
  let losing: Loss = "nothing";
  const proxy = await openProxy(async (asked) => {
    const lost = isBroadcast(asked.path) ? losing : "nothing";
    if (lost === "requests") return undefined;
    if (lost === "known-and-kept") return answerOf(DUPLICATE);
    const answer = await askChain(chainUrl, asked);
    return lost === "answers" ? undefined : answer;
  });
  return {
    ...proxy,
    lose: (what) => {
      losing = what;
    },
  };
}
