import type { Message } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, addressFromBytes, addressToBytes } from "../primitives/address.ts";
import { hexToBytes, type TxId } from "../primitives/bytes.ts";
import {
  AccountCreateContractSchema,
  AccountPermissionUpdateContractSchema,
  AccountUpdateContractSchema,
  AssetIssueContractSchema,
  CancelAllUnfreezeV2ContractSchema,
  ClearABIContractSchema,
  CreateSmartContractSchema,
  DelegateResourceContractSchema,
  ExchangeCreateContractSchema,
  ExchangeInjectContractSchema,
  ExchangeTransactionContractSchema,
  ExchangeWithdrawContractSchema,
  FreezeBalanceContractSchema,
  FreezeBalanceV2ContractSchema,
  MarketCancelOrderContractSchema,
  MarketSellAssetContractSchema,
  ParticipateAssetIssueContractSchema,
  ProposalApproveContractSchema,
  ProposalCreateContractSchema,
  ProposalDeleteContractSchema,
  SetAccountIdContractSchema,
  ShieldedTransferContractSchema,
  TransferAssetContractSchema,
  TransferContractSchema,
  TriggerSmartContractSchema,
  UnDelegateResourceContractSchema,
  UnfreezeAssetContractSchema,
  UnfreezeBalanceContractSchema,
  UnfreezeBalanceV2ContractSchema,
  UpdateAssetContractSchema,
  UpdateBrokerageContractSchema,
  UpdateEnergyLimitContractSchema,
  UpdateSettingContractSchema,
  VoteWitnessContractSchema,
  WithdrawBalanceContractSchema,
  WithdrawExpireUnfreezeContractSchema,
  WitnessCreateContractSchema,
  WitnessUpdateContractSchema,
} from "./gen/transaction_pb.js";

/** Contract type of `raw_data`: its protocol number and its message. */
export interface ContractType {
  readonly number: number;
  readonly name: string;
  readonly schema: GenMessage<Message>;
}

const TYPE_URL_HOST = "type.googleapis.com/";

/** Contract types that java-tron 4.8.0 can read (protocol reference §4.2). */
export const contractTypes: readonly ContractType[] = [
  { number: 0, name: "AccountCreateContract", schema: AccountCreateContractSchema },
  { number: 1, name: "TransferContract", schema: TransferContractSchema },
  { number: 2, name: "TransferAssetContract", schema: TransferAssetContractSchema },
  { number: 4, name: "VoteWitnessContract", schema: VoteWitnessContractSchema },
  { number: 5, name: "WitnessCreateContract", schema: WitnessCreateContractSchema },
  { number: 6, name: "AssetIssueContract", schema: AssetIssueContractSchema },
  { number: 8, name: "WitnessUpdateContract", schema: WitnessUpdateContractSchema },
  { number: 9, name: "ParticipateAssetIssueContract", schema: ParticipateAssetIssueContractSchema },
  { number: 10, name: "AccountUpdateContract", schema: AccountUpdateContractSchema },
  { number: 11, name: "FreezeBalanceContract", schema: FreezeBalanceContractSchema },
  { number: 12, name: "UnfreezeBalanceContract", schema: UnfreezeBalanceContractSchema },
  { number: 13, name: "WithdrawBalanceContract", schema: WithdrawBalanceContractSchema },
  { number: 14, name: "UnfreezeAssetContract", schema: UnfreezeAssetContractSchema },
  { number: 15, name: "UpdateAssetContract", schema: UpdateAssetContractSchema },
  { number: 16, name: "ProposalCreateContract", schema: ProposalCreateContractSchema },
  { number: 17, name: "ProposalApproveContract", schema: ProposalApproveContractSchema },
  { number: 18, name: "ProposalDeleteContract", schema: ProposalDeleteContractSchema },
  { number: 19, name: "SetAccountIdContract", schema: SetAccountIdContractSchema },
  { number: 30, name: "CreateSmartContract", schema: CreateSmartContractSchema },
  { number: 31, name: "TriggerSmartContract", schema: TriggerSmartContractSchema },
  { number: 33, name: "UpdateSettingContract", schema: UpdateSettingContractSchema },
  { number: 41, name: "ExchangeCreateContract", schema: ExchangeCreateContractSchema },
  { number: 42, name: "ExchangeInjectContract", schema: ExchangeInjectContractSchema },
  { number: 43, name: "ExchangeWithdrawContract", schema: ExchangeWithdrawContractSchema },
  { number: 44, name: "ExchangeTransactionContract", schema: ExchangeTransactionContractSchema },
  { number: 45, name: "UpdateEnergyLimitContract", schema: UpdateEnergyLimitContractSchema },
  { number: 46, name: "AccountPermissionUpdateContract", schema: AccountPermissionUpdateContractSchema },
  { number: 48, name: "ClearABIContract", schema: ClearABIContractSchema },
  { number: 49, name: "UpdateBrokerageContract", schema: UpdateBrokerageContractSchema },
  { number: 51, name: "ShieldedTransferContract", schema: ShieldedTransferContractSchema },
  { number: 52, name: "MarketSellAssetContract", schema: MarketSellAssetContractSchema },
  { number: 53, name: "MarketCancelOrderContract", schema: MarketCancelOrderContractSchema },
  { number: 54, name: "FreezeBalanceV2Contract", schema: FreezeBalanceV2ContractSchema },
  { number: 55, name: "UnfreezeBalanceV2Contract", schema: UnfreezeBalanceV2ContractSchema },
  { number: 56, name: "WithdrawExpireUnfreezeContract", schema: WithdrawExpireUnfreezeContractSchema },
  { number: 57, name: "DelegateResourceContract", schema: DelegateResourceContractSchema },
  { number: 58, name: "UnDelegateResourceContract", schema: UnDelegateResourceContractSchema },
  { number: 59, name: "CancelAllUnfreezeV2Contract", schema: CancelAllUnfreezeV2ContractSchema },
];

/** Returns the contract type with this protocol number. */
export function contractTypeByNumber(number: number): ContractType | undefined {
  return contractTypes.find((it) => it.number === number);
}

/** Names without a message: a node knows them but reads no content. */
const BARE_NAMES = new Map([
  [3, "VoteAssetContract"],
  [20, "CustomContract"],
  [32, "GetContract"],
]);

/** Returns the node's name for the number of a contract type; undefined types included. */
export function contractTypeName(number: number): string {
  return contractTypeByNumber(number)?.name ?? BARE_NAMES.get(number) ?? `UNKNOWN_ENUM_VALUE_ContractType_${number}`;
}

/** Returns the contract type with this protocol name. */
export function contractTypeByName(name: string): ContractType | undefined {
  return contractTypes.find((it) => it.name === name);
}

/** Returns the full name of the message of a type. */
export function typeName(type: ContractType): string {
  return `protocol.${type.name}`;
}

/** Returns the type URL of a contract's `Any`. */
export function typeUrl(type: ContractType): string {
  return TYPE_URL_HOST + typeName(type);
}

/** Results of a contract's execution; a name's index is its number in the protocol (Tron.proto, contractResult). */
export const contractResults = [
  "DEFAULT",
  "SUCCESS",
  "REVERT",
  "BAD_JUMP_DESTINATION",
  "OUT_OF_MEMORY",
  "PRECOMPILED_CONTRACT",
  "STACK_TOO_SMALL",
  "STACK_TOO_LARGE",
  "ILLEGAL_OPERATION",
  "STACK_OVERFLOW",
  "OUT_OF_ENERGY",
  "OUT_OF_TIME",
  "JVM_STACK_OVER_FLOW",
  "UNKNOWN",
  "TRANSFER_FAILED",
  "INVALID_CODE",
] as const;

export type ContractResult = (typeof contractResults)[number];

/** Returns the number of a result, or undefined for a name that is not in the protocol version used here. */
export function contractResultNumber(name: string): number | undefined {
  const index = (contractResults as readonly string[]).indexOf(name);
  return index < 0 ? undefined : index;
}

/** Returns the name of a result, or undefined for a number that is not in the protocol version used here. */
export function contractResultName(number: number): ContractResult | undefined {
  return contractResults[number];
}

/** Returns the address of a deployed contract, which follows from the txID (WalletUtil.generateContractAddress). */
export function deployedContractAddress(txId: TxId, owner: Address): Address {
  return addressOfHash(hexToBytes(txId), addressToBytes(owner));
}

/**
 * Returns the contract address of the opcode CREATE.
 *
 * @param nonce - internal calls, creations and suicides of the transaction before this one
 */
export function createdContractAddress(rootTxId: TxId, nonce: bigint): Address {
  return addressOfHash(hexToBytes(rootTxId), hexToBytes(nonce.toString(16).padStart(16, "0")));
}

/**
 * Returns the contract address of the opcode CREATE2. The prefix 41 of the sender replaces Ethereum's ff.
 *
 * @param salt - 32 bytes
 */
export function create2ContractAddress(sender: Address, salt: Uint8Array, initCode: Uint8Array): Address {
  return addressOfHash(addressToBytes(sender), salt, keccak_256(initCode));
}

/** Returns 41 and the last 20 bytes of keccak-256, as for a public key. */
export function addressOfHash(...parts: readonly Uint8Array[]): Address {
  return addressFromBytes(Uint8Array.of(0x41, ...keccak_256(Buffer.concat(parts)).subarray(-20)));
}
