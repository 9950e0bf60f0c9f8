import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Each entry point, and the names that other files may not use, including aliases. */
const DOORS: readonly { readonly files: readonly string[]; readonly names: RegExp }[] = [
  {
    files: ["src/host/prompts/notify.ts"],
    names: /show(?:Information|Warning|Error)Message|setStatusBarMessage|withProgress/,
  },
  {
    files: ["src/host/prompts/quick-input.ts"],
    names: /showInputBox|showQuickPick|createQuickPick|createInputBox/,
  },
];
/** A name that is put together escapes every search for it. */
const COMPUTED =
  /\bwindow\s*(?:\?\.)?\[|(?<!\}\s*)=\s*(?:vscode\.)?window\s*[;,)]|\.\.\.(?:vscode\.)?window\b|Reflect\.get/;

const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter((file) => !file.includes("/gen/"));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Returns the uses of names that only an entry point may use. */
function breaches(file: string, text: string): readonly string[] {
  const named = DOORS.filter(({ files, names }) => !files.includes(file) && names.test(text)).map(({ names }) => names);
  return [...named, ...(COMPUTED.test(text) ? [COMPUTED] : [])].map((rule) => `${file}: ${rule.source}`);
}

describe("the doors to notifications, dialogs and inputs", () => {
  it("C1: are the one way to the editor's messages, boxes and lists", () => {
    assert.ok(sources.length > 400, `only ${sources.length} sources were seen`);
    assert.deepEqual(
      sources.flatMap((file) => breaches(file, textOf(file))),
      [],
    );
  });

  it("L4: the fences of code in Markdown are made in one place, where no content ends them", () => {
    const fenced = sources.filter(
      (file) => file !== "packages/tron/src/format/markdown.ts" && /\\`\\`\\`/.test(textOf(file)),
    );

    assert.deepEqual(fenced, []);
  });

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
  ]) {
    it(`C1: no other file contains: ${code}`, () => {
      assert.equal(breaches("src/features/f/a.ts", code).length > 0, true);
    });
  }
});
