import { ChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import { textOfBytes } from "@finality/tron/primitives";
import { LONGEST_FILE, type SharedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";

/** Transaction with its file. */
export interface Source {
  readonly transaction: SharedTransaction;
  /** File that signatures can be written back to. */
  readonly uri?: vscode.Uri;
}

type Named = Pick<CommandArguments["finality.addSignature"], "file" | "uri" | "text" | "clipboard">;

/**
 * Returns the transaction in a command's argument, or the one that the user chooses. Returns undefined if the user
 * cancels.
 *
 * @param title - Title of the command.
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, and the errors of parsing a transaction
 */
export async function takeSource(named: Named, title: string, program: boolean): Promise<Source | undefined> {
  const { file, uri, text, clipboard } = named;
  if (text !== undefined) return await read(text);
  if (file !== undefined) return await readUri(vscode.Uri.file(file));
  if (uri !== undefined) return await readUri(vscode.Uri.parse(uri, true));
  if (clipboard === true) return await readClipboard();
  if (program) throw malformedArgument("file", t`name a file, or give the transaction as text`);
  return await choose(title);
}

async function choose(title: string): Promise<Source | undefined> {
  const editor = vscode.window.activeTextEditor;
  const [file, clipboard, active] = [t`From File…`, t`From Clipboard`, t`From the Active Editor`];
  const items = [
    { label: file, description: t`TronWeb's JSON, or hex` },
    { label: clipboard, description: t`the same as text` },
    ...(editor === undefined
      ? []
      : [{ label: active, description: vscode.workspace.asRelativePath(editor.document.uri) }]),
  ];
  const chosen = (await quickPick(items, { title, placeHolder: t`Where is the transaction?`, ignoreFocusOut: true }))
    ?.label;
  if (chosen === clipboard) return await read(await vscode.env.clipboard.readText());
  if (chosen === active && editor !== undefined) return await readUri(editor.document.uri);
  if (chosen !== file) return undefined;
  const [uri] = (await vscode.window.showOpenDialog({ title, openLabel: t`Open` })) ?? [];
  return uri && (await readUri(uri));
}

const READ = t`Read Clipboard`;

/** Reads the clipboard after the user agrees. */
async function readClipboard(): Promise<Source | undefined> {
  const detail = t`A transaction in it is verified and shown first. Nothing is sent.`;
  const question = { title: t`Read the clipboard?`, detail, isFirstSafe: true };
  if ((await askModal("information", question, READ)) !== READ) return undefined;
  return await read(await vscode.env.clipboard.readText());
}

/** Reads the open document, else the file on disk. */
async function readUri(uri: vscode.Uri): Promise<Source> {
  const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  const text = open === undefined ? await readSmall(uri) : open.getText();
  return { ...(await read(text)), ...(uri.scheme === "untitled" ? {} : { uri }) };
}

/** Refuses larger files, folders and devices. */
async function readSmall(uri: vscode.Uri): Promise<string> {
  const refused = (reason: string): ChainError => new ChainError("TRANSACTION_FILE_REFUSED", { reason });
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) throw refused(t`${uri.fsPath} is not a file`);
    if (size > LONGEST_FILE) throw refused(t`${uri.fsPath} has ${size} bytes, more than a transaction needs`);
    return textOfBytes(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof ChainError) throw error;
    throw malformedArgument("file", t`${uri.fsPath} cannot be read`);
  }
}

/** @throws {ChainError} the errors of parsing a transaction */
async function read(text: string): Promise<Source> {
  const { readTransactionFile } = await import("../../host/secrets/lazy-signing.ts");
  return { transaction: readTransactionFile(text) };
}

/**
 * Writes signatures back to their file, unless it contains another transaction by now.
 *
 * @throws {ChainError} `TRANSACTION_NOT_WRITTEN`
 */
export async function writeBack(uri: vscode.Uri, signed: Parameters<Print>[0]): Promise<string> {
  const { printTransactionFile, readTransactionFile } = await import("../../host/secrets/lazy-signing.ts");
  try {
    const there = readTransactionFile(await readSmall(uri));
    if (there.txId !== signed.txId) throw new Error(t`it now contains another transaction`);
    const known = new Set(signed.signatures);
    const signatures = [...signed.signatures, ...there.signatures.filter((it) => !known.has(it))];
    const text = printTransactionFile(readTransactionFile(printTransactionFile({ ...signed, signatures })));
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
    return text;
  } catch (cause) {
    const reason = withoutStop(cause instanceof Error ? cause.message : String(cause));
    throw new ChainError("TRANSACTION_NOT_WRITTEN", { txId: signed.txId, file: uri.fsPath, reason }, { cause });
  }
}

type Print = typeof import("../../host/secrets/lazy-signing.ts").printTransactionFile;
