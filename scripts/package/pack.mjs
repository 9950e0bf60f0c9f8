import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { runToEnd } from "../run-to-end.mjs";
import { packedPage } from "./packed-pages.mjs";

const vsce = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "vsce");
const OPTIONS = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--skip-license"];

/**
 * Packs what was built last, with the pages as the package has them.
 *
 * @param {string} root
 * @param {string} file - the package to write
 * @returns {Promise<string>} what vsce said of it
 */
export async function packProduct(root, file) {
  process.env.SOURCE_DATE_EPOCH ??= timeOfSources(root);
  mkdirSync(join(root, ".cache"), { recursive: true });
  const staged = mkdtempSync(join(root, ".cache", "package-"));
  try {
    stage(root, staged);
    return await pack(staged, file);
  } finally {
    rmSync(staged, { recursive: true });
  }
}

/**
 * Puts what is shipped into a folder of its own.
 *
 * @param {string} root
 * @param {string} staged
 */
function stage(root, staged) {
  const files = shippedOf(root);
  const packed = new Set(files);
  for (const file of [...files, ".vscodeignore"]) {
    mkdirSync(dirname(join(staged, file)), { recursive: true });
    if (!file.endsWith(".md")) copyFileSync(join(root, file), join(staged, file));
    else writeFileSync(join(staged, file), packedPage(file, readFileSync(join(root, file), "utf8"), packed));
  }
}

/** The files that are shipped, by the list that the packer reads. @param {string} root */
function shippedOf(root) {
  const list = readFileSync(join(root, ".vscodeignore"), "utf8");
  const shipped = list.split("\n").flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  return globSync(shipped, { cwd: root })
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

/**
 * Packs the extension of a folder as it is there. The same sources give the same bytes.
 *
 * @param {string} folder
 * @param {string} file - the package to write
 * @returns {Promise<string>} what vsce said of it
 */
export async function pack(folder, file) {
  process.env.SOURCE_DATE_EPOCH ??= timeOfSources(folder);
  const { code, output } = await runToEnd(vsce, ["package", ...OPTIONS, "--out", file], folder);
  if (code !== 0) throw new Error(`The extension was not packed:\n${output}`);
  return output;
}

/**
 * The package of what was built last, for a workbench to install it from. It is made once for each content, and those of
 * other contents go.
 *
 * @param {string} root
 * @returns {Promise<string>} its file
 */
export async function packedOnce(root) {
  if (!existsSync(join(root, "dist", "extension.js"))) throw new Error("Nothing was built: run `npm run build`.");
  const folder = join(root, ".cache", "packed");
  const file = join(folder, `${contentOf(root)}.vsix`);
  if (existsSync(file)) return file;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Others see it when it is whole.
  const draft = join(folder, `${process.pid}.vsix`);
  await packProduct(root, draft);
  renameSync(draft, file);
  return file;
}

/** A hash of all that is shipped. @param {string} root */
function contentOf(root) {
  const hash = createHash("sha256").update(readFileSync(join(root, ".vscodeignore")));
  for (const file of shippedOf(root)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * When the sources were committed, in Unix seconds; a folder without a history is as old as its changelog says.
 *
 * @param {string} root
 */
function timeOfSources(root) {
  try {
    const asked = /** @type {const} */ ({ cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return execFileSync("git", ["log", "-1", "--format=%ct"], asked).trim();
  } catch {
    const changelog = join(root, "CHANGELOG.md");
    const text = existsSync(changelog) ? readFileSync(changelog, "utf8") : "";
    const [date = "2026-01-01"] = text.match(/\d{4}-\d{2}-\d{2}/) ?? [];
    return String(Date.parse(date) / 1000);
  }
}
