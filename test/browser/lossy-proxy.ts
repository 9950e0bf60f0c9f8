import { answerOf, askChain, type ChainProxy, isBroadcast, openProxy } from "./proxy.ts";

/**
 * What becomes of a broadcast: all is well, it never arrives, it arrives and nobody hears of it, or the node says that
 * it knows it already and keeps it for itself.
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
