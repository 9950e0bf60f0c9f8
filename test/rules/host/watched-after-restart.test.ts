import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../src/local-chain/main.ts";
import type { FinalityApi } from "../../../src/public/api.ts";
import { Editor, mountEditor } from "../../support/liar/editor.ts";
import { contextOf } from "../../support/liar/liar-simulation.ts";
import { loadCountedExtension } from "../../support/liar/load-extension.ts";

const JOURNAL = join(import.meta.dirname, "../../fixtures/upgrade/0.2.0/journal.jsonl");
const PATIENCE_MS = 20_000;
/** Turns in which a journal of a few lines would be read several times over. */
const TURNS = 2_000;

describe("a window that is opened again while its list is closed", function () {
  this.timeout(60_000);
  let folder: string;
  let chain: LocalChain;
  let deactivate: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-restart-"));
    await copyFile(JOURNAL, join(folder, "journal.jsonl"));
    chain = await startLocalChain({ blockTimeMs: 0 });
  });

  afterEach(async () => {
    await deactivate();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param listed - what the editor kept of the list when it was closed */
  async function open(listed: string): Promise<FinalityApi["transactions"]> {
    const extension = await loadCountedExtension();
    deactivate = extension.deactivate;
    const settings = new Map<string, unknown>([["finality.networks", [{ name: "Shop", baseUrl: chain.baseUrl }]]]);
    mountEditor(new Editor(settings, () => undefined));
    const context = contextOf(folder, new Map([["finality.listed", listed]]), new Map());
    return extension.activate(context as never).transactions;
  }

  it("goes on with what was not final", async () => {
    const transactions = await open("+copyable+moving");

    await until(() => transactions.list().some(({ state }) => state.kind === "unknown"));
  });

  it("reads nothing when all of it was final", async () => {
    const transactions = await open("+copyable");

    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));

    assert.deepEqual(transactions.list(), []);
  });
});

/** Looked at again and again, as other work goes on. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    assert.ok(performance.now() < end, "it did not come to that");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
