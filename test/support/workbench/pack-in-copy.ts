import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The sources in a folder of their own, with the dependencies of this one: what is built there disturbs nobody here. */
export function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), "finality-package-"));
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files.filter((it) => !it.startsWith("test/"))) cpSync(join(root, file), join(folder, file));
  for (const modules of ["node_modules", "scripts/workbench/node_modules"])
    symlinkSync(join(root, modules), join(folder, modules));
  return folder;
}

/** Packs the sources of a folder as `npm run package` does. @returns the path of the package */
export function packIn(folder: string): string {
  const env = { ...process.env, SOURCE_DATE_EPOCH: "1767225600" };
  execFileSync(process.execPath, ["scripts/package.mjs"], { cwd: folder, env, stdio: "pipe" });
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = join(folder, `${name}-${version}.vsix`);
  assert.ok(statSync(file).isFile());
  return file;
}
