import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { read } from "./bundles.mjs";

/** Names, addresses and code, which are the same in every language. */
const TEXT = /(<(?:text|title)[^>]*>)([^<]+)/g;
const SAME = /^(Alice|Bob|Carol)\b|^await |^\{"code"|^https:/;

/**
 * The pictures of the walkthrough with the texts of a language: by file, as they have to be.
 *
 * @param {string} root
 * @param {string} language
 * @returns {Record<string, string>}
 * @throws {Error} when a text of a picture is not translated
 */
export function spokenPictures(root, language) {
  const words = read(root, `l10n/walkthrough.${language}.json`);
  return Object.fromEntries(
    globSync("media/walkthrough/*.svg", { cwd: root }).map((file) => [
      `media/walkthrough/${language}/${basename(file)}`,
      readFileSync(join(root, file), "utf8").replace(TEXT, (_, tag, text) => `${tag}${said(words, text, file)}`),
    ]),
  );
}

/**
 * The lines that no picture has any more.
 *
 * @param {string} root
 * @param {string} language
 */
export function unusedInPictures(root, language) {
  const files = globSync("media/walkthrough/*.svg", { cwd: root });
  const texts = new Set(
    files.flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(TEXT)].map(([, , text]) => text)),
  );
  return Object.keys(read(root, `l10n/walkthrough.${language}.json`))
    .filter((text) => !texts.has(text))
    .map((text) => `in no picture any more: ${text}`);
}

/**
 * @param {import("./bundles.mjs").Words} words
 * @param {string} text
 * @param {string} file
 */
function said(words, text, file) {
  if (SAME.test(text)) return text;
  const translated = words[text];
  if (translated === undefined) throw new Error(`${file}: not translated: ${text}`);
  return translated;
}
