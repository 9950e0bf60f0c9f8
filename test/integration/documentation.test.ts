import assert from "node:assert/strict";
import * as vscode from "vscode";
import { finality } from "./local-chain.ts";

const open = (argument: object): Thenable<unknown> =>
  vscode.commands.executeCommand("finality.openDocumentation", argument);

const previews = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes("markdown.preview"));

/** Tabs are told of a moment after a panel was made. */
async function untilPreview(label: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (previews().some((it) => it.label.includes(label))) resolve();
  };
  const subscription = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  await promise.finally(() => subscription.dispose());
}

describe("Open Documentation", () => {
  before(() => finality());

  afterEach(() => vscode.window.tabGroups.close(previews()));

  it("opens a page in the preview at a heading or anchor", async () => {
    assert.deepEqual(await open({ page: "tracking", heading: "States" }), { page: "tracking", heading: "States" });
    await untilPreview("tracking.md");

    assert.deepEqual(await open({ page: "errors", heading: "no-usable-answer" }), {
      page: "errors",
      heading: "No usable answer",
    });
    await untilPreview("errors.md");
  });

  it("lists the pages when a program requests a missing one, and reports a missing heading", async () => {
    await assert.rejects(async () => open({ page: "absent" }), /there are only README, getting-started, .*errors/);
    await assert.rejects(async () => open({ page: "errors", heading: "absent" }), /errors has no heading "absent"/);
    assert.equal(previews().length, 0);
  });
});
