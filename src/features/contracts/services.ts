import type { Clock, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type * as vscode from "vscode";
import type { KnownNames } from "../../host/addresses/address-names.ts";
import type { Artifacts, NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { Lazy } from "../../host/async.ts";
import type { RegisterCommand, StoredState } from "../../host/commands/commands.ts";
import type { ContractBook } from "../../host/contracts/contract-book.ts";
import type { Log } from "../../host/log/log.ts";
import type { ChainsOnDemand } from "../../host/networks/chains-on-demand.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { accountsToSign } from "../../sending/possible-signers.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that the commands of this feature use. */
export interface ContractServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "get" | "find" | "list" | "active" | "onDidChange">;
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  readonly chains: Pick<ChainsOnDemand, "known" | "networkRefOf" | "decimals">;
  readonly keys: SigningKeys;
  readonly knownNames: Pick<KnownNames, "list" | "save" | "setContracts" | "setRecorded">;
  readonly transactions: TransactionService;
  readonly artifacts: Artifacts;
  /** Contracts that the user added; loaded on first use. */
  readonly contractBook: Lazy<ContractBook>;
  readonly names: NamesOnDemand;
  readonly sender: SenderOnDemand;
  readonly clock: Clock;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
  /** Drafts and recent values of the argument form, in the state of the workspace. */
  readonly drafts: StoredState;
}

/** Network with its known accounts and contracts, for the duration of one command. */
export interface ContractContext {
  readonly services: ContractServices;
  readonly network: NetworkProfile;
  readonly gateway: HttpGateway;
  readonly nameOf: NameOf;
}

/** A network with the accounts that can sign. */
export interface SigningContext extends ContractContext {
  readonly accounts: readonly SigningAccount[];
}

/**
 * @param share - Whether the transaction is exported as a file.
 * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN`, `SIGNING_ACCOUNT_MISSING`
 */
export async function signingContextOn(
  services: ContractServices,
  { network, share }: { readonly network?: string; readonly share?: boolean },
): Promise<SigningContext> {
  const context = await contextOn(services, network);
  return { ...context, accounts: accountsToSign(services.keys, context.network, share) };
}

/** @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN` */
export async function contextOn(services: ContractServices, networkName: string | undefined): Promise<ContractContext> {
  const network = services.networks.get(networkName);
  await services.transactions.ready();
  const gateway = await services.gateways.for(network);
  return { services, network, gateway, nameOf: (address) => services.keys.nameOf(address) };
}
