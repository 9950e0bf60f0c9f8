import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as codeReports from "../../../../src/features/contracts/code-reports.ts";
import { memento } from "../../../support/fakes/fake-editor.ts";
import { reportEditor } from "../../../support/forms/report-editor.ts";
import { importVariant } from "../../../support/random/mutants.ts";

const root = join(import.meta.dirname, "../../../..");
const editor = pathToFileURL(join(root, "test/support/forms/report-editor.ts")).href;
const file = join(root, "src/features/contracts/code-reports.ts");
const { CodeReports } = await importVariant<typeof codeReports>(file, [], (it) =>
  it === "vscode" ? editor : undefined,
);

describe("CodeReports", () => {
  it("has the text of a page after a reload of the window", async () => {
    const state = memento();
    const before = new CodeReports(state);
    await before.show("Vault", "# Comparison of Vault");
    await before.show("Other", "# Comparison of Other");
    await before.show("Vault", "# Newest comparison of Vault");
    before.dispose();

    new CodeReports(state);
    assert.equal(reportEditor.textOf("/Vault.md"), "# Newest comparison of Vault");
    assert.equal(reportEditor.textOf("/Other.md"), "# Comparison of Other");
  });

  it("keeps the newest 20 pages, and shows an empty one for any other", async () => {
    const state = memento();
    const reports = new CodeReports(state);
    for (let at = 0; at <= 20; at++) await reports.show(`Vault${at}`, String(at));
    assert.equal(reportEditor.textOf("/Vault0.md"), "");
    assert.equal(reportEditor.textOf("/Vault1.md"), "1");
  });
});
