import assert from "node:assert/strict";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { groupByAttention } from "../../../../src/features/tracking/groups.view.ts";
import { runFor } from "../../../../src/host/caller.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { blockReference, nameOf, tracked, txId } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tracking/removal.ts");
const { Removals } = await loadWithEditor<TestedModule>("src/features/tracking/removal.ts");

const final = { kind: "solidified", block: blockReference(9), outcome: { kind: "success" } } as const;
const FIRST = tracked({ txId: txId("1"), state: final });
const SECOND = tracked({ txId: txId("2"), state: final });
const PENDING = tracked({ txId: txId("3"), state: { kind: "pending" } });

/** A list with these transactions, of which some rows are selected and one may have the focus. */
function listOf(
  all: readonly TrackedTransaction[],
  selected: readonly TxId[] = [],
  focused: readonly TxId[] = selected,
) {
  const hidden = new Set<TxId>();
  const shown = () => all.map((it) => ({ ...it, hidden: hidden.has(it.txId) }));
  const transactions = {
    ready: async () => undefined,
    list: shown,
    get: (id: TxId) => shown().find((it) => it.txId === id),
    networkOf: ({ network }: TrackedTransaction) => network,
    hide: async (...txIds: readonly TxId[]) => {
      for (const it of txIds) hidden.add(it);
    },
    restore: async (...txIds: readonly TxId[]) => {
      for (const it of txIds) hidden.delete(it);
    },
  };
  const services = { transactions: transactions as never, networkOf: () => ({ local: false }), nameOf };
  const tree = {
    get groups() {
      const listed = shown().filter((it) => !it.hidden);
      return groupByAttention(listed, { startOfDay: 0, sessionStart: 1e12 });
    },
    filter: undefined,
  };
  const removals = new Removals(services, { selected: () => selected, focused: async () => focused, tree });
  return { removals, left: () => shown().flatMap((it) => (it.hidden ? [] : [it.txId])) };
}

describe("removal of transactions", () => {
  beforeEach(() => editor.reset());

  it("removes a final row without a dialog, and shows it again by the button of the notification", async () => {
    editor.answer = "Undo Remove";
    const { removals, left } = listOf([FIRST, SECOND]);

    assert.equal(await removals.remove({ txId: FIRST.txId }), FIRST.txId);

    assert.deepEqual(
      editor.asked.map(({ title, buttons }) => [title, ...buttons]),
      [["1 transaction removed from the list.", "Undo Remove"]],
    );
    assert.equal(editor.contexts["finality.canUndoRemove"], false);
    assert.deepEqual(left(), [FIRST.txId, SECOND.txId]);
  });

  it("removes all selected rows when the row is one of them, after a dialog with their number", async () => {
    editor.answer = "Remove";
    const selected = [FIRST.txId, PENDING.txId];
    const { removals, left } = listOf([FIRST, SECOND, PENDING], selected);

    await removals.remove({ txId: PENDING.txId });

    assert.equal(editor.asked[0]?.title, "Remove 2 transactions from the list?");
    assert.deepEqual(left(), [SECOND.txId]);
    assert.equal(editor.contexts["finality.canUndoRemove"], true);
    assert.deepEqual(await removals.undo(), { restored: 2 });
    assert.deepEqual(left(), [FIRST.txId, SECOND.txId, PENDING.txId]);
    assert.equal(editor.contexts["finality.canUndoRemove"], false);
  });

  it("removes only the row of the menu when it is not selected", async () => {
    const { removals, left } = listOf([FIRST, SECOND, PENDING], [SECOND.txId, PENDING.txId]);

    await removals.remove({ txId: FIRST.txId });

    assert.deepEqual(left(), [SECOND.txId, PENDING.txId]);
  });

  it("asks before the Delete key removes the focused row, which may not be selected", async () => {
    const { removals, left } = listOf([FIRST, SECOND], [FIRST.txId], [SECOND.txId]);

    assert.equal(await removals.removeSelected(), undefined);
    assert.deepEqual(
      editor.asked.map(({ title }) => title),
      ["Remove 1.5 coins → Bob from the list?"],
    );
    editor.answer = "Remove";
    await removals.removeSelected();

    assert.deepEqual(left(), [FIRST.txId]);
  });

  it("clears final transactions of the list or of one group, after a dialog with their number", async () => {
    editor.answer = "Clear";
    const { removals, left } = listOf([FIRST, SECOND, PENDING]);

    assert.deepEqual(await removals.clearFinal({ group: "waiting" }), { removed: 0 });
    assert.deepEqual(await removals.clearFinal({}), { removed: 2 });

    assert.deepEqual(
      editor.asked.map(({ title }) => title),
      [
        "No transaction in the list is final.",
        "Remove 2 final transactions from the list?",
        "2 transactions removed from the list.",
      ],
    );
    assert.deepEqual(left(), [PENDING.txId]);
    await assert.rejects(removals.clearFinal({ group: "none" }), { code: "COMMAND_ARGUMENT_MALFORMED" });
  });

  it("asks a program before it removes the given transactions, and ignores the selection", async () => {
    const { removals, left } = listOf([FIRST, SECOND, PENDING], [SECOND.txId, FIRST.txId]);
    const call = { txIds: [FIRST.txId, SECOND.txId] };

    assert.equal(await runFor(call, () => removals.remove(call)), undefined);
    assert.deepEqual(editor.asked[0]?.buttons, ["Do Nothing", "Remove"]);
    await runFor({ txId: FIRST.txId }, () => removals.remove({ txId: FIRST.txId }));

    assert.equal(editor.asked[1]?.title, "Remove 1.5 coins → Bob from the list?");
    assert.equal(left().length, 3);
    await assert.rejects(removals.remove({ txIds: [txId("9")] }), { code: "COMMAND_ARGUMENT_MALFORMED" });
  });
});
