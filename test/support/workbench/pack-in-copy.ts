import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/**
 * Copies the sources into a folder with the dependencies of this one, so that builds there do not change files
 * here.
 */
export function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), "finality-package-"));
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  // Git lists what is deleted, too, until it is told.
  const there = files.filter((it) => it !== "" && !/^test\/|node_modules$/.test(it) && existsSync(join(root, it)));
  for (const file of there) cpSync(join(root, file), join(folder, file));
  for (const modules of ["node_modules", "scripts/workbench/node_modules"])
    symlinkSync(join(root, modules), join(folder, modules));
  return folder;
}

/** Environment in which the package is built. */
interface Elsewhere {
  readonly zone: string;
  readonly umask: string;
  /** Of the sources; Unix seconds. */
  readonly time: string;
}

/**
 * Packs the sources of a folder as `npm run package` does in a time zone and with a umask.
 *
 * @returns the path of the package
 */
export function packIn(folder: string, { zone, umask, time }: Elsewhere): string {
  const env = { ...process.env, SOURCE_DATE_EPOCH: time, TZ: zone };
  const program = `umask ${umask}; exec "${process.execPath}" scripts/package.mjs`;
  execFileSync("sh", ["-c", program], { cwd: folder, env, stdio: "pipe" });
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = join(folder, `${name}-${version}.vsix`);
  assert.ok(statSync(file).isFile());
  return file;
}
