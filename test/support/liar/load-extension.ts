import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importVariant, type Mutation, type Substitute } from "../random/mutants.ts";

export type Extension = typeof import("../../../src/extension.ts");

const at = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;

/** Replacements of modules of Node and of the editor, for the whole product. */
const HOST: { readonly [specifier: string]: string } = {
  "node:fs/promises": at("../model/simulated-fs.ts"),
  "node:fs": at("../model/simulated-fs.ts"),
  "node:timers/promises": at("../model/simulated-fs.ts"),
  "node:net": at("../model/simulated-net.ts"),
  "undici/lib/api/api-request.js": at("../model/simulated-request.cjs"),
  vscode: at("simulated-editor.ts"),
};

/** Replacements of modules of the product: curves, connections, the clock and the workspace. */
const SOURCES: readonly (readonly [end: string, instead: string])[] = [
  ["/signature.ts", at("../model/cheap-signatures.ts")],
  ["/http-dispatcher.ts", at("simulated-services.ts")],
  ["/system-clock.ts", at("simulated-clock.ts")],
  ["/artifacts/artifacts.ts", at("simulated-services.ts")],
  ["/log/log.ts", at("simulated-services.ts")],
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
    ["/windows/tracking-leader.ts", at("simulated-services.ts")],
    ["/artifacts/artifacts.ts", at("simulated-services.ts")],
    ["/log/log.ts", at("simulated-services.ts")],
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
    ["/windows/tracking-leader.ts", at("simulated-services.ts")],
    ["/artifacts/artifacts.ts", at("simulated-services.ts")],
    ["/log/log.ts", at("simulated-services.ts")],
  ];
  return await importVariant<ClickedExtension>(file, [], (specifier, importer) =>
    importer.includes("/src/") ? inPlace.find(([end]) => specifier.endsWith(end))?.[1] : undefined,
  );
}
