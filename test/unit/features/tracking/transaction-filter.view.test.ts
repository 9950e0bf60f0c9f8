import assert from "node:assert/strict";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { shortAddress } from "../../../../packages/tron/src/format/short.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import type { Hex, TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { groupingBy, groupingOf } from "../../../../src/features/tracking/groupings.view.ts";
import { type FactContext, tagsIn } from "../../../../src/features/tracking/transaction-facts.view.ts";
import {
  filterText,
  narrowed,
  partText,
  TransactionMatcher,
} from "../../../../src/features/tracking/transaction-filter.view.ts";
import {
  ALICE,
  adopted,
  BOB,
  blockReference,
  nameOf,
  signedPart,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

const NOTES = new Map<TxId, string>([[txId("1"), "May #Rent"]]);
const context: FactContext = {
  nameOf,
  networkOf: ({ network }) => network,
  functionOf: (selector) => (selector === "a9059cbb" ? "transfer(address,uint256)" : undefined),
  noteOf: (id) => NOTES.get(id),
};
const failed = { kind: "failed", result: "REVERT", message: "" } as const;
const CALL = {
  kind: "contract-call",
  owner: ALICE,
  contract: BOB,
  data: `a9059cbb${"00".repeat(64)}` as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
  memo: "4d656d6f" as Hex,
} as const;
const pending = { kind: "pending" } as const;
const PAYMENT = tracked({ txId: txId("1"), label: "Flat", state: pending });
const FAILED = tracked({
  txId: txId("2"),
  network: "Nile",
  signed: signedPart(CALL),
  state: { kind: "solidified", block: blockReference(4), outcome: failed },
});
const FOREIGN = adopted({ txId: txId("3"), network: "Nile", state: pending });
const ALL = [PAYMENT, FAILED, FOREIGN];

function found(kind: "text" | "state" | "network" | "account" | "contract" | "tag", value: string): readonly TxId[] {
  const matcher = new TransactionMatcher(context);
  return ALL.filter((it) => matcher.matches(it, [{ kind, value }])).map((it) => it.txId);
}

describe("TransactionMatcher", () => {
  for (const [what, text, expected] of [
    ["txID", "2222222222", FAILED],
    ["address", toBase58(BOB).toLowerCase(), PAYMENT],
    ["name", "alice", PAYMENT],
    ["label", "flat", PAYMENT],
    ["function", "transfer(address", FAILED],
    ["memo", "memo", FAILED],
    ["note", "may", PAYMENT],
    ["tag", "#rent", PAYMENT],
  ] as const)
    it(`finds a transaction by its ${what}`, () => {
      assert.ok(found("text", text).includes(expected.txId));
    });

  it("requires every word of a search", () => {
    assert.deepEqual(found("text", "FLAT  may"), [PAYMENT.txId]);
    assert.deepEqual(found("text", "flat memo"), []);
  });

  it("compares the other properties exactly", () => {
    assert.deepEqual(found("state", "failed"), [FAILED.txId]);
    assert.deepEqual(found("state", "solidified"), []);
    assert.deepEqual(found("network", "Nile"), [FAILED.txId, FOREIGN.txId]);
    assert.deepEqual(found("account", ALICE), [PAYMENT.txId, FAILED.txId]);
    assert.deepEqual(found("contract", BOB), [FAILED.txId]);
    assert.deepEqual(found("tag", "#rent"), [PAYMENT.txId]);
  });

  it("reads changed notes after forget", () => {
    const notes = new Map<TxId, string>();
    const matcher = new TransactionMatcher({ ...context, noteOf: (id) => notes.get(id) });
    const search = [{ kind: "text", value: "audit" }] as const;
    assert.equal(matcher.matches(PAYMENT, search), false);
    notes.set(PAYMENT.txId, "for the audit");
    matcher.forget();

    assert.equal(matcher.matches(PAYMENT, search), true);
  });

  it("lists the conditions with their number of transactions, the most frequent first", () => {
    const facets = new TransactionMatcher(context).facetsOf(ALL);

    assert.deepEqual(
      facets.map(({ part, count }) => [partText(part, context), count]),
      [
        ["State: pending", 2],
        ["State: failed", 1],
        ["Network: Nile", 2],
        ["Network: Local chain", 1],
        ["Account: Alice", 2],
        ["Contract: Bob", 1],
        ["Tag: #rent", 1],
      ],
    );
  });
});

describe("transaction filter", () => {
  it("has one condition of each kind, and names them in one line", () => {
    const first = narrowed([], { kind: "network", value: "Nile" });
    const second = narrowed(narrowed(first, { kind: "text", value: "a\nb" }), { kind: "network", value: "Shasta" });

    assert.equal(filterText(second, context), "“a b” · Network: Shasta");
  });
});

describe("tagsIn", () => {
  it("returns words that begin with #, in lower case, each once", () => {
    assert.deepEqual(tagsIn("#Rent May#no #rent, #预算 # #a-1"), ["#rent", "#预算", "#a-1"]);
    assert.deepEqual(tagsIn(undefined), []);
  });
});

describe("groupingBy", () => {
  const times = { startOfDay: new Date(2026, 4, 3).getTime(), sessionStart: 1e15 };
  const labelsBy = (grouping: Parameters<typeof groupingBy>[0], all: readonly TrackedTransaction[] = ALL) =>
    groupingBy(grouping, context)(all, times).map(({ label, description }) => [
      label,
      ...((description ?? "") ? [description] : []),
    ]);

  it("groups by network, account and contract, by their newest transaction", () => {
    assert.deepEqual(labelsBy("network"), [["Local chain (1)"], ["Nile (2)"]]);
    assert.deepEqual(labelsBy("account"), [["Alice (2)"], ["Tracked by txID (1)"]]);
    assert.deepEqual(labelsBy("contract"), [["Without a contract (2)"], ["Bob (1)"]]);
  });

  it("groups by local day", () => {
    const at = (...day: [number, number, number]) =>
      tracked({ state: pending, createdAt: new Date(...day, 13).getTime() });
    const [today, yesterday] = labelsBy("day", [at(2026, 4, 3), at(2026, 4, 2), at(2026, 4, 2), at(2025, 0, 1)]);

    assert.deepEqual([today, yesterday], [["Today (1)"], ["Yesterday (2)"]]);
  });

  it("counts the transactions of a group that need attention, and opens it", () => {
    const unknown = tracked({ txId: txId("5"), state: { kind: "unknown", reason: "reset" }, network: "Shasta" });
    const all = [...["a", "b", "c", "d"].map((it) => tracked({ state: pending, network: it })), unknown];

    const groups = groupingBy("network", context)(all, times);

    assert.deepEqual(labelsBy("network", all).at(-1), ["Shasta (1)", "1 needs attention"]);
    assert.deepEqual(
      groups.map(({ open }) => open),
      [true, true, true, false, true],
    );
  });

  it("shows an unnamed address whole, because two ends of it may belong to another one", () => {
    const groups = groupingBy("account", { ...context, nameOf: () => undefined })([PAYMENT], times);

    assert.equal(groups[0]?.label, `${toBase58(ALICE)} (1)`);
    assert.notEqual(groups[0]?.label, `${shortAddress(ALICE)} (1)`);
  });

  it("falls back to the state for a stored value of another version", () => {
    assert.equal(groupingOf("colour"), "state");
    assert.equal(groupingOf("day"), "day");
  });
});
