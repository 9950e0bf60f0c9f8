import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importVariant, type Mutation, type Substitute } from "../random/mutants.ts";

export type Product = typeof import("./product.ts");
export type ChainParts = typeof import("./chain-parts.ts");

const here = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;

const HOST: { readonly [specifier: string]: string } = {
  "node:fs/promises": here("simulated-fs.ts"),
  "node:fs": here("simulated-fs.ts"),
  "node:timers/promises": here("simulated-fs.ts"),
  "node:net": here("simulated-net.ts"),
  vscode: here("simulated-vscode.ts"),
};

/** The journal of a schedule is short: it is worth compacting early. */
const COMPACTED_EARLY: readonly Mutation[] = [
  { file: "/src/host/journal/journal-compaction.ts", from: "WORTH_LINES = 1_000;", to: "WORTH_LINES = 1;" },
  { file: "/src/host/journal/journal-compaction.ts", from: "WORTH_SHARE = 0.25;", to: "WORTH_SHARE = 0;" },
];

/** The sources of the product on a machine of the model, with a mistake in them or without. */
export async function loadProduct(mutation?: Mutation): Promise<Product> {
  const substitute: Substitute = (specifier, importer) => {
    if (specifier.endsWith("/signature.ts")) return here("cheap-signatures.ts");
    if (specifier === "undici/lib/api/api-request.js") return here("simulated-request.cjs");
    return /\/src\/(?:host|sending)\//.test(importer) ? HOST[specifier] : undefined;
  };
  const mutations = mutation === undefined ? COMPACTED_EARLY : [...COMPACTED_EARLY, mutation];
  return await importVariant<Product>(join(import.meta.dirname, "product.ts"), mutations, substitute);
}

/** The embedded chain with signatures that cost nothing. */
export async function loadChain(): Promise<ChainParts> {
  const substitute: Substitute = (specifier) => {
    if (specifier.endsWith("/transaction/signature.ts")) return here("cheap-signatures.ts");
    return specifier === "./known-signers.ts" ? here("no-known-signers.ts") : undefined;
  };
  return await importVariant<ChainParts>(join(import.meta.dirname, "chain-parts.ts"), [], substitute, true);
}
