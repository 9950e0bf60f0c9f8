import assert from "node:assert/strict";
import { generateJwtKey, parseJwtKey } from "../../../../src/core/gateway/access/jwt-key.ts";
import { withPemLines } from "../../../../src/features/credentials/pem.ts";

describe("a PEM that went through an input box", () => {
  it("gets its lines back, so that it is the same key", async () => {
    const { privateKeyPem, publicKeyPem } = await generateJwtKey();

    for (const pasted of [privateKeyPem.replaceAll("\n", ""), privateKeyPem.replaceAll("\n", " ")]) {
      assert.equal(parseJwtKey(withPemLines(pasted)).publicKeyPem, publicKeyPem);
    }
    assert.equal(withPemLines(privateKeyPem).trim(), privateKeyPem.trim());
  });

  it("is left alone when it is none, or has headers", () => {
    const encrypted =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";

    assert.equal(withPemLines("not a key"), "not a key");
    assert.equal(withPemLines(encrypted), encrypted);
  });
});
