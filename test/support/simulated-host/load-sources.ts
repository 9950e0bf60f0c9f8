import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importVariant, type Mutation, type Substitute } from "../random/mutants.ts";

export type Extension = typeof import("../../../src/extension.ts");
export type Product = typeof import("./product.ts");
export type ChainParts = typeof import("./chain-parts.ts");

const at = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;

/** Replacements of modules of Node and of the editor, for the whole product. */
const HOST: { readonly [specifier: string]: string } = {
  "node:fs/promises": at("simulated-fs.ts"),
  "node:fs": at("simulated-fs.ts"),
  "node:timers/promises": at("simulated-fs.ts"),
  "node:net": at("simulated-net.ts"),
  "undici/lib/api/api-request.js": at("simulated-request.cjs"),
  vscode: at("simulated-editor.ts"),
};

/** Replacements of modules of the product: curves, connections, the clock and the workspace. */
const SOURCES: readonly (readonly [end: string, instead: string])[] = [
  ["/signature.ts", at("cheap-signatures.ts")],
  ["/curve/keys.ts", at("cheap-signatures.ts")],
  ["/http-dispatcher.ts", at("simulated-services.ts")],
  ["/system-clock.ts", at("simulated-services.ts")],
  ["/system-clock", at("simulated-services.ts")],
  ["/artifacts/artifacts.ts", at("simulated-services.ts")],
  ["/log/log.ts", at("simulated-services.ts")],
];

const substitute: Substitute = (specifier, importer) => {
  if (!importer.includes("/src/")) return undefined;
  return HOST[specifier] ?? SOURCES.find(([end]) => specifier.endsWith(end))?.[1];
};

/** Loads the whole extension, optionally with a mistake in it. */
export async function loadExtension(mutation?: Mutation): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  return await importVariant<Extension>(file, mutation === undefined ? [] : [mutation], substitute, true);
}

/** Loads the whole extension with real files, timers and sockets, and an editor that counts open registrations. */
export async function loadCountedExtension(): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  return await importVariant<Extension>(file, [], (specifier, importer) =>
    importer.includes("/src/") && specifier === "vscode" ? at("counting-editor.ts") : undefined,
  );
}

/**
 * Loads the whole extension with progress notifications that appear at once and without the poller, so that only
 * commands cause requests.
 */
export async function loadExtensionWithProgress(): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  const inPlace: readonly (readonly [end: string, instead: string, importer?: string])[] = [
    ["vscode", at("progress-editor.ts")],
    ["/system-clock", at("progress-editor.ts"), "/prompts/notify.ts"],
    ["/windows/tracking-leader.ts", at("simulated-services.ts")],
    ["/artifacts/artifacts.ts", at("simulated-services.ts")],
    ["/log/log.ts", at("simulated-services.ts")],
  ];
  return await importVariant<Extension>(file, [], (specifier, importer) => {
    if (!importer.includes("/src/")) return undefined;
    return inPlace.find(([end, , by = ""]) => specifier.endsWith(end) && importer.endsWith(by))?.[1];
  });
}

type ClickedExtension = typeof import("./clicked-extension.ts");

/** Loads the whole extension without the poller, with commands that can run each other. */
export async function loadProgramsExtension(): Promise<ClickedExtension> {
  const file = join(import.meta.dirname, "./clicked-extension.ts");
  const inPlace: readonly (readonly [end: string, instead: string])[] = [
    ["vscode", at("./program-editor.ts")],
    ["/windows/tracking-leader.ts", at("simulated-services.ts")],
    ["/artifacts/artifacts.ts", at("simulated-services.ts")],
    ["/log/log.ts", at("simulated-services.ts")],
  ];
  return await importVariant<ClickedExtension>(file, [], (specifier, importer) =>
    importer.includes("/src/") ? inPlace.find(([end]) => specifier.endsWith(end))?.[1] : undefined,
  );
}

/** Loads the whole extension as a window of its own, with an editor whose pages of runs tests use. It tracks by itself. */
export async function loadRunsExtension(): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  const inPlace: readonly (readonly [end: string, instead: string])[] = [
    ["vscode", at("./run-editor.ts")],
    ["/artifacts/artifacts.ts", at("simulated-services.ts")],
    ["/log/log.ts", at("simulated-services.ts")],
  ];
  return await importVariant<Extension>(file, [], (specifier, importer) =>
    importer.includes("/src/") ? inPlace.find(([end]) => specifier.endsWith(end))?.[1] : undefined,
  );
}

/** Compacts the short journals of schedules early. */
const COMPACTED_EARLY: readonly Mutation[] = [
  { file: "/packages/node/src/journal/journal-compaction.ts", from: "WORTH_LINES = 1_000;", to: "WORTH_LINES = 1;" },
  { file: "/packages/node/src/journal/journal-compaction.ts", from: "WORTH_SHARE = 0.25;", to: "WORTH_SHARE = 0;" },
];

/** Loads the transaction service on the simulated machine, optionally with a mistake in it. */
export async function loadProduct(mutation?: Mutation): Promise<Product> {
  const substitute: Substitute = (specifier, importer) => {
    if (specifier.endsWith("/signature.ts")) return at("cheap-signatures.ts");
    if (specifier === "undici/lib/api/api-request.js") return at("simulated-request.cjs");
    return /\/src\/(?:host|sending)\/|\/packages\/node\/src\//.test(importer) ? HOST[specifier] : undefined;
  };
  const mutations = mutation === undefined ? COMPACTED_EARLY : [...COMPACTED_EARLY, mutation];
  return await importVariant<Product>(join(import.meta.dirname, "product.ts"), mutations, substitute);
}

/** Loads the embedded chain with cheap signatures. */
export async function loadChain(): Promise<ChainParts> {
  const substitute: Substitute = (specifier) => {
    if (/\/(?:transaction\/signature|curve\/keys)\.ts$/.test(specifier)) return at("cheap-signatures.ts");
    return specifier === "./known-signers.ts" ? at("cheap-signatures.ts") : undefined;
  };
  return await importVariant<ChainParts>(join(import.meta.dirname, "chain-parts.ts"), [], substitute, true);
}

/** Loads what executes runs in a window, with real files and sockets. */
export async function loadRunExecutions(): Promise<
  typeof import("../../../src/sending/run-executions.ts")["RunExecutions"]
> {
  const file = join(import.meta.dirname, "../../../src/sending/run-executions.ts");
  const loaded = await importVariant<typeof import("../../../src/sending/run-executions.ts")>(
    file,
    [],
    (specifier, importer) =>
      importer.includes("/src/") && specifier === "vscode" ? at("counting-editor.ts") : undefined,
  );
  return loaded.RunExecutions;
}
