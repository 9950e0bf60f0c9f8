import assert from "node:assert/strict";
import * as vscode from "vscode";
import { parseAddress } from "../../src/core/primitives/address.ts";
import { AccountsTree } from "../../src/features/credentials/accounts-tree.ts";

const account = (digit: string) => ({
  address: parseAddress(`41${digit.repeat(40)}`),
  label: digit,
  watchOnly: true,
});

describe("the tree of accounts in the real host", () => {
  it("draws row by row what only looks different, and everything when accounts come or go", () => {
    const accounts = [account("1"), account("2")];
    const guests = { list: () => [], show: () => undefined, onDidChange: new vscode.EventEmitter<undefined>().event };
    const tree = new AccountsTree({
      accounts: () => accounts,
      resourcesOf: async () => undefined,
      detailsOf: () => [],
      opened: () => undefined,
      guests,
      balanceOf: () => ({ kind: "unknown" }),
    });
    const redrawn: unknown[] = [];
    tree.onDidChangeTreeData((it) => redrawn.push(it));
    const rows = tree.getChildren();

    tree.refresh();
    accounts.push(account("3"));
    tree.refresh();

    assert.equal(rows.length, 2);
    assert.deepEqual(redrawn, [rows, undefined]);
  });
});
