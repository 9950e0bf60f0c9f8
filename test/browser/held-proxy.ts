import { askChain, type ChainProxy, openProxy } from "./proxy.ts";

/** A proxy in front of a chain that can keep constant calls waiting. */
export interface HeldProxy extends ChainProxy {
  /** From now on constant calls wait. */
  hold(): void;
  /** Lets those that wait in, and all that come. Those whose asker has gone never arrive. */
  release(): void;
}

export async function openHeldProxy(chainUrl: string, secret: string): Promise<HeldProxy> {
  let waiting: (() => void)[] | undefined;
  const proxy = await openProxy(async (asked, outgoing) => {
    if (asked.path === "/wallet/triggerconstantcontract")
      await new Promise<void>((enter) => (waiting === undefined ? enter() : waiting.push(enter)));
    return outgoing.destroyed ? undefined : await askChain(chainUrl, asked);
  }, secret);
  return {
    ...proxy,
    hold: () => {
      waiting = [];
    },
    release: () => {
      const held = waiting ?? [];
      waiting = undefined;
      for (const enter of held) enter();
    },
  };
}
