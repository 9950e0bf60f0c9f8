/** The types of `bundles.mjs` for tests, which are TypeScript. */
type Words = Readonly<Record<string, string>>;
export function textsOfSources(root: string, from?: string): string[];
export function englishBundle(root: string): string;
export function asFile(words: Words): string;
export function languages(root: string): { language: string; words: Words; manifest: Words }[];
export function faultsOf(english: Words, words: Words): string[];
export function read(root: string, file: string): Words;
