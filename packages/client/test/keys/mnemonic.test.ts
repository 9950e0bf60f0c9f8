import assert from "node:assert/strict";
import { failureOf } from "../../../../test/support/failures/failure-of.ts";
import { bytesToHex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import {
  FIRST_PATH,
  keyAt,
  mnemonicFault,
  newMnemonic,
  parseKeyPath,
  pathsFrom,
  positionsToConfirm,
  readMnemonic,
  seedOf,
} from "../../src/keys/mnemonic.ts";

/** Test vector of BIP-39. */
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const SEED =
  "2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607";

const messageOf = async (text: string): Promise<string> =>
  (await failureOf(Promise.resolve().then(() => readMnemonic(text)))).message;

describe("mnemonic", () => {
  it("gives the seed of the standard's vector in any spelling", async () => {
    const written = `\n ${WORDS.toUpperCase().replace(" ", "\t  ")} `;

    assert.equal(bytesToHex(await seedOf(readMnemonic(written), "TREZOR")), SEED);
  });

  it("gives another seed for another passphrase", async () => {
    const words = readMnemonic(WORDS);

    assert.notEqual(bytesToHex(await seedOf(words, "")), bytesToHex(await seedOf(words, " ")));
  });

  it("reports the position of an unknown word, and similar words only while the user types", async () => {
    const wrong = WORDS.replace("sausage", "sausgae");

    assert.deepEqual(mnemonicFault(wrong), { kind: "unknown", position: 6, count: 12, near: ["sausage"] });
    assert.match(await messageOf(wrong), /word 6 of 12 is not in the English list/);
  });

  it("refuses a wrong number of words, a wrong checksum and another language", async () => {
    for (const [text, reason] of [
      [WORDS.split(" ").slice(0, 11).join(" "), /there are 11, but a mnemonic has 12, 15, 18/],
      ["", /there are 0/],
      [WORDS.replace("legal winner", "winner legal"), /checksum does not match/],
      [`${"abaisser ".repeat(11)}zoologie`, /lists of other languages/],
    ] as const)
      assert.match(await messageOf(text), reason);
  });

  it("is not repeated in any message", async () => {
    for (const text of [
      WORDS.replace("sausage", "sausgae"),
      WORDS.replace("legal winner", "winner legal"),
      `${WORDS} zoo`,
    ]) {
      const { message, details } = (await failureOf(Promise.resolve().then(() => readMnemonic(text)))) as Error & {
        details?: object;
      };
      for (const word of text.split(" ").filter((it) => it.length > 4))
        assert.equal(`${message}${JSON.stringify(details)}`.includes(word), false, word);
    }
  });

  it("generates twelve words with a valid checksum, different each time", () => {
    const [first, second] = [newMnemonic(), newMnemonic()];

    assert.equal(first.length, 12);
    assert.notDeepEqual(first, second);
    assert.equal(mnemonicFault(first.join(" ")), undefined);
  });

  it("is verified at ordered positions", () => {
    for (let round = 0; round < 50; round++) {
      const places = positionsToConfirm(12, 3);
      assert.equal(new Set(places).size, 3);
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
      );
      assert.ok(places.every((it) => it >= 1 && it <= 12));
    }
  });
});

describe("derivation path", () => {
  it("gives the keys of the standard's vector", () => {
    const seed = hexToBytes("000102030405060708090a0b0c0d0e0f");

    const key = keyAt(seed, parseKeyPath("m/0h/1/2'/2/1000000000"));

    assert.equal(bytesToHex(key), "471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8");
  });

  it("is written in one form", () => {
    assert.equal(parseKeyPath(" m/44h/195H/00'/0/2 "), "m/44'/195'/0'/0/2");
    assert.equal(parseKeyPath(FIRST_PATH), FIRST_PATH);
  });

  it("leads to the next paths", () => {
    assert.deepEqual(pathsFrom(parseKeyPath("m/44'/195'/0'/0/8"), 2), ["m/44'/195'/0'/0/8", "m/44'/195'/0'/0/9"]);
    assert.deepEqual(pathsFrom(parseKeyPath("m/3'"), 2), ["m/3'", "m/4'"]);
    assert.deepEqual(pathsFrom(parseKeyPath("m/2147483647"), 3), ["m/2147483647"]);
  });

  for (const [text, reason] of [
    ["44'/195'", /begin with m/],
    ["m", /1 to 10 steps/],
    [`m${"/0".repeat(11)}`, /1 to 10 steps/],
    ["m/44'//0", /its step 2 is not a number/],
    ["m/-1", /step 1 is not a number/],
    ["m/2147483648", /step 1 is above 2147483647/],
    ["legal winner thank", /begin with m/],
  ] as const) {
    it(`refuses ${text} without repeating it`, async () => {
      const { message } = await failureOf(Promise.resolve().then(() => parseKeyPath(text)));

      assert.match(message, reason);
      assert.equal(message.includes("legal"), false);
    });
  }
});
