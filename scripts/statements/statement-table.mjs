const HEAD = `# The statements of the interface document

The statements of the hosted gateway's interface that Finality is held to, numbered in \`test/fixtures/statements.json\`, where a person meets each, and the tests that hold it. \`npm run statements -- --write\` writes this page,
and fails where a test only mentions a statement in its title: the code of the test has to assert something, and to hold what the statement is about.

`;
/** How many files a row names. */
const SHOWN = 2;

/**
 * @param {Readonly<Record<string, import("./named-statements.mjs").Statement>>} statements
 * @param {ReadonlyMap<string, readonly string[]>} held - the files that hold each
 */
export function tableOfStatements(statements, held) {
  const rows = Object.entries(statements).map(([id, { text, kind, place }]) => {
    const files = held.get(id) ?? [];
    const more = files.length > SHOWN ? `, ${files.length - SHOWN} more` : "";
    const named = files.slice(0, SHOWN).map((file) => `\`${file.replace(/^test\/(.*)\.test\.ts$/, "$1")}\``);
    return `| ${id} | ${kind} | ${escaped(text)} | ${place} | ${named.join(", ")}${more} |`;
  });
  return `${HEAD}| # | kind | statement | where a person meets it | tests |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
