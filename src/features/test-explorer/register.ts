import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import type { TestExplorerServices } from "./test-explorer.ts";

/** Files that the Test Explorer has tests of, or projects with them. */
const FILES = "**/{*.finality.jsonc,hardhat.config.*,tronbox.js,tronbox-config.js,foundry.toml}";
/** Path of what may be such a file, or a folder. */
const FILE_OR_FOLDER = /\/[^./]+$|\.(jsonc|toml|[cm]?[jt]s)$/;
/** Time after which a copied folder is complete; ms. */
const COPY_MS = 500;

/** Registers the Test Explorer. Its controller is created when the workspace has a file that may have tests. */
export function registerTestExplorer(services: TestExplorerServices): vscode.Disposable {
  const explorer = lazy(async () => {
    const { TestExplorer } = await import("./test-explorer.ts");
    const created = new TestExplorer(services);
    await created.scan();
    return created;
  });
  const open = (): void => {
    const find = async () => {
      const found = await vscode.workspace.findFiles(FILES, "**/node_modules/**", 1);
      if (found.length > 0) await explorer();
    };
    find().catch((error: unknown) => services.log.error("The Test Explorer does not start.", error));
  };
  let soon = setTimeout(open, 0);
  // VS Code does not report each file of a copied folder.
  const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(({ path }) => {
      if (!FILE_OR_FOLDER.test(path)) return;
      clearTimeout(soon);
      soon = setTimeout(open, COPY_MS);
    }),
    {
      dispose: () => {
        clearTimeout(soon);
        explorer.ifLoaded((it) => it.dispose());
      },
    },
  );
}
