/** The types of `step.mjs` for tests, which are TypeScript. */
export function prepareOutput(root: string): void;
