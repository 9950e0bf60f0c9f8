import assert from "node:assert/strict";
import { chainIdentity, chainProof } from "../../src/primitives/chain-proof.ts";

const [ONE, OTHER] = ["a".repeat(64), "b".repeat(64)];

describe("chainIdentity", () => {
  it("H8: depends on the secret, and does not contain it", () => {
    assert.match(chainIdentity(ONE), /^[0-9a-f]{40}$/);
    assert.notEqual(chainIdentity(ONE), chainIdentity(OTHER));
    assert.ok(!chainIdentity(ONE).includes("aaaaaaaa"));
  });
});

describe("chainProof", () => {
  it("H8: depends on secret, URL and challenge", () => {
    const [url, challenge] = ["http://127.0.0.1:1", "c".repeat(64)];
    const proofs = [
      chainProof(ONE, url, challenge),
      chainProof(OTHER, url, challenge),
      chainProof(ONE, "http://127.0.0.1:2", challenge),
      chainProof(ONE, url, OTHER),
    ];

    assert.equal(new Set(proofs).size, proofs.length);
  });
});
