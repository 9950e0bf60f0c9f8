/** Texts that a stranger may put on a chain, each made to do something where it is shown. */
export const HOSTILE_TEXTS: { readonly [name: string]: string } = {
  html: '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script><b>bold</b>',
  markdown: "# Title\n[click](https://evil.test) ![x](https://evil.test/x.png) **bold** | a | `code`",
  "command link": "[Pay now](command:finality.sendCoins?%7B%7D) $(trash) command:workbench.action.quit",
  "terminal escapes": "\u001b[2J\u001b[31mred\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007",
  "right-to-left marks": "pay \u202Egnp.exe\u202C \u2066hidden\u2069 \u200B\u200Dzero",
  "fence of code": "```\n# out of the block\n```` [x](command:y)",
};

/** A message of one megabyte. */
export const HUGE_TEXT: string = "<b>REVERT</b> [x](command:y) ".repeat(40_000).slice(0, 1_000_000);

/** A broadcast answer that carries a text, as nodes send it. */
export function answerWith(text: string): string {
  return JSON.stringify({ code: "CONTRACT_VALIDATE_ERROR", message: Buffer.from(text, "utf8").toString("hex") });
}
