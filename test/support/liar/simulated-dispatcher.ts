import type { HttpPort } from "../model/http-port.ts";

let mounted: HttpPort | undefined;

/** Who answers from now on. */
export function mountPort(port: HttpPort): void {
  mounted = port;
}

/** In the place of the pool of connections. */
export function createDispatcher() {
  return {
    request: (question: Parameters<HttpPort["request"]>[0]) => {
      if (mounted === undefined) throw new Error("Nobody answers.");
      return mounted.request(question);
    },
    close: async (): Promise<void> => undefined,
    destroy: async (): Promise<void> => undefined,
  };
}
