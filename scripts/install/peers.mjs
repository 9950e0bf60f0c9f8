import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./dependencies.mjs";

const home = join(import.meta.dirname, "..", "peers");
const marker = join(home, "node_modules", ".installed");

/** Installs the chains to measure against on demand, without install scripts: what they compile they do without. */
export async function installPeers() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  console.error("Installing Ganache and Hardhat (250 MB, once) …");
  await npm(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], home);
  writeFileSync(marker, wanted);
}
