import assert from "node:assert/strict";
import { mnemonicFault } from "../../../../packages/client/src/keys/mnemonic.ts";
import { checkWords, numberedWords } from "../../../../src/features/signing-keys/mnemonic.view.ts";

const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const check = (text: string) => checkWords(text, mnemonicFault);
const messageOf = (text: string): string => {
  const checked = check(text);
  return checked.kind === "empty" ? "" : (checked.message ?? "");
};

describe("checkWords", () => {
  it("accepts words with a valid checksum", () => {
    assert.deepEqual(check(`${WORDS} `), {
      kind: "good",
      value: `${WORDS} `,
      message: "12 words with a valid checksum.",
    });
  });

  it("counts words, and reports a completed unknown word", () => {
    assert.equal(check(" ").kind, "empty");
    assert.match(messageOf("legal"), /^1 word so far/);
    assert.match(messageOf("legal winn"), /^Word 2 is not in the list yet/);
    assert.match(messageOf("legal winn "), /^Word 2 is not in the English list of BIP-39. Did you mean winner/);
  });

  it("names the position of a wrong word, a wrong order and another language", () => {
    const message = messageOf(WORDS.replace("sausage", "sausagge"));

    assert.equal(message, "Word 6 is not in the English list of BIP-39. Did you mean sausage?");
    assert.match(messageOf(WORDS.replace("legal winner", "winner legal")), /two are swapped/);
    assert.match(messageOf("abaisser ".repeat(12)), /other languages/);
  });
});

describe("numberedWords", () => {
  it("numbers each word", () => {
    assert.equal(numberedWords(["legal", "winner", "thank", "year"]), "1. legal\n2. winner\n3. thank\n4. year");
  });
});
