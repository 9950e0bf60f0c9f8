import { systemClock as clock } from "../../../src/host/system-clock.ts";
import { leadAlone } from "../../../src/host/windows/tracking-leader.ts";

/** A process that leads until it is killed, and tells its parent when it begins and when it gives up. */
await leadAlone(
  {
    folder: process.argv[2] ?? "",
    clock,
    proof: async () => undefined,
    report: () => undefined,
    lead: async (signal) => {
      process.send?.("leading");
      signal.addEventListener("abort", () => process.send?.("following"), { once: true });
    },
  },
  new AbortController().signal,
);
