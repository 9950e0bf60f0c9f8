import assert from "node:assert/strict";
import { proof } from "../../../../test/support/tracking/proven.ts";
import { parseChainId } from "../../src/gateway/network.ts";
import {
  chainFaultText,
  DOCUMENT_FAULTS,
  describeChecks,
  describeProofCost,
  noProofText,
  proofToMarkdown,
  stopText,
} from "../../src/labels/proofs.ts";
import type { NoProof } from "../../src/proof/evidence.ts";
import { type ChainFault, proofDocument } from "../../src/proof/proof-document.ts";

const checks = { witnesses: { known: 27, built: 19, own: 19 }, others: [] };
const chain = parseChainId("c".padStart(64, "0"));
const { format: _format, ...fields } = proof();

const NO_PROOFS: readonly (readonly [NoProof, RegExp])[] = [
  [{ kind: "hole", height: 7 }, /^Block 7 could not be read; the proof is incomplete\.$/],
  [{ kind: "broken-link", height: 7 }, /^Block 7 does not continue the chain;/],
  [{ kind: "incomplete", height: 7 }, /^The transactions reported for block 7 cannot be checked/],
  [{ kind: "went-backwards", height: 9, newest: 7 }, /solidified block 7, before block 9/],
  [{ kind: "not-reached", newest: 7 }, /has not reached the expiration at block 7\./],
  [{ kind: "future", height: 7, ahead: 90_000_000 }, /Block 7 is 1,500 minutes in the future/],
  [{ kind: "not-in-head", height: 7 }, /does not have the solidified block 7;/],
  [{ kind: "not-built-on", height: 7, built: 1, needed: 3 }, /^Only 1 of the 3 witnesses that make block 7 final/],
  [{ kind: "stranger", height: 7 }, /^Block 7 is not signed like/],
  [{ kind: "differs-elsewhere", endpoint: "https://b.test", height: 7 }, /^https:\/\/b\.test has another block 7:/],
  [{ kind: "held-elsewhere", endpoint: "https://b.test" }, /^https:\/\/b\.test has the transaction/],
  [{ kind: "unreadable", message: "It is cut." }, /^It is cut\. The proof is incomplete\.$/],
];

const CHAIN_FAULTS: readonly (readonly [ChainFault, RegExp])[] = [
  [{ kind: "bytes-unreadable" }, /^The signed bytes cannot be read\.$/],
  [{ kind: "held" }, /^The node has the transaction\.$/],
  [{ kind: "held-in-block", height: 7 }, /^Block 7 contains it\.$/],
  [{ kind: "foreign" }, /reference block is not on the node's chain\.$/],
  [{ kind: "no-blocks" }, /^The node returned no blocks\.$/],
  [{ kind: "last-block-differs", height: 7 }, /^The node has another id for block 7\.$/],
  [{ kind: "ends-elsewhere", height: 7 }, /^Block 7 is not the first that reached the expiration\.$/],
  [{ kind: "begins-elsewhere", height: 7 }, /^Block 7 is not the first that could contain it\.$/],
  [{ kind: "ids-differ" }, /^The node has other ids for the blocks\.$/],
];

describe("proof of absence texts", () => {
  for (const [reason, sentence] of NO_PROOFS) {
    it(`explain why there is no proof: ${reason.kind}`, () => {
      assert.match(noProofText(reason), sentence);
      assert.equal(stopText(reason), `${noProofText(reason)} Nothing was replaced.`);
      assert.equal(chainFaultText(reason), noProofText(reason));
    });
  }

  it("explain why the search stopped", () => {
    assert.match(stopText({ kind: "by-hand" }), /^You stopped the search .* Nothing was replaced\.$/);
    assert.match(stopText({ kind: "on-another-chain" }), /not on this chain.* Nothing was replaced\.$/);
    assert.equal(stopText({ kind: "failed", message: "It did not answer." }), "It did not answer.");
  });

  it("describe each difference of a chain", () => {
    for (const [fault, sentence] of CHAIN_FAULTS) assert.match(chainFaultText(fault), sentence, fault.kind);
  });

  it("name the other chain, document faults, and the number of blocks and requests", () => {
    assert.ok(chain);
    assert.ok(chainFaultText({ kind: "another-chain", chain }).includes(`(genesis block ${chain})`));
    const sentences = Object.values(DOCUMENT_FAULTS);
    assert.equal(new Set(sentences).size, sentences.length);
    for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
    assert.equal(describeProofCost({ blocks: 21, requests: 1 }), "about 21 solidified blocks, in 1 request");
    assert.equal(
      describeProofCost({ blocks: 28_821, requests: 289 }),
      "about 28,821 solidified blocks, in 289 requests",
    );
  });

  it("H2: describe what was verified and what only the gateway reported", () => {
    assert.match(describeChecks(checks), /19 of 27 witnesses .* each with its own key.* Only this gateway was asked/);
    assert.match(describeChecks(undefined), /one gateway\./);
    const others = [
      { endpoint: "https://b.test", answer: "behind" },
      { endpoint: "https://c.test", answer: "silent" },
    ] as const;
    const alone = describeChecks({ witnesses: { known: 0, built: 0, own: 0 }, others });
    assert.match(alone, /No witness was known.*b\.test did not have the last block yet.*c\.test did not answer/);
    assert.match(describeChecks({ ...checks, witnesses: { known: 1, built: 1, own: 0 } }), /1 of 1 witness from/);
  });
});

describe("proofToMarkdown", () => {
  it("contains all values, with an escaped network name", () => {
    const text = proofToMarkdown(proof({ network: "a|b](x)" }), (ms) => `t${ms}`);

    for (const part of [proof().txId, proof().first.id, proof().last.id, proof().digest, `t${proof().expiration}`]) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(text.includes("a\\|b\\]\\(x\\)"), text);
  });

  it("H3: names a known chain", () => {
    assert.ok(chain);
    const text = proofToMarkdown(proofDocument({ ...fields, checks, chain }), String);

    assert.ok(text.includes(`| Chain, by its genesis block | \`${chain}\` |`));
    assert.ok(!proofToMarkdown(proofDocument({ ...fields, checks }), String).includes("genesis"));
  });
});
