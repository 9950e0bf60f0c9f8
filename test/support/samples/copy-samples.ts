import { cpSync } from "node:fs";
import { join } from "node:path";

/**
 * Committed parts of the sample workspace. `deployments` is left by `npm start` and belongs to the chain of that run;
 * `projects` are projects of their own.
 */
const PARTS = ["README.md", "build", "calls", "contracts", "package.json", "scripts"] as const;

/** Copies the given parts of a `samples` folder, without anything that an earlier run left there. */
export function copySamples(samples: string, folder: string, parts: readonly (typeof PARTS)[number][] = PARTS): void {
  for (const part of parts) cpSync(join(samples, part), join(folder, part), { recursive: true });
}
