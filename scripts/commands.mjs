// `npm run commands`: prints what others can do with each command (src/host/commands/command-doors.ts) into docs/commands.md.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { doorTable } from "../src/host/commands/command-doors.ts";

const file = join(import.meta.dirname, "..", "docs", "commands.md");
const [begin, end] = ["<!-- doors -->", "<!-- /doors -->"];
const text = readFileSync(file, "utf8");
const [before, rest = ""] = text.split(begin);
const after = rest.split(end)[1];
if (after === undefined) throw new Error(`${file} has no place between ${begin} and ${end}.`);
writeFileSync(file, `${before}${begin}\n${doorTable()}\n${end}${after}`);
