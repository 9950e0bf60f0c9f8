// What becomes of our Markdown in the package. The editor's page of an extension shows pictures and opens links of https
// addresses alone: a relative one leads nowhere there, and we have no public address. So README and changelog lose them;
// the documentation, which the Markdown preview shows from the package, keeps what the package holds.

import { posix } from "node:path";

const REPOSITORY_ONLY = /<!-- repository -->\n[\s\S]*?<!-- \/repository -->\n*/g;
const PICTURE = /^!\[[^\]]*\]\(([^)\s]+)\)\n\n?/gm;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const ABSOLUTE = /^(https:|mailto:)/;

/**
 * A page as the package has it. What stands between `<!-- repository -->` and `<!-- /repository -->` is for those who
 * have the sources.
 *
 * @param {string} file its path in the package
 * @param {string} text
 * @param {ReadonlySet<string>} packed the paths of all files of the package
 * @returns {string}
 */
export function packedPage(file, text, packed) {
  const folder = posix.dirname(file);
  const resolves = (/** @type {string} */ target) => {
    if (ABSOLUTE.test(target)) return true;
    const [path = ""] = target.split("#");
    return folder !== "." && (path === "" || packed.has(posix.join(folder, path)));
  };
  return text
    .replace(REPOSITORY_ONLY, "")
    .replace(PICTURE, (whole, target) => (resolves(target) ? whole : ""))
    .replace(LINK, (whole, words, target) => (resolves(target) ? whole : words));
}
