import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { TrackedTransaction } from "../../packages/client/src/transaction-state/tracked-transaction.ts";
import { TransactionsTree } from "../../src/features/tracking/transactions-tree.ts";
import { blockReference, nameOf, noReasons, tracked, txId } from "../support/tracking/tracked.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const unknown = tracked({
  txId: txId("1"),
  createdAt: NOW - 9_000,
  changedAt: NOW - 8_000,
  state: { kind: "unknown", reason: "connection reset" },
  attempts: [
    {
      number: 1,
      endpoint: "http://a",
      startedAt: NOW - 9_000,
      answeredAt: NOW - 8_000,
      outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "[x](command:evil)" },
    },
  ],
});
const pending = tracked({ txId: txId("2"), createdAt: NOW, changedAt: NOW, state: { kind: "pending" } });

/** A tree over a list that a test changes. */
function treeOver(...all: TrackedTransaction[]) {
  const source = { list: () => all, get: (id: string) => all.find((it) => it.txId === id) };
  const tree = new TransactionsTree(source, {
    nameOf,
    now: () => NOW,
    sessionStart: NOW,
    reasonOf: noReasons,
    contributed: { list: () => [] },
  });
  const redrawn: unknown[] = [];
  tree.onDidChangeTreeData((it) => redrawn.push(it));
  return { all, tree, redrawn };
}

describe("transactions tree", () => {
  it("groups by required action, and shows the state by icon, color and text", async () => {
    const { tree } = treeOver(unknown, pending);

    const nodes = await tree.getChildren();
    const groups = (await Promise.all(nodes.map((it) => tree.getTreeItem(it)))).map(({ label }) => label);
    const [row] = await tree.getChildren(nodes[0]);
    assert.ok(row);
    const item = await tree.getTreeItem(row);

    assert.deepEqual(groups, ["Needs attention (1)", "Waiting (1)"]);
    assert.equal(item.label, "Do not pay again · 1.5 coins → Bob");
    assert.equal(item.description, "outcome unknown");
    assert.deepEqual(item.iconPath, new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")));
    assert.equal(
      item.accessibilityInformation?.label,
      "1.5 coins to Bob. Outcome unknown. Do not create a new payment.",
    );
    assert.equal(tree.needingYou, 1);
  });

  it("shows texts of the chain in tooltips without links and commands", async () => {
    const { tree } = treeOver(unknown);
    await tree.getChildren();
    const node = tree.nodeOf(unknown.txId);

    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(node), node);

    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.notEqual(tooltip.isTrusted, true);
    assert.ok(tooltip.value.includes("\\[x\\]\\(command\\:evil\\)"), tooltip.value);
  });

  it("refreshes one row when only that row changed, and all when a row moves to another group", async () => {
    const { all, tree, redrawn } = treeOver(pending);
    for (const group of await tree.getChildren()) await tree.getChildren(group);

    all[0] = { ...pending, state: { kind: "included", block: blockReference(7) } };
    tree.refresh([pending.txId]);
    all[0] = { ...pending, state: { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } } };
    tree.refresh([pending.txId]);

    assert.deepEqual(redrawn, [[{ kind: "transaction", txId: pending.txId }], undefined]);
  });

  it("refreshes only the group whose rows are reordered", async () => {
    const other: TrackedTransaction = { ...pending, txId: txId("3"), createdAt: pending.createdAt + 1 };
    const { all, tree, redrawn } = treeOver(unknown, pending);
    const groups = await tree.getChildren();

    all.push(other);
    tree.refresh([other.txId]);

    assert.deepEqual(redrawn, [[groups[1]]]);
    const again = await tree.getChildren();
    assert.ok(again.every((group, at) => group === groups[at]));
  });

  it("keeps the IDs of rows and facts, so that expanded rows stay expanded", async () => {
    const { tree } = treeOver(unknown);
    const ids = async (): Promise<unknown[]> => {
      const node = tree.nodeOf(unknown.txId);
      const nodes = [node, ...(await tree.getChildren(node))];
      return (await Promise.all(nodes.map((it) => tree.getTreeItem(it)))).map(({ id }) => id);
    };
    await tree.getChildren();

    const before = await ids();
    tree.refresh();

    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it("returns the group of a row, so that it can be revealed", async () => {
    const { tree } = treeOver(unknown, pending);
    await tree.getChildren();

    assert.deepEqual(tree.getParent(tree.nodeOf(pending.txId)), { kind: "group", group: "waiting" });
  });
});
