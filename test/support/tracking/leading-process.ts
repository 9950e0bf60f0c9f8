import { systemClock } from "../../../packages/node/src/system-clock.ts";
import { leadAlone } from "../../../src/host/windows/tracking-leader.ts";
import { FakeClock, settled } from "../fakes/fake-clock.ts";

const [folder = "", pace] = process.argv.slice(2);
const fake = new FakeClock();

let proven = (): void => undefined;

/** Lets time pass when the parent asks, until the next claim to lead. Listening windows are alive. */
process.on("message", async () => {
  await fake.runUntil(new Promise<void>((resolve) => (proven = resolve)));
  await settled();
  process.send?.("beaten");
});

/** A process that leads until it is killed, and tells its parent when it begins and when it gives up. */
await leadAlone(
  {
    folder,
    clock: pace === "paced" ? fake : systemClock,
    proof: async () => proven(),
    report: () => undefined,
    lead: async (signal) => {
      process.send?.("leading");
      signal.addEventListener("abort", () => process.send?.("following"), { once: true });
    },
  },
  new AbortController().signal,
);
