// `npm run statements`: how many of the numbered statements about the protocol are named by a test that runs.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { namedStatements } from "./statements/named-statements.mjs";

const root = join(import.meta.dirname, "..");
/** @type {Record<string, string>} */
const statements = JSON.parse(readFileSync(join(root, "test", "fixtures", "statements.json"), "utf8"));
const files = globSync("test/**/*.test.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
const named = new Set(files.flatMap((text) => namedStatements(text)));

const unknown = [...named].filter((id) => !(id in statements));
const missing = Object.entries(statements).filter(([id]) => !named.has(id));
console.log(
  `${Object.keys(statements).length - missing.length} of ${Object.keys(statements).length} statements named by a test`,
);
if (missing.length > 0) console.log("\nNot yet:");
for (const [id, text] of missing) console.log(`${id.padEnd(5)} ${text}`);
if (unknown.length > 0) {
  console.error(`\nNamed by a test, but no statement: ${unknown.join(", ")}`);
  process.exitCode = 1;
}
