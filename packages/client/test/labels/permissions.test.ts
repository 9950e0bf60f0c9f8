import assert from "node:assert/strict";
import { type Address, parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import {
  authorityProblem,
  type KeysHere,
  keyText,
  operationGroup,
  operationRows,
  operationsText,
  operationText,
  permissionText,
  quorumText,
  signingLines,
} from "../../src/labels/permissions.ts";
import { checkAuthority, permissionsAllowing } from "../../src/permissions/permission-change.ts";
import { type AccountPermissions, maskOf, operations, type Quorum } from "../../src/permissions/permissions.ts";

const [A, B, C, X] = ["aa", "bb", "cc", "ee"].map((it) => parseAddress(`41${it.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
];
const NAMES = new Map([
  [A, "Alice"],
  [B, "Bob"],
  [C, "Carol"],
]);
const here: KeysHere = { ours: new Set([A, B]), nameOf: (address) => NAMES.get(address) };
const quorum = (threshold: bigint, ...keys: readonly (readonly [Address, bigint])[]): Quorum => ({
  threshold,
  keys: keys.map(([address, weight]) => ({ address, weight })),
});

describe("quorumText", () => {
  it("is short for equal weights", () => {
    assert.equal(quorumText(quorum(1n, [A, 1n]), here), "Alice alone");
    assert.equal(quorumText(quorum(2n, [A, 1n], [B, 1n]), here), "Alice and Bob together");
    assert.equal(quorumText(quorum(1n, [A, 1n], [B, 1n]), here), "each of Alice and Bob, alone");
    assert.match(quorumText(quorum(2n, [A, 1n], [B, 1n], [C, 1n]), here), /^any 2 of Alice, Bob and Carol · T/);
  });

  it("lists the sets of keys, or the weights when there are many", () => {
    assert.equal(quorumText(quorum(2n, [A, 2n], [B, 1n]), here), "Alice alone");
    assert.match(
      quorumText(quorum(3n, [A, 3n], [B, 2n], [X, 1n]), here),
      /^Alice alone, or Bob and T\w+ \(no key here\) together$/,
    );
    const many = quorum(5n, [A, 3n], [B, 3n], [C, 2n], [X, 2n], [parseAddress(`41${"ff".repeat(20)}`), 2n]);
    assert.match(quorumText(many, here), /^a weight of 5 of Alice \(3\), Bob \(3\), /);
    assert.equal(quorumText(quorum(9n, [A, 1n]), here), "no key");
  });

  it("keyText shows addresses without a local key in full", () => {
    assert.equal(keyText(X, here), `${toBase58(X)} (no key here)`);
    assert.equal(keyText(C, here), `Carol · ${toBase58(C)} (no key here)`);
    assert.equal(keyText(A, here), "Alice");
  });

  it("permissionText escapes the name", () => {
    assert.equal(
      permissionText({ id: 2, name: foreignText("pay\u202e\n[x](command:y)") }),
      "“pay⟨U+202E⟩ [x](command:y)” (2)",
    );
    assert.equal(permissionText({ id: 3, name: foreignText("") }), "active (3)");
    assert.equal(permissionText({ id: 0, name: foreignText("anything") }), "owner (0)");
  });
});

describe("authorityProblem", () => {
  const shared: AccountPermissions = {
    owner: { id: 0, name: foreignText("owner"), ...quorum(2n, [A, 1n], [X, 1n]) },
    actives: [{ id: 2, name: foreignText("pay"), ...quorum(1n, [B, 1n]), operations: maskOf([1, 2]) }],
  };
  const why = (kind: "transfer" | "stake", permissionId: number, ours: readonly Address[]): string => {
    const keys = { ...here, ours: new Set(ours) };
    const authority = checkAuthority(shared, { kind, permissionId }, keys.ours);
    assert.ok(authority.kind !== "enough");
    return authorityProblem(authority, permissionsAllowing(shared, kind, keys.ours), keys);
  };

  it("names the missing weight, its keys and another permission", () => {
    assert.match(
      why("transfer", 0, [A, B]),
      /^Your keys have a weight of 1 of the 2 that the permission owner \(0\) needs\. 1 more is missing, from T\w+ \(no key here\), weight 1\. Collect signatures with Export for Signature…\. “pay” \(2\) allows it: choose it as the permission\.$/,
    );
  });

  it("names allowed operations, foreign signers and missing permissions", () => {
    assert.match(why("stake", 2, [B]), /^The permission “pay” \(2\) does not allow this\. It allows: payments\.$/);
    assert.match(
      why("transfer", 2, [A]),
      /^You have no key in the permission “pay” \(2\)\. It is signed by Bob · T\w+ \(no key here\) alone\.$/,
    );
    assert.match(
      why("transfer", 5, [A]),
      /^The account has no permission with the number 5 that signs transactions\.$/,
    );
  });
});

describe("signingLines", () => {
  const permission = { id: 0, name: foreignText("owner"), ...quorum(2n, [A, 1n], [B, 1n]) };

  it("is empty for the account's own key", () => {
    assert.deepEqual(signingLines({ permission, signers: [A, B], isUsual: false, here }), [
      "Signed by: Alice and Bob, by the permission owner (0), weight 2 of 2 (2 signatures)",
    ]);
    assert.deepEqual(signingLines({ permission, signers: [A], isUsual: true, here }), []);
    const [assumed = ""] = signingLines({
      permission,
      signers: [A],
      isUsual: true,
      missingPath: "/wallet/getaccount",
      here,
    });
    assert.match(assumed, /own key\. .* the gateway does not serve \/wallet\/getaccount.*SIGERROR/);
  });
});

describe("operationRows", () => {
  it("U26: lists the allowed operations of a mask by group", () => {
    assert.deepEqual(operationRows(maskOf([1, 2, 31, 77])), [
      { group: "payments", names: ["Transfer", "TransferAsset"] },
      { group: "contract calls", names: ["TriggerSmart"] },
      { group: "", names: ["contract type 77"] },
    ]);
    assert.deepEqual(operationRows(maskOf([])), []);
  });
});

describe("operationsText", () => {
  it("names complete groups, and single operations", () => {
    assert.equal(operationsText(maskOf([1, 2, 31])), "payments, contract calls");
    assert.equal(operationsText(maskOf([1, 54, 59])), "Transfer, FreezeBalanceV2, CancelAllUnfreezeV2");
    assert.equal(operationsText(maskOf([46])), "changing permissions");
    assert.equal(operationsText(maskOf([])), "nothing");
    assert.equal(operationsText(maskOf(operations.map(({ number }) => number))), "everything");
    const allBut = (...absent: number[]) =>
      operationsText(maskOf(operations.map(({ number }) => number).filter((it) => !absent.includes(it))));
    assert.equal(allBut(46), "everything except changing permissions");
    assert.equal(allBut(46, 52), "everything except changing permissions, MarketSellAsset");
    assert.match(allBut(1, 4, 13, 46, 52), /^contract calls, /, "many exceptions");
    assert.equal(operationsText(maskOf([77])), "contract type 77");
    assert.equal(operationsText(hex(`08001000${"00".repeat(28)}`)), "nothing");
    for (const { number } of operations) assert.notEqual(operationGroup(number), "", operationText(number));
  });
});
