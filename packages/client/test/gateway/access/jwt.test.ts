import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import { profileAt } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { paddedPem } from "../../../../../test/support/http/padded-pem.ts";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { createAccessTokens, generateJwtKey, isEncryptedPem, parseJwtKey } from "../../../src/gateway/access/jwt.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const spki = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

describe("parseJwtKey", () => {
  it("S8 reads PKCS#8 and PKCS#1, and returns the public key in the form of the account page", () => {
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

  it("S8 S91 names the kind of any other input", () => {
    const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
    const ed = generateKeyPairSync("ed25519").privateKey;
    const cipher = { cipher: "aes-256-cbc", passphrase: "secret" };
    const refused: readonly [string, RegExp][] = [
      [spki, /a public key; paste the private key/],
      [pair.publicKey.export({ type: "pkcs1", format: "pem" }).toString(), /a public key; paste the private key/],
      [p384.export({ type: "sec1", format: "pem" }).toString(), /of type ec; .*RSA/],
      [p384.export({ type: "pkcs8", format: "pem" }).toString(), /of type ec; .*RSA/],
      [ed.export({ type: "pkcs8", format: "pem" }).toString(), /of type ed25519; .*RSA/],
      [pair.privateKey.export({ type: "pkcs8", format: "pem", ...cipher }).toString(), /protected by a password/],
      [pair.privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString(), /protected by a password/],
      ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", /a certificate/],
      ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----", /OpenSSH format/],
      ["-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----", /a certificate request/],
      ["-----BEGIN DSA PRIVATE KEY-----\nMIIB\n-----END DSA PRIVATE KEY-----", /a DSA key/],
      ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", /a PGP key/],
      ["ssh-rsa AAAAB3NzaC1yc2E= me@here", /an OpenSSH public key/],
      ["PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none", /a PuTTY key/],
      [JSON.stringify(pair.privateKey.export({ format: "jwk" })), /JSON, perhaps a JWK/],
      ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", /a token; paste the private key/],
      ["ab".repeat(32), /the signing key of an account.*never share it/],
      [pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("utf8"), /binary \(DER or PKCS#12\)/],
      [`${pkcs8}${pkcs1}`, /several private keys/],
      ["-----BEGIN DH PARAMETERS-----\nMIIB\n-----END DH PARAMETERS-----", /another kind \(DH PARAMETERS\)/],
      [pkcs8.slice(0, 400), /incomplete: its last line is missing/],
      [pkcs8.replace(/\n.{64}\n/, "\n"), /content is damaged/],
      ["", /no line -----BEGIN PRIVATE KEY-----/],
      ["hello", /no line -----BEGIN PRIVATE KEY-----/],
    ];
    for (const [pem, message] of refused) {
      assert.throws(() => parseJwtKey(pem), { code: "JWT_KEY_MALFORMED", message }, String(message));
    }
  });

  it("S91 names the ES256 curve, which the service does not accept yet", () => {
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    for (const type of ["sec1", "pkcs8"] as const) {
      const pem = ec.export({ type, format: "pem" }).toString();
      const message = /ES256 key, which the service does not accept yet; use an RSA key/;
      assert.throws(() => parseJwtKey(pem), { code: "JWT_KEY_MALFORMED", message });
    }
  });

  it("S8 finds the private key in a file with its certificate", () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    for (const pem of [certificate + pkcs8, pkcs8 + certificate, `Bag Attributes\n  x: y\n${pkcs8}`]) {
      assert.equal(parseJwtKey(pem).privateKeyPem, pkcs8);
    }
  });

  it("S8 decrypts a PEM of the old and the new form, and returns it unencrypted", () => {
    for (const type of ["pkcs1", "pkcs8"] as const) {
      for (const name of ["aes-256-cbc", "des-ede3-cbc"]) {
        const pem = pair.privateKey.export({ type, format: "pem", cipher: name, passphrase: "pass word ü" }).toString();
        assert.ok(isEncryptedPem(pem));
        assert.equal(parseJwtKey(pem, "pass word ü").privateKeyPem, pkcs8, `${type} ${name}`);
      }
    }
    assert.ok(!isEncryptedPem(pkcs8));
  });

  it("S8 reports a missing or wrong password of an encrypted PEM without the password", () => {
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "right" });
    assert.throws(() => parseJwtKey(pem.toString()), { message: /protected by a password; enter the password/ });
    for (const password of ["canary-password", "", "right "]) {
      assert.throws(
        () => parseJwtKey(pem.toString(), password),
        (error) => {
          assert.ok(isChainError(error) && error.cause === undefined);
          assert.match(error.message, /the password is wrong, or the content is damaged/);
          return !JSON.stringify([error.message, error.details]).includes("canary");
        },
      );
    }
  });

  it("S8 reports content that decrypts to valid padding, and to no key, as a wrong password", () => {
    assert.throws(() => parseJwtKey(paddedPem("password"), "password"), {
      message: /the password is wrong, or the content is damaged/,
    });
  });

  it("S8 reports an encryption that this runtime does not support", () => {
    const pem = pair.privateKey.export({ type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "right" });
    const unknown = pem.toString().replace("AES-128-CBC", "XYZ-128-CBC");
    assert.throws(() => parseJwtKey(unknown, "right"), {
      code: "JWT_KEY_MALFORMED",
      message: /its encryption is not supported/,
    });
  });

  it("S11 S95 includes no part of a key in an error", () => {
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
  it("S8 returns a matching key pair of 2,048 bits", async () => {
    const key = await generateJwtKey();
    const data = Buffer.from("data");
    assert.equal(key.bits, 2048);
    assert.ok(verify("sha256", data, key.publicKeyPem, sign("sha256", data, key.privateKeyPem)));
    assert.deepEqual(parseJwtKey(key.privateKeyPem), key);
  });
});

const tokenPair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = tokenPair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PROFILE = profileAt("https://api.chain.test", { jwt: true, keyId: "key-1", audience: "chain.test" });

function decode(token: string): { header: unknown; payload: { exp: number }; parts: readonly string[] } {
  const parts = token.split(".");
  const [header, payload] = parts.slice(0, 2).map((it) => JSON.parse(Buffer.from(it, "base64url").toString("utf8")));
  return { header, payload, parts };
}

describe("access tokens", () => {
  it("S12 S13 S14 S16 S90 S154 have alg, typ and kid in the header, and only aud and exp in the payload", async () => {
    const clock = new FakeClock();
    const { header, payload } = decode(await createAccessTokens(clock).token(PROFILE, KEY));
    assert.deepEqual(header, { alg: "RS256", typ: "JWT", kid: "key-1" });
    assert.deepEqual(payload, { aud: "chain.test", exp: Math.floor(clock.now() / 1000) + 60 });
  });

  it("S15 expire at a whole second", async () => {
    const clock = new FakeClock(1_700_000_000_987);
    assert.equal(decode(await createAccessTokens(clock).token(PROFILE, KEY)).payload.exp, 1_700_000_060);
  });

  it("S17 are signed with the private key", async () => {
    const token = await createAccessTokens(new FakeClock()).token(PROFILE, KEY);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const isGood = (text: string): boolean =>
      verify("sha256", Buffer.from(text), tokenPair.publicKey, Buffer.from(signature, "base64url"));
    assert.ok(isGood(`${header}.${payload}`));
    assert.ok(!isGood(`${header}.${payload.slice(0, -1)}A`));
  });

  it("are signed once and reused for 80 % of their lifetime", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const [first, same] = await Promise.all([tokens.token(PROFILE, KEY), tokens.token(PROFILE, KEY)]);
    await clock.advance(47_999);
    assert.deepEqual([same, await tokens.token(PROFILE, KEY)], [first, first]);
    await clock.advance(1);
    const next = await tokens.token(PROFILE, KEY);
    assert.equal(decode(next).payload.exp - decode(first).payload.exp, 48);
  });

  it("are signed again when the settings change, and separately for each network", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const first = await tokens.token(PROFILE, KEY);
    const other = await tokens.token({ ...PROFILE, name: "Other", audience: "other.test" }, KEY);
    await clock.advance(1_000);
    assert.equal(await tokens.token(PROFILE, KEY), first);
    assert.notEqual(other, first);
    const changed = await tokens.token({ ...PROFILE, keyId: "key-2" }, KEY);
    assert.deepEqual(decode(changed).header, { alg: "RS256", typ: "JWT", kid: "key-2" });
  });

  it("are signed again when the clock is set back or the tokens are forgotten", async () => {
    let now = 1_700_000_000_000;
    const tokens = createAccessTokens({ now: () => now, sleep: () => Promise.resolve() });
    const first = decode(await tokens.token(PROFILE, KEY)).payload.exp;
    now -= 10_000;
    assert.equal(decode(await tokens.token(PROFILE, KEY)).payload.exp, first - 10);
    now += 5_000;
    tokens.forget(PROFILE.name);
    assert.equal(decode(await tokens.token(PROFILE, KEY)).payload.exp, first - 5);
  });

  it("S9 contain the ID without surrounding blanks", async () => {
    for (const id of ["a-b_c", "ключ 1", "0", "x/y+z=="]) {
      const token = await createAccessTokens(new FakeClock()).token({ ...PROFILE, keyId: ` ${id}\n` }, KEY);
      assert.deepEqual(decode(token).header, { alg: "RS256", typ: "JWT", kid: id });
    }
  });

  it("S15 have the chosen lifetime, or no exp", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const hour = decode(await tokens.token(PROFILE, KEY, 3_600_000)).payload.exp;
    assert.equal(hour, Math.floor(clock.now() / 1000) + 3_600);
    const endless = await tokens.token(PROFILE, KEY, "endless");
    assert.deepEqual(decode(endless).payload, { aud: "chain.test" });
    await clock.advance(100_000_000);
    assert.equal(await tokens.token(PROFILE, KEY, "endless"), endless);
  });

  it("are pending from their request until it ends", async () => {
    const tokens = createAccessTokens(new FakeClock());
    let isIdle = false;
    const tokenRequests = [tokens.token(PROFILE, KEY), tokens.token(PROFILE, KEY)];
    const idle = tokens.idle(PROFILE.name, "key-1").then(() => {
      isIdle = true;
    });
    const [token = ""] = await Promise.all(tokenRequests);
    tokens.ended(token);
    await tokens.idle(PROFILE.name, "key-2");
    await tokens.idle("Other", "key-1");
    assert.equal(isIdle, false);
    tokens.ended(token);
    await idle;
    await tokens.idle(PROFILE.name, "key-1");
  });

  it("S14 S16 are not signed without an ID, an audience or a key", async () => {
    const tokens = createAccessTokens(new FakeClock());
    const { keyId: _keyId, ...withoutId } = PROFILE;
    const { audience: _audience, ...withoutAudience } = PROFILE;
    for (const [profile, key, message] of [
      [withoutId, KEY, /its key ID \(kid\) is not set/],
      [{ ...PROFILE, keyId: "  " }, KEY, /its key ID \(kid\) is not set/],
      [withoutAudience, KEY, /its audience is not set/],
      [PROFILE, undefined, /its private key is not set/],
    ] as const) {
      await assert.rejects(tokens.token(profile, key), { code: "JWT_SETTING_MISSING", message });
    }
  });

  it("are refused each time and not pending when the key cannot sign", async () => {
    const tokens = createAccessTokens(new FakeClock());
    await assert.rejects(tokens.token(PROFILE, "nonsense"), { code: "JWT_KEY_MALFORMED" });
    await tokens.idle(PROFILE.name, "key-1");
    await assert.rejects(tokens.token(PROFILE, "nonsense"), { code: "JWT_KEY_MALFORMED" });
    assert.equal((await tokens.token(PROFILE, KEY)).split(".").length, 3);
  });
});
