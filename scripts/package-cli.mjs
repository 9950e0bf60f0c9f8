// `npm run package-cli`: packs the command line as finality-cli-<version>.tgz. It has the program `finality`, in one file.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildCliIfStale } from "./build/cli.mjs";
import { packFolder } from "./pack-folder.mjs";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages", "cli");
/** Folder of the package: the first argument, or the root of the repository. */
const destination = resolve(process.argv[2] ?? root);

const program = await buildCliIfStale(root);
const folder = mkdtempSync(join(tmpdir(), "finality-cli-package-"));
try {
  const { name, description, license } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name,
    version,
    description,
    license,
    bin: { finality: "finality.cjs" },
    engines: { node: ">=22" },
  };
  copyFileSync(program, join(folder, "finality.cjs"));
  copyFileSync(join(source, "README.md"), join(folder, "README.md"));
  console.log(packFolder({ root, folder, manifest, destination }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
