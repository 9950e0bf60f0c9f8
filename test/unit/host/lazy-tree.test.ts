import assert from "node:assert/strict";
import { lazy } from "../../../src/host/async.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";

describe("lazyTree", () => {
  it("loads the tree with the first row, forwards its changes and disposes of it", async () => {
    const { lazyTree } = await loadWithEditor<typeof import("../../../src/host/lazy-tree.ts")>("src/host/lazy-tree.ts");
    const listeners: ((node: string | undefined) => void)[] = [];
    const steps: string[] = [];
    const provider = lazyTree<string>(
      lazy(async () => {
        steps.push("loaded");
        return {
          onDidChangeTreeData: (listener: (node: never) => void) => {
            listeners.push(listener as (node: string | undefined) => void);
            return { dispose: () => undefined };
          },
          getChildren: (node?: string) => (node === undefined ? ["a"] : []),
          getTreeItem: (node: string) => ({ label: node }),
          dispose: () => void steps.push("disposed"),
        };
      }),
    );
    provider.onDidChangeTreeData?.((node) => void steps.push(`changed ${node}`));
    assert.deepEqual(steps, []);

    assert.deepEqual([await provider.getChildren(), await provider.getChildren("a")], [["a"], []]);
    assert.deepEqual(await provider.getTreeItem("a"), { label: "a" });
    for (const listener of listeners) listener("a");
    provider.dispose();
    await Promise.resolve();

    assert.deepEqual(steps, ["loaded", "changed a", "disposed"]);
  });
});
