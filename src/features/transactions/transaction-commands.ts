import type { Gateway, NetworkProfile } from "@finality/client/gateway";
import { describeAnswer, transactionLabel } from "@finality/client/labels";
import { decideActions, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError, stateText } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { parseAddress, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, readAcknowledged, readAs, readTxId } from "../../host/commands/command-arguments.ts";
import { askModal, confirmInStatusBar, notify, whileSending, whileWorking } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import {
  askForConsent,
  type Consent,
  consentOfClick,
  consentOfLocalChain,
  DO_NOT_SEND,
} from "../../sending/consent.ts";
import { chooseTransaction, type NamedTransaction } from "../../sending/dialogs.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import {
  explorerAddressPage,
  explorerContractPage,
  explorerPage,
  networksOf,
  type PastedTransaction,
  pastedTransaction,
} from "./explorer.view.ts";
import { namesOf, type TransactionServices } from "./services.ts";

/** Context of commands about a tracked transaction. */
export interface CommandContext {
  readonly transactions: TransactionService;
  readonly nameOf: NameOf;
}

const UNSENT = t`signed transactions that were never sent`;
const RESENDABLE = t`signed transactions that may still be executed`;
const ELSEWHERE = t`signed transactions that may still be executed, on a network with another URL`;
const PROVING = t`transactions whose absence is being proven`;
const STOPPED = t`transactions whose proof of absence was stopped`;

type ResendArgument = CommandArguments["finality.sendSameBytesAgain"];

/** Additional services of sending again. */
export type ResendContext = CommandContext & Pick<TransactionServices, "networks" | "clicks" | "proveLocalChain">;

/**
 * Sends the same signed bytes again. The chain executes a transaction at most once, so a click on a row or button of
 * this extension is consent. Other callers see a review, except on the local chain.
 */
export async function sendSameBytesAgain(
  context: ResendContext,
  argument: ResendArgument,
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const fits = (it: TrackedTransaction): boolean => decideActions(it).sendSameBytes.allowed;
  return await sendBytes(context, argument, raw, { title: t`Send Same Bytes Again`, fits, forWhat: RESENDABLE });
}

/** Sends signed bytes for the first time, with the checks of *Send Same Bytes Again*. */
export async function sendSigned(
  context: ResendContext,
  argument: CommandArguments["finality.sendSigned"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const fits = (it: TrackedTransaction): boolean =>
    it.state.kind === "signed" && decideActions(it).sendSameBytes.allowed;
  return await sendBytes(context, argument, raw, { title: t`Send Signed Transaction`, fits, forWhat: UNSENT });
}

async function sendBytes(
  context: ResendContext,
  argument: ResendArgument,
  raw: unknown,
  choice: Pick<Parameters<typeof chooseTransaction>[2], "title" | "fits" | "forWhat">,
): Promise<SentTransaction | undefined> {
  const { nameOf } = context;
  const chosen = await chooseTransaction(context.transactions, argument, { ...choice, nameOf });
  if (chosen === undefined) return undefined;
  const acknowledged = await passNewerEquals(context, chosen, argument, raw);
  if (acknowledged === undefined) return undefined;
  const consent = await consentToResend(context, chosen, raw);
  return consent === undefined ? undefined : await resend(context, consent, acknowledged);
}

/**
 * Returns the consent to send these bytes again; undefined if the user cancels.
 *
 * @param raw - Argument as received.
 * @param where - Another node than the network's first one.
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE`
 */
async function consentToResend(
  { transactions, networks, clicks, proveLocalChain, nameOf }: ResendContext,
  tracked: TrackedTransaction,
  raw: unknown,
  where?: string,
): Promise<Consent | undefined> {
  const { txId } = tracked;
  const network = transactions.networkOf(tracked);
  if (clicks.has(raw)) return consentOfClick(txId);
  if (networks.find(network)?.local === true) return await consentOfLocalChain(txId, proveLocalChain);
  const what = transactionLabel(tracked, nameOf);
  const isFirst = tracked.state.kind === "signed";
  const sign = isFirst ? t`Send` : t`Send Again`;
  const title = isFirst ? t`Send ${what}?` : t`Send the signed bytes of ${what} again?`;
  const detail = t`They go to ${where ?? network}. The chain executes a transaction at most once.\ntxID ${txId}`;
  const isRealMoney = networks.find(network)?.production === true;
  const review = { severity: "warning", isRealMoney, title, detail, buttons: [sign], sign } as const;
  return (await askForConsent(txId, review)).consent;
}

/**
 * Sends the bytes and reports the answer.
 *
 * @param gateway - Another node than the network's first one.
 */
async function resend(
  { transactions }: Pick<CommandContext, "transactions">,
  consent: Consent,
  acknowledged: readonly TxId[],
  gateway?: Gateway,
): Promise<SentTransaction> {
  const isFirst = transactions.get(consent.txId)?.state.kind === "signed";
  const tracked = await whileSending(isFirst ? t`Sending` : t`Sending again`, () =>
    transactions.resend(consent, acknowledged, gateway),
  );
  sayAnswer(tracked);
  return pick(tracked);
}

/**
 * Asks before sending bytes that repeat a newer transaction. Returns the newer ones that the sender accepts; undefined
 * if the user cancels.
 */
async function passNewerEquals(
  { transactions, nameOf }: CommandContext,
  tracked: TrackedTransaction,
  { acknowledgeUnknown }: ResendArgument,
  raw: unknown,
): Promise<readonly TxId[] | undefined> {
  if (acknowledgeUnknown !== undefined) return readAcknowledged(acknowledgeUnknown);
  if (isCallOfProgram(raw)) return [];
  const permission = await whileWorking(t`Searching for an equal payment`, (signal) =>
    transactions.mayResend(tracked, signal),
  );
  const equals = permission.allowed ? permission.unless : undefined;
  if (equals === undefined) return [];
  const title = t`Send ${transactionLabel(tracked, nameOf)} although it could happen twice?`;
  const again = tracked.state.kind === "signed" ? t`Send` : t`Send Again`;
  const chosen = await askModal("warning", { title, detail: equals.sentence, isFirstSafe: true }, DO_NOT_SEND, again);
  return chosen === again ? equals.txIds : undefined;
}

/** Reports the answer to this attempt, because the state keeps the first one. */
function sayAnswer(tracked: TrackedTransaction): void {
  const outcome = tracked.attempts.at(-1)?.outcome;
  if (outcome === undefined || outcome.kind === "accepted") return;
  const answer = describeAnswer(outcome);
  const isFirst = tracked.attempts.length === 1;
  void notify("warning", isFirst ? t`Sent; the answer was: ${answer}.` : t`Sent again; the answer was: ${answer}.`);
}

/** Queries a transaction now and reports its state. */
export async function lookNow(
  context: CommandContext,
  argument: NamedTransaction,
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const choice = {
    title: t`Check Now`,
    fits: (it: TrackedTransaction) => decideActions(it).lookNow.allowed,
    forWhat: t`transactions that are not final yet`,
    nameOf: context.nameOf,
  };
  const tracked = await chooseTransaction(context.transactions, argument, choice);
  if (tracked === undefined) return undefined;
  const { txId } = tracked;
  await whileWorking(t`Searching for the transaction`, (signal) => context.transactions.lookNow(txId, signal));
  const now = context.transactions.get(txId) ?? tracked;
  if (!isCallOfProgram(raw)) confirmInStatusBar(t`Checked just now: ${stateText(now.state.kind)}`);
  return pick(now);
}

/** Stops or resumes the search for a proof of absence. */
export async function stopProof(
  context: CommandContext,
  argument: NamedTransaction,
  stopped: boolean,
): Promise<SentTransaction | undefined> {
  const title = stopped ? t`Stop Proof` : t`Resume Proof`;
  const fits = (it: TrackedTransaction): boolean => it.proving?.kind === (stopped ? "scanning" : "stopped");
  const tracked = await chooseTransaction(context.transactions, argument, {
    title,
    fits,
    forWhat: stopped ? PROVING : STOPPED,
    nameOf: context.nameOf,
  });
  if (tracked === undefined) return undefined;
  await context.transactions.stopProof(tracked.txId, stopped);
  return pick(tracked);
}

/** Copies a txID to the clipboard. */
export async function copyTxId(
  context: CommandContext,
  argument: NamedTransaction,
  raw: unknown,
): Promise<string | undefined> {
  const choice = { title: t`Copy txID`, fits: () => true, nameOf: context.nameOf };
  const tracked = await chooseTransaction(context.transactions, argument, choice);
  if (tracked === undefined) return undefined;
  await vscode.env.clipboard.writeText(tracked.txId);
  if (!isCallOfProgram(raw)) confirmInStatusBar(t`txID copied`);
  return tracked.txId;
}

function pick({ txId, state }: TrackedTransaction): SentTransaction {
  return { txId, state };
}

/** Tracks a transaction by its txID, including transactions of others. Returns undefined if the user cancels. */
export async function trackTransaction(
  { transactions, networks }: TransactionServices,
  argument: CommandArguments["finality.trackTransaction"],
): Promise<SentTransaction | undefined> {
  const named = argument.txId === undefined ? undefined : readTxId("txId", argument.txId);
  const network = networks.get(argument.network);
  const pasted = named === undefined ? await askTransaction(network.name) : { txId: named };
  if (pasted === undefined) return undefined;
  const { txId } = pasted;
  const ofPage = networksOf(pasted, networks.list()).map((it) => it.name);
  const name =
    ofPage.includes(network.name) || argument.network !== undefined ? network.name : (ofPage[0] ?? network.name);
  await transactions.ready();
  const tracked = await transactions.adopt(txId, name, argument.label);
  if (named === undefined) await vscode.commands.executeCommand("finality.showTransaction", { txId });
  return { txId, state: tracked.state };
}

/** Validates the pasted text. */
function checkPasted(text: string): string | undefined {
  if (text.trim() === "" || pastedTransaction(text) !== undefined) return undefined;
  return /^https?:/i.test(text.trim())
    ? t`This URL contains no txID. The URL of a transaction page contains its txID, 64 hex digits.`
    : t`A txID has 64 hex digits; this has ${text.trim().length} characters.`;
}

async function askTransaction(network: string): Promise<PastedTransaction | undefined> {
  const text = await inputBox({
    title: t`Track Transaction on ${network}`,
    prompt: t`The txID of any transaction`,
    placeHolder: t`64 hex digits, or the URL of its page in an explorer`,
    ignoreFocusOut: true,
    validateInput: checkPasted,
  });
  return text === undefined ? undefined : pastedTransaction(text);
}

/**
 * Sends the same signed bytes to another node, which accepts them or shows the reason behind "Dup transaction.".
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} `RESEND_REFUSED`; `COMMAND_ARGUMENT_MALFORMED` if the URL is not one of the network's
 */
export async function sendToAnotherNode(
  services: TransactionServices,
  argument: CommandArguments["finality.sendToAnotherNode"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, networks, gateways, chains } = services;
  const nameOf = namesOf(services);
  const urlsBeside = (it: TrackedTransaction) => networks.find(transactions.networkOf(it))?.fallbackUrls ?? [];
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Send to Another Node`,
    fits: (it) => decideActions(it, { otherUrls: urlsBeside(it) }).sendToAnotherNode.allowed,
    forWhat: ELSEWHERE,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const network = networks.get(transactions.networkOf(tracked));
  // Identifies the chain of each URL before bytes are sent to one of them.
  await whileWorking(t`Checking the chain`, () => chains.networkRefOf(network));
  const url = await chooseUrl(tracked, network, argument.url);
  if (url === undefined) return undefined;
  const acknowledged = await passNewerEquals({ transactions, nameOf }, tracked, argument, raw);
  if (acknowledged === undefined) return undefined;
  const consent = await consentToResend({ ...services, nameOf }, tracked, raw, url);
  if (consent === undefined) return undefined;
  return await resend({ transactions }, consent, acknowledged, await gateways.at(network, url));
}

/** @throws {ChainError} `RESEND_REFUSED`, `COMMAND_ARGUMENT_MALFORMED` */
async function chooseUrl(
  tracked: TrackedTransaction,
  { baseUrl, fallbackUrls }: NetworkProfile,
  named: string | undefined,
): Promise<string | undefined> {
  const urls = [baseUrl, ...fallbackUrls];
  if (named !== undefined) return knownUrl(named, urls);
  const permission = decideActions(tracked, { otherUrls: fallbackUrls }).sendToAnotherNode;
  if (!permission.allowed) throw new ChainError(permission.code, { txId: tracked.txId, reason: permission.why });
  const usedUrls = tracked.attempts.map(({ endpoint }) => endpoint);
  const items = urls.map((url) => ({
    label: url,
    description: usedUrls.includes(url) ? t`has received it` : t`has not received it from here`,
  }));
  const unseenFirst = items.sort(
    (left, right) => Number(usedUrls.includes(left.label)) - Number(usedUrls.includes(right.label)),
  );
  return (await quickPick(unseenFirst, { title: t`Send to Another Node`, placeHolder: t`To which node?` }))?.label;
}

function knownUrl(url: string, urls: readonly string[]): string {
  if (urls.includes(url)) return url;
  const reason = t`${url} is not one of the URLs of the network (${urls.join(t`, `)})`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "url", reason });
}

/**
 * Opens a transaction at the block explorer of its network, or an address or a contract at that of the active or named
 * network.
 *
 * @returns the URL of the page; undefined if the user cancels
 * @throws {ChainError} `EXPLORER_MISSING`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function openInExplorer(
  services: TransactionServices,
  argument: CommandArguments["finality.openInExplorer"],
): Promise<string | undefined> {
  const { transactions, networks } = services;
  const { address, contract, txId } = argument;
  const name = contract === undefined ? "address" : "contract";
  const text = contract ?? address;
  if (text !== undefined && txId === undefined) {
    const parsed = readAs(name, text, parseAddress);
    const pageAt = contract === undefined ? explorerAddressPage : explorerContractPage;
    return await openPage(networks.get(argument.network), (url) => pageAt(url, parsed));
  }
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Open in Explorer`,
    fits: (it) => networks.find(transactions.networkOf(it))?.explorerUrl !== undefined,
    forWhat: t`transactions of a network with a block explorer`,
    nameOf: namesOf(services),
  });
  if (tracked === undefined) return undefined;
  return await openPage(networks.get(transactions.networkOf(tracked)), (url) => explorerPage(url, tracked.txId));
}

/** @throws {ChainError} `EXPLORER_MISSING` */
async function openPage(
  { name, explorerUrl }: NetworkProfile,
  pageAt: (explorerUrl: string) => string,
): Promise<string> {
  if (explorerUrl === undefined) throw new ChainError("EXPLORER_MISSING", { network: name });
  const page = pageAt(explorerUrl);
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
  return page;
}
