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
export function textsOfSources(root, from = "{src,packages/*/src,media}/**/*.ts") {
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

/** @param {string} language */
export const pairsFile = (language) => `l10n/manifest.${language}.json`;

/** @param {Words | Pairs} words */
export const asFile = (words) =>
  `${JSON.stringify(Object.fromEntries(Object.entries(words).sort(([one], [other]) => inOrder(one, other))), null, 2)}\n`;

/**
 * The languages that the product speaks besides English, each with the words of its texts and of the manifest.
 *
 * @param {string} root
 * @returns {{ language: string, words: Words, manifest: Words, pairs: Pairs }[]}
 */
export function languages(root) {
  return globSync("l10n/bundle.l10n.*.json", { cwd: root })
    .sort()
    .map((file) => {
      const language = basename(file).split(".")[2] ?? "";
      return {
        language,
        words: read(root, file),
        manifest: read(root, `package.nls.${language}.json`),
        pairs: read(root, pairsFile(language)),
      };
    });
}

/**
 * The texts of the manifest have names, so nothing shows that an English one changed: beside each translation stands
 * the English text that it was made of.
 *
 * @typedef {Record<string, { readonly english: string, readonly translation: string }>} Pairs
 */

/**
 * The translations of the manifest whose English text is another one by now, or that stand beside none yet.
 *
 * @param {Words} english
 * @param {Words} words
 * @param {Pairs} pairs
 * @returns {string[]} a line each
 */
export const staleIn = (english, words, pairs) => [
  ...[...new Set([...Object.keys(english), ...Object.keys(pairs)])]
    .filter((key) => pairs[key]?.translation !== words[key])
    .map((key) => `not recorded: ${key} (npm run words -- --write)`),
  ...Object.entries(pairs)
    .filter(([key, { english: from, translation }]) => translation === words[key] && from !== english[key])
    .map(
      ([key, { english: from }]) =>
        `translate ${key} again: its English text was "${from}" (if the translation is still right, remove ${key} from l10n/manifest.LANGUAGE.json)`,
    ),
];

/**
 * The pairs with those taken in whose translation is new.
 *
 * @param {Words} english
 * @param {Words} words
 * @param {Pairs} pairs
 * @returns {Pairs}
 */
export const pairsOf = (english, words, pairs) =>
  Object.fromEntries(
    Object.entries(english).flatMap(([key, text]) => {
      const translation = words[key];
      if (translation === undefined) return [];
      return [[key, pairs[key]?.translation === translation ? pairs[key] : { english: text, translation }]];
    }),
  );

/** @param {string} key - of a text of the manifest */
const isCommandTitle = (key) => key.startsWith("command.");

/**
 * The texts of the manifest that are translated by hand.
 *
 * @param {Words} texts
 * @returns {Words}
 */
export const withoutCommandTitles = (texts) =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !isCommandTitle(key)));

/**
 * The manifest of a language, with the command titles of its bundle.
 *
 * @param {Words} english
 * @param {Words} translated
 * @param {Words} words
 * @returns {Words}
 */
export const withCommandTitles = (english, translated, words) => ({
  ...withoutCommandTitles(translated),
  ...Object.fromEntries(
    Object.entries(english).flatMap(([key, text]) => {
      const title = isCommandTitle(key) ? words[text] : undefined;
      return title === undefined ? [] : [[key, title]];
    }),
  ),
});

/**
 * The faults of the manifest of a language.
 *
 * @param {Words} english
 * @param {{ readonly words: Words, readonly manifest: Words, readonly pairs: Pairs }} language
 * @returns {string[]} a line each; none when it is complete
 */
export function manifestFaults(english, { words, manifest, pairs }) {
  const [texts, translated] = [withoutCommandTitles(english), withoutCommandTitles(manifest)];
  const current = withCommandTitles(english, manifest, words);
  return [
    ...faultsOf(texts, translated),
    ...staleIn(texts, translated, pairs),
    ...(asFile(current) === asFile(manifest) ? [] : ["command titles are out of date: npm run words -- --write"]),
  ];
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
 * @template [T=Words]
 * @param {string} root
 * @param {string} file
 * @returns {T}
 */
export const read = (root, file) => {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
};
