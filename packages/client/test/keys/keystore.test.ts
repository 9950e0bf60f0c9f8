import assert from "node:assert/strict";
import { failureOf } from "../../../../test/support/failures/failure-of.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import { bytesToHex } from "../../../tron/src/primitives/bytes.ts";
import { addressOfPrivateKey, parsePrivateKey } from "../../../tron/src/transaction/signature.ts";
import { kindOfKeyText, openKeystore, printKeystore, readKeystore } from "../../src/keys/keystore.ts";

describe("key text", () => {
  it("is recognized by its first characters", () => {
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
    ["canary=12", /neither a private key \(64 hex digits\) nor a mnemonic/],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, async () => {
      const { message } = await failureOf(Promise.resolve().then(() => kindOfKeyText(text)));

      assert.match(message, reason);
      assert.equal(message.includes("canary"), false);
    });
  }
});

const KEY = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const PASSWORD = "testpassword";
/** Test vector of the format. */
const VECTOR = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};
const SCRYPT = { n: 1024, r: 8, p: 1, dklen: 32, salt: "ab".repeat(32) };

type Edit = Readonly<Record<string, unknown>>;
const text = (top: Edit, crypto: Edit = {}): string =>
  JSON.stringify({ ...VECTOR, ...top, crypto: { ...VECTOR.crypto, ...crypto } });
const messageOf = async (content: string): Promise<string> =>
  (await failureOf(Promise.resolve().then(() => readKeystore(content)))).message;

describe("keystore file", () => {
  it("opens the example of its format", async () => {
    assert.equal(bytesToHex(await openKeystore(readKeystore(JSON.stringify(VECTOR)), PASSWORD)), KEY);
  });

  it("is read as it was written", async () => {
    const content = await printKeystore(parsePrivateKey(KEY), "pässword", 1024);

    const read = readKeystore(`\uFEFF${content}\n`);

    assert.equal(bytesToHex(await openKeystore(read, "pässword")), KEY);
    assert.equal(read.address, addressOfPrivateKey(parsePrivateKey(KEY)));
    assert.equal(content.includes(KEY), false);
  });

  it("opens with a password in another Unicode form", async () => {
    const content = await printKeystore(parsePrivateKey(KEY), "p\u00e4ss", 1024);

    assert.equal(bytesToHex(await openKeystore(readKeystore(content), "pa\u0308ss")), KEY);
  });

  it("refuses a wrong password without repeating it", async () => {
    const { message } = await failureOf(openKeystore(readKeystore(JSON.stringify(VECTOR)), "wrong-canary"));

    assert.match(message, /password does not open .* MAC does not fit/);
    assert.equal(message.includes("canary"), false);
  });

  it("compares the address in any of its forms", async () => {
    const own = addressOfPrivateKey(parsePrivateKey(KEY));
    for (const address of [own, own.slice(2), `0x${own.slice(2).toUpperCase()}`, toBase58(own)])
      assert.equal(bytesToHex(await openKeystore(readKeystore(text({ address })), PASSWORD)), KEY);

    const other = readKeystore(text({ address: "ab".repeat(20) }));
    const { message } = await failureOf(openKeystore(other, PASSWORD));

    assert.match(message, new RegExp(`names the address T\\w+, but its key belongs to ${toBase58(own)}`));
  });

  for (const [title, content, reason] of [
    ["no JSON", "{", /it is not JSON/],
    ["a list", "[]", /not an object of JSON/],
    ["nested without end", `{"a":${"[".repeat(40)}`, /nested deeper/],
    ["too long", `{"a":"${"x".repeat(70_000)}"}`, /it is too long/],
    ["of another version", text({ version: 1 }), /its version is not 3/],
    ["without its crypto", JSON.stringify({ version: 3 }), /its part crypto is not an object/],
    ["of another cipher", text({}, { cipher: "aes-256-gcm" }), /not aes-128-ctr/],
    ["of another derivation", text({}, { kdf: "argon2id" }), /neither scrypt nor pbkdf2/],
    ["with another hash", text({}, { kdfparams: { ...VECTOR.crypto.kdfparams, prf: "hmac-sha1" } }), /hmac-sha256/],
    ["that wants endless rounds", text({}, { kdfparams: { ...VECTOR.crypto.kdfparams, c: 1e12 } }), /rounds/],
    ["that wants all the memory", text({}, { kdf: "scrypt", kdfparams: { ...SCRYPT, n: 2 ** 24 } }), /too much memory/],
    [
      "that wants endless time",
      text({}, { kdf: "scrypt", kdfparams: { ...SCRYPT, p: 2 ** 20 } }),
      /too much memory or time/,
    ],
    ["with an odd n", text({}, { kdf: "scrypt", kdfparams: { ...SCRYPT, n: 1000 } }), /power of two/],
    ["with a short key", text({}, { ciphertext: "ab" }), /has 1 bytes/],
    ["with a short iv", text({}, { cipherparams: { iv: "ab" } }), /iv has 1 bytes/],
    ["with a mac that is none", text({}, { mac: "canary" }), /crypto.mac is not hex/],
    ["with an address that is none", text({ address: "canary" }), /its address is not valid/],
  ] as const) {
    it(`refuses ${title} without its content`, async () => {
      const message = await messageOf(content);

      assert.match(message, reason);
      assert.equal(message.includes("canary"), false);
    });
  }
});
