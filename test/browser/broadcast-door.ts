import { askChain, type Door, isBroadcast, openDoor } from "./door.ts";

/** What stands between a sender and a chain. */
export interface BroadcastWatch {
  /** Called before a broadcast goes on to the chain. */
  before(): Promise<void>;
  /** Called with the answer of the chain; what it gives goes to the sender. */
  answered(answer: string): string;
}

/** A door in front of a chain that knows of every broadcast, and may change the answer. All else goes through as it is. */
export function openBroadcastDoor(chainUrl: string, watch: BroadcastWatch): Promise<Door> {
  return openDoor(async (asked) => {
    if (!isBroadcast(asked.path)) return await askChain(chainUrl, asked);
    await watch.before();
    const answer = await askChain(chainUrl, asked);
    return answer && { ...answer, text: watch.answered(answer.text) };
  });
}
