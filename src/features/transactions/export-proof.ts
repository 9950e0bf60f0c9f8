import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { TxId } from "../../core/primitives/bytes.ts";
import { proofDocument, proofToJson, proofToMarkdown } from "../../core/proof/proof-document.ts";
import { judge } from "../../core/retry/judge.ts";
import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { chooseTransaction } from "../../host/sending/choose-transaction.ts";
import type { CommandContext } from "./transaction-commands.ts";

export interface ExportedProof {
  readonly txId: TxId;
  readonly json: string;
  readonly markdown: string;
  /** Where it was written. */
  readonly file?: string;
}

/**
 * Writes the proof that a transaction is in no block to a file, as JSON or Markdown.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `PROOF_MISSING`; `COMMAND_ARGUMENT_MALFORMED` the file that a program names exists already
 */
export async function exportProof(
  { transactions, nameOf }: CommandContext,
  argument: CommandArguments["finality.exportProof"],
  raw: unknown,
): Promise<ExportedProof | undefined> {
  const choice = { title: "Export Proof", fits: (it: TrackedTransaction) => judge(it).exportProof.allowed, nameOf };
  const tracked = await chooseTransaction(transactions, argument, choice);
  if (tracked === undefined) return undefined;
  const proof = proofOf(tracked);
  const file = isCallOfProgram(raw) ? fileNamed(argument.file) : await askFile(tracked.txId);
  if (file === undefined) return isCallOfProgram(raw) ? proof : undefined;
  // The save dialog asks a person by itself; what a caller names is never written over.
  if (isCallOfProgram(raw) && (await exists(file))) {
    const reason = `${file.fsPath} exists already, and nothing is written over it. Name another file`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "file", reason });
  }
  const text = file.path.endsWith(".md") ? proof.markdown : proof.json;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text, "utf8"));
  return { ...proof, file: file.fsPath };
}

/** @throws {ChainError} `PROOF_MISSING` */
function proofOf(tracked: TrackedTransaction): ExportedProof {
  const { txId } = tracked;
  const permission = judge(tracked).exportProof;
  if (!permission.allowed) throw new ChainError(permission.code, { txId, reason: permission.why });
  const { signed, absence } = permission;
  const document = proofDocument({
    ...absence,
    txId,
    rawDataHex: signed.rawDataHex,
    ...(tracked.chain === undefined ? {} : { chain: tracked.chain }),
  });
  return { txId, json: proofToJson(document), markdown: proofToMarkdown(document, isoTime) };
}

function fileNamed(file: string | undefined): vscode.Uri | undefined {
  return file === undefined ? undefined : vscode.Uri.file(file);
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(file).then(
    () => true,
    (error: unknown) => !(error instanceof vscode.FileSystemError && error.code === "FileNotFound"),
  );
}

function askFile(txId: TxId): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title: "Export Proof of Absence",
    filters: { JSON: ["json"], Markdown: ["md"] },
    saveLabel: "Export",
    defaultUri: vscode.Uri.joinPath(defaultFolder(), `proof-${txId.slice(0, 8)}.json`),
  });
}

function defaultFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
