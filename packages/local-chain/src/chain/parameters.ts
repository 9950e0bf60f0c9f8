import { type Address, hexToBytes } from "@finality/tron/primitives";

/** Chain parameters of the recorded chain, with the names and in the order of `getchainparameters`. */
export const defaultParameters = {
  getMaintenanceTimeInterval: 120_000,
  getAccountUpgradeCost: 9_999_000_000,
  getCreateAccountFee: 100_000,
  getTransactionFee: 1000,
  getAssetIssueFee: 1_024_000_000,
  getWitnessPayPerBlock: 32_000_000,
  getWitnessStandbyAllowance: 115_200_000_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateNewAccountBandwidthRate: 1,
  getAllowCreationOfContracts: 1,
  getRemoveThePowerOfTheGr: 0,
  getEnergyFee: 210,
  getExchangeCreateFee: 1_024_000_000,
  getMaxCpuTimeOfOneTx: 80,
  getAllowUpdateAccountName: 0,
  getAllowSameTokenName: 1,
  getAllowDelegateResource: 1,
  getTotalEnergyLimit: 180_000_000_000,
  getAllowTvmTransferTrc10: 1,
  getTotalEnergyCurrentLimit: 180_000_000_000,
  getAllowMultiSign: 1,
  getAllowAdaptiveEnergy: 0,
  getTotalEnergyTargetLimit: 12_500_000,
  getTotalEnergyAverageUsage: 0,
  getUpdateAccountPermissionFee: 100_000_000,
  getMultiSignFee: 1_000_000,
  getAllowAccountStateRoot: 0,
  getAllowProtoFilterNum: 0,
  getAllowTvmConstantinople: 1,
  getAllowTvmSolidity059: 1,
  getAllowTvmIstanbul: 1,
  getAllowShieldedTRC20Transaction: 0,
  getForbidTransferToContract: 1,
  getAdaptiveResourceLimitTargetRatio: 10,
  getAdaptiveResourceLimitMultiplier: 1000,
  getChangeDelegation: 1,
  getWitness127PayPerBlock: 16_000_000,
  getAllowMarketTransaction: 1,
  getMarketSellFee: 0,
  getMarketCancelFee: 0,
  getAllowPBFT: 0,
  getAllowTransactionFeePool: 0,
  getMaxFeeLimit: 15_000_000_000,
  getAllowOptimizeBlackHole: 1,
  getAllowNewResourceModel: 1,
  getAllowTvmFreeze: 1,
  getAllowTvmVote: 1,
  getAllowTvmLondon: 1,
  getAllowTvmCompatibleEvm: 1,
  getAllowAccountAssetOptimization: 1,
  getFreeNetLimit: 600,
  getTotalNetLimit: 43_200_000_000,
  getAllowHigherLimitForMaxCpuTimeOfOneTx: 1,
  getAllowAssetOptimization: 1,
  getAllowNewReward: 1,
  getMemoFee: 1_000_000,
  getAllowDelegateOptimization: 1,
  getUnfreezeDelayDays: 14,
  getAllowOptimizedReturnValueOfChainId: 1,
  getAllowDynamicEnergy: 1,
  getDynamicEnergyThreshold: 20_000_000,
  getDynamicEnergyIncreaseFactor: 2000,
  getDynamicEnergyMaxFactor: 34_000,
  getAllowTvmShangHai: 1,
  getAllowCancelAllUnfreezeV2: 1,
  getMaxDelegateLockPeriod: 864_000,
  getAllowOldRewardOpt: 1,
  getAllowEnergyAdjustment: 1,
  getMaxCreateAccountTxSize: 1000,
  getAllowStrictMath: 1,
  getConsensusLogicOptimization: 1,
  getAllowTvmCancun: 1,
  getAllowTvmBlob: 1,
};

export type ParameterName = keyof typeof defaultParameters;
export type ChainParameters = { readonly [name in ParameterName]: number };

/**
 * Returns the defaults with overrides.
 *
 * @throws {Error} for a name that `getchainparameters` does not have, or a value that is no integer
 */
export function chainParameters(overrides: { readonly [name: string]: unknown } = {}): ChainParameters {
  const parameters: Record<string, number> = { ...defaultParameters };
  for (const [name, value] of Object.entries(overrides)) {
    if (!(name in parameters)) throw new Error(`There is no chain parameter ${name}.`);
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      throw new Error(`The chain parameter ${name} has to be an integer, not ${JSON.stringify(value)}.`);
    }
    parameters[name] = value;
  }
  return parameters as ChainParameters;
}

type ProposalState = "PENDING" | "DISAPPROVED" | "APPROVED" | "CANCELED";

/** A proposal of a witness. Immutable: each change creates a new value. */
export interface Proposal {
  readonly id: number;
  readonly proposer: Address;
  /** Proposed values by parameter number. */
  readonly parameters: ReadonlyMap<bigint, bigint>;
  /** Chain time in ms of the maintenance that decides the proposal. */
  readonly expiresAt: number;
  /** Chain time in ms. */
  readonly createdAt: number;
  readonly approvals: readonly Address[];
  readonly state: ProposalState;
}

/** Contract types in permissions, as bit masks of 32 bytes. */
export interface Operations {
  /** Contract types that an active permission may allow. */
  readonly available: Uint8Array;
  /** Contract types that the active permission of a new account allows. */
  readonly usual: Uint8Array;
}

/** Price history as text. */
export interface PriceHistory {
  readonly energy: string;
  readonly bandwidth: string;
  readonly memo: string;
}

/** Values that proposals change at the end of a maintenance period. */
export interface ChainRules {
  readonly parameters: ChainParameters;
  readonly operations: Operations;
  readonly prices: PriceHistory;
}

/** Operations of the recorded chain. */
const RECORDED_OPERATIONS: Operations = {
  available: hexToBytes(`7fff1fc0037e0108${"00".repeat(24)}`),
  usual: hexToBytes(`7fff1fc0033e0108${"00".repeat(24)}`),
};

/** Operations of Mainnet, where witnesses have added contract types. */
export const MAINNET_OPERATIONS: Operations = {
  available: hexToBytes(`7fff1fc0037ef30f${"00".repeat(24)}`),
  usual: hexToBytes(`7fff1fc0033ef30f${"00".repeat(24)}`),
};

/** Returns the rules of a new chain with a constant price history. */
export function initialRules(parameters: ChainParameters, operations = RECORDED_OPERATIONS): ChainRules {
  const prices = {
    energy: `0:${parameters.getEnergyFee}`,
    bandwidth: `0:${parameters.getTransactionFee}`,
    memo: `0:${parameters.getMemoFee}`,
  };
  return { parameters, operations, prices };
}
