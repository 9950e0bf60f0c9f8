// `npm run statements`: which tests hold the numbered statements about the protocol, and the lines of the audit. A test
// that only mentions a statement in its title fails it. `-- --write` writes the table of docs/statements.md.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { namedAuditLines, namedStatements, onlyMentioned, testsOf } from "./statements/named-statements.mjs";
import { tableOfStatements } from "./statements/statement-table.mjs";

const root = join(import.meta.dirname, "..");
const fixture = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, "test", "fixtures", name), "utf8"));
/** @type {Record<string, import("./statements/named-statements.mjs").Statement>} */
const statements = fixture("statements.json");
const tests = globSync("test/**/*.test.ts", { cwd: root })
  .sort()
  .flatMap((file) => {
    const path = join(root, file);
    return testsOf(readFileSync(path, "utf8"), path).map((test) => ({ file, path, test }));
  });

const mentioned = tests.flatMap(({ file, path, test }) =>
  onlyMentioned(test, path, statements).map((fault) => `${fault}: ${file}, ${test.titles.at(-1)}`),
);
/** The files that hold a statement: @type {Map<string, string[]>} */
const held = new Map();
for (const { file, test } of tests)
  for (const id of namedStatements(test)) held.set(id, [...new Set([...(held.get(id) ?? []), file])]);

const unknown = [...held.keys()].filter((id) => !(id in statements));
const missing = Object.keys(statements).filter((id) => !held.has(id));
const all = Object.keys(statements).length;
console.log(`${all - missing.length} of ${all} statements named by a test that asserts them`);
if (missing.length > 0) console.log("\nNot yet:");
for (const id of missing) console.log(`${id.padEnd(5)} ${statements[id]?.text}`);
if (unknown.length > 0) console.error(`\nNamed, but no statement: ${unknown.join(", ")}`);
for (const fault of mentioned) console.error(fault);
const page = join(root, "docs", "statements.md");
const table = tableOfStatements(statements, held);
if (process.argv.includes("--write")) writeFileSync(page, table);
const isOld = readFileSync(page, "utf8") !== table;
if (isOld) console.error("docs/statements.md is not what the tests say: npm run statements -- --write");
if (unknown.length + missing.length + mentioned.length > 0 || isOld) process.exitCode = 1;

/** @type {Record<string, string>} */
const audit = fixture("audit.json");
const attacks = tests.flatMap(({ test }) => namedAuditLines(test));
const defended = Object.keys(audit).filter((id) => attacks.includes(id));
console.log(
  `\n${defended.length} of ${Object.keys(audit).length} lines of the audit named by a test, ${attacks.length} tests`,
);
for (const [id, text] of Object.entries(audit)) if (!defended.includes(id)) console.log(`${id.padEnd(5)} ${text}`);
