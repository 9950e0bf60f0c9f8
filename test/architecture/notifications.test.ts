import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Names that only one file may use, aliases included. */
const RESTRICTED: readonly { readonly files: readonly string[]; readonly names: RegExp }[] = [
  {
    files: ["src/host/prompts/notify.ts"],
    names: /show(?:Information|Warning|Error)Message|setStatusBarMessage|withProgress/,
  },
  {
    files: ["src/host/prompts/quick-input.ts"],
    names: /showInputBox|showQuickPick|createQuickPick|createInputBox/,
  },
];
/** Computed access to `window`, which the search for names cannot see. */
const COMPUTED =
  /\bwindow\s*(?:\?\.)?\[|(?<!\}\s*)=\s*(?:vscode\.)?window\s*[;,)]|\.\.\.(?:vscode\.)?window\b|Reflect\.get/;

const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter((file) => !file.includes("/gen/"));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Returns the patterns that a file matches without permission. */
function violations(file: string, text: string): readonly string[] {
  const named = RESTRICTED.filter(({ files, names }) => !files.includes(file) && names.test(text)).map(
    ({ names }) => names,
  );
  return [...named, ...(COMPUTED.test(text) ? [COMPUTED] : [])].map((rule) => `${file}: ${rule.source}`);
}

describe("notifications, dialogs and inputs", () => {
  it("C1: are shown only by notify.ts and quick-input.ts", () => {
    assert.ok(sources.length > 400, `only ${sources.length} sources were seen`);
    assert.deepEqual(
      sources.flatMap((file) => violations(file, textOf(file))),
      [],
    );
  });

  it("L4: writes Markdown code fences only in markdown.ts, where content cannot close them", () => {
    const fenced = sources.filter(
      (file) => file !== "packages/tron/src/format/markdown.ts" && /\\`\\`\\`/.test(textOf(file)),
    );

    assert.deepEqual(fenced, []);
  });

  it("C1: are recognized in every form of access", () => {
    for (const code of [
      'void vscode.window.showWarningMessage("text");',
      "const ask = production ? vscode.window.showWarningMessage : undefined;",
      "const { showErrorMessage: say } = vscode.window;",
      'import { window } from "vscode"; window.showInformationMessage("text");',
      'vscode.window["showInformation" + "Message"]("text");',
      'const editor = vscode.window; editor["show" + kind]("text");',
      'vscode.window.setStatusBarMessage("$(check) text");',
      "vscode.window.withProgress(place, work);",
      'vscode.window.showInputBox({ prompt: "[a](command:b)" });',
      "const pick = vscode.window.createQuickPick();",
    ])
      assert.notDeepEqual(violations("src/features/f/a.ts", code), [], code);
  });
});
