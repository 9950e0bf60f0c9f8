import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { answerWith } from "../support/failures/hostile-texts.ts";
import { finality } from "./local-chain.ts";

const REFUSAL = answerWith("Contract validate error : balance is not sufficient.");
const CALLS = `{ "network": "Local chain", "calls": [{ "contract": "Leaf", "function": "balanceOf", "arguments": ["Carol"] }] }\n`;
const FILES: ReadonlyMap<string, string> = new Map([
  ["/run.log", `Error: ${REFUSAL}\n`],
  ["/leaf.finality.jsonc", CALLS],
]);

/** A folder that is on no disk, as that of a repository that was never cloned. */
class Memory implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  watch = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  readDirectory = (): [string, vscode.FileType][] => [];
  createDirectory = (): void => undefined;
  delete = (): void => undefined;
  rename = (): void => undefined;
  writeFile = (): void => undefined;

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).length };
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const text = FILES.get(path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return Buffer.from(text, "utf8");
  }
}

describe("files of a virtual workspace", () => {
  const memory = new Memory();
  let mounted: vscode.Disposable;

  before(async () => {
    await finality();
    mounted = vscode.workspace.registerFileSystemProvider("finality-memory", memory);
  });

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    mounted.dispose();
  });

  const open = (path: string): Thenable<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "finality-memory", path }));

  it("have hovers with explanations", async () => {
    const document = await open("/run.log");

    const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
      "vscode.executeHoverProvider",
      ...[document.uri, new vscode.Position(0, 30)],
    );

    const texts = hovers.flatMap(({ contents }) => contents.map((it) => (typeof it === "string" ? it : it.value)));
    assert.match(texts.join("\n"), /Balance is not sufficient/);
  });

  it("have lenses at calls", async () => {
    const document = await open("/leaf.finality.jsonc");

    // The part of the extension that draws them comes with the first file that has calls.
    let asked = 0;
    for (let left = 400; left > 0 && asked === 0; left--) {
      const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        ...[document.uri, 10],
      );
      asked = lenses.filter(({ command }) => command?.command === "finality.estimateEnergy").length;
      if (asked === 0) await pause(50);
    }
    assert.equal(asked, 1);
  });
});
