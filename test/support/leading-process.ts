import { leadAlone } from "../../src/host/tracking-leader.ts";

/** A process that leads until it is killed, and tells its parent when it does. */
await leadAlone(
  process.argv[2] ?? "",
  async () => {
    process.send?.("leading");
  },
  new AbortController().signal,
);
