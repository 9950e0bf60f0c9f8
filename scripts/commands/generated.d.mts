/** The types of `generated.mjs` for tests, which are TypeScript. */
export declare function missingEntries(root: string): readonly string[];
export declare function generatedFiles(root: string): Readonly<Record<string, string>>;
