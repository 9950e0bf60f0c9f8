import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";
import { rangeAt, rangesIn } from "../../src/explain/explained-range.ts";
import { answerProblems } from "../../src/explain/text-problems.ts";

/** Members that people write, and code, with words of failures and subjects of chains. */
const WRITTEN = [
  '{ "label": "wallet not connected", "memo": "insufficient energy for the contract" }',
  '{ "note": "the private key is missing", "comment": "unknown token contract address" }',
  '{ "placeholder": "Invalid wallet address", "summary": "transfer failed: smart contract not found" }',
  "const message = 'wallet ' + address + ' is not connected'; throw new Error('mnemonic is invalid');",
  "if (!wallet) return fail('no wallet found for the smart contract');",
];

describe("a text that only names the subject of a failure", () => {
  for (const text of WRITTEN) {
    it(`has no hover, link or problem, and has an explanation in the decoder: ${text.slice(0, 50)}`, () => {
      const offsets = Array.from(text, (_character, offset) => offset);

      assert.deepEqual(
        offsets.filter((offset) => rangeAt(text, offset, explain) !== undefined),
        [],
      );
      assert.deepEqual(rangesIn(text, explain), []);
      assert.deepEqual(answerProblems(text, explain), []);
      assert.match(explain(text).entry, /^topic-/);
    });
  }
});
