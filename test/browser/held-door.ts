import { askChain, type Door, openDoor } from "./door.ts";

/** A door in front of a chain that can keep constant calls waiting. */
export interface HeldDoor extends Door {
  /** From now on constant calls wait. */
  hold(): void;
  /** Lets those that wait in, and all that come. Those whose asker has gone never arrive. */
  release(): void;
}

export async function openHeldDoor(chainUrl: string, secret: string): Promise<HeldDoor> {
  let waiting: (() => void)[] | undefined;
  const door = await openDoor(async (asked, outgoing) => {
    if (asked.path === "/wallet/triggerconstantcontract")
      await new Promise<void>((enter) => (waiting === undefined ? enter() : waiting.push(enter)));
    return outgoing.destroyed ? undefined : await askChain(chainUrl, asked);
  }, secret);
  return {
    ...door,
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
