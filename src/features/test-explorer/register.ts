import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { onDidCreateFolders } from "./created-folders.ts";
import type { TestExplorerServices } from "./test-explorer.ts";

/** Files that the Test Explorer has tests of, or projects with them. */
const FILES = "**/{*.finality.jsonc,hardhat.config.*,tronbox.js,tronbox-config.js,foundry.toml}";

/** Registers the Test Explorer. Its controller is created when the workspace has a file that may have tests. */
export function registerTestExplorer(services: TestExplorerServices): vscode.Disposable {
  const explorer = lazy(async () => {
    const { TestExplorer } = await import("./test-explorer.ts");
    const created = new TestExplorer(services);
    await created.scan();
    return created;
  });
  const failed = (error: unknown): void => services.log.error("The Test Explorer does not start.", error);
  const open = (): void => void explorer().catch(failed);
  const watcher = vscode.workspace.createFileSystemWatcher(FILES, false, true, true);
  const first = async (): Promise<void> => {
    const [found] = await vscode.workspace.findFiles(FILES, "**/node_modules/**", 1);
    if (found !== undefined) open();
  };
  const soon = setImmediate(() => void first());
  const copied = (): void => {
    explorer.ifLoaded((it) => void it.scan().catch(failed));
    void first();
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(open), onDidCreateFolders(copied), {
    dispose: () => {
      clearImmediate(soon);
      explorer.ifLoaded((it) => it.dispose());
    },
  });
}
