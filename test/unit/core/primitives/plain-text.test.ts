import assert from "node:assert/strict";
import {
  codeBlock,
  inlineCode,
  labelText,
  markdownText,
  noticeText,
  visibleLine,
  visibleText,
} from "../../../../src/core/primitives/plain-text.ts";

describe("text of a stranger", () => {
  it("shows control characters, escapes and marks of direction as numbers", () => {
    assert.equal(visibleText("a\u001b[31mb\u0000\u0007"), "a⟨U+001B⟩[31mb⟨U+0000⟩⟨U+0007⟩");
    assert.equal(visibleText("pay \u202Eecilla\u202C now\u200B"), "pay ⟨U+202E⟩ecilla⟨U+202C⟩ now⟨U+200B⟩");
    assert.equal(visibleText("\u2066x\u2069\u00AD\uFEFF"), "⟨U+2066⟩x⟨U+2069⟩⟨U+00AD⟩⟨U+FEFF⟩");
  });

  it("keeps what people write", () => {
    assert.equal(visibleText("Zażółć\tgęślą\n茶 🍵"), "Zażółć\tgęślą\n茶 🍵");
    assert.equal(visibleLine("  two\n\n lines "), "two lines");
  });

  it("is cut, however long it is", () => {
    assert.equal(visibleText("a".repeat(1_000_000)).length, 4_001);
    assert.equal(visibleLine("a".repeat(1_000_000)).length, 401);
    assert.ok(markdownText("*".repeat(1_000_000)).length <= 802);
  });

  it("has every mark of Markdown escaped", () => {
    const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    assert.equal(markdownText(marks), [...marks].map((mark) => `\\${mark}`).join(""));
    assert.equal(markdownText("[a](command:b)\n# c"), "\\[a\\]\\(command\\:b\\) \\# c");
  });

  it("is no link of a notification", () => {
    assert.equal(noticeText("[Pay](command:finality.sendCoins)"), "[Pay] (command:finality.sendCoins)");
  });

  it("C1: is no link and no icon of a box, a list or the status bar", () => {
    assert.equal(labelText("[Pay](command:x) $(verified)\n\u202Eok"), "[Pay] (command:x) $ (verified) ⟨U+202E⟩ok");
  });

  it("L4: does not end the code of Markdown that it stands in", () => {
    const hostile = "f()\n```\n![x](https://evil.test/x.png)\n`````\n# out";
    const block = codeBlock("solidity", hostile);

    assert.match(block, /^``````solidity\n/);
    assert.match(block, /\n``````$/);
    assert.equal(block.split("\n").filter((line) => /^`{6,}/.test(line)).length, 2);
    assert.equal(inlineCode("a` ![x](https://evil.test/x.png) `b"), "`aˋ ![x](https://evil.test/x.png) ˋb`");
    assert.equal(codeBlock("", "plain"), "```\nplain\n```");
  });
});
