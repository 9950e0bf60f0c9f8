// `npm run conventions`: which test holds each convention of extensions, or which decision. `-- --write` writes
// docs/conventions.md.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conventionsOf } from "./conventions/convention-table.mjs";

const root = join(import.meta.dirname, "..");
const file = join(root, "docs", "conventions.md");
const { faults, summary, page } = conventionsOf(root);
if (process.argv.includes("--write")) writeFileSync(file, page);
console.log(summary);
for (const fault of faults) console.error(fault);
const isOld = readFileSync(file, "utf8") !== page;
if (isOld) console.error("docs/conventions.md is not what the tests say: npm run conventions -- --write");
if (faults.length > 0 || isOld) process.exitCode = 1;
