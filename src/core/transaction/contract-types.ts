import type { Message } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  AccountCreateContractSchema,
  AccountPermissionUpdateContractSchema,
  CancelAllUnfreezeV2ContractSchema,
  ClearABIContractSchema,
  CreateSmartContractSchema,
  DelegateResourceContractSchema,
  FreezeBalanceV2ContractSchema,
  TransferAssetContractSchema,
  TransferContractSchema,
  TriggerSmartContractSchema,
  UnDelegateResourceContractSchema,
  UnfreezeBalanceV2ContractSchema,
  UpdateEnergyLimitContractSchema,
  UpdateSettingContractSchema,
  VoteWitnessContractSchema,
  WithdrawBalanceContractSchema,
  WithdrawExpireUnfreezeContractSchema,
} from "./gen/transaction_pb.js";

/** What a contract entry of `raw_data` can carry: its number in the protocol and the message behind it. */
export interface ContractType {
  readonly number: number;
  readonly name: string;
  readonly schema: GenMessage<Message>;
}

const TYPE_URL_PREFIX = "type.googleapis.com/protocol.";

/** The contract types whose messages we read and write (protocol reference §4.2). */
export const contractTypes: readonly ContractType[] = [
  { number: 0, name: "AccountCreateContract", schema: AccountCreateContractSchema },
  { number: 1, name: "TransferContract", schema: TransferContractSchema },
  { number: 2, name: "TransferAssetContract", schema: TransferAssetContractSchema },
  { number: 4, name: "VoteWitnessContract", schema: VoteWitnessContractSchema },
  { number: 13, name: "WithdrawBalanceContract", schema: WithdrawBalanceContractSchema },
  { number: 30, name: "CreateSmartContract", schema: CreateSmartContractSchema },
  { number: 31, name: "TriggerSmartContract", schema: TriggerSmartContractSchema },
  { number: 33, name: "UpdateSettingContract", schema: UpdateSettingContractSchema },
  { number: 45, name: "UpdateEnergyLimitContract", schema: UpdateEnergyLimitContractSchema },
  { number: 46, name: "AccountPermissionUpdateContract", schema: AccountPermissionUpdateContractSchema },
  { number: 48, name: "ClearABIContract", schema: ClearABIContractSchema },
  { number: 54, name: "FreezeBalanceV2Contract", schema: FreezeBalanceV2ContractSchema },
  { number: 55, name: "UnfreezeBalanceV2Contract", schema: UnfreezeBalanceV2ContractSchema },
  { number: 56, name: "WithdrawExpireUnfreezeContract", schema: WithdrawExpireUnfreezeContractSchema },
  { number: 57, name: "DelegateResourceContract", schema: DelegateResourceContractSchema },
  { number: 58, name: "UnDelegateResourceContract", schema: UnDelegateResourceContractSchema },
  { number: 59, name: "CancelAllUnfreezeV2Contract", schema: CancelAllUnfreezeV2ContractSchema },
];

/** The kind of transaction with this number in the protocol. */
export function contractTypeByNumber(number: number): ContractType | undefined {
  return contractTypes.find((it) => it.number === number);
}

/** The kind of transaction with this name in the protocol. */
export function contractTypeByName(name: string): ContractType | undefined {
  return contractTypes.find((it) => it.name === name);
}

/** How the `Any` of a contract names its message. */
export function typeUrl(type: ContractType): string {
  return TYPE_URL_PREFIX + type.name;
}
