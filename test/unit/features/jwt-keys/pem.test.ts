import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { generateJwtKey, parseJwtKey } from "../../../../packages/client/src/gateway/access/jwt.ts";
import { withPemLines } from "../../../../src/features/jwt-keys/pem.ts";

describe("a PEM that went through an input box", () => {
  it("gets its lines back, so that it is the same key", async () => {
    const { privateKeyPem, publicKeyPem } = await generateJwtKey();

    for (const pasted of [privateKeyPem.replaceAll("\n", ""), privateKeyPem.replaceAll("\n", " ")]) {
      assert.equal(parseJwtKey(withPemLines(pasted)).publicKeyPem, publicKeyPem);
    }
    assert.equal(withPemLines(privateKeyPem).trim(), privateKeyPem.trim());
  });

  it("gets the heads of an old encrypted form back, too", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const cipher = { cipher: "aes-256-cbc", passphrase: "sesame" };
    const pem = privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString();

    const read = parseJwtKey(withPemLines(pem.replaceAll("\n", " ")), "sesame");

    assert.ok(read.privateKeyPem === privateKey.export({ type: "pkcs8", format: "pem" }));
    assert.ok(withPemLines(pem).trim() === pem.trim());
  });

  it("is left alone when it is none, or has headers", () => {
    const encrypted =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";

    assert.equal(withPemLines("not a key"), "not a key");
    assert.equal(withPemLines(encrypted), encrypted);
  });
});
