import assert from "node:assert/strict";
import { Trx } from "tronweb";
import { addressOfPrivateKey, parsePrivateKey } from "../../src/transaction.ts";
import {
  firstFormDigest,
  messageDigest,
  parseMessageSignature,
  recoverMessageSigner,
  signatureForms,
  signMessageDigest,
} from "../../src/typed-data.ts";

const KEY = parsePrivateKey("11".repeat(32));
const ORDER = BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

describe("signatures of messages", () => {
  const digest = messageDigest(Buffer.from("Grüße, 水"));
  const signature = signMessageDigest(digest, KEY);

  it("are those of TronWeb, which counts bytes", () => {
    assert.equal(`0x${signature}`, Trx.signMessageV2([...Buffer.from("Grüße, 水")], "11".repeat(32)));
  });

  it("recover the signer from both forms of the last byte, with and without 0x, in upper and lower case", () => {
    const forms = signatureForms(parseMessageSignature(signature));

    assert.deepEqual(
      forms.map((it) => Number.parseInt(it.slice(-2), 16) % 27),
      Array(2).fill(parseMessageSignature(signature).recovery),
    );
    for (const form of [...forms, signature, signature.toUpperCase()])
      assert.equal(recoverMessageSigner(digest, parseMessageSignature(form)), addressOfPrivateKey(KEY));
  });

  it("of the first form of TronWeb recover by the fixed length 32", () => {
    const bytes = Buffer.from("hello");
    const signed = Trx.signString(bytes.toString("hex"), "11".repeat(32));

    const signer = recoverMessageSigner(firstFormDigest(bytes), parseMessageSignature(signed));

    assert.equal(signer, addressOfPrivateKey(KEY));
  });

  it("are refused with another length, another last byte, and a high s", () => {
    const { r, s, v } = parseMessageSignature(signature);
    const highS = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, "0");
    const texts = ["", "0x", "zz".repeat(65), signature.slice(2), `${signature}00`, `${r}${s}02`, `${r}${s}1d`];

    for (const text of [...texts, `${r}${highS}${(v ^ 7).toString(16)}`])
      assert.throws(() => parseMessageSignature(text), { code: "SIGNATURE_MALFORMED" }, text);
  });

  it("of no possible key are refused", () => {
    const never = parseMessageSignature(`${"f".repeat(64)}${"0".repeat(63)}11b`);

    assert.throws(() => recoverMessageSigner(digest, never), { code: "SIGNATURE_MALFORMED" });
  });
});
