/** The types of `pack.mjs` for tests, which are TypeScript. */
export function packedOnce(root: string): Promise<string>;
export function pack(folder: string, file: string): Promise<string>;
export function timeOfSources(root: string): string;
