import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { proof } from "../../../support/tracking/proven.ts";

type TestedModule = typeof import("../../../../src/features/transactions/proof-files.ts");

describe("exportProof for a program", () => {
  const folder = mkdtempSync(join(tmpdir(), "finality-export-"));
  const { txId, rawDataHex, format: _format, ...absence } = proof();
  const chain = "c".padStart(64, "0");
  const tracked = {
    txId,
    chain,
    signed: { rawDataHex, signatures: ["00"] },
    absence,
    state: { kind: "proven-absent" },
    attempts: [],
  };
  const transactions = { ready: async () => {}, list: () => [tracked], get: () => tracked };
  let exportTo: (file: string) => Promise<unknown>;

  before(async () => {
    const { exportProof } = await loadWithEditor<TestedModule>("src/features/transactions/proof-files.ts");
    exportTo = (file) =>
      exportProof({ transactions: transactions as never, nameOf: () => undefined }, { txId, file }, { txId, file });
  });

  after(() => rmSync(folder, { recursive: true }));

  it("L14: writes a new file, and overwrites no existing file or link", async () => {
    const [fresh, settings, link] = ["proof.json", "settings.json", "link.json"].map((it) => join(folder, it));
    assert.ok(fresh && settings && link);
    writeFileSync(settings, "precious");
    symlinkSync(settings, link);

    await exportTo(fresh);

    assert.match(readFileSync(fresh, "utf8"), new RegExp(`${txId}[^]*"chain": "${chain}"`));
    for (const taken of [settings, link, fresh]) {
      await assert.rejects(
        () => exportTo(taken),
        (error) => isChainError(error) && /already exists and is not overwritten/.test(error.message),
      );
    }
    assert.equal(readFileSync(settings, "utf8"), "precious");
  });
});
