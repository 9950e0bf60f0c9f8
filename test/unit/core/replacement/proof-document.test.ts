import assert from "node:assert/strict";
import fc from "fast-check";
import type { BlockId } from "../../../../src/core/primitives/block.ts";
import type { Hex } from "../../../../src/core/primitives/bytes.ts";
import { LISTED_IDS } from "../../../../src/core/replacement/evidence.ts";
import {
  type ProofDocument,
  proofToJson,
  proofToMarkdown,
  recheckProof,
} from "../../../../src/core/replacement/proof-document.ts";
import { proof } from "../../../support/proven.ts";
import { rawDataFor } from "../../../support/random-chains.ts";

function reasonsOf(changes: Partial<ProofDocument>): readonly string[] {
  const recheck = recheckProof(proofToJson(proof(changes)));
  return recheck.kind === "refused" ? recheck.reasons : [];
}

describe("recheckProof", () => {
  it("accepts what was exported", () => {
    assert.deepEqual(recheckProof(proofToJson(proof())), { kind: "ok" });
  });

  it("accepts blocks that begin later only after the reference block", () => {
    assert.deepEqual(reasonsOf({ solidHeight: 50 }), []);
    const rawDataHex = rawDataFor(`${"0".repeat(15)}1${"d".repeat(48)}` as BlockId, proof().expiration, 1);
    assert.match(reasonsOf({ solidHeight: 50, rawDataHex }).join(" "), /begin later/);
  });

  const ids = proof().blockIds ?? [];
  const wrong: readonly (readonly [string, Partial<ProofDocument>, RegExp])[] = [
    ["another txID", { txId: "ab".repeat(32) as ProofDocument["txId"] }, /txID is not that/],
    ["bytes that are not hex", { rawDataHex: "xyz" as Hex }, /not hex/],
    ["another expiration", { expiration: proof().expiration - 1 }, /expiration is not that/],
    ["a last block before the expiration", { last: { ...proof().last, timestamp: 1 } }, /not reached/],
    ["a count that is short by one", { count: 20 }, /count/],
    [
      "a first block that was skipped",
      { first: { ...proof().first, number: 102, id: ids[1] as BlockId } },
      /gap|later/,
    ],
    ["a block left out", { blockIds: ids.filter((_, index) => index !== 5) }, /gap/],
    ["a block of another chain", { blockIds: ids.with(5, ids[5]?.replace(/c$/, "d") as BlockId) }, /digest/],
    ["ids that are left out", { blockIds: undefined as never }, /not in the file/],
  ];
  for (const [name, changes, reason] of wrong) {
    it(`refuses ${name}`, () => {
      assert.match(reasonsOf(changes).join(" "), reason);
    });
  }

  it("refuses whatever else it is given, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(recheckProof(text).kind, "refused");
      }),
    );
    const damaged = proofToJson(proof()).replace('"count": 21', '"count": "21"');
    assert.deepEqual(recheckProof(damaged), { kind: "refused", reasons: ["It is not a proof of absence."] });
    assert.ok(LISTED_IDS >= ids.length);
  });
});

describe("proofToMarkdown", () => {
  it("tells all of it in one table, and a network's name is only text in it", () => {
    const text = proofToMarkdown(proof({ network: "a|b](x)" }), (ms) => `t${ms}`);

    for (const part of [proof().txId, proof().first.id, proof().last.id, proof().digest, `t${proof().expiration}`]) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(text.includes("a\\|b\\](x)"), text);
  });
});
