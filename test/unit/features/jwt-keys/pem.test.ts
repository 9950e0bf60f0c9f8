import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { generateJwtKey, parseJwtKey } from "../../../../packages/client/src/gateway/access/jwt.ts";
import { withPemLines } from "../../../../src/features/jwt-keys/pem.ts";

describe("withPemLines", () => {
  it("restores the lines of a key", async () => {
    const { privateKeyPem, publicKeyPem } = await generateJwtKey();

    for (const pasted of [privateKeyPem.replaceAll("\n", ""), privateKeyPem.replaceAll("\n", " ")]) {
      assert.equal(parseJwtKey(withPemLines(pasted)).publicKeyPem, publicKeyPem);
    }
    assert.equal(withPemLines(privateKeyPem).trim(), privateKeyPem.trim());
  });

  it("restores the headers of an encrypted key", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const cipher = { cipher: "aes-256-cbc", passphrase: "sesame" };
    const pem = privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString();

    const read = parseJwtKey(withPemLines(pem.replaceAll("\n", " ")), "sesame");

    assert.ok(read.privateKeyPem === privateKey.export({ type: "pkcs8", format: "pem" }));
    assert.ok(withPemLines(pem).trim() === pem.trim());
  });

  it("leaves other text and a complete PEM unchanged", () => {
    const encrypted =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";

    assert.equal(withPemLines("not a key"), "not a key");
    assert.equal(withPemLines(encrypted), encrypted);
  });
});
