import { type HttpGateway, type NetworkProfile, requireCompleteAccount } from "@finality/client/gateway";
import type { KeysHere } from "@finality/client/labels";
import { type AccountPermissions, ownKeyAlone } from "@finality/client/permissions";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { NetworkLookup } from "../../host/networks/networks.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { pickParty } from "../../host/prompts/quick-input.ts";
import type { KnownParty, SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import { keysHere } from "../../sending/signing-plan.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that the commands of this feature use. */
export interface PermissionServices {
  readonly sender: SenderOnDemand;
  readonly registerCommand: RegisterCommand;
  readonly networks: NetworkLookup;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly keys: SigningKeys;
  readonly transactions: TransactionService;
}

/** Network with its accounts, for the duration of one command. */
export interface PermissionContext {
  readonly network: NetworkProfile;
  readonly gateway: HttpGateway;
  /** Accounts and addresses of the address book. */
  readonly accounts: readonly KnownParty[];
  readonly here: KeysHere;
  readonly nameOf: NameOf;
}

/** @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN` */
export async function permissionContext(
  services: PermissionServices,
  name: string | undefined,
): Promise<PermissionContext> {
  const { networks, gateways, keys, transactions } = services;
  const network = networks.get(name);
  await transactions.ready();
  const nameOf: NameOf = (address) => keys.nameOf(address);
  const gateway = await gateways.for(network);
  return { network, gateway, accounts: keys.knownOn(network), here: keysHere(keys, network, nameOf), nameOf };
}

/**
 * Reads an account's permissions.
 *
 * @throws {ChainError} `ACCOUNT_NOT_ACTIVATED`, `PATH_NOT_SERVED`
 */
export async function readPermissions(
  { gateway, network }: PermissionContext,
  address: Address,
): Promise<AccountPermissions> {
  const account = await whileWorking(t`Reading permissions`, (signal) => gateway.account(address, signal));
  if (account === undefined)
    throw new ChainError("ACCOUNT_NOT_ACTIVATED", { address: toBase58(address), network: network.name });
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`permissions of an account` });
  return account.permissions ?? ownKeyAlone(address);
}

/**
 * Prompts for an account of the list, or any address. Returns undefined if the user cancels.
 *
 * @param none - Reason why the list is empty.
 */
export async function askAccount(
  { accounts }: Pick<PermissionContext, "accounts">,
  title: string,
  none: string,
): Promise<Address | undefined> {
  const placeholder = t`Permissions of which account? Choose one or paste an address`;
  const picked = await pickParty({ title, step: 0, totalSteps: 0 }, { placeholder, accounts, none });
  return picked.kind === "value" ? picked.value : undefined;
}
