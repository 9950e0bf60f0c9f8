import { coinSymbolOf, requireCompleteAccount } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { coinsText, formatCoins, shortAddress } from "@finality/tron/format";
import { parseAddress, sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { chooseNetwork, quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { iconOf } from "./account.view.ts";
import type { CredentialServices } from "./services.ts";

/** What a program gets from this command. */
export interface AccountBalance {
  readonly account: string;
  readonly network: string;
  readonly activated: boolean;
  /** In sun, and as people read it. */
  readonly balance: string;
  readonly formatted: string;
}

/**
 * Reads how many coins an account has, which need not be one of ours.
 *
 * @param tells - a person asked, and reads the answer
 * @returns undefined when the person left
 * @throws {ChainError} `ADDRESS_MALFORMED` and the like for a text that is neither a label nor an address,
 *   `PATH_NOT_SERVED` the gateway does not tell balances
 */
export async function showBalance(
  { keys, networks, gateways }: CredentialServices,
  argument: CommandArguments["finality.showBalance"],
  tells: boolean,
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
  const sentence = sentenceOf(
    { who, network: network.name, amount: coinsText(balance, coinSymbolOf(network.baseUrl)) },
    found !== undefined,
  );
  if (tells) void notify("information", sentence);
  return {
    account: toBase58(address),
    network: network.name,
    activated: found !== undefined,
    balance: balance.toString(),
    formatted,
  };
}

interface Said {
  readonly who: string;
  readonly network: string;
  /** With its unit. */
  readonly amount: string;
}

function sentenceOf({ who, network, amount }: Said, activated: boolean): string {
  return activated
    ? t`${who} has ${amount} on ${network}.`
    : t`${who} does not exist on ${network} yet: send it some coins first.`;
}

/**
 * The account of this address or label; without one, the person chooses.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `ACCOUNT_UNKNOWN`
 */
export async function chooseAccount(
  keys: SigningKeys,
  account: string | undefined,
  title: string,
  fits: (account: SigningAccount) => boolean = () => true,
): Promise<SigningAccount | undefined> {
  if (account !== undefined) {
    const address = keys.addressOf(account);
    const found = address === undefined ? undefined : keys.find(address);
    if (found === undefined) throw new ChainError("ACCOUNT_UNKNOWN", { account });
    return found;
  }
  const fitting = keys.list().filter(fits);
  if (fitting.length === 0) return await sayNone(title, keys.list().length);
  const items = fitting.map((it) => ({
    label: `$(${iconOf(it)}) ${it.label}`,
    description: toBase58(it.address),
    account: it,
  }));
  const placeHolder = t`Which account?`;
  const picked = await quickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.account;
}

/** How there comes to be an account. */
export const WAYS_TO_ACCOUNT: readonly NextStep[] = [
  { title: t`Generate Signing Key…`, command: "finality.generateSigningKey" },
  { title: t`Import Signing Key…`, command: "finality.importSigningKey" },
];

async function sayNone(title: string, others: number): Promise<undefined> {
  const why =
    others === 0 ? t`there is no account yet` : t`it is for an account with a key of your own here, and none has one`;
  void notifyWithSteps("information", `${title}: ${why}.`, WAYS_TO_ACCOUNT);
  return undefined;
}
