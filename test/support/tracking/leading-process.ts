import { systemClock } from "../../../src/host/system-clock.ts";
import { leadAlone } from "../../../src/host/windows/tracking-leader.ts";
import { FakeClock } from "../fakes/fake-clock.ts";

const [folder = "", pace] = process.argv.slice(2);
const fake = new FakeClock();

/** Time passes for it when its parent says so, which is told when it has passed. Whoever listens lives. */
process.on("message", (ms) => void fake.advance(Number(ms)).then(() => process.send?.("passed")));

/** A process that leads until it is killed, and tells its parent when it begins and when it gives up. */
await leadAlone(
  {
    folder,
    clock: pace === "paced" ? fake : systemClock,
    proof: async () => undefined,
    report: () => undefined,
    lead: async (signal) => {
      process.send?.("leading");
      signal.addEventListener("abort", () => process.send?.("following"), { once: true });
    },
  },
  new AbortController().signal,
);
