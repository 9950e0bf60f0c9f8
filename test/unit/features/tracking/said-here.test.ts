import assert from "node:assert/strict";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { CalmTopic, Notice } from "../../../../src/features/tracking/notifications.view.ts";
import { isSaidHere, type Telling } from "../../../../src/features/tracking/said-here.ts";
import { blockReference, tracked } from "../../../support/tracking/tracked.ts";

const OURS = "a1".repeat(32) as TxId;
const EARLIER = "b2".repeat(32) as TxId;
const FINAL = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } } as const;

const noticeOf = (topic?: CalmTopic): Notice => ({
  severity: "error",
  message: "",
  actions: [],
  about: topic ?? "unknown",
  ...(topic === undefined ? {} : { topic }),
});

/** Windows of one person: what one of them says, no other one does. */
function windows() {
  const said = new Set<string>();
  return (its: Partial<Telling> = {}): Telling => ({
    list: () => [tracked({ txId: OURS, state: FINAL })],
    isHidden: async () => false,
    isInSight: () => false,
    isSaidHere: async (what) => said.size < said.add(what).size,
    ...its,
  });
}

describe("isSaidHere", () => {
  it("says each thing of a transaction, and each transaction, by itself", async () => {
    const open = windows();

    assert.equal(await isSaidHere(noticeOf(), OURS, open()), true);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open()), true);
    assert.equal(await isSaidHere(noticeOf(), EARLIER, open()), true);
  });

  it("says nothing of a failure that is in sight, and all that is about money", async () => {
    const open = windows();
    const isInSight = () => true;

    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open({ isInSight })), false);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open()), false);
    assert.equal(await isSaidHere(noticeOf(), OURS, open({ isInSight })), true);
  });

  it("says nobody what the person has had enough of", async () => {
    const open = windows();

    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open({ isHidden: async () => true })), false);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open()), true);
  });

  it("says it of a first transaction that is final to whom no other one became final before", async () => {
    const isFirst = async (...list: readonly TrackedTransaction[]) =>
      await isSaidHere(noticeOf("first-final"), OURS, windows()({ list: () => list }));
    const ours = tracked({ txId: OURS, state: FINAL, changedAt: 5 });
    const earlier = tracked({ txId: EARLIER, state: FINAL, changedAt: 4 });
    const { signed: _signed, ...theirs } = earlier;

    assert.equal(await isFirst(ours), true);
    assert.equal(await isFirst(ours, earlier), false);
    assert.equal(await isFirst(ours, theirs), true);
    assert.equal(await isFirst(ours, tracked({ txId: EARLIER, state: { kind: "pending" }, changedAt: 4 })), true);
    assert.equal(await isFirst(ours, tracked({ txId: EARLIER, state: FINAL, changedAt: 6 })), true);
  });
});
