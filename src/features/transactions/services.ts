import type { Clock, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { Chains } from "@finality/node/chains";
import type { NameOf } from "@finality/tron/format";
import type { FailureReasons } from "../../host/artifacts/failure-reasons.ts";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { SenderOnDemand } from "../../sending/sender.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that the commands of this feature use. */
export interface TransactionServices {
  readonly registerCommand: RegisterCommand;
  readonly networks: Pick<Networks, "get" | "find" | "list">;
  readonly gateways: {
    for(network: NetworkProfile): Promise<HttpGateway>;
    at(network: NetworkProfile, url: string): Promise<HttpGateway>;
  };
  readonly chains: Pick<Chains, "networkRefOf">;
  readonly keys: SigningKeys;
  readonly transactions: TransactionService;
  readonly sender: SenderOnDemand;
  /** Reasons of failed transactions. */
  readonly reasons: Pick<FailureReasons, "of" | "settled">;
  readonly clock: Clock;
  /** Marks arguments of clicks in our own views. */
  readonly clicks: OwnClicks;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`; `GATEWAY_UNREACHABLE` if another process answers */
  readonly proveLocalChain: () => Promise<void>;
  /** Sends calls and deployments again. */
  readonly contracts: { readonly replaceCode: ReplaceCode };
}

/** Names of the accounts, for labels. */
export function namesOf({ keys }: TransactionServices): NameOf {
  return (address) => keys.nameOf(address);
}

/** Returns the accounts of a network. Those of a local chain exist only there. */
export function accountsOn(keys: SigningKeys, network: NetworkProfile): readonly SigningAccount[] {
  return keys.listOn(network);
}
