import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { recordedFailures } from "../../../../test/support/failures/recorded-failures.ts";
import { explain } from "../../src/explain/explain.ts";
import { rangeAt, rangesIn } from "../../src/explain/explained-range.ts";
import { tokensIn } from "../../src/explain/tokens.ts";

const fixtures = new URL("../../../../test/fixtures/explanations/", import.meta.url);
const files = ["node-messages", "other-exchanges", "recorded-failures", "validation-messages"];
const printed = [
  "broadcast of: REVERT with Panic(0x11)",
  "Panic(uint256 17) at main, then HTTP_404 and ECONNREFUSED",
  "the FACE of a DEADBEEF, 1.7976931348623157e+308",
  `call reverted: 0x08c379a0${"20".padStart(64, "0")}${"02".padStart(64, "0")}${"6e6f".padEnd(64, "0")} (x.js:1)`,
  "Contract validate error : No contract!",
];
const texts = [
  ...files.flatMap((file) => textsIn(JSON.parse(readFileSync(new URL(`${file}.json`, fixtures), "utf8")))),
  ...recordedFailures().map(({ body }) => body),
  ...printed,
];
const tokens = [...new Set(texts.flatMap((text) => [...tokensIn(text)].map((token) => token.text)))];

/** Returns the names and texts of a fixture. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)]);
}

const BEFORE = "tronweb result: ";
/** Returns a line in which only the token has a meaning. */
const lineWith = (token: string): string => `${BEFORE}${token} <`;

describe("token of the fixtures", () => {
  it("has the same code alone, in a line, in a hover and in a link", () => {
    const wrong = tokens.flatMap((token) => {
      const { code, entry } = explain(token);
      const line = lineWith(token);
      const inLine = entry === "hex-odd" ? code : explain(line).code;
      const hovered = rangeAt(line, BEFORE.length + token.length / 2, explain)?.explanation.code ?? code;
      const linked = rangesIn(line, explain).map(({ explanation }) => explanation.code);
      return [inLine, hovered, ...linked].every((it) => it === code) ? [] : [`${token}: ${code} ${inLine} ${hovered}`];
    });

    assert.ok(tokens.length > 300, `${tokens.length} tokens`);
    assert.deepEqual(wrong, []);
  });

  it("is read to its end in a line at any position of the pointer", () => {
    for (const token of tokens) {
      const line = lineWith(token);
      const found = [0, 0.5, 1].map(
        (share) => rangeAt(line, BEFORE.length + Math.floor(token.length * share), explain)?.input,
      );

      assert.equal(new Set(found).size, 1, `${token}: ${found.join(" ")}`);
    }
  });
});

describe("text of the fixtures", () => {
  it("has the same code in the decoder and in a hover when all of it is one match", () => {
    const lines = texts.filter((text) => !text.includes("\n") && text === text.trim());
    const whole = lines.flatMap((text) => {
      const reading = rangeAt(text, Math.floor(text.length / 2), explain);
      return reading?.input === text ? [{ text, code: reading.explanation.code }] : [];
    });

    const wrong = whole.filter(({ text, code }) => explain(text).code !== code);

    assert.ok(whole.length > 300, `${whole.length} texts`);
    assert.deepEqual(wrong, []);
  });

  it("is a failure in a hover when the decoder finds a node message or a failed answer", () => {
    const silent = texts
      .filter((text) => /^contract validate error ?:/i.test(text) && explain(text).category === "validation")
      .filter((text) => rangeAt(text, 3, explain) === undefined);

    assert.deepEqual(silent, []);
  });
});
