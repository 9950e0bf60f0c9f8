import { join } from "node:path";
import { ChainError, isChainError } from "@finality/tron/errors";
import { isJsonObject, type NamedAddress, parseJson, parseNames, textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Log } from "../log/log.ts";
import { bytesOfFile } from "../read-regular-file.ts";

/** File in a workspace folder that holds only names. */
const FILE = "finality.names.json";
const MAXIMUM_BYTES = 256 * 1024;

/**
 * Watches the names in the workspace folders. Reads nothing in Restricted Mode. Problems go to the log only, because
 * the user may not own the file.
 */
export function followWorkspaceNames(
  found: (names: readonly NamedAddress[]) => void,
  log: Pick<Log, "info">,
): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${FILE}`);
  const read = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted) return;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const all = await Promise.all(folders.map(({ uri }) => namesIn(uri, log)));
    const names = new Map(all.flat().map((it) => [it.address, it]));
    found([...names.values()]);
  };
  const again = (): void => void read();
  again();
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(again),
    watcher.onDidCreate(again),
    watcher.onDidDelete(again),
    vscode.workspace.onDidGrantWorkspaceTrust(again),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
  );
}

async function namesIn(folder: vscode.Uri, log: Pick<Log, "info">): Promise<readonly NamedAddress[]> {
  if (folder.scheme !== "file") return [];
  try {
    const bytes = await bytesOfFile(join(folder.fsPath, FILE), folder.fsPath, MAXIMUM_BYTES);
    if (typeof bytes === "string") throw new ChainError("SETTING_MALFORMED", { setting: FILE, reason: bytes });
    const { names, problems } = namesOf(textOfBytes(bytes));
    for (const { message } of problems) log.info(message);
    return names;
  } catch (error) {
    if (isChainError(error)) log.info(error.message);
    return [];
  }
}

function namesOf(text: string): ReturnType<typeof parseNames> {
  try {
    const value = parseJson(text);
    return parseNames(isJsonObject(value) ? value : [], FILE);
  } catch {
    throw new ChainError("SETTING_MALFORMED", { setting: FILE, reason: t`it is not JSON` });
  }
}
