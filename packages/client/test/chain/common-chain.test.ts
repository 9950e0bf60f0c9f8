import assert from "node:assert/strict";
import { type ChainId, parseChainId } from "../../src/chain/chain-place.ts";
import { commonChain } from "../../src/chain/common-chain.ts";

const [A, B] = ["a", "b"].map((digit) => parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`) as ChainId);
const at = (url: string, kept: ChainId | undefined, said: ChainId | undefined) => ({ url, kept, said });

describe("commonChain", () => {
  it("is what the URLs say, or what they said before while they are silent", () => {
    assert.equal(commonChain("Main", [at("https://one", undefined, A), at("https://two", A, A)]), A);
    assert.equal(commonChain("Main", [at("https://one", A, undefined)]), A);
    assert.equal(commonChain("Main", [at("https://one", undefined, undefined), at("https://two", undefined, A)]), A);
  });

  it("is not known while nobody said", () => {
    assert.equal(commonChain("Main", [at("https://one", undefined, undefined)]), undefined);
  });

  it("H1: stops at a URL that is another chain than before, with what to do", () => {
    assert.throws(() => commonChain("Main", [at("https://one", A, B)]), {
      code: "CHAIN_CHANGED",
      message:
        "https://one is another chain than before: its first block was aaaaaaaaaaaa and is bbbbbbbbbbbb now. Nothing is signed or sent there. Correct the URL of the network; if its chain was begun anew, or if it told a wrong one before, run Test Connection and accept it.",
    });
  });

  it("H1: stops at a solidity or fallback URL of another chain, also when one of the two said so earlier", () => {
    assert.throws(() => commonChain("Main", [at("https://full", undefined, A), at("https://solid", undefined, B)]), {
      code: "CHAINS_DIFFER",
      message:
        /first block of https:\/\/full is aaaaaaaaaaaa, that of https:\/\/solid is bbbbbbbbbbbb.*leave one of them out/,
    });
    assert.throws(() => commonChain("Main", [at("https://full", A, undefined), at("https://solid", B, undefined)]), {
      code: "CHAINS_DIFFER",
    });
  });
});
