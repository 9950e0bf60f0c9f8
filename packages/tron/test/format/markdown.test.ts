import assert from "node:assert/strict";
import { codeBlock, codeInTable, inlineCode, markdownTable, markdownText } from "../../src/format/markdown.ts";

describe("markdownText", () => {
  it("escapes every mark, and the one of icons as an entity", () => {
    const marks = "!\"#%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    assert.equal(markdownText(marks), [...marks].map((mark) => `\\${mark}`).join(""));
    assert.equal(markdownText("$(zap)"), "&#36;\\(zap\\)");
  });

  it("creates no link, image, command, HTML or new line", () => {
    assert.equal(
      markdownText("[pay](command:x) ![i](https://a.b/c.png) <b>\nhttps://a.b"),
      "\\[pay\\]\\(command\\:x\\) \\!\\[i\\]\\(https\\:\\/\\/a\\.b\\/c\\.png\\) \\<b\\> https\\:\\/\\/a\\.b",
    );
  });

  it("shows invisible characters, and is cut", () => {
    assert.equal(markdownText("pay \u202Eecilla\u202C\u200B"), "pay ⟨U\\+202E⟩ecilla⟨U\\+202C⟩⟨U\\+200B⟩");
    assert.equal(markdownText("*".repeat(1_000_000)).length, 8_001);
    assert.equal(markdownText("abcdef", 3), "abc…");
  });

  it("L4: does not end its code block", () => {
    const hostile = "f()\n```\n![x](https://evil.test/x.png)\n`````\n# out";
    const block = codeBlock("solidity", hostile);

    assert.match(block, /^``````solidity\n/);
    assert.match(block, /\n``````$/);
    assert.equal(block.split("\n").filter((line) => /^`{6,}/.test(line)).length, 2);
    assert.equal(inlineCode("a` ![x](https://evil.test/x.png) `b"), "`aˋ ![x](https://evil.test/x.png) ˋb`");
    assert.equal(codeBlock("", "plain"), "```\nplain\n```");
    assert.equal(codeBlock("", "plain text", 5), "```\nplain…\n```");
  });

  it("does not end its table cell, as text or code", () => {
    const table = markdownTable([
      [markdownText("a|b"), markdownText("c | d\n| e |")],
      ["code", codeInTable("x` | `y")],
    ]);

    assert.deepEqual(table.split("\n").slice(2), ["| a\\|b | c \\| d \\| e \\| |", "| code | `xˋ \\| ˋy` |"]);
  });
});
