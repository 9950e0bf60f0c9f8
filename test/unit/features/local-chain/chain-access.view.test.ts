import assert from "node:assert/strict";
import { accessItems, accessText, accessWord } from "../../../../src/features/local-chain/chain-access.view.ts";

describe("what the local chain asks for", () => {
  it("is one of four words for programs, and nothing else", () => {
    for (const word of ["none", "jwt", "api-key", "jwt-and-api-key"]) assert.equal(accessWord(` ${word} `), word);
    for (const word of ["JWT", "", "toString", "jwt,api-key"]) {
      assert.throws(() => accessWord(word), {
        code: "COMMAND_ARGUMENT_MALFORMED",
        message: /none, jwt, api-key, jwt-and-api-key/,
      });
    }
  });

  it("is marked in the list as it is now", () => {
    const marked = (jwt: boolean, apiKey: boolean) =>
      accessItems({ jwt, apiKey }).flatMap(({ word, description }) => (description === "now" ? [word] : []));
    assert.deepEqual(marked(false, false), ["none"]);
    assert.deepEqual(marked(true, true), ["jwt-and-api-key"]);
    assert.deepEqual(marked(false, true), ["api-key"]);
  });

  it("is said in the row of the chain, when it is anything", () => {
    assert.equal(accessText({ jwt: false, apiKey: false }), undefined);
    assert.equal(accessText({ jwt: true, apiKey: false }), "JWT");
    assert.equal(accessText({ jwt: true, apiKey: true }), "JWT and API key");
  });
});
