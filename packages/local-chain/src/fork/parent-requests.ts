import { parseJson, printJson } from "@finality/tron/primitives";
import type { RequestResult, SendRequest } from "./network-client.ts";

/** Answer of the parent: the JSON text of the network, or the reason why there is none. */
interface ParentAnswer {
  readonly id: number;
  readonly text?: string;
  readonly reason?: string;
}

/**
 * Sends requests over the IPC channel to the process that started this one, which has the credentials of the network.
 * The channel keeps this process running until `process.disconnect`.
 *
 * @throws {Error} the process has no IPC channel
 */
export function sendThroughParent(): SendRequest {
  if (process.send === undefined) throw new Error("--network-from-parent needs a parent with an IPC channel.");
  const waiting = new Map<number, (result: RequestResult) => void>();
  const fail = (reason: string): RequestResult => ({ kind: "failure", reason, mayRepeat: false });
  process.on("message", ({ id, text, reason }: ParentAnswer) => {
    waiting.get(id)?.(text === undefined ? fail(reason ?? "no answer") : { kind: "json", json: parseJson(text) });
    waiting.delete(id);
  });
  process.on("disconnect", () => {
    for (const end of waiting.values()) end(fail("the parent process has ended"));
  });
  let requests = 0;
  return async (path, body) => {
    requests += 1;
    const id = requests;
    return await new Promise((resolve) => {
      waiting.set(id, resolve);
      process.send?.({ id, path, body: printJson(body) });
    });
  };
}
