import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Packs a folder as an npm package, with the licence texts of the repository. Returns the path of the package.
 *
 * @param {{ root: string, folder: string, manifest: object, destination: string }} options
 */
export function packFolder({ root, folder, manifest, destination }) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const file of ["LICENSE", "THIRD-PARTY-NOTICES.md"]) copyFileSync(join(root, file), join(folder, file));
  const args = ["pack", "--silent", "--pack-destination", destination];
  const packed = execFileSync("npm", args, { cwd: folder, encoding: "utf8" });
  return join(destination, packed.trim());
}
