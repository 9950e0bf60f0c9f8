import { ChainError } from "@finality/tron/errors";
import type { Address, TxId } from "@finality/tron/primitives";
import type { SignedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { confirmInStatusBar, notify } from "../host/prompts/notify.ts";
import { folderAtHand, quickPick } from "../host/prompts/quick-input.ts";
import { DO_NOT_SEND, type Review } from "./consent.ts";
import type { DeliveredFile, Delivery, Draft, ExportOptions, SendRequest } from "./transaction-kind.ts";

/** File name extension of transaction files. */
const FILE_ENDING = ".tron.json";

/** Arguments of commands that can export in place of broadcasting. */
export interface ShareArguments {
  readonly share?: boolean | undefined;
  readonly unsigned?: boolean | undefined;
  readonly file?: string | undefined;
}

const SIGNED = t`Sign and Export`;
const UNSIGNED = t`Export Unsigned`;
const NOT_SENT = t`It is not sent but exported as a file. Until it expires, anyone who has the file can add signatures and send it, so it counts as a pending payment.`;

/** Returns the export options of a command's arguments; undefined if it does not export. */
export function exportOptionsOf({ share, unsigned, file }: ShareArguments): ExportOptions | undefined {
  return share === true ? { unsigned, file } : undefined;
}

/** Exports to a file in place of a broadcast. */
export const exportDelivery: Delivery<SendRequest, Draft> = {
  review: (review, { plan }) => exportReview(review, plan.signers),
  coSigning: ({ exportOptions }, { plan }, button) => ({
    signers: exportOptions?.unsigned === true || button === UNSIGNED ? [] : plan.signers,
    before: [],
  }),
  deliver: ({ request }, _draft, { signed }) => handOver(signed, request.exportOptions?.file, request.unattended),
};

/** Adapts the review of a broadcast to an export. @param signers - keys here that can sign */
function exportReview(review: Review, signers: readonly Address[]): Review {
  const buttons = signers.length === 0 ? [UNSIGNED] : [SIGNED, UNSIGNED];
  const others = review.buttons.filter((it) => it !== review.sign && it !== DO_NOT_SEND);
  const harmless = review.buttons.filter((it) => it === DO_NOT_SEND);
  return {
    ...review,
    title: t`${review.title.replace(/[?？]$/, "")}, as a file?`,
    detail: `${NOT_SENT}\n\n${review.detail ?? ""}`,
    buttons: [...harmless, ...buttons, ...others],
    sign: buttons[0] ?? UNSIGNED,
    alsoConsent: [UNSIGNED],
  };
}

/**
 * Writes a transaction of the journal to a file or the clipboard.
 *
 * @param file - path that a program chose
 * @throws {ChainError} `TRANSACTION_NOT_WRITTEN`
 */
export async function handOver(
  signed: SignedTransaction,
  file: string | undefined,
  unattended: boolean,
): Promise<DeliveredFile> {
  const { printTransactionFile } = await import("../host/secrets/lazy-signing.ts");
  const transaction = printTransactionFile(signed);
  if (file !== undefined) return { transaction, file: await writeNew(vscode.Uri.file(file), transaction, signed.txId) };
  if (unattended) return { transaction };
  const [save, copy] = [t`Save as File…`, t`Copy to Clipboard`];
  const items = [
    { label: save, description: t`TronWeb's JSON, as ${FILE_ENDING}` },
    { label: copy, description: t`the same text` },
  ];
  const way = (await quickPick(items, { title: t`Export for Signature`, ignoreFocusOut: true }))?.label;
  if (way === copy) {
    await vscode.env.clipboard.writeText(transaction);
    confirmInStatusBar(t`Transaction copied`);
    return { transaction };
  }
  const uri = way === save ? await askFile(signed.txId) : undefined;
  if (uri !== undefined) return { transaction, file: await write(uri, transaction, signed.txId) };
  void notify("information", t`Nothing was written. The transaction is in the list: export it again from its row.`);
  return { transaction };
}

function askFile(txId: TxId): Thenable<vscode.Uri | undefined> {
  const kind = t`Transaction`;
  return vscode.window.showSaveDialog({
    title: t`Export for Signature`,
    filters: { [kind]: ["tron.json", "json"] },
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), `transaction-${txId.slice(0, 8)}${FILE_ENDING}`),
  });
}

/** Never overwrites a file that a program names; the save dialog asks the user itself. */
async function writeNew(uri: vscode.Uri, text: string, txId: TxId): Promise<string> {
  const there = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!there) return await write(uri, text, txId);
  throw notWritten(uri, txId, t`it already exists and is not overwritten`);
}

async function write(uri: vscode.Uri, text: string, txId: TxId): Promise<string> {
  try {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
    return uri.fsPath;
  } catch (cause) {
    throw notWritten(uri, txId, cause instanceof Error ? cause.message : String(cause));
  }
}

function notWritten(uri: vscode.Uri, txId: TxId, reason: string): ChainError {
  return new ChainError("TRANSACTION_NOT_WRITTEN", { txId, file: uri.fsPath, reason });
}
