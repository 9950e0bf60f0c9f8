import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Says an English text as the product says it in a language; what is filled in comes as it is shown. */
export type Say = (english: string, ...filled: readonly string[]) => string;

export function speaker(language: string): Say {
  const words: Record<string, string> = language === "en" ? {} : read(`l10n/bundle.l10n.${language}.json`);
  return (english, ...filled) =>
    (words[english] ?? english).replace(/\{(\d+)\}/g, (place, index: string) => filled[Number(index)] ?? place);
}

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(join(root, file), "utf8"));
