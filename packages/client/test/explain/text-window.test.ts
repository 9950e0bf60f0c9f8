import assert from "node:assert/strict";
import { positionIn, windowAt } from "../../src/explain/explained-range.ts";

const linesOf = (...lines: string[]) => ({ lineCount: lines.length, line: (number: number) => lines[number] ?? "" });

describe("the window around a place", () => {
  it("is a small part of a long line, however long the line is", () => {
    for (const length of [10_000, 1_000_000]) {
      const line = "word ".repeat(length / 5);

      const { text, offset, start } = windowAt(linesOf(line), { line: 0, character: length / 2 });

      assert.ok(text.length <= 4_200, `${text.length} characters of ${length} were looked at`);
      assert.equal(text, line.slice(start.character, start.character + text.length));
      assert.equal(start.character + offset, length / 2);
    }
  });

  it("holds the whole word that it would cut", () => {
    const word = "ab".repeat(5_000);

    const { text } = windowAt(linesOf(`before 0x${word} after`), { line: 0, character: 3_000 });

    assert.ok(text.includes(`0x${word}`));
  });

  it("ends inside of a word of a megabyte", () => {
    const { text } = windowAt(linesOf("a".repeat(1_000_000)), { line: 0, character: 500_000 });

    assert.ok(text.length <= 131_100, `${text.length} characters were looked at`);
  });

  it("has the lines around, as far as there is room", () => {
    const window = windowAt(linesOf("{", '  "code": "A",', "}", "x".repeat(9_000)), { line: 1, character: 4 });

    assert.equal(window.text, '{\n  "code": "A",\n}');
    assert.equal(window.text[window.offset], "c".replace("c", window.text[6] ?? ""));
    assert.deepEqual(window.start, { line: 0, character: 0 });
  });

  it("knows where each of its offsets is in the document", () => {
    const lines = ["first", "second", "third"];
    const window = windowAt(linesOf(...lines), { line: 1, character: 2 });

    for (const [offset, character] of [...window.text].entries()) {
      if (character === "\n") continue;
      const place = positionIn(window, offset);
      assert.equal(lines[place.line]?.[place.character], character);
    }
    assert.equal(positionIn(windowAt(linesOf("x ".repeat(9_000)), { line: 0, character: 9_000 }), 10).line, 0);
  });
});
