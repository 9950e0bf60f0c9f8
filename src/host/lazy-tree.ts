import * as vscode from "vscode";
import { type Lazy, lazy } from "./async.ts";

interface Tree<N> extends vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<N | N[] | undefined>;
  getChildren(node?: N): N[];
  getTreeItem(node: N): vscode.TreeItem | Promise<vscode.TreeItem>;
  resolveTreeItem?(item: vscode.TreeItem, node: N): Promise<vscode.TreeItem>;
}

/** Returns a data provider that loads its tree when the view is first visible. */
export function lazyTree<N>(load: Lazy<Tree<N>>): vscode.TreeDataProvider<N> & vscode.Disposable {
  const changed = new vscode.EventEmitter<N | N[] | undefined>();
  const open = lazy(async () => {
    const tree = await load();
    tree.onDidChangeTreeData((it) => changed.fire(it));
    return tree;
  });
  return {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => (await open()).getChildren(node),
    getTreeItem: async (node) => (await open()).getTreeItem(node),
    resolveTreeItem: async (item, node) => (await open()).resolveTreeItem?.(item, node) ?? item,
    dispose: () => {
      changed.dispose();
      load.ifLoaded((it) => it.dispose());
    },
  };
}
