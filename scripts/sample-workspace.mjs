import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The folder that `npm start` opens: samples/, or a small one of its own.
 *
 * @param {string} root
 */
export function sampleWorkspace(root) {
  const samples = join(root, "samples");
  if (existsSync(samples)) return samples;
  const folder = join(root, ".cache", "start", "workspace");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "README.md"),
    "# Welcome\n\nOpen the Finality view in the activity bar, and send some coins.\n",
  );
  return folder;
}
