import { type Address, addressFromBytes } from "@finality/tron/primitives";
import type { VoteWitnessContract } from "@finality/tron/schema";
import type { DecodedContract } from "@finality/tron/transaction";
import { type IncludedTransaction, ownerOf, validAddress } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";

/** The field by which each type of contract names somebody else. */
const RECEIVERS: { readonly [type: string]: string } = {
  AccountCreateContract: "accountAddress",
  TransferContract: "toAddress",
  TransferAssetContract: "toAddress",
  ParticipateAssetIssueContract: "toAddress",
  DelegateResourceContract: "receiverAddress",
  UnDelegateResourceContract: "receiverAddress",
  TriggerSmartContract: "contractAddress",
  UpdateSettingContract: "contractAddress",
  UpdateEnergyLimitContract: "contractAddress",
  ClearABIContract: "contractAddress",
};

/** The field that the node takes for the value of each type. */
const VALUES: { readonly [type: string]: string } = {
  TransferContract: "amount",
  TransferAssetContract: "amount",
  TriggerSmartContract: "callValue",
  ExchangeInjectContract: "quant",
  ExchangeWithdrawContract: "quant",
  ExchangeTransactionContract: "quant",
};

/** What some types cost on the public networks, in sun, whatever they cost here. */
const PRICES: { readonly [type: string]: bigint } = {
  AssetIssueContract: 1_024_000_000n,
  ExchangeCreateContract: 1_024_000_000n,
  WitnessCreateContract: 9_999_000_000n,
  AccountPermissionUpdateContract: 100_000_000n,
};

/** Whom a transaction is for: of those that are voted for, the first. */
export function receiverIn(contract: DecodedContract | undefined): Address | undefined {
  const name = contract?.type?.name ?? "";
  const bytes = name === "VoteWitnessContract" ? votesIn(contract)[0]?.voteAddress : fieldIn(contract, RECEIVERS[name]);
  return bytes instanceof Uint8Array && validAddress(bytes) !== undefined ? addressFromBytes(bytes) : undefined;
}

/** What the node takes for the value of a transaction: sun, tokens, votes; what creates a contract has none for it. */
export function valueIn(view: View, { transaction: { contract }, info }: IncludedTransaction): bigint {
  const name = contract?.type?.name ?? "";
  switch (name) {
    case "VoteWitnessContract":
      return sumOf(votesIn(contract).map(({ voteCount }) => voteCount));
    case "UnfreezeAssetContract":
      return frozenByOwner(view, contract);
    case "WithdrawBalanceContract":
      return info?.reward ?? 0n;
    case "WithdrawExpireUnfreezeContract":
      return info?.stake?.withdrawn ?? 0n;
    case "CancelAllUnfreezeV2Contract":
      return sumOf(Object.values(info?.stake?.cancelled ?? {}));
    default:
      return PRICES[name] ?? integer(fieldIn(contract, VALUES[name]));
  }
}

/** All of the supply that the owner of a token had frozen when it was issued, whatever is due of it. */
function frozenByOwner({ state }: View, contract: DecodedContract | undefined): bigint {
  const owner = contract && ownerOf(contract);
  const id = owner && state.account(owner)?.issued.id;
  const token = id === undefined ? undefined : state.tables.tokens.get(id);
  return sumOf((token?.definition.frozenSupply ?? []).map(({ frozenAmount }) => frozenAmount));
}

/** The data of a call. */
export function dataIn(contract: DecodedContract | undefined): Uint8Array {
  const data = contract?.type?.name === "TriggerSmartContract" ? fieldIn(contract, "data") : undefined;
  return data instanceof Uint8Array ? data : new Uint8Array();
}

function votesIn(contract: DecodedContract | undefined): VoteWitnessContract["votes"] {
  return (contract?.message as VoteWitnessContract | undefined)?.votes ?? [];
}

function fieldIn(contract: DecodedContract | undefined, name: string | undefined): unknown {
  return Object.entries(contract?.message ?? {}).find(([it]) => it === name)?.[1];
}

function integer(value: unknown): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, it) => sum + it, 0n);
}
