// `npm run package`: builds everything and packs it as finality-<version>.vsix, with its bill of materials beside it. The
// same sources give the same bytes. `-- --notices` only writes THIRD-PARTY-NOTICES.md, of what the last build took.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals } from "./children.mjs";
import { bundledPackages } from "./package/bundled-packages.mjs";
import { packProduct } from "./package/pack.mjs";
import { billOfMaterials } from "./package/sbom.mjs";
import { thirdPartyNotices } from "./package/third-party-notices.mjs";

const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
endChildrenOnSignals();
await build(root);
const packages = bundledPackages(root);
writeFileSync(join(root, "THIRD-PARTY-NOTICES.md"), thirdPartyNotices(packages));
if (!process.argv.includes("--notices")) {
  const name = `${manifest.name}-${manifest.version}`;
  console.log(await packProduct(root, join(root, `${name}.vsix`)));
  writeFileSync(join(root, `${name}.cdx.json`), billOfMaterials(manifest, packages));
}
