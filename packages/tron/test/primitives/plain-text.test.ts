import assert from "node:assert/strict";
import {
  foreignText,
  isBlank,
  isForeignText,
  labelText,
  nameText,
  noticeText,
  rawText,
  visibleLine,
  visibleText,
} from "../../src/primitives/plain-text.ts";

describe("visible text", () => {
  it("shows control characters, escapes and direction marks by number", () => {
    assert.equal(visibleText("a\u001b[31mb\u0000\u0007"), "a⟨U+001B⟩[31mb⟨U+0000⟩⟨U+0007⟩");
    assert.equal(visibleText("pay \u202Eecilla\u202C now\u200B"), "pay ⟨U+202E⟩ecilla⟨U+202C⟩ now⟨U+200B⟩");
    assert.equal(visibleText("\u2066x\u2069\u00AD\uFEFF"), "⟨U+2066⟩x⟨U+2069⟩⟨U+00AD⟩⟨U+FEFF⟩");
  });

  it("keeps letters of all languages", () => {
    assert.equal(visibleText("Zażółć\tgęślą\n茶 🍵"), "Zażółć\tgęślą\n茶 🍵");
    assert.equal(visibleLine("  two\n\n lines "), "two lines");
  });

  it("is cut at its maximum length", () => {
    assert.equal(visibleText("a".repeat(1_000_000)).length, 4_001);
    assert.equal(visibleLine("a".repeat(1_000_000)).length, 401);
  });

  it("is not a link in a notification", () => {
    assert.equal(noticeText("[Pay](command:finality.sendCoins)"), "[Pay] (command:finality.sendCoins)");
  });

  it("C1: is neither a link nor an icon in a box, a list or the status bar", () => {
    assert.equal(labelText("[Pay](command:x) $(verified)\n\u202Eok"), "[Pay] (command:x) $ (verified) ⟨U+202E⟩ok");
  });
});

const HOSTILE = "a\u202Eb\n[Pay](command:x) ".repeat(20);

describe("foreignText", () => {
  it("C1: is not a string, so that the compiler refuses it where texts are shown", () => {
    const show = (text: string): string => text;

    // @ts-expect-error: this line is the test: it does not compile without the error.
    assert.throws(() => show(foreignText("x")).trim());
  });

  it("C1: becomes one short quoted line when it is converted by mistake", () => {
    const name = foreignText(HOSTILE);

    for (const mistaken of [`${name}`, String(name), JSON.parse(JSON.stringify({ name })).name, [name].join()]) {
      assert.match(mistaken, /^“a⟨U\+202E⟩b \[Pay\]/);
      assert.doesNotMatch(mistaken, /[\u202E\n]/);
      assert.ok(mistaken.length < 120, mistaken);
    }
  });

  it("is shown and returned unchanged by the functions for it", () => {
    assert.equal(visibleLine(foreignText("a\u202Eb")), "a⟨U+202E⟩b");
    assert.equal(noticeText(foreignText("[a](command:b)")), "[a] (command:b)");
    assert.equal(rawText(foreignText(HOSTILE)), HOSTILE);
  });

  it("differs from another one, and is recognized across bundles", () => {
    assert.notDeepEqual(foreignText("a"), foreignText("b"));
    assert.equal(isForeignText({ ...foreignText("a") }), true);
    assert.deepEqual(["a", undefined, null, {}].map(isForeignText), [false, false, false, false]);
  });

  it("H4: is a name of at most 60 characters in one line, or a fallback", () => {
    assert.equal(nameText(foreignText("a".repeat(61))), `${"a".repeat(59)}…`);
    assert.equal(nameText(foreignText("two\nlines")), "two lines");
    assert.equal(nameText(foreignText(" \n"), "argument 1"), "argument 1");
    assert.deepEqual([isBlank(foreignText("")), isBlank(foreignText("a"))], [true, false]);
  });
});
