/** The types of `imports.mjs` for tests, which are TypeScript. */
export function findImportViolations(root: string): Promise<{
  readonly seen: number;
  readonly unseen: readonly string[];
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}>;
