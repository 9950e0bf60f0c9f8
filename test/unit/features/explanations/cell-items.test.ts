import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { explain } from "../../../../packages/client/src/explain/explain.ts";
import { StoredInputs } from "../../../../src/features/explanations/explain-context.ts";
import { loadWithEditor, Uri } from "../../../support/fakes/fake-editor.ts";

type CellItems = typeof import("../../../../src/features/explanations/cell-items.ts");

const REFUSED = "Error: Contract validate error : account does not exist";
const outputOf = (mime: string, text: string) => ({ items: [{ mime, data: new TextEncoder().encode(text) }] });

describe("cellItems", () => {
  let itemsOf: (...outputs: readonly object[]) => Promise<readonly vscode.NotebookCellStatusBarItem[]>;

  before(async () => {
    const { cellItems } = await loadWithEditor<CellItems>("src/features/explanations/cell-items.ts");
    const context = { explain, nearlyReady: async () => undefined };
    const services = { context, kept: new StoredInputs() } as unknown as Parameters<typeof cellItems>[1];
    itemsOf = (...outputs) =>
      cellItems({ outputs, notebook: { uri: Uri.file("pay.ipynb") } } as unknown as vscode.NotebookCell, services);
  });

  it("link a printed failure to the decoder", async () => {
    for (const mime of ["application/vnd.code.notebook.stdout", "application/vnd.code.notebook.stderr", "text/plain"]) {
      const [item] = await itemsOf(outputOf(mime, `sending\n${REFUSED}\ndone`));

      const command = item?.command as vscode.Command | undefined;

      assert.deepEqual(command?.arguments, [{ input: REFUSED, origin: "pay.ipynb" }], mime);
    }
  });

  it("read the lines of an error output", async () => {
    const error = JSON.stringify({ name: "ValueError", message: "x", stack: `Traceback\n${REFUSED}` });

    assert.equal((await itemsOf(outputOf("application/vnd.code.notebook.error", error))).length, 1);
  });

  it("are empty for other output", async () => {
    assert.deepEqual(await itemsOf(), []);
    assert.deepEqual(await itemsOf(outputOf("image/png", REFUSED)), []);
    assert.deepEqual(await itemsOf(outputOf("text/plain", "bash: ./run.sh: Permission denied")), []);
  });
});
