import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes the workbench speak a language: it tells extensions which, and gives them their bundles of words. Its own words
 * stay English, as no language pack is on the machine: this one is empty.
 *
 * @param {string} userData - the folder in which the server keeps what it knows about language packs
 * @param {string} language - as VS Code names it, e.g. "zh-cn"
 */
export function installEmptyLanguagePack(userData, language) {
  const translations = join(userData, `words-of-${language}.json`);
  mkdirSync(userData, { recursive: true });
  writeFileSync(translations, JSON.stringify({ version: "1.0.0", contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `empty.${language}` }, version: "1.0.0" }];
  const pack = { hash: `empty-${language}`, label: language, extensions, translations: { vscode: translations } };
  writeFileSync(join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}
