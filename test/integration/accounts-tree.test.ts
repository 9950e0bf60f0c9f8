import assert from "node:assert/strict";
import * as vscode from "vscode";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import type { Balance, DetailRow } from "../../src/features/accounts-view/account.view.ts";
import { AccountsTree } from "../../src/features/accounts-view/accounts-tree.ts";

const account = (digit: string) => ({
  address: parseAddress(`41${digit.repeat(40)}`),
  label: digit,
  watchOnly: true,
});

describe("accounts tree", () => {
  const balances = new Map<string, Balance>();
  const row = { id: "energy", label: "Energy", description: "none", icon: "zap", spoken: "Energy, none", tooltip: [] };
  let below: readonly DetailRow[] = [row];

  function treeOf(accounts: readonly ReturnType<typeof account>[]) {
    const contributedRows = {
      list: () => [],
      show: () => undefined,
      onDidChange: new vscode.EventEmitter<undefined>().event,
    };
    const [opened, redrawn]: [string[], unknown[]] = [[], []];
    const tree = new AccountsTree({
      accounts: () => accounts,
      resourcesOf: async () => undefined,
      detailsOf: () => below,
      opened: (address) => void opened.push(address),
      contributed: contributedRows,
      balanceOf: (address) => balances.get(address) ?? { kind: "unknown" },
    });
    tree.onDidChangeTreeData((it) => redrawn.push(it));
    return { tree, opened, redrawn };
  }

  it("refreshes only changed rows, and all rows when accounts are added or removed", () => {
    const [first, second] = [account("1"), account("2")];
    const accounts = [first, second];
    const { tree, redrawn } = treeOf(accounts);
    const rows = tree.getChildren();

    tree.refresh();
    tree.refresh();
    balances.set(second.address, { kind: "not-activated" });
    tree.refresh();
    accounts.push(account("3"));
    tree.refresh();

    assert.equal(rows.length, 2);
    assert.deepEqual(redrawn, [rows, [rows[1]], undefined]);
  });

  it("refreshes only changed rows of an expanded account", () => {
    const { tree, redrawn } = treeOf([account("5")]);
    const [node] = tree.getChildren();
    assert.ok(node);
    const votes = { ...row, id: "votes", children: [{ ...row, id: "votes/0" }] };
    below = [row, votes];
    const [energy, parent] = tree.getChildren(node);
    assert.ok(parent);
    const [vote] = tree.getChildren(parent);

    tree.refresh();
    below = [{ ...row, description: "some" }, votes];
    tree.refresh();
    below = [
      { ...row, description: "some" },
      { ...votes, children: [{ ...row, id: "votes/0", label: "Bob" }] },
    ];
    tree.refresh();
    tree.refresh();
    below = [row];
    tree.refresh();

    assert.deepEqual(redrawn, [[node], [energy], [vote], [node]]);
    assert.equal(tree.getChildren(node)[0], energy, "a row stays the same");
  });

  it("reports an expanded account once, and again after it was collapsed", () => {
    const only = account("4");
    const { tree, opened } = treeOf([only]);
    const [node] = tree.getChildren();
    assert.ok(node);

    const [below] = tree.getChildren(node);
    tree.getChildren(node);
    assert.deepEqual([opened, tree.isOpen(only.address)], [[only.address], true]);
    assert.equal(below && tree.getTreeItem(below).accessibilityInformation?.label, "Energy, none");
    tree.closed(node);
    assert.equal(tree.isOpen(only.address), false);
    tree.getChildren(node);
    assert.deepEqual(opened, [only.address, only.address]);
  });
});
