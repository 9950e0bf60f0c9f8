import assert from "node:assert/strict";
import { failureOf } from "../../../../test/support/failures/failure-of.ts";
import { kindOfKeyText } from "../../src/keys/key-text.ts";

describe("a text that is to become a key", () => {
  it("is told by how it begins", () => {
    assert.equal(kindOfKeyText(`0x${"ab".repeat(32)}\n`), "private key");
    assert.equal(kindOfKeyText('\uFEFF {"version":3}'), "keystore");
    assert.equal(
      kindOfKeyText("legal winner thank year wave sausage worth useful\nlegal winner thank yellow"),
      "mnemonic",
    );
    assert.equal(kindOfKeyText("abaisser événement zèbre tâche légume fête"), "mnemonic");
  });

  for (const [text, reason] of [
    [" ", /it is empty/],
    ["-----BEGIN PRIVATE KEY-----", /PEM, which is for the JWT keys/],
    ["canary=12", /no private key \(64 hex digits\), no mnemonic/],
  ] as const) {
    it(`is refused as ${JSON.stringify(text)}`, async () => {
      const { message } = await failureOf(Promise.resolve().then(() => kindOfKeyText(text)));

      assert.match(message, reason);
      assert.equal(message.includes("canary"), false);
    });
  }
});
