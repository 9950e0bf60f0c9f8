// `npm run statements`: how many of the numbered statements about the protocol, and of the lines of the audit, are named by a test that runs.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { namedAuditLines, namedStatements } from "./statements/named-statements.mjs";

const root = join(import.meta.dirname, "..");
/** @type {Record<string, string>} */
const statements = JSON.parse(readFileSync(join(root, "test", "fixtures", "statements.json"), "utf8"));
/** Why no test can name them: @type {Record<string, string>} */
const untestable = JSON.parse(readFileSync(join(root, "test", "fixtures", "statements-without-test.json"), "utf8"));
const files = globSync("test/**/*.test.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
const named = new Set(files.flatMap((text) => namedStatements(text)));

const unknown = [...named, ...Object.keys(untestable)].filter((id) => !(id in statements));
const without = Object.keys(untestable).filter((id) => !named.has(id));
const missing = Object.entries(statements).filter(([id]) => !named.has(id) && !without.includes(id));
const covered = Object.keys(statements).filter((id) => named.has(id)).length;
console.log(`${covered} of ${Object.keys(statements).length} statements named by a test`);
if (without.length > 0) console.log("\nNo test can, and why:");
for (const id of without) console.log(`${id.padEnd(5)} ${statements[id]}\n      ${untestable[id]}`);
if (missing.length > 0) console.log("\nNot yet:");
for (const [id, text] of missing) console.log(`${id.padEnd(5)} ${text}`);
if (unknown.length > 0) {
  console.error(`\nNamed, but no statement: ${unknown.join(", ")}`);
  process.exitCode = 1;
}

/** @type {Record<string, string>} */
const audit = JSON.parse(readFileSync(join(root, "test", "fixtures", "audit.json"), "utf8"));
const attacks = files.flatMap((text) => namedAuditLines(text));
const defended = Object.keys(audit).filter((id) => attacks.includes(id));
console.log(
  `\n${defended.length} of ${Object.keys(audit).length} lines of the audit named by a test, ${attacks.length} tests`,
);
for (const [id, text] of Object.entries(audit)) if (!defended.includes(id)) console.log(`${id.padEnd(5)} ${text}`);
