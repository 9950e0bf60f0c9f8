import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { MemoryRunStore } from "../../../../test/support/runs/memory-run-store.ts";
import { describeRunStore } from "../../../../test/support/runs/store-conformance.ts";

describeRunStore("MemoryRunStore", async () => {
  const store = new MemoryRunStore(new FakeClock());
  return {
    open: async () => store.connect(),
    endLeases: async () => store.expireLeases(),
    close: () => store.close(),
  };
});
