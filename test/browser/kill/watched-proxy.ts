import { askChain, type ChainProxy, openProxy } from "../proxy.ts";

/**
 * A request on its way to the chain, and where it is: not handed over yet, answered but the asker does not know, or all
 * done.
 */
export interface Passing {
  readonly path: string;
  readonly body: string;
  readonly at: "before" | "answered" | "after";
}

/** A proxy in front of a chain that shows what passes. It waits for who looks. */
export function openWatchedProxy(
  chainUrl: string,
  secret: string,
  look: (passing: Passing) => Promise<void>,
): Promise<ChainProxy> {
  return openProxy(async (asked, outgoing) => {
    const { path, body } = asked;
    await look({ path, body, at: "before" });
    const answer = await askChain(chainUrl, asked);
    if (answer === undefined) return undefined;
    await look({ path, body, at: "answered" });
    outgoing.once("finish", () => void look({ path, body, at: "after" }));
    return answer;
  }, secret);
}
