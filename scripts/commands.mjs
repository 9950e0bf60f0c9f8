// `npm run commands`: writes the table of the commands into package.json, package.nls.json and docs/commands.md.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./commands/generated.mjs";

const root = join(import.meta.dirname, "..");
for (const [file, text] of Object.entries(generatedFiles(root))) writeFileSync(join(root, file), text);
