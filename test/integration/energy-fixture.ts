import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { EnergyEstimate, FinalityApi } from "../../src/public/api.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { finality, startFastChain, until } from "./local-chain.ts";
import { sources } from "./product.ts";

export interface Sent {
  readonly txId: string;
  readonly address: string;
}

/** The public interface, and the chain with a deployed Leaf. */
export interface EnergyFixture {
  readonly api: FinalityApi;
  readonly baseUrl: string;
  readonly leaf: Sent;
  /** Number of constant calls that the chain received. */
  asked(): Promise<number>;
}

export const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";

export const run = <T>(command: string, argument: Record<string, unknown> = {}): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);

/** Starts a chain and deploys the Leaf of the samples, whose artifacts the workspace then has. */
export async function openEnergyFixture(): Promise<EnergyFixture> {
  copySamples(sources("samples"), folder(), ["build"]);
  const api = await finality();
  await startFastChain();
  const { baseUrl } = await run<{ baseUrl: string }>("startLocalChain");
  const leaf = await run<Sent>("deployContract", { contract: "Leaf", arguments: ["1000000000"], from: "Alice" });
  await until(api, leaf.txId, ({ state }) => state.kind === "included" || state.kind === "solidified");
  const asked = async (): Promise<number> => {
    const { paths } = (await (await fetch(`${baseUrl}/local/requests`)).json()) as { paths: Record<string, number> };
    return paths["/wallet/triggerconstantcontract"] ?? 0;
  };
  return { api, baseUrl, leaf, asked };
}

/** Writes a source into the workspace and shows it. */
export async function openSource(name: string, text: string): Promise<vscode.TextDocument> {
  const path = join(folder(), "sources", name);
  mkdirSync(join(folder(), "sources"), { recursive: true });
  writeFileSync(path, text);
  const document = await vscode.workspace.openTextDocument(path);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Lenses of energy with their words, as the editor asks for them. Those of contracts in Solidity are left out. */
export async function lensesOf({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 1_000);
  return all.filter(({ command }) => !/^finality\.(deploy|call|read)Contract$/.test(command?.command ?? ""));
}

/** Returns the titles of the estimate lenses, without those that send. */
export async function wordsOf(document: vscode.TextDocument): Promise<readonly string[]> {
  const lenses = await lensesOf(document);
  return lenses.map(({ command }) => command?.title ?? "").filter((title) => !title.includes("Send…"));
}

export const placesOf = (lenses: readonly vscode.CodeLens[]): readonly string[] =>
  lenses.map(({ range: { start, end } }) => `${start.line}:${start.character}-${end.line}:${end.character}`);

export function positionOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, text);
  return document.positionAt(offset);
}

/** The estimate of the call at a text. */
export function estimateAt(document: vscode.TextDocument, text: string): Thenable<EnergyEstimate> {
  return run("estimateEnergy", { uri: document.uri.toString(), offset: document.offsetAt(positionOf(document, text)) });
}

export const rowsOf = ({ uri }: vscode.TextDocument, code: string): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((row) => row.code === code && row.source === "Finality");

/** Resolves when rows of problems are as expected; they are looked at whenever they change. */
export async function untilRows(predicate: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (predicate()) resolve();
  };
  const subscription = vscode.languages.onDidChangeDiagnostics(look);
  look();
  await promise.finally(() => subscription.dispose());
}

/** The quick fixes of a row. */
export async function fixesOf(
  { uri }: vscode.TextDocument,
  row: vscode.Diagnostic,
): Promise<readonly vscode.CodeAction[]> {
  const { range } = row;
  return await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    "quickfix",
  );
}

/** Returns the hovers at a text as Markdown without escapes. */
export async function hoverAt(document: vscode.TextDocument, text: string): Promise<string> {
  const at = positionOf(document, text);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);
  const contents = hovers.flatMap((hover) => hover.contents);
  return contents
    .map((one) => (typeof one === "string" ? one : one.value).replaceAll(/\\(?=[!-/:-@[-`{-~])/g, ""))
    .join("\n\n");
}

/** Does something with other settings, and takes them back. */
export async function withSettings<T>(values: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  const settings = vscode.workspace.getConfiguration("finality");
  const write = async (read: (key: string) => unknown): Promise<void> => {
    for (const key of Object.keys(values)) await settings.update(key, read(key), vscode.ConfigurationTarget.Workspace);
  };
  await write((key) => values[key]);
  return await work().finally(() => write(() => undefined));
}
