import assert from "node:assert/strict";
import { maskOf, ownKeyAlone } from "../../../../packages/client/src/permissions/permissions.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { permissionRows, shownPermission } from "../../../../src/features/permissions/permissions.view.ts";
import { ALICE, BOB, nameOf } from "../../../support/tracking/tracked.ts";

const FOREIGN = parseAddress(`41${"ee".repeat(20)}`);
const here = { ours: new Set([ALICE, BOB]), nameOf };
const keys = (...all: (typeof ALICE)[]) => all.map((address) => ({ address, weight: 1n }));
const shared = {
  owner: { id: 0, name: foreignText("owner"), threshold: 2n, keys: keys(ALICE, BOB) },
  witness: { ...ownKeyAlone(FOREIGN).owner, id: 1 },
  actives: [{ id: 2, name: foreignText("pay"), threshold: 2n, keys: keys(ALICE, FOREIGN), operations: maskOf([1, 2]) }],
};

describe("permissionRows", () => {
  it("shows threshold, keys and operations of each permission", () => {
    const rows = permissionRows(shared, here).map(({ label, description = "", detail = "" }) =>
      [label, description, detail].filter(Boolean).join(" | "),
    );

    assert.equal(rows[0], "Everything: owner (0)");
    assert.equal(
      rows[1],
      "$(law) Threshold 2 | signed by Alice and Bob together | Your keys can sign it with 2 signatures. Allows everything",
    );
    assert.match(rows[2] ?? "", /^\$\(key\) Alice \| weight 1 · T\w+$/);
    assert.match(rows.join("\n"), /Signs blocks: witness \(1\)\n.*\n.*no key here/);
    assert.match(
      rows.join("\n"),
      /Active: “pay” \(2\)\n.*Threshold 2 \| signed by Alice and T\w+ \(no key here\) together \| Your keys do not reach the threshold\. Allows payments/,
    );
    assert.ok(rows.includes("$(check) payments | Transfer, TransferAsset"), rows.join("\n"));
    assert.match(rows.at(-1) ?? "", /Edit Permissions…/);
  });

  it("shownPermission returns the same values for programs", () => {
    const [pay] = shared.actives;
    assert.ok(pay);
    const shown = shownPermission(pay, here);

    assert.deepEqual([shown.id, shown.name, shown.threshold, shown.reached], [2, "pay", "2", false]);
    assert.deepEqual(shown.operations, ["Transfer", "TransferAsset"]);
    assert.deepEqual(
      shown.keys.map((it) => it.here),
      [true, false],
    );
  });
});
