// `npm run words` checks that every text for users is translated into every language of the product. `-- --write` writes
// the English bundle, and the command titles, pictures, schemas and recorded English texts of the other languages. It
// removes unused translations and prints them, for use in the texts that replaced them. `-- --missing LANGUAGE` prints
// the missing translations as JSON.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  asFile,
  englishBundle,
  faultsOf,
  languages,
  manifestFaults,
  pairsFile,
  pairsOf,
  read,
  withCommandTitles,
  withoutCommandTitles,
} from "./words/bundles.mjs";
import { spokenPictures, unusedInPictures } from "./words/pictures.mjs";
import { spokenSchema } from "./words/schema.mjs";

const root = join(import.meta.dirname, "..");
const ENGLISH = "l10n/bundle.l10n.json";
const english = englishBundle(root);
/** @type {import("./words/bundles.mjs").Words} */
const texts = JSON.parse(english);
const manifest = read(root, "package.nls.json");
const asked = process.argv.indexOf("--missing");

if (process.argv.includes("--write")) {
  writeFileSync(join(root, ENGLISH), english);
  for (const { language, words, manifest: shown, pairs } of languages(root)) {
    const [kept, dropped] = [true, false].map((isText) =>
      Object.fromEntries(Object.entries(words).filter(([key]) => key in texts === isText)),
    );
    if (Object.keys(dropped ?? {}).length > 0) console.log(`${language}: dropped ${asFile(dropped ?? {})}`);
    writeFileSync(join(root, `l10n/bundle.l10n.${language}.json`), asFile(kept ?? {}));
    const titled = withCommandTitles(manifest, shown, words);
    writeFileSync(join(root, `package.nls.${language}.json`), `${JSON.stringify(titled, null, 2)}\n`);
    const recorded = pairsOf(withoutCommandTitles(manifest), shown, pairs);
    writeFileSync(join(root, pairsFile(language)), asFile(recorded));
    const schema = spokenSchema(root, language);
    for (const [file, text] of [[schema.file, schema.text], ...Object.entries(spokenPictures(root, language))]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  }
}
if (asked > 0) {
  const of = languages(root).find(({ language }) => language === process.argv[asked + 1]);
  console.log(asFile(Object.fromEntries(Object.entries(texts).filter(([key]) => !of?.words[key]))));
} else {
  if (asFile(read(root, ENGLISH)) !== english)
    fault(`${ENGLISH} is not what the sources say: npm run words -- --write`);
  for (const translation of languages(root)) {
    const { language, words } = translation;
    const faults = [
      ...faultsOf(texts, words),
      ...manifestFaults(manifest, translation),
      ...unusedInPictures(root, language),
      ...spokenSchema(root, language).faults,
    ];
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
