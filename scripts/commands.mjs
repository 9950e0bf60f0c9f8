// `npm run commands`: writes the table of the commands into the manifest and the pages that show it, prints the files
// that changed, and the entries that are missing elsewhere.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles, missingEntries } from "./commands/generated.mjs";

const root = join(import.meta.dirname, "..");
for (const [file, text] of Object.entries(generatedFiles(root))) {
  const path = join(root, file);
  if (readFileSync(path, "utf8") === text) continue;
  writeFileSync(path, text);
  console.log(`written: ${file}`);
}
for (const line of missingEntries(root)) console.log(`missing in ${line}`);
