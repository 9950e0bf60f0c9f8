import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./dependencies.mjs";

/**
 * Installs the packages of a folder that has a lock file of its own, once, without install scripts.
 *
 * @param {string} home
 * @param {string} label - printed during the installation
 */
async function installOnDemand(home, label) {
  const marker = join(home, "node_modules", ".installed");
  const lockFileHash = createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === lockFileHash) return;
  console.error(`Installing ${label} …`);
  await npm(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], home);
  writeFileSync(marker, lockFileHash);
}

const scripts = join(import.meta.dirname, "..");

/** Installs the chains to measure against. */
export const installPeers = () => installOnDemand(join(scripts, "peers"), "Ganache, Hardhat and anvil (290 MB, once)");

export const installStryker = () => installOnDemand(join(scripts, "mutation"), "Stryker (73 MB, once)");

/** Installs the packages of the projects in samples/projects. */
export const installSampleProjects = () =>
  installOnDemand(join(scripts, "sample-projects"), "Hardhat, TronBox, Foundry and TronWeb (490 MB, once)");

/** Installs the versions of the Solidity compiler that a whole run of planted reverts compares. */
export const installCompilers = () => installOnDemand(join(scripts, "compilers"), "Solidity compilers (42 MB, once)");

/** Packages of the project whose coverage is compared with that of Hardhat, after `installCoveragePeers`. */
export const coveragePackages = join(scripts, "hardhat-coverage", "node_modules");

export const installCoveragePeers = () =>
  installOnDemand(join(scripts, "hardhat-coverage"), "Hardhat with solidity-coverage (200 MB, once)");
