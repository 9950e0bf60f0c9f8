import { decideActions, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import type { SharedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAcknowledged } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { notify } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseTransaction, type NamedTransaction } from "../../sending/dialogs.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { EXPORTS, expiryItems } from "./export-choices.view.ts";
import type { SharedFileServices } from "./services.ts";
import { type ShareOrder, shareTransaction } from "./share-transaction.ts";
import { takeSource } from "./source.ts";

/** Implements the commands of this feature. Loaded with the first of them. */
export function createSharedFiles(services: SharedFileServices): { readonly commands: Commands<"sharedFiles"> } {
  return {
    commands: {
      "finality.exportForSignature": (argument, raw) => exportForSignature(services, argument, raw),
      "finality.addSignature": (argument, raw) => signShared(services, argument, raw),
      "finality.importSignedTransaction": (argument, raw) => importTransaction(services, argument, raw),
      "finality.signAgain": (argument, raw) => signAgain(services, argument, raw),
    },
  };
}

/** Imports a transaction that others signed, and broadcasts it on request. Returns undefined if the user cancels. */
export async function importTransaction(
  services: SharedFileServices,
  argument: CommandArguments["finality.importSignedTransaction"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const unattended = isCallOfProgram(raw);
  const source = await takeSource(argument, t`Import Signed Transaction`, unattended);
  if (source === undefined) return undefined;
  const { txId } = source.transaction;
  await services.transactions.ready();
  const tracked = services.transactions.get(txId);
  if (tracked !== undefined && isBeyondSignatures(tracked)) {
    if (!unattended) {
      void notify("information", t`This transaction is in the list already and needs no more signatures.`);
      await vscode.commands.executeCommand("finality.showTransaction", { txId });
    }
    return { txId, state: tracked.state };
  }
  return await shareTransaction(services, {
    ...commonOf(services, argument, unattended),
    purpose: "import",
    source,
  });
}

/** Returns whether a transaction was accepted, may be accepted, or ended. */
function isBeyondSignatures(tracked: TrackedTransaction): boolean {
  if (tracked.signed === undefined && tracked.state.kind === "unknown") return false;
  return tracked.state.kind !== "signed" && !decideActions(tracked).signAgain.allowed;
}

/**
 * Signs a transaction of a file, of the clipboard or of the list with a key here. Returns undefined if the user
 * cancels.
 */
export async function signShared(
  services: SharedFileServices,
  argument: CommandArguments["finality.addSignature"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const unattended = isCallOfProgram(raw);
  if (argument.txId !== undefined) return await signAgain(services, argument, raw);
  const source = await takeSource(argument, t`Add Signature`, unattended);
  if (source === undefined) return undefined;
  const common = commonOf(services, argument, unattended);
  return await shareTransaction(services, { ...common, purpose: "add", source, signer: argument.signer });
}

function commonOf(
  { networks }: SharedFileServices,
  argument: CommandArguments["finality.importSignedTransaction"],
  unattended: boolean,
): Omit<ShareOrder, "purpose" | "source"> {
  const { network, label, broadcast, acknowledgeUnknown } = argument;
  return {
    network: networks.get(network),
    label,
    broadcast,
    unattended,
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
  };
}

/**
 * Signs a tracked transaction again: adds a signature, or replaces a refused one. The transaction id stays. Returns
 * undefined if the user cancels.
 *
 * @throws {ChainError} `SIGN_AGAIN_REFUSED`
 */
export async function signAgain(
  services: SharedFileServices,
  argument: Pick<CommandArguments["finality.addSignature"], "txId" | "signer" | "acknowledgeUnknown" | "broadcast">,
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, nameOf } = services;
  const fits = (it: TrackedTransaction): boolean => decideActions(it).signAgain.allowed;
  const tracked = await chooseTransaction(transactions, named(argument), {
    title: t`Sign Again`,
    fits,
    forWhat: SIGNABLE,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const { signAgain: permission } = decideActions(tracked);
  if (!permission.allowed) throw new ChainError(permission.code, { txId: tracked.txId, reason: permission.why });
  const { signer, broadcast, acknowledgeUnknown } = argument;
  return await shareTransaction(services, {
    purpose: tracked.state.kind === "signed" ? "add" : "again",
    network: services.networks.get(transactions.networkOf(tracked)),
    source: { transaction: await bytesOf(tracked) },
    signer,
    broadcast,
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
    unattended: isCallOfProgram(raw),
  });
}

const SIGNABLE = t`transactions that need a signature, or whose signature was refused`;

function named({ txId }: { readonly txId?: string }): NamedTransaction {
  return defined({ txId });
}

/** Reads the signatures from the journal. */
async function bytesOf({ txId, signed }: TrackedTransaction): Promise<SharedTransaction> {
  const { readTransactionFile } = await import("../../host/secrets/lazy-signing.ts");
  if (signed === undefined) throw malformedArgument("txId", t`the bytes of ${txId} are not available here`);
  return readTransactionFile(signed.rawDataHex);
}

/** Exports a tracked transaction, or builds a new one and exports it. Returns undefined if the user cancels. */
export async function exportForSignature(
  services: SharedFileServices,
  argument: CommandArguments["finality.exportForSignature"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, nameOf, networks } = services;
  const program = isCallOfProgram(raw);
  if (argument.txId === undefined && program) throw malformedArgument("txId", t`name a transaction of the list`);
  if (argument.txId === undefined) return await exportNew(services);
  const choice = { title: t`Export for Signature`, fits: isUnsent, nameOf };
  const tracked = await chooseTransaction(transactions, named(argument), choice);
  if (tracked === undefined) return undefined;
  return await shareTransaction(services, {
    purpose: "export",
    network: networks.get(transactions.networkOf(tracked)),
    source: { transaction: await bytesOf(tracked) },
    file: argument.file,
    unattended: program,
  });
}

function isUnsent({ state, signed, replacedBy }: TrackedTransaction): boolean {
  return signed !== undefined && state.kind === "signed" && replacedBy === undefined;
}

/** Runs a sending command as an export, with time to collect signatures. */
async function exportNew({ clicks }: SharedFileServices): Promise<SentTransaction | undefined> {
  const title = t`Export for Signature`;
  const options = { title, matchOnDescription: true, ignoreFocusOut: true };
  const what = await quickPick(EXPORTS, { ...options, placeHolder: t`What to sign?` });
  if (what === undefined) return undefined;
  const placeholder = t`How long can signatures be collected?`;
  const expiry = await quickPick(expiryItems(), { ...options, placeHolder: placeholder });
  if (expiry === undefined) return undefined;
  const exportArgument = clicks.of({ kind: "export", share: true, expirySeconds: `${expiry.seconds}` });
  return await vscode.commands.executeCommand<SentTransaction | undefined>(what.command, exportArgument);
}
