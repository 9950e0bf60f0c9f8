import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { metafilePath } from "../build/bundles.mjs";

/**
 * A package of which something is in a bundle.
 *
 * @typedef {{
 *   readonly name: string,
 *   readonly version: string,
 *   readonly licence: string,
 *   readonly source: string,
 *   readonly text: string,
 * }} BundledPackage - `licence`: an SPDX expression. `text`: the licence in full
 */

/**
 * What the last build took of others, by name.
 *
 * @param {string} root
 * @returns {readonly BundledPackage[]}
 */
export function bundledPackages(root) {
  /** @type {Record<string, import("esbuild").Metafile>} */
  const metafiles = JSON.parse(readFileSync(metafilePath(root), "utf8"));
  const inputs = Object.values(metafiles).flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    ),
  );
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []);
  const packages = [...new Set(folders)].map((folder) => readPackage(root, folder));
  const byName = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {BundledPackage}
 */
function readPackage(root, folder) {
  const { name, version, license, repository, author } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const [file] = globSync("{LICENSE,LICENCE,license,licence}{,.md,.txt}", { cwd: join(root, folder) });
  const text =
    file === undefined
      ? standardTexts(license, author)
      : readFileSync(join(root, folder, file), "utf8").replaceAll("\r", "");
  return { name, version, licence: license, source: sourceOf(repository), text: text.trim() };
}

/**
 * The texts of an expression, for a package that brings none.
 *
 * @param {string} expression
 * @param {string} author - who is named by a text that names its author
 */
function standardTexts(expression, author) {
  const ids = expression.match(/MIT|[A-Z][\w.-]*\d[\w.-]*/g) ?? [];
  const textOf = (/** @type {string} */ id) => readFileSync(join(import.meta.dirname, "licences", `${id}.txt`), "utf8");
  return ids.map((id) => textOf(id).replace("<author>", author).trim()).join("\n\n");
}

/** @param {string | { url?: string } | undefined} repository */
function sourceOf(repository) {
  const url = (typeof repository === "string" ? repository : repository?.url) ?? "";
  return url
    .replace(/^git\+|\.git$/g, "")
    .replace(/^(?:github:|git@github\.com:|git:\/\/github\.com\/)/, "https://github.com/")
    .replace(/^([\w-]+\/[\w.-]+)$/, "https://github.com/$1");
}
