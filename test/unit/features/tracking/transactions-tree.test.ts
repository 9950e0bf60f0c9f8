import assert from "node:assert/strict";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { nameOf, noReasons, tracked } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tracking/transactions-tree.ts");
const { TransactionsTree } = await loadWithEditor<TestedModule>("src/features/tracking/transactions-tree.ts");

const idOf = (number: number): TxId => number.toString(16).padStart(64, "0") as TxId;

/** A tree of pending transactions, newest first, and the rows that it redrew. */
function treeOf(count: number) {
  let all: readonly TrackedTransaction[] = Array.from({ length: count }, (_, at) =>
    tracked({ txId: idOf(at), state: { kind: "pending" }, createdAt: count - at }),
  );
  const source = { list: () => all, get: (txId: TxId) => all.find((it) => it.txId === txId) };
  const options = { nameOf, now: () => 1e6, sessionStart: 1e12, reasonOf: noReasons, contributed: { list: () => [] } };
  const tree = new TransactionsTree(source, options);
  const redrawn: unknown[] = [];
  tree.onDidChangeTreeData((it) => redrawn.push(it));
  return {
    tree,
    redrawn,
    replace: (changed: readonly TrackedTransaction[]) => {
      all = changed;
    },
    kinds: async (node?: Parameters<typeof tree.getChildren>[0]) =>
      (await tree.getChildren(node)).map((it) => ("kind" in it ? it.kind : "contributed")),
  };
}

const WAITING = { kind: "group", group: "waiting" } as const;

describe("TransactionsTree", () => {
  it("creates the rows of a group page by page", async () => {
    const { tree, kinds } = treeOf(450);
    await kinds();
    const first = await kinds(WAITING);

    assert.deepEqual([first.length, first.at(-1)], [201, "more"]);
    assert.equal(tree.showMore("waiting")?.txId, idOf(200));
    assert.equal((await kinds(WAITING)).length, 401);
    tree.showMore("waiting");

    const all = await kinds(WAITING);
    assert.deepEqual([all.length, all.includes("more")], [450, false]);
    assert.equal(tree.showMore("waiting"), undefined);
  });

  it("creates as many rows as it needs to reveal a transaction", async () => {
    const { tree, kinds } = treeOf(450);
    await kinds();

    assert.equal(tree.showUpTo(idOf(210)), true);
    assert.equal((await kinds(WAITING)).length, 401);
    assert.equal(tree.showUpTo(idOf(999)), false);
  });

  it("shows the filter above matching transactions, and counts those that need attention without it", async () => {
    const { tree, kinds, replace } = treeOf(3);
    replace([
      tracked({ txId: idOf(9), state: { kind: "unknown", reason: "" } }),
      tracked({ state: { kind: "pending" } }),
    ]);
    tree.arrange({ filter: { text: "pending", matches: ({ state }) => state.kind === "pending" } });

    assert.deepEqual(await kinds(), ["filter", "group"]);
    assert.deepEqual(
      tree.groups.map(({ transactions }) => transactions.length),
      [1],
    );
    assert.equal(tree.needingYou, 1);
    tree.arrange({ filter: "none" });
    assert.deepEqual(await kinds(), ["group", "group"]);
  });

  it("redraws only the changed row of a long group", async () => {
    const { tree, redrawn, kinds } = treeOf(450);
    await kinds();
    await kinds(WAITING);

    tree.refresh([idOf(5)]);

    assert.deepEqual(redrawn, [[{ kind: "transaction", txId: idOf(5) }]]);
  });

  it("redraws everything when rows begin to be of several networks, because each names its own then", async () => {
    const { tree, redrawn, kinds, replace } = treeOf(2);
    await kinds();
    replace([
      tracked({ txId: idOf(0), network: "Nile", state: { kind: "pending" } }),
      tracked({ state: { kind: "pending" } }),
    ]);

    tree.refresh([idOf(0)]);

    assert.deepEqual(redrawn, [undefined]);
  });
});
