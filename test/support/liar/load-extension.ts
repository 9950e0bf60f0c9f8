import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importVariant, type Mutation, type Substitute } from "../random/mutants.ts";

export type Extension = typeof import("../../../src/extension.ts");
export type ChainParts = typeof import("./chain-parts.ts");

const at = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;

/** What stands in the place of modules of Node and of the editor, for all of the product. */
const HOST: { readonly [specifier: string]: string } = {
  "node:fs/promises": at("../model/simulated-fs.ts"),
  "node:fs": at("../model/simulated-fs.ts"),
  "node:timers/promises": at("../model/simulated-fs.ts"),
  "node:net": at("../model/simulated-net.ts"),
  "undici/lib/api/api-request.js": at("../model/simulated-request.cjs"),
  vscode: at("simulated-editor.ts"),
};

/** What stands in the place of sources of the product: curves, connections, the clock and the workspace. */
const SOURCES: readonly (readonly [end: string, instead: string])[] = [
  ["/signature.ts", at("../model/cheap-signatures.ts")],
  ["/http-dispatcher.ts", at("simulated-dispatcher.ts")],
  ["/system-clock.ts", at("simulated-clock.ts")],
  ["/artifacts/artifacts.ts", at("simulated-artifacts.ts")],
  ["/log/log.ts", at("simulated-log.ts")],
];

const substitute: Substitute = (specifier, importer) => {
  if (!importer.includes("/src/")) return undefined;
  return HOST[specifier] ?? SOURCES.find(([end]) => specifier.endsWith(end))?.[1];
};

/** The whole extension, with a mistake in it or without. */
export async function loadExtension(mutation?: Mutation): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  return await importVariant<Extension>(file, mutation === undefined ? [] : [mutation], substitute, true);
}

/** The whole extension as it is, with files, timers and sockets of this machine: only the editor counts what it gives. */
export async function loadCountedExtension(): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  return await importVariant<Extension>(file, [], (specifier, importer) =>
    importer.includes("/src/") && specifier === "vscode" ? at("counting-editor.ts") : undefined,
  );
}

/**
 * The whole extension as it is, where whatever goes on has a notice at once, and nothing is asked of a gateway but by
 * commands.
 */
export async function loadHastyExtension(): Promise<Extension> {
  const file = join(import.meta.dirname, "../../../src/extension.ts");
  const inPlace: readonly (readonly [end: string, instead: string, importer?: string])[] = [
    ["vscode", at("hasty-editor.ts")],
    ["/system-clock.ts", at("hasty-clock.ts"), "/prompts/notify.ts"],
    ["/windows/tracking-leader.ts", at("no-leader.ts")],
    ["/artifacts/artifacts.ts", at("simulated-artifacts.ts")],
    ["/log/log.ts", at("simulated-log.ts")],
  ];
  return await importVariant<Extension>(file, [], (specifier, importer) => {
    if (!importer.includes("/src/")) return undefined;
    return inPlace.find(([end, , by = ""]) => specifier.endsWith(end) && importer.endsWith(by))?.[1];
  });
}

type ClickedExtension = typeof import("../programs/clicked-extension.ts");

/** The whole extension as it is, before programs: nothing is watched, and commands run each other. */
export async function loadProgramsExtension(): Promise<ClickedExtension> {
  const file = join(import.meta.dirname, "../programs/clicked-extension.ts");
  const inPlace: readonly (readonly [end: string, instead: string])[] = [
    ["vscode", at("../programs/program-editor.ts")],
    ["/windows/tracking-leader.ts", at("no-leader.ts")],
    ["/artifacts/artifacts.ts", at("simulated-artifacts.ts")],
    ["/log/log.ts", at("simulated-log.ts")],
  ];
  return await importVariant<ClickedExtension>(file, [], (specifier, importer) =>
    importer.includes("/src/") ? inPlace.find(([end]) => specifier.endsWith(end))?.[1] : undefined,
  );
}

/** The embedded chain with signatures that cost nothing. */
export async function loadChain(): Promise<ChainParts> {
  const cheap: Substitute = (specifier) =>
    specifier.endsWith("/transaction/signature.ts") ? at("../model/cheap-signatures.ts") : undefined;
  return await importVariant<ChainParts>(join(import.meta.dirname, "chain-parts.ts"), [], cheap, true);
}
