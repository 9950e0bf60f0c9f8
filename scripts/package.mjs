// `npm run package`: builds everything and packs it as finality-<version>.vsix, with its bill of materials beside it. The
// same sources give the same bytes. `-- --notices` only writes THIRD-PARTY-NOTICES.md, of what the last build took.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals } from "./children.mjs";
import { bundledPackages } from "./package/bundled-packages.mjs";
import { billOfMaterials } from "./package/sbom.mjs";
import { thirdPartyNotices } from "./package/third-party-notices.mjs";
import { runToEnd } from "./run-to-end.mjs";

const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
endChildrenOnSignals();
await build(root);
const packages = bundledPackages(root);
writeFileSync(join(root, "THIRD-PARTY-NOTICES.md"), thirdPartyNotices(packages));
if (!process.argv.includes("--notices")) await pack();

async function pack() {
  const name = `${manifest.name}-${manifest.version}`;
  const vsce = join(root, "node_modules", ".bin", "vsce");
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  process.env.SOURCE_DATE_EPOCH ??= timeOfSources();
  const { code, output } = await runToEnd(vsce, ["package", ...options, "--out", `${name}.vsix`], root);
  console.log(output);
  if (code === 0) writeFileSync(join(root, `${name}.cdx.json`), billOfMaterials(manifest, packages));
  process.exitCode = code;
}

/** When the sources were committed, in Unix seconds; a folder without a history is as old as its changelog says. */
function timeOfSources() {
  try {
    return execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
  } catch {
    const [date = "2026-01-01"] = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/\d{4}-\d{2}-\d{2}/) ?? [];
    return String(Date.parse(date) / 1000);
  }
}
