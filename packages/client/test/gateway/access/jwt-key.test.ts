import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { generateJwtKey, isEncryptedPem, parseJwtKey } from "../../../src/gateway/access/jwt-key.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const spki = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

describe("parseJwtKey", () => {
  it("S8 reads PKCS#8 and PKCS#1, and gives the public key as the account page wants it", () => {
    for (const pem of [pkcs8, pkcs1, `\n  ${pkcs8}\n`, pkcs8.replaceAll("\n", "\r\n")]) {
      assert.deepEqual(parseJwtKey(pem), { privateKeyPem: pkcs8, publicKeyPem: spki, bits: 2048 });
    }
    assert.match(spki, /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/);
  });

  it("S8 accepts longer keys and refuses shorter ones with their length", () => {
    const longer = generateKeyPairSync("rsa", { modulusLength: 3072 }).privateKey;
    assert.equal(parseJwtKey(longer.export({ type: "pkcs8", format: "pem" }).toString()).bits, 3072);
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
    const pem = short.export({ type: "pkcs8", format: "pem" }).toString();
    assert.throws(() => parseJwtKey(pem), { code: "JWT_KEY_TOO_SHORT", message: /has 1024 bits.*at least 2048/ });
  });

  it("S8 S91 says of everything else what it is, in a sentence of its own", () => {
    const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
    const ed = generateKeyPairSync("ed25519").privateKey;
    const cipher = { cipher: "aes-256-cbc", passphrase: "secret" };
    const refused: readonly [string, RegExp][] = [
      [spki, /a public key; paste the private key/],
      [pair.publicKey.export({ type: "pkcs1", format: "pem" }).toString(), /a public key; paste the private key/],
      [p384.export({ type: "sec1", format: "pem" }).toString(), /of the kind ec; .*RSA/],
      [p384.export({ type: "pkcs8", format: "pem" }).toString(), /of the kind ec; .*RSA/],
      [ed.export({ type: "pkcs8", format: "pem" }).toString(), /of the kind ed25519; .*RSA/],
      [pair.privateKey.export({ type: "pkcs8", format: "pem", ...cipher }).toString(), /protected by a password/],
      [pair.privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString(), /protected by a password/],
      ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", /a certificate/],
      ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----", /format of OpenSSH/],
      ["-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----", /a request for a certificate/],
      ["-----BEGIN DSA PRIVATE KEY-----\nMIIB\n-----END DSA PRIVATE KEY-----", /a DSA key/],
      ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", /a key of PGP/],
      ["ssh-rsa AAAAB3NzaC1yc2E= me@here", /a public key of OpenSSH/],
      ["PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none", /a key of PuTTY/],
      [JSON.stringify(pair.privateKey.export({ format: "jwk" })), /JSON, perhaps a JWK/],
      ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", /a token; paste the private key/],
      ["ab".repeat(32), /the signing key of an account.*keep it to yourself/],
      [pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("utf8"), /binary \(DER or PKCS#12\)/],
      [`${pkcs8}${pkcs1}`, /several private keys/],
      ["-----BEGIN DH PARAMETERS-----\nMIIB\n-----END DH PARAMETERS-----", /another kind \(DH PARAMETERS\)/],
      [pkcs8.slice(0, 400), /cut: its last line is missing/],
      [pkcs8.replace(/\n.{64}\n/, "\n"), /content is damaged/],
      ["", /no line -----BEGIN PRIVATE KEY-----/],
      ["hello", /no line -----BEGIN PRIVATE KEY-----/],
    ];
    for (const [pem, message] of refused) {
      assert.throws(() => parseJwtKey(pem), { code: "JWT_KEY_MALFORMED", message }, String(message));
    }
  });

  it("S91 knows a key for ES256 by its curve, and says that the service does not accept it yet", () => {
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    for (const type of ["sec1", "pkcs8"] as const) {
      const pem = ec.export({ type, format: "pem" }).toString();
      const message = /ES256, which the service has announced and does not accept yet; use an RSA key/;
      assert.throws(() => parseJwtKey(pem), { code: "JWT_KEY_MALFORMED", message });
    }
  });

  it("S8 finds the private key in a file that has its certificate, too", () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    for (const pem of [certificate + pkcs8, pkcs8 + certificate, `Bag Attributes\n  x: y\n${pkcs8}`]) {
      assert.equal(parseJwtKey(pem).privateKeyPem, pkcs8);
    }
  });

  it("S8 opens an encrypted PEM by its password, old form and new, and keeps it unencrypted", () => {
    for (const type of ["pkcs1", "pkcs8"] as const) {
      for (const name of ["aes-256-cbc", "des-ede3-cbc"]) {
        const pem = pair.privateKey.export({ type, format: "pem", cipher: name, passphrase: "pass word ü" }).toString();
        assert.ok(isEncryptedPem(pem));
        assert.equal(parseJwtKey(pem, "pass word ü").privateKeyPem, pkcs8, `${type} ${name}`);
      }
    }
    assert.ok(!isEncryptedPem(pkcs8));
  });

  it("S8 says of an encrypted PEM whether its password is missing or does not fit, and repeats no password", () => {
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "right" });
    assert.throws(() => parseJwtKey(pem.toString()), { message: /protected by a password; give the password/ });
    for (const password of ["canary-password", "", "right "]) {
      assert.throws(
        () => parseJwtKey(pem.toString(), password),
        (error) => {
          assert.ok(isChainError(error) && error.cause === undefined);
          assert.match(error.message, /its password does not fit, or its content is damaged/);
          return !JSON.stringify([error.message, error.details]).includes("canary");
        },
      );
    }
  });

  it("S8 names an encryption that this runtime does not know", () => {
    const pem = pair.privateKey.export({ type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "right" });
    const unknown = pem.toString().replace("AES-128-CBC", "XYZ-128-CBC");
    assert.throws(() => parseJwtKey(unknown, "right"), {
      code: "JWT_KEY_MALFORMED",
      message: /its encryption is not known here/,
    });
  });

  it("S11 S95 puts no part of a key into an error", () => {
    const lines = pkcs8.split("\n").filter((line) => line.length === 64);
    for (const pem of [pkcs8.slice(0, 400), pkcs8.replace(/\n.{64}\n/, "\n"), lines.join("\n")]) {
      assert.throws(
        () => parseJwtKey(pem),
        (error) => {
          assert.ok(isChainError(error) && error.cause === undefined);
          return !lines.some((line) => JSON.stringify([error.message, error.details]).includes(line.slice(0, 16)));
        },
      );
    }
  });
});

describe("generateJwtKey", () => {
  it("S8 makes a pair of 2,048 bits whose halves fit", async () => {
    const key = await generateJwtKey();
    const data = Buffer.from("data");
    assert.equal(key.bits, 2048);
    assert.ok(verify("sha256", data, key.publicKeyPem, sign("sha256", data, key.privateKeyPem)));
    assert.deepEqual(parseJwtKey(key.privateKeyPem), key);
  });
});
