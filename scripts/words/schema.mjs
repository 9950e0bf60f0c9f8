import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "./bundles.mjs";

const SCHEMA = "call-file.schema.json";
/** What the editor shows of a schema: in hovers, and beside what it proposes. */
const TEXT = /"(title|description|label)": "([^"$]+)"/g;

/**
 * The schema of call files with the texts of a language: the editor translates none that an extension brings.
 *
 * @param {string} root
 * @param {string} language
 * @returns {{ file: string, text: string, faults: string[] }} `faults`: a line for each text that is missing or too much
 */
export function spokenSchema(root, language) {
  const words = read(root, `l10n/schema.${language}.json`);
  const english = readFileSync(join(root, "media", "schemas", SCHEMA), "utf8");
  const texts = new Set([...english.matchAll(TEXT)].map(([, , text = ""]) => text));
  return {
    file: `media/schemas/${language}/${SCHEMA}`,
    text: english.replace(TEXT, (_, name, text) => `"${name}": "${words[text] ?? text}"`),
    faults: [
      ...[...texts].filter((text) => !words[text]).map((text) => `not translated, of the schema: ${text}`),
      ...Object.keys(words)
        .filter((text) => !texts.has(text))
        .map((text) => `in no schema any more: ${text}`),
    ],
  };
}
