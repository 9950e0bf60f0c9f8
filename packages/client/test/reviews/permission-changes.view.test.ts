import assert from "node:assert/strict";
import { someone, systemFacts } from "../../../../test/support/tracking/system-facts.ts";
import { ALICE, BOB, nameOf } from "../../../../test/support/tracking/tracked.ts";
import { type Address, parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { IntentOf } from "../../../tron/src/transaction/intent.ts";
import { maskOf, ownKeyAlone, permissionSetOf } from "../../src/permissions/permissions.ts";
import { permissionEffect } from "../../src/reviews/system-review.view.ts";

const FOREIGN = parseAddress(`41${"ee".repeat(20)}`);
const keys = (...all: readonly Address[]) => all.map((address) => ({ address, weight: 1n }));
const before = {
  ...ownKeyAlone(ALICE),
  actives: [
    { id: 2, name: foreignText("active"), threshold: 1n, keys: keys(ALICE), operations: maskOf([1, 2, 31]) },
    { id: 3, name: foreignText("old"), threshold: 1n, keys: keys(FOREIGN), operations: maskOf([4]) },
  ],
};
const parameters = new Map([["getUpdateAccountPermissionFee", 100_000_000n]]);

function effectOf(change: Partial<IntentOf<"permission-update">>, refusal?: string, coins = 1_000n) {
  const { account } = someone();
  assert.ok(account);
  const facts = {
    ...systemFacts({ ...someone(), account: { ...account, balance: sun(coins * 1_000_000n), permissions: before } }),
    parameters,
    keysHere: { ours: new Set([ALICE, BOB]), nameOf },
    refusal: refusal === undefined ? undefined : foreignText(refusal),
  };
  return permissionEffect({ kind: "permission-update", owner: ALICE, ...permissionSetOf(before), ...change }, facts);
}

describe("permissionEffect", () => {
  const [active, old] = permissionSetOf(before).activePermissions;
  assert.ok(active && old);

  it("shows old and new holders, changed and unchanged permissions", () => {
    const { lines, alarms, doubts } = effectOf({
      ownerPermission: { name: "owner", threshold: 2n, keys: keys(ALICE, BOB) },
      activePermissions: [active, { name: "till", threshold: 1n, keys: keys(BOB), operations: maskOf([1, 2]) }],
    });

    assert.deepEqual(lines, [
      "",
      "Everything (owner)",
      "  before: Alice alone",
      "  after: Alice and Bob together",
      "",
      "Active “till” (3)",
      "  was “old” (3)",
      `  before: ${toBase58(FOREIGN)} (no key here) alone`,
      "  after: Bob alone",
      "  allowed: votes",
      "  allows: payments",
      "",
      "Unchanged: Active “active” (2), Alice alone",
      "",
    ]);
    assert.deepEqual([alarms, doubts], [[], []]);
  });

  it("shows a removed and a renumbered permission", () => {
    const { lines } = effectOf({ activePermissions: [old] });

    assert.match(
      lines.join("\n"),
      /Active “old” \(2\)\n {2}was “old” \(3\)\n {2}before and after: T\w+ \(no key here\) alone\n/,
    );
    assert.match(lines.join("\n"), /Removed: Active “active” \(2\)\n {2}before: Alice alone/);
  });

  it("warns first about a lock-out, with the remaining permissions", () => {
    const { alarms } = effectOf({ ownerPermission: { name: "owner", threshold: 1n, keys: keys(FOREIGN) } });

    assert.match(
      alarms?.join() ?? "",
      /^This locks you out: your keys would have a weight of 0 of the 1 that the owner permission needs, and only T\w+ \(no key here\) could restore it\. You could still use it through “active” \(payments, contract calls\), as long as/,
    );
  });

  it("warns first about foreign keys with full control", () => {
    const { alarms } = effectOf({ ownerPermission: { name: "owner", threshold: 1n, keys: keys(ALICE, FOREIGN) } });

    assert.match(
      alarms?.join() ?? "",
      /^T\w+ \(no key here\) could do everything without you, and could even take over the account\.$/,
    );
  });

  it("shows the chain's rules and the node's refusal", () => {
    assert.deepEqual(effectOf({ activePermissions: [] }, "active permission is missed").doubts, [
      "An account needs at least one active permission.",
    ]);
    assert.deepEqual(effectOf({}, "54 isn't a\nvalidate\u202e ContractType").doubts, [
      "The node refuses it: 54 isn't a validate⟨U+202E⟩ ContractType",
    ]);
    assert.deepEqual(effectOf({}, undefined, 99n).doubts, [
      "The chain charges 100 coins for it, but the account has 99 coins.",
    ]);
  });
});
