import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { describeRunStore } from "../../../../test/support/runs/store-conformance.ts";
import { FileRunStore } from "../../src/runs/file-run-store.ts";

const LONGEST_LEASE_MS = 60_000;

describeRunStore("FileRunStore", async () => {
  const folder = mkdtempSync(join(tmpdir(), "runs-"));
  const clock = new FakeClock();
  const opened: FileRunStore[] = [];
  return {
    open: async () => {
      const store = new FileRunStore(folder, clock);
      opened.push(store);
      await store.journal.load();
      return store;
    },
    endLeases: () => clock.advance(LONGEST_LEASE_MS + 1),
    close: async () => {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
