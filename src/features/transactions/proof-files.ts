import { type NetworkProfile, networkLabel } from "@finality/client/gateway";
import { chainFaultText, DOCUMENT_FAULTS, describeProofCost, proofToMarkdown } from "@finality/client/labels";
import {
  type ChainRecheck,
  type ProofChecks,
  type ProofDocument,
  proofDocument,
  proofToJson,
  readProof,
  recheckProof as recheckAlone,
  recheckOnChain,
} from "@finality/client/proof";
import { decideActions, type TrackedTransaction } from "@finality/client/tracking";
import { systemClock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { defined, type TxId, textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmForProgram, notify, showProgress } from "../../host/prompts/notify.ts";
import { folderAtHand, quickPick } from "../../host/prompts/quick-input.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { proofSources } from "../../sending/transactions-on-chains.ts";
import { recheckText } from "./proof.view.ts";
import type { TransactionServices } from "./services.ts";
import type { CommandContext } from "./transaction-commands.ts";

export interface ExportedProof {
  readonly txId: TxId;
  readonly json: string;
  readonly markdown: string;
  /** Path of the file. */
  readonly file?: string;
}

/**
 * Writes the proof that a transaction is in no block to a file, as JSON or Markdown. Returns undefined if the user
 * cancels.
 *
 * @throws {ChainError} `PROOF_MISSING`; `COMMAND_ARGUMENT_MALFORMED` if the file that a program names exists already
 */
export async function exportProof(
  { transactions, nameOf }: CommandContext,
  argument: CommandArguments["finality.exportProof"],
  raw: unknown,
): Promise<ExportedProof | undefined> {
  const choice = {
    title: t`Export Proof`,
    fits: (it: TrackedTransaction) => decideActions(it).exportProof.allowed,
    forWhat: t`transactions whose absence is proven`,
    nameOf,
  };
  const tracked = await chooseTransaction(transactions, argument, choice);
  if (tracked === undefined) return undefined;
  const proof = proofOf(tracked);
  const file = isCallOfProgram(raw) ? fileNamed(argument.file) : await askFile(tracked.txId);
  if (file === undefined) return isCallOfProgram(raw) ? proof : undefined;
  // The save dialog confirms overwriting; a file that a program names is never overwritten.
  if (isCallOfProgram(raw) && (await exists(file))) {
    const reason = t`${file.fsPath} already exists and is not overwritten. Name another file`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "file", reason });
  }
  if (!(await confirmForProgram({ title: t`Write the proof to ${file.fsPath}?` }, t`Write`))) return undefined;
  const text = file.path.endsWith(".md") ? proof.markdown : proof.json;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text, "utf8"));
  return { ...proof, file: file.fsPath };
}

/** @throws {ChainError} `PROOF_MISSING` */
function proofOf(tracked: TrackedTransaction): ExportedProof {
  const { txId } = tracked;
  const permission = decideActions(tracked).exportProof;
  if (!permission.allowed) throw new ChainError(permission.code, { txId, reason: permission.why });
  const { signed, absence } = permission;
  const document = proofDocument({
    ...absence,
    txId,
    rawDataHex: signed.rawDataHex,
    ...defined({ chain: tracked.chain }),
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
    title: t`Export Proof of Absence`,
    filters: { JSON: ["json"], Markdown: ["md"] },
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), `proof-${txId.slice(0, 8)}.json`),
  });
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

type RecheckArguments = CommandArguments["finality.recheckProof"];

/** Result of Recheck Proof. `alone`: the file is consistent, and no node was queried. */
export interface RecheckedProof {
  readonly txId?: TxId;
  readonly kind: "confirmed" | "alone" | "refused";
  readonly reasons: readonly string[];
  /** Number of blocks from a node. */
  readonly blocks: number;
  /** Result as text. */
  readonly sentence: string;
}

/**
 * Checks an exported proof again: first from the file alone, then with the blocks of a node. Does not use the journal.
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} the errors of the gateway; `NETWORK_UNKNOWN`, `CHAIN_CHANGED`
 */
export async function recheckProof(
  services: TransactionServices,
  fields: RecheckArguments,
  raw: unknown,
): Promise<RecheckedProof | undefined> {
  const text = fields.proof ?? (await readFile(fields.file));
  if (text === undefined) return undefined;
  const document = readProof(text);
  const alone = recheckAlone(text);
  const program = isCallOfProgram(raw);
  if (document === undefined || alone.kind === "refused") {
    const reasons = alone.kind === "refused" ? alone.faults.map((it) => DOCUMENT_FAULTS[it]) : [];
    return report({ ...about(document), kind: "refused", reasons, blocks: 0 }, program);
  }
  const node = fields.offline === true ? ALONE : await chooseNode(services, document, fields.network, program);
  if (node === undefined) return undefined;
  const { network } = node;
  if (network === undefined) return report({ ...about(document), kind: "alone", reasons: [], blocks: 0 }, program);
  const { chain } = await services.chains.networkRefOf(network);
  const onChain = await whileReading(document, async (way) =>
    recheckOnChain(await services.gateways.for(network), document, {
      ...way,
      clock: systemClock,
      chain,
      sources: await proofSources(services.gateways, network),
    }),
  );
  if (onChain === undefined) return undefined;
  const reasons = onChain.kind === "refused" ? [chainFaultText(onChain.fault)] : [];
  const blocks = onChain.kind === "confirmed" ? onChain.blocks : 0;
  const checks = onChain.kind === "confirmed" ? { checks: onChain.checks } : {};
  return report({ ...about(document), kind: onChain.kind, reasons, blocks, network: network.name, ...checks }, program);
}

function about(document: ProofDocument | undefined): { readonly txId?: TxId } {
  return document === undefined ? {} : { txId: document.txId };
}

async function readFile(file: string | undefined): Promise<string | undefined> {
  const uri = file === undefined ? await askProofFile() : vscode.Uri.file(file);
  if (uri === undefined) return undefined;
  try {
    return textOfBytes(await vscode.workspace.fs.readFile(uri));
  } catch (cause) {
    const reason = t`${uri.fsPath} cannot be read`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "file", reason }, { cause });
  }
}

async function askProofFile(): Promise<vscode.Uri | undefined> {
  const options = { title: t`Recheck Proof of Absence`, filters: { JSON: ["json"] }, openLabel: t`Recheck` };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

/** Source of the blocks; without a network none are read. */
interface Node {
  readonly network: NetworkProfile | undefined;
}

const ALONE: Node = { network: undefined };

/**
 * Chooses the source of the blocks: the network of the proof's name or URL, or the one that the user picks by its cost.
 * Returns undefined if the user cancels.
 */
async function chooseNode(
  { networks }: TransactionServices,
  document: ProofDocument,
  name: string | undefined,
  program: boolean,
): Promise<Node | undefined> {
  if (name !== undefined) return { network: networks.get(name) };
  const all = networks.list();
  const fitting =
    all.find(({ baseUrl }) => sameUrl(baseUrl, document.endpoint)) ?? all.find((it) => it.name === document.network);
  if (program) return { network: fitting };
  const sorted = [...all].sort((left, right) => Number(right === fitting) - Number(left === fitting));
  const items = [
    ...sorted.map((network) => ({ label: networkLabel(network.name), description: network.baseUrl, network })),
    { label: t`The file alone`, description: t`asks no node`, network: undefined },
  ];
  const cost = describeProofCost({ blocks: document.count, requests: Math.ceil(document.count / 100) });
  return await quickPick(items, {
    title: t`Recheck Proof`,
    placeHolder: t`Read the blocks from which node? It will read ${cost}`,
  });
}

function sameUrl(left: string, right: string): boolean {
  return left.replace(/\/+$/, "") === right.replace(/\/+$/, "");
}

type Way = Pick<Parameters<typeof recheckOnChain>[2], "signal" | "read">;

/** @returns undefined if the user cancels */
async function whileReading(
  { count }: ProofDocument,
  work: (way: Way) => Promise<ChainRecheck>,
): Promise<ChainRecheck | undefined> {
  const step = { location: vscode.ProgressLocation.Notification, title: t`Rechecking the proof`, cancellable: true };
  return await showProgress(step, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    let before = 0;
    const read = (blocks: number): void => {
      progress.report({
        message: t`${grouped(blocks)} of ${grouped(count)} blocks`,
        increment: (100 * (blocks - before)) / count,
      });
      before = blocks;
    };
    try {
      return await work({ signal: cancelled.signal, read });
    } catch (error) {
      if (cancelled.signal.aborted) return undefined;
      throw error;
    }
  });
}

function report(
  found: Omit<RecheckedProof, "sentence"> & { readonly network?: string; readonly checks?: ProofChecks },
  program: boolean,
): RecheckedProof {
  const { network, checks: _checks, ...result } = found;
  const message = recheckText(found);
  if (!program) {
    void notify(found.kind === "refused" ? "warning" : "information", message);
  }
  return { ...result, sentence: message };
}
