import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textsOfSources } from "../../scripts/words/bundles.mjs";
import { pseudo } from "../../scripts/words/pseudo.mjs";

const root = join(import.meta.dirname, "..", "..");
/** A name of a language that editors keep for this. */
export const PSEUDO_LANGUAGE = "qps-ploc";

/** The titles of the manifest in the pseudo-locale, by their keys. */
export function pseudoManifest(): Readonly<Record<string, string>> {
  const texts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, /^(\.\/)?media\//.test(text) ? text : pseudo(text)]),
  );
}

/** The built extension with a translation into marked letters. @param folder - to put it in; it has to be empty */
export function makePseudoExtension(folder: string): void {
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const translated = (texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text, pseudo(text)]));
  for (const file of ["package.json", "package.nls.json", "media", "dist", "docs"])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  mkdirSync(join(folder, "l10n"));
  write(`l10n/bundle.l10n.${PSEUDO_LANGUAGE}.json`, JSON.stringify(translated(textsOfSources(root))));
  write(`package.nls.${PSEUDO_LANGUAGE}.json`, JSON.stringify(pseudoManifest()));
  const ofPages = JSON.stringify(translated(textsOfSources(root, "media/**/*.ts")));
  write(`dist/media/words.${PSEUDO_LANGUAGE}.js`, `globalThis.finalityWords=${ofPages};\n`);
}
