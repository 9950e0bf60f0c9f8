import { type Account, coinSymbolOf, type Gateway } from "@finality/client/gateway";
import { type Address, bytesToHex } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { type CoinRequest, coinTransfer } from "../../sending/coin-transfer.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import { accountsToSign, mayBeSignedFor } from "../../sending/possible-signers.ts";
import { requirePart } from "../../sending/signing-plan.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { askPayment } from "./ask-payment.ts";
import { isComplete, readSendArguments } from "./send-arguments.ts";
import type { ShownAccount } from "./send-coins.view.ts";
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
      ...(permissionId === undefined ? {} : { permissionId }),
    },
    nameOf: namesOf(services),
    label,
    acknowledgeUnknown,
    unattended: isUnattended(isComplete(fields)),
    exportOptions: exportOptionsOf(argument),
    expiresInMs: expirySeconds(argument.expirySeconds, keys.isOutside(owner)) * 1000,
  };
}

/** Reads a watched account; undefined for an unknown one. */
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
        const known = { address, name, ...optional("signer", signer), ...optional("symbol", symbol) };
        if (account === "unknown") return { ...known, canSign: watchOnly ? "maybe" : true };
        const canSign = watchOnly ? mayBeSignedFor(address, account, accounts) && ("maybe" as const) : true;
        return { ...known, canSign, ...optional("balance", account?.balance) };
      }),
    );
  });
}

/** A field that is only there when it has a value. */
function optional<K extends string, T>(key: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T });
}
