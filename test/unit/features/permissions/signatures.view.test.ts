import assert from "node:assert/strict";
import type { SignatureWeight } from "../../../../packages/client/src/labels/permissions.ts";
import type { SignWeight } from "../../../../packages/client/src/permissions/permissions.ts";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { signatureRows } from "../../../../src/features/permissions/permissions.view.ts";
import { ALICE, BOB, nameOf } from "../../../support/tracking/tracked.ts";

const FOREIGN = parseAddress(`41${"ee".repeat(20)}`);
const here = { ours: new Set([ALICE, BOB]), nameOf };
const keys = [ALICE, BOB].map((address) => ({ address, weight: 1n }));
const permission = { id: 0, name: foreignText("owner"), threshold: 2n, keys };

function rows(signers: readonly Address[], live: SignWeight, more: Partial<SignatureWeight> = {}) {
  const missing = keys.filter(({ address }) => !signers.includes(address));
  const weight = BigInt(signers.filter((it) => it !== FOREIGN).length);
  const found = { permission, signers, weight, missing, live, hasLeft: true, ...more };
  return signatureRows(found, here).map(({ label, description = "", detail = "" }) =>
    [label, description, detail].filter(Boolean).join(" | "),
  );
}

describe("signatureRows", () => {
  const few: SignWeight = {
    weight: 1n,
    threshold: 2n,
    signers: [ALICE],
    refusal: { code: "NOT_ENOUGH_PERMISSION", message: foreignText("") },
  };

  it("lists signers, missing keys and the weight that the node counts", () => {
    const [first, , alice, bob] = rows([ALICE], few);

    assert.equal(first, "$(circle-outline) Weight 1 of 2: 1 is missing | Answer of the node: too few signatures yet.");
    assert.match(alice ?? "", /^\$\(pass\) Alice \| signed · weight 1 · T\w+ · key here$/);
    assert.match(bob ?? "", /^\$\(circle-outline\) Bob \| has not signed · weight 1 · T\w+ · key here$/);
  });

  it("marks a sufficient weight", () => {
    const [first] = rows([ALICE, BOB], { weight: 2n, threshold: 2n, signers: [ALICE, BOB] });

    assert.equal(first, "$(pass) Enough: weight 2 of 2 | Answer of the node: it is enough.");
  });

  it("shows a different weight of the node, and withheld signatures", () => {
    assert.match(
      rows([ALICE], { ...few, weight: 0n, threshold: 3n })[0] ?? "",
      /too few signatures yet\. It counts 0 of a weight of 3\.$/,
    );
    assert.match(
      rows([ALICE], { ...few, weight: 0n }, { hasLeft: false })[0] ?? "",
      /The node requires a weight of 2\. It did not receive the signatures, because it could send them\.$/,
    );
  });

  it("marks a foreign signature and a removed permission", () => {
    assert.match(rows([ALICE, FOREIGN], few).at(-1) ?? "", /^\$\(error\) T\w+ \| signed, but is not in the permission/);
    const gone = { code: "PERMISSION_ERROR", message: foreignText("Permission for this,\u202e does not exist!") };
    const [first, ...others] = rows(
      [ALICE],
      { weight: 0n, signers: [], refusal: gone },
      { permission: undefined, missing: [] },
    );
    assert.match(
      first ?? "",
      /No key can sign it \| Answer of the node: Permission for this,⟨U\+202E⟩ does not exist!\./,
    );
    assert.match(others.at(-1) ?? "", /no longer has this permission/);
  });
});
