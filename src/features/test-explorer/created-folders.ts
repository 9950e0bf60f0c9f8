import * as vscode from "vscode";

/** Time without a further new file after which a copied folder is complete; ms. */
const QUIET_MS = 500;
/** More new files than this are treated as a folder, without reading what they are. */
const MOST_READ = 100;

/** Calls back after folders appeared in the workspace. VS Code does not report each file of a copied folder. */
export function onDidCreateFolders(listener: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, true);
  const created = new Map<string, vscode.Uri>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const uris = [...created.values()];
    created.clear();
    if (uris.length > MOST_READ || (await hasFolder(uris))) listener();
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate((uri) => {
      if (/\/(?:node_modules|\.git)\//.test(uri.path)) return;
      created.set(String(uri), uri);
      clearTimeout(timer);
      timer = setTimeout(() => void look(), QUIET_MS);
    }),
    { dispose: () => clearTimeout(timer) },
  );
}

async function hasFolder(uris: readonly vscode.Uri[]): Promise<boolean> {
  for (const uri of uris) {
    const type = await vscode.workspace.fs.stat(uri).then(
      (found) => found.type,
      () => vscode.FileType.Unknown,
    );
    if ((type & vscode.FileType.Directory) !== 0) return true;
  }
  return false;
}
