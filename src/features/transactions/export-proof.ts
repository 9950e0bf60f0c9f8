import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import { proofDocument, proofToJson, proofToMarkdown } from "../../core/replacement/proof-document.ts";
import { mayReplace } from "../../core/replacement/safe-replacement.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { isCallOfProgram } from "../../host/call-of-program.ts";
import { chooseTransaction } from "../../host/choose-transaction.ts";
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
 * @throws {ChainError} `PROOF_MISSING`
 */
export async function exportProof(
  { desk, nameOf }: CommandContext,
  argument: unknown,
): Promise<ExportedProof | undefined> {
  const choice = { title: "Export Proof", fits: (it: TrackedTransaction) => it.absence !== undefined, nameOf };
  const tracked = await chooseTransaction(desk, argument, choice);
  if (tracked === undefined) return undefined;
  const proof = proofOf(tracked);
  const file = isCallOfProgram(argument) ? fileOf(argument) : await askFile(tracked.txId);
  if (file === undefined) return isCallOfProgram(argument) ? proof : undefined;
  const text = file.path.endsWith(".md") ? proof.markdown : proof.json;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text, "utf8"));
  return { ...proof, file: file.fsPath };
}

/** @throws {ChainError} `PROOF_MISSING` */
function proofOf(tracked: TrackedTransaction): ExportedProof {
  const { txId, signed, absence } = tracked;
  if (signed === undefined || absence === undefined) {
    const verdict = mayReplace(tracked);
    throw new ChainError("PROOF_MISSING", { txId, reason: verdict.kind === "yes" ? "None was needed." : verdict.why });
  }
  const document = proofDocument({ ...absence, txId, rawDataHex: signed.rawDataHex });
  return { txId, json: proofToJson(document), markdown: proofToMarkdown(document, isoTime) };
}

function fileOf(argument: unknown): vscode.Uri | undefined {
  return isJsonObject(argument) && typeof argument.file === "string" ? vscode.Uri.file(argument.file) : undefined;
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
