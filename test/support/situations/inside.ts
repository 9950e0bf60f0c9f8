import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { type Seen, watchEditor } from "./seen.ts";

/** A situation as `FINALITY_SITUATIONS` names it. */
export type Situation = "empty" | "folder" | "project" | "local" | "untrusted";

/** What running each command showed. */
export type Shown = Readonly<Record<string, readonly Seen[]>>;

/** How long something may take to be seen after a command. */
const SEEN_MS = 2_000;
const COMMAND_MS = 20_000;
const LOOK_MS = 20;
const AWAKE_MS = 1_000;
/** Ends the situation of those after it. */
const LAST = ["finality.startLocalChain", "finality.stopLocalChain"];

const {
  FINALITY_SITUATIONS: situations = "",
  FINALITY_SITUATIONS_FOLDER: out = "",
  FINALITY_SAMPLES: samples = "",
} = process.env;

/**
 * What the host runs in place of tests: makes one situation after the other, lets the palette be read from outside, runs
 * every command as the palette does, and writes down what was seen.
 */
export async function run(): Promise<void> {
  const person = watchEditor();
  const extension = vscode.extensions.getExtension("finality.finality");
  let awake = false;
  for (const situation of situations.split(",") as Situation[]) {
    await makings[situation]();
    // Time for what wakes it by itself.
    await sleep(AWAKE_MS);
    awake ||= extension?.isActive === true;
    await extension?.activate();
    writeFileSync(join(out, `${situation}.ready`), "");
    while (!existsSync(join(out, `${situation}.go`))) await sleep(LOOK_MS);
    person.take();
    const ids: readonly string[] = JSON.parse(readFileSync(join(out, "commands.json"), "utf8"));
    const shown: Record<string, readonly Seen[]> = {};
    for (const id of [...ids.filter((it) => !LAST.includes(it)), ...LAST]) {
      shown[id] = await seenBy(situation, id, person.take);
      // What a command started is no part of the situation of the next one.
      if (situation !== "local") await vscode.commands.executeCommand("finality.stopLocalChain", { confirmed: true });
      person.take();
    }
    writeFileSync(join(out, `${situation}.json`), JSON.stringify({ awake, shown }));
  }
}

async function seenBy(situation: Situation, id: string, take: () => readonly Seen[]): Promise<readonly Seen[]> {
  const thrown: Seen[] = [];
  const runs = vscode.commands.executeCommand(id).then(
    () => undefined,
    (error: unknown) => void thrown.push({ by: "notice", words: `REJECTED: ${error}` }),
  );
  await Promise.race([runs, sleep(COMMAND_MS)]);
  const seen: Seen[] = [];
  for (const end = Date.now() + SEEN_MS; seen.length === 0 && Date.now() < end; await sleep(LOOK_MS))
    seen.push(...take());
  if (seen.some(({ by }) => by === "page" || by === "document")) await closeEditors(situation);
  return [...seen, ...take(), ...thrown];
}

/** The file that a situation has open stays open. */
async function closeEditors(situation: Situation): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  if (situation === "project" || situation === "local") await openCallFile();
}

/** With the cursor on a call. */
async function openCallFile(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error("There is no folder.");
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.joinPath(folder.uri, "calls/leaf.finality.jsonc"),
  );
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(document.getText().indexOf('"balanceOf"'));
  editor.selection = new vscode.Selection(at, at);
}

const makings: Readonly<Record<Situation, () => Promise<void>>> = {
  empty: async () => undefined,
  folder: async () => undefined,
  project: async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) throw new Error("There is no folder.");
    cpSync(samples, folder.uri.fsPath, { recursive: true });
    writeFileSync(join(folder.uri.fsPath, "tronbox.js"), "module.exports = { networks: {} };\n");
    await openCallFile();
  },
  local: async () => void (await vscode.commands.executeCommand("finality.startLocalChain", {})),
  untrusted: async () =>
    void (await vscode.commands.executeCommand("finality.addWatchOnlyAddress", {
      address: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC",
      label: "Cashier",
    })),
};
