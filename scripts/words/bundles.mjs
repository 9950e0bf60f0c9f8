import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { placesOf, textsOf } from "./texts.mjs";

/** @typedef {Record<string, string>} Words - a text for people in English, and what stands for it */

/**
 * All texts of the sources. The local chain speaks the language of the protocol.
 *
 * @param {string} root
 * @param {string} [from] - a pattern of files
 * @returns {string[]} in order, each once
 */
export function textsOfSources(root, from = "{src,media}/**/*.ts") {
  const files = globSync(from, { cwd: root });
  return [...new Set(files.flatMap((file) => textsOf(join(root, file))))].sort(inOrder);
}

/** @param {string} one @param {string} other */
const inOrder = (one, other) => (one < other ? -1 : Number(one > other));

/**
 * The bundle of English words, which translators begin with: every text stands for itself.
 *
 * @param {string} root
 */
export const englishBundle = (root) => asFile(Object.fromEntries(textsOfSources(root).map((text) => [text, text])));

/** @param {Words} words */
export const asFile = (words) =>
  `${JSON.stringify(Object.fromEntries(Object.entries(words).sort(([one], [other]) => inOrder(one, other))), null, 2)}\n`;

/**
 * The languages that the product speaks besides English, each with the words of its texts and of the manifest.
 *
 * @param {string} root
 * @returns {{ language: string, words: Words, manifest: Words }[]}
 */
export function languages(root) {
  return globSync("l10n/bundle.l10n.*.json", { cwd: root })
    .sort()
    .map((file) => {
      const language = basename(file).split(".")[2] ?? "";
      return { language, words: read(root, file), manifest: read(root, `package.nls.${language}.json`) };
    });
}

/**
 * What a bundle lacks, has too much, or fills in differently.
 *
 * @param {Words} english
 * @param {Words} words
 * @returns {string[]} a line each; none when it is whole
 */
export function faultsOf(english, words) {
  return [
    ...Object.keys(english)
      .filter((key) => !words[key]?.trim())
      .map((key) => `not translated: ${key}`),
    ...Object.keys(words)
      .filter((key) => !(key in english))
      .map((key) => `no text any more: ${key}`),
    ...Object.entries(words)
      .filter(([key, text]) => key in english && placesOf(english[key] ?? "") !== placesOf(text))
      .map(([key, text]) => `fills in something else: ${key} → ${text}`),
  ];
}

/**
 * @param {string} root
 * @param {string} file
 * @returns {Words}
 */
export const read = (root, file) => {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
};
