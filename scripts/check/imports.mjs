import { globSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import configuration from "../../.dependency-cruiser.mjs";

/**
 * Holds every import below `root` against the rules of `.dependency-cruiser.mjs`.
 * A checker that saw fewer modules than there are files is blind, and says so.
 *
 * @param {string} root
 */
export async function findImportViolations(root) {
  const files = globSync("{src,media,packages/*/src}/**/*.{ts,mts,js}", { cwd: root }).filter(
    (file) => !file.endsWith(".d.ts"),
  );
  const folders = ["src", "media", "packages"].filter((folder) => files.some((file) => file.startsWith(`${folder}/`)));
  const { output } = await cruise(
    folders,
    { ...configuration.options, baseDir: root, ruleSet: { forbidden: configuration.forbidden }, validate: true },
    undefined,
    { tsConfig: extractTSConfig(join(import.meta.dirname, "..", "..", "tsconfig.json")) },
  );
  if (typeof output === "string") throw new Error(output);
  const seen = new Set(output.modules.map(({ source }) => source));
  return {
    seen: seen.size,
    unseen: files.filter((file) => !seen.has(file)),
    violations: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

/**
 * @param {string} root
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function checkImports(root) {
  const { unseen, violations } = await findImportViolations(root);
  const lines = [
    ...violations.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`),
    ...unseen.map((file) => `the import checker did not see ${file}`),
  ];
  return { code: lines.length === 0 ? 0 : 1, output: lines.join("\n") };
}
