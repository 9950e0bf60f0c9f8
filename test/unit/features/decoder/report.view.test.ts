import assert from "node:assert/strict";
import { explain } from "../../../../packages/client/src/explain/explain.ts";
import { markdownReport, plainReport } from "../../../../src/features/decoder/report.view.ts";
import { answerWith, HOSTILE_TEXTS, HUGE_TEXT } from "../../../support/failures/hostile-texts.ts";

/** The report without what stands in code, where nothing has a meaning. */
function outsideOfCode(markdown: string): string {
  return markdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/m, "").replace(/`[^`\n]*`/g, "");
}

describe("the report of the decoder", () => {
  it("holds title, code, cause, fix, verdict, fields, sources and the raw text", () => {
    const explanation = explain(answerWith("Contract validate error : Account is not existed."));
    const { title, cause, raw } = explanation;

    for (const report of [markdownReport(explanation), plainReport(explanation)]) {
      const words = report.replaceAll("\\", "");
      for (const part of [title, cause, "CONTRACT_VALIDATE_ERROR", raw, "same bytes"])
        assert.ok(words.includes(part), part);
    }
  });

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`lets nothing of a stranger become a link, an image, HTML or a title: ${name}`, () => {
      for (const input of [answerWith(text), `SIGERROR ${text}`, text]) {
        const report = markdownReport(explain(input));

        assert.doesNotMatch(outsideOfCode(report), /(?<!\\)[<[]|(?<!\\)!\[|^# Title/m);
        assert.doesNotMatch(report, /[^\P{Cc}\n\r\t]|\p{Cf}/u);
        assert.doesNotMatch(plainReport(explain(input)), /[^\P{Cc}\n\r\t]|\p{Cf}/u);
      }
    });
  }

  it("is not longer than a ticket takes", () => {
    assert.ok(markdownReport(explain(HUGE_TEXT)).length < 60_000);
    assert.ok(plainReport(explain(answerWith(HUGE_TEXT))).length < 60_000);
  });
});
