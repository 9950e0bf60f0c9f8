import type { Gateway } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { RegisterCommand } from "../../host/commands.ts";
import type { Networks } from "../../host/networks.ts";
import type { SenderOnDemand } from "../../host/sender.ts";
import type { SigningAccount, SigningKeys } from "../../host/signing-keys.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";

/** What the commands of this feature need from the rest of the extension. */
export interface TransactionServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "get" | "list">;
  readonly gateways: {
    for(network: NetworkProfile): Promise<Gateway>;
    at(network: NetworkProfile, url: string): Promise<Gateway>;
  };
  readonly keys: SigningKeys;
  readonly desk: TransactionDesk;
  readonly sender: SenderOnDemand;
}

/** The names of the accounts, for labels. */
export function namesOf({ keys }: TransactionServices): NameOf {
  return (address) => keys.nameOf(address);
}

/** The accounts that exist on a network: those of a local chain live there alone. */
export function accountsOn(keys: SigningKeys, network: NetworkProfile): readonly SigningAccount[] {
  return keys.listOn(network);
}
