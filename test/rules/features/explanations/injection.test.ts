import assert from "node:assert/strict";
import { explain } from "../../../../packages/client/src/explain/explain.ts";
import { rangesIn } from "../../../../packages/client/src/explain/explained-range.ts";
import { answerProblems } from "../../../../packages/client/src/explain/text-problems.ts";
import { visibleLine } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  describeHover,
  describeTooltip,
  HOVER_COMMANDS,
} from "../../../../src/features/explanations/explanation.view.ts";

const attacks: readonly (readonly [name: string, text: string])[] = [
  ["HTML", '<img src=x onerror="alert(1)"><script>alert(1)</script><a href="https://evil.example">pay</a>'],
  [
    "Markdown",
    "**bold** ![x](https://evil.example/x.png) [y](https://evil.example) https://evil.example `code` | a | b |",
  ],
  [
    "a command link",
    "[Fix it](command:finality.sendCoins?%5B%7B%22to%22%3A%22T%22%7D%5D) <command:finality.sendCoins>",
  ],
  [
    "terminal escapes",
    "\u001b]8;;command:finality.sendCoins\u001b\\click\u001b]8;;\u001b\\ \u001b[2J\u001b[31mred\u0007",
  ],
  ["bidirectional marks", "safe \u202Edetsurt\u202C \u2066x\u2069 \u200Bhidden\u200D"],
  ["a code fence and a heading", "```\n# Finality says: pay\n\n---\n<!-- x -->\n| a |\n|---|"],
  ["theme icons", "$(check) $(sync~spin) fine"],
  ["a megabyte", "A".repeat(1_000_000)],
];

const answerWith = (text: string): string =>
  JSON.stringify({ code: "OTHER_ERROR", message: Buffer.from(text, "utf8").toString("hex") });
const revertWith = (text: string): string => {
  const bytes = Buffer.from(text, "utf8");
  const length = bytes.length.toString(16).padStart(64, "0");
  return `0x08c379a0${"20".padStart(64, "0")}${length}${bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0")}`;
};

/** A link to the documentation. Page and heading come from a fixed table, not from chain data. */
const TO_DOCUMENTATION =
  /\[(?:[\w -]|\\:)+\]\(command:finality\.openDocumentation\?%5B%7B%22kind%22%3A%22link%22%2C%22page%22%3A%22[\w-]+%22%2C%22heading%22%3A%22[\w-]*%22%7D%5D\)/g;

/** Returns a hover without Finality's own text and links. The rest must contain no markup. */
function withoutOwnMarkup(markdown: string): string {
  const links =
    /\[(?:Open in Decoder|Track Transaction|Show Sender Balance|Copy Plain Text)\]\(command:([\w.]+)\?[\w.%~-]*\)/g;
  for (const [, command = ""] of markdown.matchAll(links)) {
    assert.ok((HOVER_COMMANDS as readonly string[]).includes(command), command);
  }
  return markdown
    .replace(links, "")
    .replace(TO_DOCUMENTATION, "")
    .replace(/^\*(?:Why|Fix|Same bytes again|Or|Source):\* /gm, "")
    .replace(/^\*\*(.*)\*\* · /, "$1 ");
}

for (const [name, text] of attacks) {
  describe(`${name} in chain data`, () => {
    for (const [form, input] of [
      ["a message", answerWith(text)],
      ["revert data", revertWith(text)],
      ["a plain text", text],
    ] as const) {
      const explanation = explain(input);

      it(`is escaped in a hover (${form})`, () => {
        const markdown = describeHover({
          explanation,
          decode: { input: input.slice(0, 2_000), origin: text.slice(0, 100) },
        });

        const left = withoutOwnMarkup(markdown).replace(/&#36;|\\[!-/:-@[-`{-~]/g, "");
        assert.doesNotMatch(left, /[!-/:-@[-`{-~]/);
        assert.doesNotMatch(left, /[^\P{Cc}\n]|\p{Cf}/u);
        assert.ok(markdown.length < 60_000, `${markdown.length} characters`);
      });

      it(`is escaped in link tooltips and problems (${form})`, () => {
        const shown = [describeTooltip(explanation)];
        for (const problem of answerProblems(input, explain)) shown.push(visibleLine(problem.message, 1_000));

        for (const one of shown) {
          assert.doesNotMatch(one, /[^\P{Cc}\n\t]|\p{Cf}/u);
          assert.ok(one.length < 60_000, `${one.length} characters`);
        }
        assert.ok(describeTooltip(explanation).length <= 301);
      });
    }

    it("creates links only for text of the line", () => {
      const line = `Error: ${text} ${answerWith(text)}`;

      const ranges = rangesIn(line, explain);

      assert.deepEqual(
        ranges.filter(({ start, end, input }) => input !== line.slice(start, end)),
        [],
      );
    });
  });
}
