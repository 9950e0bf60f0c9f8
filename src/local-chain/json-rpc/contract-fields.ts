import { type Address, addressFromBytes } from "../../core/primitives/address.ts";
import type { DecodedContract } from "../../core/transaction/raw-data-codec.ts";
import type { StakeOutcome } from "../chain/stake.ts";
import { validAddress } from "../chain/transaction.ts";

/** What a transaction asks for, and what it did with a stake. */
export interface ContractFields {
  readonly contract: DecodedContract | undefined;
  readonly stake: StakeOutcome | undefined;
}

/** The field by which each type of contract names somebody else. */
const RECEIVERS: { readonly [type: string]: string } = {
  AccountCreateContract: "accountAddress",
  TransferContract: "toAddress",
  DelegateResourceContract: "receiverAddress",
  UnDelegateResourceContract: "receiverAddress",
  TriggerSmartContract: "contractAddress",
  UpdateSettingContract: "contractAddress",
  UpdateEnergyLimitContract: "contractAddress",
  ClearABIContract: "contractAddress",
};
const PERMISSION_UPDATE_SUN = 100_000_000n;

/** Whom a transaction is for. */
export function receiverIn({ contract }: ContractFields): Address | undefined {
  const bytes = fieldIn(contract, RECEIVERS[contract?.type?.name ?? ""]);
  return bytes instanceof Uint8Array && validAddress(bytes) !== undefined ? addressFromBytes(bytes) : undefined;
}

/** What the node takes for the value of a transaction, in sun; what creates a contract has none for it. */
export function valueIn({ contract, stake }: ContractFields): bigint {
  switch (contract?.type?.name) {
    case "TransferContract":
      return integer(fieldIn(contract, "amount"));
    case "TriggerSmartContract":
      return integer(fieldIn(contract, "callValue"));
    case "AccountPermissionUpdateContract":
      return PERMISSION_UPDATE_SUN;
    case "WithdrawExpireUnfreezeContract":
      return stake?.withdrawn ?? 0n;
    case "CancelAllUnfreezeV2Contract":
      return Object.values(stake?.cancelled ?? {}).reduce((sum, it) => sum + it, 0n);
    default:
      return 0n;
  }
}

/** The data of a call. */
export function dataIn({ contract }: ContractFields): Uint8Array {
  const data = contract?.type?.name === "TriggerSmartContract" ? fieldIn(contract, "data") : undefined;
  return data instanceof Uint8Array ? data : new Uint8Array();
}

function fieldIn(contract: DecodedContract | undefined, name: string | undefined): unknown {
  return Object.entries(contract?.message ?? {}).find(([it]) => it === name)?.[1];
}

function integer(value: unknown): bigint {
  return typeof value === "bigint" ? value : 0n;
}
