import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Explanation } from "../../src/public/api.ts";
import { answerWith } from "../support/failures/hostile-texts.ts";
import { answering } from "./dialogs.ts";
import { finality } from "./local-chain.ts";

const REFUSAL = answerWith("Contract validate error : Account is not existed.");

const decoders = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("finality.decoder"));

/** Tabs are told of a moment after a panel was made. */
async function untilOpen(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (decoders().length > 0) resolve();
  };
  const subscription = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  await promise.finally(() => subscription.dispose());
}

const run = <T = Explanation | undefined>(command: string, ...input: readonly unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, ...input);

describe("decoder commands", () => {
  before(() => finality());

  afterEach(() => vscode.window.tabGroups.close(decoders()));

  it("explain their argument in a single page", async () => {
    const first = await run("decode", { input: REFUSAL, origin: "a test" });
    const second = await run("decode", { input: "SIGERROR" });

    await untilOpen();
    assert.equal(first?.code, "CONTRACT_VALIDATE_ERROR");
    assert.equal(first?.raw, REFUSAL);
    assert.equal(second?.code, "SIGERROR");
    assert.deepEqual(
      decoders().map(({ label }) => label),
      ["Decoder"],
    );
  });

  it("copy the explanation as plain text on request, without opening anything", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");

    await vscode.commands.executeCommand("finality.decode", { input: "SIGERROR", copy: true });

    assert.match(await vscode.env.clipboard.readText(), /^The signature is not valid\nvalidation, SIGERROR\nCause: /);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });

  it("explain the selection without an argument", async () => {
    const document = await vscode.workspace.openTextDocument({ content: `first line\n${REFUSAL}\n` });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 1, REFUSAL.length);

    const explanation = await run("decode");

    assert.equal(explanation?.raw, REFUSAL);
  });

  it("read the clipboard without a prompt if the argument allows it", async () => {
    await vscode.env.clipboard.writeText(REFUSAL);

    const explanation = await run("decodeClipboard", { confirmed: true });

    assert.equal(explanation?.code, "CONTRACT_VALIDATE_ERROR");
  });

  it("read the clipboard only after confirmation", async () => {
    await vscode.env.clipboard.writeText(REFUSAL);

    const asked = await answering(undefined, async () => {
      assert.equal(await run("decodeClipboard", {}), undefined);
    });

    assert.deepEqual(
      asked.map(({ title }) => title),
      ["Read the clipboard?"],
    );
    assert.deepEqual(decoders(), []);
  });

  it("remove secrets from a text before explaining it", async () => {
    const explanation = await run("decode", { input: "SIGERROR Bearer abc.def-ghi and eyJhbGciOiJS.eyJhdWQi.c2ln" });

    assert.equal(explanation?.raw, "SIGERROR *** and ***");
  });

  it("open an empty page", async () => {
    await run("openDecoder", {});

    await untilOpen();
    assert.equal(decoders().length, 1);
  });

  it("refuse arguments that are not text", async () => {
    await assert.rejects(async () => run("decode", { input: { code: 1 } }), /it must be text/);
  });
});
