// `npm run package-api`: packs the types of the public API as finality-api-<version>.tgz. It has no code.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packFolder } from "./pack-folder.mjs";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages", "api");
/** Folder of the package: the first argument, or the root of the repository. */
const destination = resolve(process.argv[2] ?? root);

const folder = mkdtempSync(join(tmpdir(), "finality-api-package-"));
try {
  const { name, version, description, license, devDependencies } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  );
  const oldest = `>=${devDependencies["@types/vscode"]}`;
  const manifest = {
    name,
    version,
    description,
    license,
    types: "index.d.ts",
    peerDependencies: { "@types/vscode": oldest },
  };
  // A file of types alone is a declaration file as it is.
  copyFileSync(join(source, "src", "index.ts"), join(folder, "index.d.ts"));
  copyFileSync(join(source, "README.md"), join(folder, "README.md"));
  console.log(packFolder({ root, folder, manifest, destination }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
