import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../caller.ts";
import { malformedArgument } from "../commands/command-arguments.ts";
import { confirmForProgram, notify } from "./notify.ts";
import { folderAtHand } from "./quick-input.ts";

/** File that a table is written to. */
interface TableFile {
  /** Title of the save dialog. */
  readonly title: string;
  /** Proposed name, without its extension. */
  readonly fileName: string;
  /** Content, such as "3 payments". */
  readonly what: string;
  /** Path that a program named. */
  readonly named: string | undefined;
}

/** Texts by format. The dialog offers those that are present. */
interface TableTexts {
  readonly csv?: string;
  readonly json: string;
  readonly jsonl?: string;
}

/**
 * Writes a table in a format of its texts to a file that the user chooses, or that a program named and the user
 * confirms. A program that names no file gets the texts only.
 *
 * @returns the path, if a file was written; undefined if the user cancels
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` the named file exists
 */
export async function writeTable(
  texts: TableTexts,
  { title, fileName, what, named }: TableFile,
  raw: unknown,
): Promise<{ readonly file?: string } | undefined> {
  const isProgram = isCallOfProgram(raw);
  if (isProgram && named === undefined) return {};
  const file = named === undefined ? await askFile(title, fileName, texts) : await newFile(named);
  if (file === undefined) return undefined;
  if (!(await confirmForProgram({ title: t`Write ${what} to ${file.fsPath}?` }, t`Write`))) return undefined;
  await vscode.workspace.fs.writeFile(file, Buffer.from(textFor(file, texts), "utf8"));
  if (!isProgram) void notify("information", t`${what} written to ${file.fsPath}.`);
  return { file: file.fsPath };
}

function textFor({ path }: vscode.Uri, { csv, json, jsonl = csv }: TableTexts): string {
  if (path.endsWith(".json")) return json;
  return (path.endsWith(".jsonl") ? jsonl : csv) ?? json;
}

/** Refuses to overwrite a file that the caller named. */
async function newFile(name: string): Promise<vscode.Uri> {
  const file = vscode.Uri.file(name);
  const exists = await vscode.workspace.fs.stat(file).then(
    () => true,
    (error: unknown) => !(error instanceof vscode.FileSystemError && error.code === "FileNotFound"),
  );
  if (!exists) return file;
  throw malformedArgument("file", t`${file.fsPath} already exists and is not overwritten. Name another file`);
}

/** The save dialog asks before it overwrites a file. */
function askFile(title: string, fileName: string, { csv, jsonl }: TableTexts): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title,
    filters: {
      ...(csv === undefined ? {} : { CSV: ["csv"] }),
      JSON: ["json"],
      ...(jsonl === undefined ? {} : { [t`JSON Lines`]: ["jsonl"] }),
    },
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), `${fileName}.${csv === undefined ? "json" : "csv"}`),
  });
}
