import { type Clock, coinSymbolOf, requireCompleteAccount } from "@finality/client/gateway";
import { deploymentOf } from "@finality/client/tracking";
import { coinsText, formatCoins, shortAddress } from "@finality/tron/format";
import { type Address, parseAddress, sun, type TxId, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readTxId } from "../../host/commands/command-arguments.ts";
import type { Commands, RegisterCommand } from "../../host/commands/commands.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import type { ContributedRows } from "../../host/contributed-rows.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { ADD_ACCOUNT_STEPS, chooseAccount } from "../../host/prompts/choose-account.ts";
import { confirmInStatusBar, notify, reportDone, whileWorking } from "../../host/prompts/notify.ts";
import { chooseNetwork } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

export interface AccountsViewServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly keys: SigningKeys;
  readonly transactions: TransactionService;
  readonly clock: Clock;
  /** Rows of the local chain, shown above the accounts. */
  readonly contributed: ContributedRows;
}

/** @param refresh - Reloads all balances. */
export function createAccountCommands(
  services: AccountsViewServices,
  refresh: (cancelled?: AbortSignal) => Promise<void>,
): { readonly commands: Commands<"accountsView"> } {
  return {
    commands: {
      "finality.copyAddress": async (argument, raw) =>
        reportDone(raw, await copyAddress(services, argument, raw), () => t`Address copied`),
      "finality.refreshAccounts": (_, raw) => refreshAccounts(services, refresh, !isCallOfProgram(raw)),
      "finality.showBalance": (argument, raw) => showBalance(services, argument, !isCallOfProgram(raw)),
    },
  };
}

const WITHOUT_TRUST: readonly NextStep[] = [
  { title: t`Manage Workspace Trust`, command: "workbench.trust.manage" },
  { title: t`Show Balance…`, command: "finality.showBalance" },
];

/**
 * Reloads the balances of all accounts.
 *
 * @param showsResult - Whether to report the result to the user.
 * @throws {ChainError} `NETWORK_NOT_CHOSEN`
 */
export async function refreshAccounts(
  { keys, networks }: AccountsViewServices,
  refresh: (cancelled?: AbortSignal) => Promise<void>,
  showsResult: boolean,
): Promise<void> {
  if (!showsResult) return await refresh();
  const network = networks.get();
  if (!vscode.workspace.isTrusted) {
    const message = t`No request was sent: in Restricted Mode the list queries no network. Use Show Balance for one account.`;
    void notifyWithSteps("information", message, WITHOUT_TRUST);
    return;
  }
  if (keys.listOn(network).length === 0) {
    const message = t`Refresh Accounts: there is no account on ${network.name} yet.`;
    void notifyWithSteps("information", message, ADD_ACCOUNT_STEPS);
    return;
  }
  await whileWorking(t`Reading balances`, refresh, "finality.accounts");
  confirmInStatusBar(t`Balances read from ${network.name}`);
}

/** Result of the command for callers. */
interface AccountBalance {
  readonly account: string;
  readonly network: string;
  readonly activated: boolean;
  /** In sun, and formatted. */
  readonly balance: string;
  readonly formatted: string;
}

/**
 * Reads the balance of any account. Returns undefined if the user cancels.
 *
 * @param showsResult - Whether to report the result to the user.
 * @throws {ChainError} `ADDRESS_MALFORMED` and related codes for a text that is neither a label nor an address,
 *   `PATH_NOT_SERVED` if the gateway does not serve balances
 */
async function showBalance(
  { keys, networks, gateways }: AccountsViewServices,
  argument: CommandArguments["finality.showBalance"],
  showsResult: boolean,
): Promise<AccountBalance | undefined> {
  const title = t`Show Balance`;
  const address =
    argument.account === undefined
      ? (await chooseAccount(keys, undefined, title))?.address
      : (keys.addressOf(argument.account) ?? parseAddress(argument.account));
  if (address === undefined) return undefined;
  const network = await chooseNetwork(networks, argument.network ?? networks.active?.name, { title });
  if (network === undefined) return undefined;
  const gateway = await gateways.for(network);
  const found = await whileWorking(
    t`Reading the balance`,
    (signal) => gateway.account(address, signal),
    "finality.accounts",
  );
  if (found?.balance === undefined) requireCompleteAccount(found, { endpoint: gateway.endpoint, purpose: "balances" });
  const balance = found?.balance ?? sun(0n);
  const formatted = formatCoins(balance);
  const who = shortAddress(address, (it) => keys.nameOf(it));
  const message = messageOf(
    { who, network: network.name, amount: coinsText(balance, coinSymbolOf(network.baseUrl)) },
    found !== undefined,
  );
  if (showsResult) void notify("information", message);
  return {
    account: toBase58(address),
    network: network.name,
    activated: found !== undefined,
    balance: balance.toString(),
    formatted,
  };
}

interface BalanceText {
  readonly who: string;
  readonly network: string;
  /** Amount with its unit. */
  readonly amount: string;
}

function messageOf({ who, network, amount }: BalanceText, activated: boolean): string {
  return activated
    ? t`${who} has ${amount} on ${network}.`
    : t`${who} does not exist on ${network} yet: send it some coins first.`;
}

/**
 * Copies the base58 form of an account's address, of any address in a row, or of the contract that a transaction
 * deployed. Returns it, or undefined if the user cancels.
 *
 * @throws {ChainError} `ACCOUNT_UNKNOWN`, `COMMAND_ARGUMENT_MALFORMED`
 */
async function copyAddress(
  { keys, transactions }: AccountsViewServices,
  { address: named, txId }: CommandArguments["finality.copyAddress"],
  raw: unknown,
): Promise<string | undefined> {
  const isOfRow = named !== undefined && !isCallOfProgram(raw);
  const address = isOfRow
    ? parseAddress(named)
    : named === undefined && txId !== undefined
      ? await contractDeployedBy(transactions, readTxId("txId", txId))
      : (await chooseAccount(keys, named, t`Copy Address`))?.address;
  if (address === undefined) return undefined;
  const text = toBase58(address);
  await vscode.env.clipboard.writeText(text);
  return text;
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function contractDeployedBy(transactions: TransactionService, txId: TxId): Promise<Address> {
  await transactions.ready();
  const tracked = transactions.get(txId);
  const address = tracked && deploymentOf(tracked)?.address;
  if (address !== undefined) return address;
  throw malformedArgument("txId", t`no contract was deployed by this transaction`);
}
