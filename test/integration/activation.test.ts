import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the extension in the real host", () => {
  it("is present and activates", async () => {
    const extension = vscode.extensions.getExtension("finality.finality");

    assert.ok(extension, "finality.finality is not installed in this host");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
