import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { runToEnd } from "../run-to-end.mjs";
import { packedPage } from "./packed-pages.mjs";

const modules = join(import.meta.dirname, "..", "..", "node_modules");
const vsce = join(modules, ".bin", "vsce");
const OPTIONS = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--skip-license"];

/**
 * Packs what was built last, with the pages as the package has them.
 *
 * @param {string} root
 * @param {string} file - the package to write
 * @returns {Promise<string>} what vsce said of it
 */
export async function packProduct(root, file) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const staged = mkdtempSync(join(root, ".cache", "package-"));
  try {
    stage(root, staged);
    return await pack(staged, file, timeOfSources(root));
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
    // The package keeps the mode, which is that of whoever checked the file out.
    chmodSync(join(staged, file), 0o644);
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
 * Packs the extension of a folder as it is there. The same sources give the same bytes, in whatever time zone.
 *
 * @param {string} folder
 * @param {string} file - the package to write
 * @param {string} [time] - of its files, in Unix seconds
 * @returns {Promise<string>} what vsce said of it
 */
export async function pack(folder, file, time = timeOfSources(folder)) {
  const env = { SOURCE_DATE_EPOCH: time, ...process.env, TZ: "UTC", LC_ALL: "C" };
  const { code, output } = await runToEnd(vsce, ["package", ...OPTIONS, "--out", file], folder, env);
  if (code !== 0) throw new Error(`The extension was not packed:\n${output}`);
  return output;
}

/** So long another run may still install a package. */
const KEPT_MS = 60 * 60_000;

/**
 * The package of what was built last, for a workbench to install it from. It is made once for each content, and old ones
 * of other contents go.
 *
 * @param {string} root
 * @returns {Promise<string>} its file
 */
export async function packedOnce(root) {
  if (!existsSync(join(root, "dist", "extension.js"))) throw new Error("Nothing was built: run `npm run build`.");
  const folder = join(root, ".cache", "packed");
  const file = join(folder, `${contentOf(root)}.vsix`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Others see it when it is whole.
  const draft = join(folder, `${randomUUID()}.draft`);
  await packProduct(root, draft);
  renameSync(draft, file);
  for (const other of readdirSync(folder).map((name) => join(folder, name))) {
    const { mtimeMs } = statSync(other, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(other, { force: true });
  }
  return file;
}

/** A hash of all that is shipped, of its time and of what packs it. @param {string} root */
function contentOf(root) {
  const packers = [...globSync(join(import.meta.dirname, "*.mjs")), join(modules, "@vscode", "vsce", "package.json")];
  const hash = createHash("sha256").update(timeOfSources(root));
  for (const file of [join(root, ".vscodeignore"), ...packers.sort()]) hash.update(readFileSync(file));
  for (const file of shippedOf(root)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * When the sources were committed, in Unix seconds; a folder without a history is as old as its changelog says.
 *
 * @param {string} root
 */
export function timeOfSources(root) {
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
