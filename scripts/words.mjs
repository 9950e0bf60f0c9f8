// `npm run words`: whether every text for people is said in every language of the product. `-- --write` writes the
// bundle of English words and the pictures of other languages, and drops from their bundles what is no text any more. `-- --missing LANGUAGE` prints what
// has to be translated, as JSON.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asFile, englishBundle, faultsOf, languages, read } from "./words/bundles.mjs";
import { spokenPictures } from "./words/pictures.mjs";

const root = join(import.meta.dirname, "..");
const ENGLISH = "l10n/bundle.l10n.json";
const english = englishBundle(root);
/** @type {import("./words/bundles.mjs").Words} */
const texts = JSON.parse(english);
const manifest = read(root, "package.nls.json");
const asked = process.argv.indexOf("--missing");

if (process.argv.includes("--write")) {
  writeFileSync(join(root, ENGLISH), english);
  for (const { language, words } of languages(root)) {
    const kept = Object.fromEntries(Object.entries(words).filter(([key]) => key in texts));
    writeFileSync(join(root, `l10n/bundle.l10n.${language}.json`), asFile(kept));
    for (const [file, picture] of Object.entries(spokenPictures(root, language))) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), picture);
    }
  }
}
if (asked > 0) {
  const of = languages(root).find(({ language }) => language === process.argv[asked + 1]);
  console.log(asFile(Object.fromEntries(Object.entries(texts).filter(([key]) => !of?.words[key]))));
} else {
  if (asFile(read(root, ENGLISH)) !== english)
    fault(`${ENGLISH} is not what the sources say: npm run words -- --write`);
  for (const { language, words, manifest: shown } of languages(root)) {
    const faults = [...faultsOf(texts, words), ...faultsOf(manifest, shown)];
    const all = Object.keys(texts).length + Object.keys(manifest).length;
    console.log(`${language}: ${all} texts, ${faults.length} faults`);
    for (const line of faults) fault(`${language}: ${line}`);
  }
}

/** @param {string} line */
function fault(line) {
  console.error(line);
  process.exitCode = 1;
}
