import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as simulated from "./simulated-editor.ts";

/**
 * In the place of `vscode` where programs call every command: as the simulated editor, with a folder on the disk, and
 * commands that run each other.
 */
export * from "./simulated-editor.ts";

let folder: string | undefined;

/** Opens a folder of the disk as the workspace. */
export function openFolder(path: string): void {
  folder = path;
}

const folders = () =>
  folder === undefined ? undefined : [{ name: "work", index: 0, uri: simulated.Uri.file(folder) }];

class FileNotFound extends simulated.FileSystemError {
  readonly code = "FileNotFound";
}

const fs = {
  stat: async ({ fsPath }: simulated.Uri): Promise<unknown> => {
    if (!existsSync(fsPath)) throw new FileNotFound(fsPath);
    return await stat(fsPath);
  },
  readFile: ({ fsPath }: simulated.Uri): Promise<Uint8Array> => readFile(fsPath),
  writeFile: async ({ fsPath }: simulated.Uri, bytes: Uint8Array): Promise<void> => {
    await mkdir(dirname(fsPath), { recursive: true });
    await writeFile(fsPath, bytes);
  },
};

export const workspace = new Proxy(simulated.workspace, {
  get: (target, key): unknown => {
    if (key === "fs") return fs;
    if (key === "workspaceFolders") return folders();
    if (key === "createFileSystemWatcher") return () => mute();
    if (key === "getWorkspaceFolder")
      return ({ path }: simulated.Uri) => folders()?.find((it) => path.startsWith(it.uri.path));
    return Reflect.get(target, key);
  },
});

export const commands = {
  registerCommand: simulated.commands.registerCommand,
  executeCommand: async (id: string, argument?: unknown): Promise<unknown> =>
    simulated.editor().commands.has(id) ? await simulated.editor().run(id, argument) : undefined,
};

const nothing = new simulated.Disposable(() => undefined);

/** A part of the editor whose methods do nothing. */
function mute(known: object = {}): unknown {
  return new Proxy(known, {
    get: (target, key): unknown =>
      key in target ? Reflect.get(target, key) : key === "then" ? undefined : () => nothing,
  });
}

/** A view, as the editor asks it for rows. */
export interface Tree {
  getChildren(row?: object): object[] | Promise<object[]>;
}

/** The views that were made, by their IDs. */
export const trees = new Map<string, Tree>();

function panel(): unknown {
  const closed = new simulated.EventEmitter<void>();
  const webview = mute({ html: "", cspSource: "" });
  return mute({ webview, visible: true, active: true, onDidDispose: closed.event, dispose: () => closed.fire() });
}

export const window = new Proxy(simulated.window, {
  get: (target, key): unknown => {
    if (key === "createWebviewPanel") return panel;
    if (key !== "createTreeView") return Reflect.get(target, key);
    return (id: string, { treeDataProvider }: { readonly treeDataProvider: Tree }) => {
      trees.set(id, treeDataProvider);
      return simulated.window.createTreeView();
    };
  },
});

export class CodeLens {}
export class CodeAction {}
export const CodeActionKind = { QuickFix: {} };
export const CompletionItemKind = {};
export const InlayHintKind = {};
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };

/** Pages are in the language of the sources. */
export const l10n = { bundle: undefined, uri: undefined };
