import { cpSync } from "node:fs";
import { join } from "node:path";

/** Committed parts of `samples`. `deployments` is left by `npm start` and belongs to the chain of that run. */
const PARTS = ["README.md", "build", "calls", "contracts", "package.json", "scripts"] as const;

/** Copies the given parts of a `samples` folder, without anything that an earlier run left there. */
export function copySamples(samples: string, folder: string, parts: readonly (typeof PARTS)[number][] = PARTS): void {
  for (const part of parts) cpSync(join(samples, part), join(folder, part), { recursive: true });
}
