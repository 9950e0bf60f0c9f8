import assert from "node:assert/strict";
import fc from "fast-check";
import { parseChainId } from "../../../../src/core/chain/chain-place.ts";
import type { BlockId } from "../../../../src/core/primitives/block.ts";
import { type Hex, transactionId } from "../../../../src/core/primitives/bytes.ts";
import { LISTED_IDS } from "../../../../src/core/proof/evidence.ts";
import {
  type ProofDocument,
  proofDocument,
  proofToJson,
  proofToMarkdown,
  readProof,
  recheckProof,
} from "../../../../src/core/proof/proof-document.ts";
import { rawDataFor } from "../../../support/random/random-chains.ts";
import { proof } from "../../../support/tracking/proven.ts";

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

describe("the versions of the document", () => {
  const checks = { witnesses: { known: 27, built: 19, own: 19 }, others: [] };
  const { format: _format, ...fields } = proof();

  it("H2: a height in the file is no beginning: only the reference block of the bytes is", () => {
    const elsewhere = rawDataFor(`${"0".repeat(15)}1${"d".repeat(48)}` as BlockId, proof().expiration, 1);
    const txId = transactionId(Buffer.from(elsewhere, "hex"));
    const recheck = recheckProof(proofToJson(proofDocument({ ...fields, rawDataHex: elsewhere, txId, checks })));

    assert.match(recheck.kind === "refused" ? recheck.reasons.join() : "", /begin later/);
    assert.deepEqual(recheckProof(proofToJson(proofDocument({ ...fields, checks }))), { kind: "ok" });
  });

  it("H3: names the chain that the transaction was signed for, where that was known", () => {
    const chain = parseChainId("c".padStart(64, "0"));
    assert.ok(chain);
    const known = proofDocument({ ...fields, checks, chain });

    assert.equal(readProof(proofToJson(known))?.chain, chain);
    assert.ok(proofToMarkdown(known, String).includes(`| Chain, by its genesis block | \`${chain}\` |`));
    const unknown = readProof(proofToJson(proofDocument({ ...fields, checks })));
    assert.ok(unknown !== undefined && !("chain" in unknown));
    assert.equal(readProof(proofToJson(known).replaceAll(chain, "Main")), undefined);
  });

  it("H2: says what was checked and whose word remains, and that an earlier version checked nothing", () => {
    const now = proofToMarkdown(proofDocument({ ...fields, checks }), String);
    const before = proofToMarkdown(proofDocument(fields), String);

    assert.match(now, /19 of 27 witnesses .* each with its own key.* Only this gateway was asked/);
    assert.match(before, /one gateway's word/);
    assert.equal(recheckProof(proofToJson(proofDocument(fields))).kind, "ok");
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
