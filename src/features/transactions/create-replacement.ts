import { quoted } from "@finality/client/labels";
import {
  decideActions,
  type ReplacementReason,
  type SignedPart,
  sinceSigned,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
import { type Address, type TxId, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, readAcknowledged } from "../../host/commands/command-arguments.ts";
import { askModal, whileWorking } from "../../host/prompts/notify.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { coinTransfer } from "../../sending/coin-transfer.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { systemContract } from "../../sending/system-contract.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { replacementText } from "./proof.view.ts";
import { exportProof } from "./proof-files.ts";
import { accountsOn, namesOf, type TransactionServices } from "./services.ts";

type ReplacementArgument = CommandArguments["finality.createReplacement"];

/** A replacement and the transaction that it replaces. */
export interface SentReplacement extends SentTransaction {
  readonly replaces: TxId;
}

/**
 * Replaces a transaction that can never be executed: sends the same intent again, with a review. Returns undefined if
 * the user cancels.
 *
 * @throws {ChainError} `REPLACEMENT_REFUSED` if it may still be executed, or its intent is unknown
 */
export async function createReplacement(
  services: TransactionServices,
  argument: ReplacementArgument,
  raw: unknown,
): Promise<SentReplacement | undefined> {
  const fits = (it: TrackedTransaction): boolean => decideActions(it).createReplacement.allowed;
  const choice = {
    title: t`Create Replacement`,
    fits,
    forWhat: t`transactions that can no longer be executed`,
    nameOf: namesOf(services),
  };
  const tracked = await chooseTransaction(services.transactions, argument, choice);
  if (tracked === undefined) return undefined;
  const { because, signed } = await requery(services, tracked);
  const unattended = isCallOfProgram(raw);
  if (!unattended && !(await confirm(services, tracked, because))) return undefined;
  const sent = await sendAgain(services, { tracked, signed, argument, unattended, replaces: tracked.txId });
  return sent && { ...sent, replaces: tracked.txId };
}

/** A refusal is the gateway's claim, so the transaction is queried first. */
async function requery({ transactions }: TransactionServices, tracked: TrackedTransaction) {
  const found = replaceable(tracked);
  if (found.because.kind === "proof") return found;
  await whileWorking(t`Searching for the transaction`, (signal) => transactions.lookNow(tracked.txId, signal));
  return replaceable(transactions.get(tracked.txId) ?? tracked);
}

/** Transaction whose intent is sent again. */
interface Again {
  readonly tracked: TrackedTransaction;
  readonly signed: SignedPart;
  readonly argument: CommandArguments["finality.doItAgain"];
  readonly unattended: boolean;
  /** The replaced transaction. */
  readonly replaces?: TxId;
  /** Reason of the failure. */
  readonly lastFailure?: string;
}

/** @throws {ChainError} `REPLACEMENT_REFUSED` */
function replaceable(tracked: TrackedTransaction): {
  readonly because: ReplacementReason;
  readonly signed: SignedPart;
} {
  const { createReplacement } = decideActions(tracked);
  if (createReplacement.allowed) return createReplacement;
  throw new ChainError(createReplacement.code, { txId: tracked.txId, reason: createReplacement.why });
}

/**
 * Sends the same intent again through the pipeline. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `REPLACEMENT_REFUSED`, `SIGNING_KEY_MISSING`, and the errors of sending
 */
async function sendAgain(services: TransactionServices, again: Again): Promise<SentTransaction | undefined> {
  const { tracked, signed, argument, unattended, replaces, lastFailure } = again;
  const { label } = tracked;
  const { intent } = signed;
  const { expirySeconds: expiry } = argument;
  const common = {
    label,
    unattended,
    replaces,
    since: sinceSigned(tracked),
    acknowledgeUnknown: argument.acknowledgeUnknown && readAcknowledged(argument.acknowledgeUnknown),
  };
  const expiresInMs = (): number => expirySeconds(expiry, services.keys.isOutside(intent.owner)) * 1000;
  switch (intent.kind) {
    case "transfer": {
      const target = await networkOf(services, tracked, intent.owner);
      const sender = await services.sender();
      return await sender.send(coinTransfer, { ...target, ...common, intent, expiresInMs: expiresInMs() });
    }
    case "contract-call":
    case "contract-creation":
      return await services.contracts.replaceCode({
        ...common,
        network: services.transactions.networkOf(tracked),
        intent,
        lastFailure,
        feeLimit: argument.feeLimit,
        acknowledgeFailure: argument.acknowledgeFailure === true,
        expirySeconds: expiry,
      });
    case "other":
      throw new ChainError("REPLACEMENT_REFUSED", {
        txId: tracked.txId,
        reason: t`Finality cannot build such a transaction.`,
      });
    default: {
      const target = await networkOf(services, tracked, intent.owner);
      const sender = await services.sender();
      return await sender.send(systemContract, { ...target, ...common, intent, expiresInMs: expiresInMs() });
    }
  }
}

/** Shows why a replacement is safe. Escape and Cancel replace nothing, nor does Enter if money is real. */
async function confirm(
  services: TransactionServices,
  tracked: TrackedTransaction,
  because: ReplacementReason,
): Promise<boolean> {
  const { txId } = tracked;
  const network = services.transactions.networkOf(tracked);
  const { title, detail } = replacementText(txId, because, localTime);
  const [create, proof] = [t`Create Replacement`, t`Export Proof…`];
  const isReal = services.networks.list().some((it) => it.name === network && it.production);
  const actions = [...(isReal ? [t`Do Not Replace`] : []), create, ...(because.kind === "proof" ? [proof] : [])];
  const chosen = await askModal("warning", { title, detail }, ...actions);
  if (chosen === proof)
    await exportProof({ transactions: services.transactions, nameOf: namesOf(services) }, { txId }, undefined);
  return chosen === create;
}

/**
 * Returns the network of a transaction now, if the account is known there.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`
 */
async function networkOf(services: TransactionServices, tracked: TrackedTransaction, owner: Address) {
  const { networks, gateways, keys, transactions } = services;
  const network = networks.get(transactions.networkOf(tracked));
  // The account's permissions determine later whether local keys may sign for it.
  const isHere = accountsOn(keys, network).some((it) => it.address === owner);
  if (!isHere) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(owner) });
  return { network, gateway: await gateways.for(network), nameOf: namesOf(services) };
}

/**
 * Sends the intent of a failed transaction again. A call is simulated first, and its review shows the last failure.
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} `AGAIN_REFUSED` if it did not fail, or its intent is unknown; and the errors of sending
 */
export async function doItAgain(
  services: TransactionServices,
  argument: CommandArguments["finality.doItAgain"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, reasons } = services;
  const fits = (it: TrackedTransaction): boolean => decideActions(it).doItAgain.allowed;
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Retry as New Transaction`,
    fits,
    forWhat: t`your own transactions that failed for good`,
    nameOf: namesOf(services),
  });
  if (tracked === undefined) return undefined;
  const { doItAgain: permission } = decideActions(tracked);
  if (!permission.allowed) throw new ChainError(permission.code, { txId: tracked.txId, reason: permission.why });
  await whileWorking(t`Reading why it failed`, () => reasons.settled(tracked));
  const reason = reasons.of(tracked);
  const lastFailure = reason === undefined ? t`it failed` : t`it failed with ${quoted(reason.text)}`;
  return await sendAgain(services, {
    tracked,
    signed: permission.signed,
    argument,
    lastFailure,
    unattended: isCallOfProgram(raw),
  });
}
