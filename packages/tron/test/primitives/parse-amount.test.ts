import assert from "node:assert/strict";
import fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { parseAmount, parseCoins, parseUnits, wholeNumberIn } from "../../src/primitives/parse-amount.ts";

const INT64_MAX = 2n ** 63n - 1n;

describe("parseCoins", () => {
  const texts: readonly (readonly [text: string, amount: bigint | undefined])[] = [
    ["1.5", 1_500_000n],
    ["0", 0n],
    ["0.000001", 1n],
    ["1.", undefined],
    ["007", 7_000_000n],
    [" 2.50 ", 2_500_000n],
    ["9007199254.740993", 9_007_199_254_740_993n],
    ["9223372036854.775807", INT64_MAX],
    ["9223372036854.775808", undefined],
    ["99999999999999999999", undefined],
    ["0.0000001", undefined],
    ["1.0000000", undefined],
    ["-1", undefined],
    ["+1", undefined],
    ["1e6", undefined],
    ["1,5", undefined],
    ["1 000", undefined],
    [".5", undefined],
    ["0x10", undefined],
    ["", undefined],
    ["NaN", undefined],
    ["١", undefined],
  ];

  it("S37 reads plain numbers exactly, and refuses other texts", () => {
    for (const [text, amount] of texts) {
      if (amount !== undefined) assert.equal(parseCoins(text), amount, text);
      else assert.throws(() => parseCoins(text), { code: "AMOUNT_MALFORMED" }, text);
    }
  });

  it("names the reason of a malformed amount", () => {
    assert.throws(() => parseCoins("0.0000001"), /smallest part is 0\.000001/);
    assert.throws(() => parseCoins("99999999999999"), /larger than any amount on the chain/);
  });
});

describe("parseAmount", () => {
  it("reads a number without a unit as sun, and coins with their unit", () => {
    assert.deepEqual(
      ["1500000", "1_500_000 sun", "1.5 coins", "1.5coins", "1,500,000", "1 coin", "0.000001 TRX", "0"].map(
        parseAmount,
      ),
      [1_500_000n, 1_500_000n, 1_500_000n, 1_500_000n, 1_500_000n, 1_000_000n, 1n, 0n],
    );
  });

  it("accepts a comma between groups of three digits only", () => {
    for (const [text, amount] of [
      ["1.5 coins", 1_500_000n],
      ["1,234,567.89 coins", 1_234_567_890_000n],
      ["1_500_000", 1_500_000n],
      ["1,500", 1_500n],
      ["1_00 sun", 100n],
    ] as const)
      assert.equal(parseAmount(text), amount, text);
    for (const text of ["1,5 coins", "1,5", "1,50", "1,5000", "1,500,00", "0,000001 coins", "1,", ",5"])
      assert.throws(() => parseAmount(text), { code: "AMOUNT_MALFORMED" }, text);
  });

  it("refuses ambiguous amounts, and amounts that no chain can hold", () => {
    for (const text of ["1.5", "", "-1", "1e6", "1.5 sun", "five", "1 ether", "9223372036854775808", "0.0000001 coins"])
      assert.throws(() => parseAmount(text), { code: "AMOUNT_MALFORMED" }, text);
  });
});

/** Forms of numbers in other languages, which must not be read as another amount. */
const FOREIGN_FORMS = [
  "0,5|1,5|0,001|12,50|1.000,50|1,2,3|1,000.5,0|1 000|1\u00a0000|1\u202f000,5|1'000|1’000.50",
  "1.000.000|0,001,000|00,100|1,0000|1,,000|,500|1,000,|1.|.5|1._5|_1|1_|1__0|١|١٬٠٠٠|٠٫٥|１５|１．５",
  "1，000|１，５|१२|²|五|1e6|1E6|1e-3|0x10|0b1|+1|-1|−1|1-|(1)|1/2|1 coin 5|1n|NaN|Infinity|$1|1€",
  "1\u200b5|1\u00ad5|| ",
].flatMap((line) => line.split("|"));

describe("number formats of amounts", () => {
  const unit = { decimals: 6, largest: 2n ** 256n, malformed: "malformed", tooFine: "too fine", tooLarge: "too large" };
  const plain = /^\d+(?:\.\d{1,6})?$/;
  const grouped = /^[1-9]\d{0,2}(?:,\d{3})*(?:\.\d{1,6})?$/;

  /** Scaled by 10⁶; undefined where the text is not a plain or grouped English number. */
  function scaledValue(text: string): bigint | undefined {
    if (!plain.test(text) && !grouped.test(text)) return undefined;
    const [whole = "", fraction = ""] = text.replaceAll(",", "").split(".");
    return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
  }

  function parsed(text: string): bigint | undefined {
    try {
      return parseUnits(text, unit);
    } catch (error) {
      assert.ok(isChainError(error) && error.code === "AMOUNT_MALFORMED", text);
      return undefined;
    }
  }

  it("T1, T10: are refused unless they are plain or grouped by threes", () => {
    for (const text of FOREIGN_FORMS) {
      assert.equal(parsed(text), undefined, text);
      assert.equal(wholeNumberIn(text), undefined, text);
      assert.throws(() => parseCoins(text), { code: "AMOUNT_MALFORMED" }, text);
      for (const suffix of [" coins", " TRX"])
        assert.throws(() => parseAmount(`${text}${suffix}`), { code: "AMOUNT_MALFORMED" }, text);
    }
  });

  it("T1: are read with a decimal point or refused, for the output of any locale", () => {
    const locales = [
      "en-US",
      "de-DE",
      "fr-FR",
      "de-CH",
      "hi-IN",
      "ar-EG",
      "fa-IR",
      "bn-BD",
      "pt-BR",
      "zh-Hans-CN-u-nu-fullwide",
    ];
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(amounts, fc.constantFrom(...locales), fc.integer({ min: 0, max: 6 }), (parts, locale, decimals) => {
        const value = Number(parts) / 1_000_000;
        const text = value.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: 6 });
        assert.equal(parsed(text), scaledValue(text), text);
      }),
    );
  });

  it("T1: are read exactly or refused, for any text of digits and separators", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."0015,,..9"), minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(parsed(text), scaledValue(text), text);
      }),
      { numRuns: howOften(500, 10_000) },
    );
  });

  it("T1: are read back as printed, with and without groups", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (amount) => {
        const [whole, fraction] = [amount / 1_000_000n, String(amount % 1_000_000n).padStart(6, "0")];
        assert.equal(parseCoins(`${whole}.${fraction}`), amount);
        assert.equal(parseCoins(`${whole.toLocaleString("en-US")}.${fraction}`), amount);
        assert.equal(parseAmount(`${whole.toLocaleString("en-US")}.${fraction} coins`), amount);
        assert.equal(parseAmount(String(amount)), amount);
      }),
    );
  });

  it("are named in the message of a malformed amount", () => {
    assert.throws(() => parseCoins("1,5"), {
      message: '"1,5" is not an amount: write a plain number such as 1.5 or 1,234.5, with a point before the decimals.',
    });
    assert.throws(() => parseAmount("1,5 sun"), {
      message: '"1,5" is not an amount: write sun as a whole number, or coins such as 1.5 coins.',
    });
  });
});
