import assert from "node:assert/strict";
import { foreignText, isBlank, isForeignText, rawText } from "../../../../src/core/primitives/foreign-text.ts";
import { nameText, noticeText, visibleLine } from "../../../../src/core/primitives/plain-text.ts";

const HOSTILE = "a\u202Eb\n[Pay](command:x) ".repeat(20);

describe("a text of somebody else", () => {
  it("C1: is no string, so that the compiler refuses it where texts are shown", () => {
    const show = (text: string): string => text;

    // @ts-expect-error: this line is the test: it does not compile without the error.
    assert.throws(() => show(foreignText("x")).trim());
  });

  it("C1: is one short line in quotes where it becomes a text by mistake", () => {
    const name = foreignText(HOSTILE);

    for (const mistaken of [`${name}`, String(name), JSON.parse(JSON.stringify({ name })).name, [name].join()]) {
      assert.match(mistaken, /^“a⟨U\+202E⟩b \[Pay\]/);
      assert.doesNotMatch(mistaken, /[\u202E\n]/);
      assert.ok(mistaken.length < 120, mistaken);
    }
  });

  it("is shown whole by the functions that show all it is, and given as it came for calculations", () => {
    assert.equal(visibleLine(foreignText("a\u202Eb")), "a⟨U+202E⟩b");
    assert.equal(noticeText(foreignText("[a](command:b)")), "[a] (command:b)");
    assert.equal(rawText(foreignText(HOSTILE)), HOSTILE);
  });

  it("differs from another one, and is known in another bundle", () => {
    assert.notDeepEqual(foreignText("a"), foreignText("b"));
    assert.equal(isForeignText({ ...foreignText("a") }), true);
    assert.deepEqual(["a", undefined, null, {}].map(isForeignText), [false, false, false, false]);
  });

  it("H4: is a name of at most 60 characters in one line, or what stands in for none", () => {
    assert.equal(nameText(foreignText("a".repeat(61))), `${"a".repeat(59)}…`);
    assert.equal(nameText(foreignText("two\nlines")), "two lines");
    assert.equal(nameText(foreignText(" \n"), "argument 1"), "argument 1");
    assert.deepEqual([isBlank(foreignText("")), isBlank(foreignText("a"))], [true, false]);
  });
});
