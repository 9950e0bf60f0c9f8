import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import type { FinalityApi } from "../../../src/public/api.ts";
import { loadCountedExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

const JOURNAL = join(import.meta.dirname, "../../fixtures/upgrade/0.2.0/journal.jsonl");
const TIMEOUT_MS = 20_000;

describe("tracking after a restart", function () {
  this.timeout(60_000);
  let folder: string;
  let chain: LocalChain;
  let close: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-restart-"));
    await copyFile(JOURNAL, join(folder, "journal.jsonl"));
    chain = await startLocalChain({ blockTimeMs: 0 });
  });

  after(async () => {
    await close();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(): Promise<FinalityApi["transactions"]> {
    const extension = await loadCountedExtension();
    const settings = new Map<string, unknown>([["finality.networks", [{ name: "Shop", baseUrl: chain.baseUrl }]]]);
    mountEditor(new Editor(settings, () => undefined));
    const context = contextOf(folder, new Map([["finality.listed", "+copyable+moving"]]), new Map());
    close = async () => {
      for (const it of context.subscriptions as { dispose(): void }[]) it.dispose();
      await extension.deactivate();
    };
    return extension.activate(context as never).transactions;
  }

  it("continues for unsettled transactions while the view is closed", async () => {
    const transactions = await open();

    await until(() => transactions.list().some(({ state }) => state.kind === "unknown"));
  });
});

/** Waits until a condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!isSo()) {
    assert.ok(performance.now() < end, "the condition did not hold in time");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
