/** The types of `bundles.mjs` for tests, which are TypeScript. */
type Words = Readonly<Record<string, string>>;
/** A translation by its name, after the English text that it was made of. */
type Pairs = Readonly<Record<string, { readonly english: string; readonly translation: string }>>;
export function textsOfSources(root: string, from?: string): string[];
export function englishBundle(root: string): string;
export function asFile(words: Words): string;
export function languages(root: string): { language: string; words: Words; manifest: Words; pairs: Pairs }[];
export function staleIn(english: Words, words: Words, pairs: Pairs): string[];
export function pairsOf(english: Words, words: Words, pairs: Pairs): Pairs;
export function manifestFaults(english: Words, language: { words: Words; manifest: Words; pairs: Pairs }): string[];
export function withCommandTitles(english: Words, translated: Words, words: Words): Words;
export function faultsOf(english: Words, words: Words): string[];
export function read(root: string, file: string): Words;
