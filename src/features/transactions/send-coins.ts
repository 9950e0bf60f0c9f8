import { type Account, coinSymbolOf, type Gateway } from "@finality/client/gateway";
import { likenessOf } from "@finality/client/labels";
import { type Address, bytesToHex, defined, type Sun } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  askSteps,
  pickStep,
  type StepPosition,
  type StepResult,
  textStep,
} from "../../host/prompts/quick-input.ts";
import type { KnownParty, SigningAccount } from "../../host/secrets/signing-keys.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { type CoinRequest, coinTransfer } from "../../sending/coin-transfer.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import { accountsToSign, mayBeSignedFor } from "../../sending/possible-signers.ts";
import { requirePart } from "../../sending/signing-plan.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { isComplete, readSendArguments } from "./send-arguments.ts";
import {
  checkAmount,
  checkRecipient,
  recipientItems,
  type ShownAccount,
  type ShownItem,
  senderItems,
} from "./send-coins.view.ts";
import { namesOf, type TransactionServices } from "./services.ts";

const BALANCES_WITHIN_MS = 3_000;

type SendCoinsArgument = CommandArguments["finality.sendCoins"];

/**
 * Sends coins: prompts for missing values, then runs the send pipeline. Returns undefined if the user cancels.
 */
export async function sendCoins(
  services: TransactionServices,
  argument: SendCoinsArgument,
): Promise<SentTransaction | undefined> {
  await services.transactions.ready();
  const request = await readRequest(services, argument);
  if (request === undefined) return undefined;
  const sender = await services.sender();
  return await sender.send(coinTransfer, request);
}

async function readRequest(
  services: TransactionServices,
  argument: SendCoinsArgument,
): Promise<CoinRequest | undefined> {
  const { networks, gateways, keys } = services;
  const network = networks.get(argument.network);
  const gateway = await gateways.for(network);
  const accounts = accountsToSign(keys, network, argument.share);
  const parties = keys.knownOn(network);
  const signers = accounts.filter(({ watchOnly }) => !watchOnly);
  const fields = readSendArguments(argument, (name) => parties.find(({ label }) => label === name)?.address);
  const payment = isComplete(fields)
    ? fields
    : await askPayment(fields, await withBalances(gateway, accounts), parties);
  if (payment === undefined) return undefined;
  const { from: owner, to, amount } = payment;
  const canSign = signers.some(({ address }) => address === owner);
  if (!canSign) requirePart(keys, network, owner, await watched(gateway, accounts, owner));
  const { memo, permissionId, label, acknowledgeUnknown } = fields;
  return {
    network,
    gateway,
    intent: {
      kind: "transfer",
      owner,
      to,
      amount,
      ...(memo === undefined ? {} : { memo: bytesToHex(Buffer.from(memo, "utf8")) }),
      ...defined({ permissionId }),
    },
    nameOf: namesOf(services),
    label,
    acknowledgeUnknown,
    unattended: isUnattended(isComplete(fields)),
    exportOptions: exportOptionsOf(argument),
    expiresInMs: expirySeconds(argument.expirySeconds, keys.isOutside(owner)) * 1000,
  };
}

/** Reads a watch-only account; returns undefined for an unknown one. */
async function watched(
  gateway: Gateway,
  accounts: readonly SigningAccount[],
  owner: Address,
): Promise<Account | undefined> {
  if (!accounts.some(({ address }) => address === owner)) return undefined;
  return await whileWorking(t`Reading the account`, (signal) => gateway.account(owner, signal));
}

/** Reads balances for the list, with a short timeout, because it works without them. */
async function withBalances(gateway: Gateway, accounts: readonly SigningAccount[]): Promise<readonly ShownAccount[]> {
  return await whileWorking(t`Reading balances`, (cancelled) => {
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(BALANCES_WITHIN_MS)]);
    return Promise.all(
      accounts.map(async ({ address, label: name, watchOnly, signer }) => {
        const account = await gateway.account(address, signal).catch(() => "unknown" as const);
        const symbol = coinSymbolOf(gateway.endpoint);
        const known = { address, name, ...defined({ signer, symbol }) };
        if (account === "unknown") return { ...known, canSign: watchOnly ? "maybe" : true };
        const canSign = watchOnly ? mayBeSignedFor(address, account, accounts) && ("maybe" as const) : true;
        return { ...known, canSign, ...defined({ balance: account?.balance }) };
      }),
    );
  });
}

/** Fields of a payment. */
interface Payment {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Sun;
}

/** Known fields of a payment. */
type KnownPayment = { readonly [F in keyof Payment]?: Payment[F] | undefined };

type Item = vscode.QuickPickItem & { readonly address?: Address };
type PaymentStep = (fields: KnownPayment, step: StepPosition) => Promise<StepResult<KnownPayment>>;

/**
 * Prompts for the missing fields of a payment, one step each, with a Back button. Returns undefined if the user
 * cancels.
 *
 * @param parties - Accounts and other named addresses.
 */
async function askPayment(
  fields: KnownPayment,
  accounts: readonly ShownAccount[],
  parties: readonly KnownParty[],
): Promise<Payment | undefined> {
  const steps = openSteps(fields, accounts, parties).map(adding);
  return (await askSteps(t`Send Coins`, fields, steps)) as Payment | undefined;
}

/** Adds the answer of a step to the known fields. */
function adding(question: PaymentStep): Ask<KnownPayment> {
  return async (soFar, place) => mapValue(await question(soFar, place), (more) => ({ ...soFar, ...more }));
}

function openSteps(
  fields: KnownPayment,
  accounts: readonly ShownAccount[],
  parties: readonly KnownParty[],
): readonly PaymentStep[] {
  return [
    ...(fields.from === undefined ? [askSender(accounts)] : []),
    ...(fields.to === undefined ? [askRecipient(accounts, parties)] : []),
    ...(fields.amount === undefined ? [askAmount(accounts)] : []),
  ];
}

function askSender(accounts: readonly ShownAccount[]): PaymentStep {
  return async (_fields, place) => {
    const items: readonly Item[] = senderItems(accounts);
    const step = { placeholder: t`From which account?`, items, mayPick: isAddressItem };
    return mapValue(await pickStep(place, step), ({ address }) => (address === undefined ? {} : { from: address }));
  };
}

function askRecipient(accounts: readonly ShownAccount[], parties: readonly KnownParty[]): PaymentStep {
  return async ({ from }, place) => {
    if (from === undefined) return { kind: "left" };
    const items: readonly Item[] = recipientItems(accounts, parties, from);
    const typed = (text: string): Item | undefined =>
      matches(items, text) ? undefined : typedRecipient(text, from, parties);
    const step = {
      placeholder: t`Recipient? Choose an account or paste an address`,
      items,
      typed,
      mayPick: isAddressItem,
    };
    return mapValue(await pickStep(place, step), ({ address }) => (address === undefined ? {} : { to: address }));
  };
}

function askAmount(accounts: readonly ShownAccount[]): PaymentStep {
  return async ({ from }, place) => {
    const { balance, symbol } = accounts.find((it) => it.address === from) ?? {};
    const step = {
      prompt: t`How many coins?`,
      placeholder: "1.5",
      check: (text: string) => checkAmount(text, balance, symbol),
    };
    return mapValue(await textStep(place, step), (amount) => ({ amount }));
  };
}

function isAddressItem(item: Item): boolean {
  return item.address !== undefined;
}

/** Returns whether the typed text matches the list: then it is a search, not an address. */
function matches(items: readonly ShownItem[] | readonly Item[], text: string): boolean {
  const needle = text.trim().toLowerCase();
  return items.some(({ label, description = "" }) => `${label} ${description}`.toLowerCase().includes(needle));
}

function typedRecipient(text: string, from: Address, parties: readonly KnownParty[]): Item | undefined {
  const checked = checkRecipient(text, from);
  switch (checked.kind) {
    case "empty":
      return undefined;
    case "good":
      return {
        label: t`$(arrow-right) This address`,
        description: checked.message ?? "",
        ...likenessOf(checked.value, parties),
        address: checked.value,
        alwaysShow: true,
      };
    case "wrong":
      return { label: t`$(error) Not usable yet`, detail: checked.message, alwaysShow: true };
  }
}

function mapValue<T, U>(result: StepResult<T>, map: (value: T) => U): StepResult<U> {
  return result.kind === "value" ? { kind: "value", value: map(result.value) } : result;
}
