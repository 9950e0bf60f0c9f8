import { textOfBytes } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { abiGlobsSetting } from "../settings/feature-settings.ts";

/** Largest file with source maps that is read. */
const MAXIMUM_BYTES = 32 * 1024 * 1024;
const MAXIMUM_FILES = 2_000;
const MAXIMUM_BUILDS = 20;
/** Folders that compilers resolve paths of sources against. */
const ROOTS = ["", "node_modules", "contracts", "src", "lib"];

/**
 * Returns the file of a source, by the path that the compiler names; undefined if the workspace does not have it. Files
 * outside of the workspace are not opened.
 */
export async function findSource(path: string): Promise<vscode.Uri | undefined> {
  const relative = path.replace(/^project:\//, "").replaceAll("\\", "/");
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (relative.split("/").includes("..")) return undefined;
  const absolute = /^(?:\/|[A-Za-z]:\/)/.test(relative) ? [vscode.Uri.file(relative)] : [];
  const inside = absolute.filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  const below = folders.flatMap(({ uri }) => ROOTS.map((root) => vscode.Uri.joinPath(uri, root, relative)));
  for (const uri of [...inside, ...below]) if (await isFile(uri)) return uri;
  const [found, other] = await vscode.workspace.findFiles(`**/${relative}`, "**/node_modules/**", 2);
  return other === undefined ? found : undefined;
}

/**
 * Returns files of the workspace that may have source maps: build information first, the newest first, then artifacts,
 * of which those with these names come first.
 */
export async function mappedFiles(names: readonly string[]): Promise<readonly vscode.Uri[]> {
  const globs = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
    abiGlobsSetting(folder.uri).map((glob) => new vscode.RelativePattern(folder, glob)),
  );
  const excluded = "{**/node_modules/**,**/.git/**}";
  const found = await Promise.all(globs.map((it) => vscode.workspace.findFiles(it, excluded, MAXIMUM_FILES)));
  const builds = await vscode.workspace.findFiles("**/build-info/*.json", excluded, MAXIMUM_BUILDS);
  const artifacts = new Map(found.flat().map((uri) => [uri.toString(), uri]));
  const isBuild = (uri: vscode.Uri): boolean => uri.path.includes("/build-info/");
  const isNamed = ({ path }: vscode.Uri): boolean => names.some((it) => path.endsWith(`/${it}.json`));
  const others = [...artifacts.values()].filter((uri) => !isBuild(uri));
  return [...others.filter(isNamed), ...builds, ...others.filter((it) => !isNamed(it))];
}

/** Returns the text of a file; undefined if it is gone or too large. */
export async function readSmall(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAXIMUM_BYTES) return undefined;
    return textOfBytes(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  const type = await vscode.workspace.fs.stat(uri).then(
    ({ type: found }) => found,
    () => vscode.FileType.Unknown,
  );
  return (type & vscode.FileType.File) !== 0;
}
