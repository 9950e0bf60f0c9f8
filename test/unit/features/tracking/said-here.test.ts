import assert from "node:assert/strict";
import type { TrackedTransaction } from "../../../../src/core/life/tracked-transaction.ts";
import type { TxId } from "../../../../src/core/primitives/bytes.ts";
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

/** Windows of one person: what the first one claims, no other one can. */
function windows() {
  const claimed = new Set<string>();
  const waited: string[] = [];
  const open = (name: string, its: Partial<Telling> = {}): Telling => ({
    list: () => [tracked({ txId: OURS, state: FINAL })],
    isHidden: async () => false,
    isFocused: () => true,
    isInSight: () => false,
    claim: async (what) => claimed.size < claimed.add(what).size,
    letOthersBeFirst: async () => {
      waited.push(name);
      return true;
    },
    ...its,
  });
  return { open, waited };
}

describe("isSaidHere", () => {
  it("lets the window that the person looks at say it, and no other one", async () => {
    const { open, waited } = windows();
    const [focused, ...others] = [
      open("a"),
      open("b", { isFocused: () => false }),
      open("c", { isFocused: () => false }),
    ];
    const said = [focused, ...others].map((it) => isSaidHere(noticeOf(), OURS, it));

    assert.deepEqual(await Promise.all(said), [true, false, false]);
    assert.deepEqual(waited, ["b", "c"]);
  });

  it("lets one window say it where the person looks at none of them", async () => {
    const { open } = windows();
    const all = ["a", "b"].map((name) => open(name, { isFocused: () => false }));

    const said = await Promise.all(all.map((it) => isSaidHere(noticeOf(), OURS, it)));

    assert.equal(said.filter((it) => it).length, 1);
  });

  it("says each thing of a transaction, and each transaction, by itself", async () => {
    const { open } = windows();

    assert.equal(await isSaidHere(noticeOf(), OURS, open("a")), true);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open("b")), true);
    assert.equal(await isSaidHere(noticeOf(), EARLIER, open("b")), true);
  });

  it("says nothing of a failure that is in sight, and all that is about money", async () => {
    const { open } = windows();
    const isInSight = () => true;

    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open("a", { isInSight })), false);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open("b")), false);
    assert.equal(await isSaidHere(noticeOf(), OURS, open("a", { isInSight })), true);
  });

  it("says nobody what the person has had enough of, nor in a window that closed meanwhile", async () => {
    const { open } = windows();

    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open("a", { isHidden: async () => true })), false);
    const closed = open("b", { isFocused: () => false, letOthersBeFirst: async () => false });
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, closed), false);
    assert.equal(await isSaidHere(noticeOf("failed"), OURS, open("c")), true);
  });

  it("says it of a first transaction that is final to whom no other one became final before", async () => {
    const isFirst = async (...list: readonly TrackedTransaction[]) =>
      await isSaidHere(noticeOf("first-final"), OURS, windows().open("a", { list: () => list }));
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
