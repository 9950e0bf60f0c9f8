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

/** Versions of java-tron that the chain imitates. */
export const NODE_VERSIONS = ["4.8.0", "4.8.2"] as const;
export type NodeVersion = (typeof NODE_VERSIONS)[number];

/** Time for approvals of a proposal in ms, before a proposal has changed it. */
export const PROPOSAL_EXPIRE_MS = 259_200_000;

/** Parameters that java-tron 4.8.1 and 4.8.2 added, as on the recorded chain: proposals 94 to 98 are in force. */
const addedParameters = {
  getAllowTvmSelfdestructRestriction: 1,
  getProposalExpireTime: PROPOSAL_EXPIRE_MS,
  getAllowTvmOsaka: 1,
  getAllowTvmPrague: 1,
  getAllowHardenResourceCalculation: 1,
  getAllowHardenExchangeCalculation: 1,
};

/** Differences of Mainnet: proposals 94 to 96 are in force there, 97 and 98 are not (tips#827, tips#916). */
const MAINNET_PARAMETERS: Partial<ChainParameters> = {
  getAllowHardenResourceCalculation: 0,
  getAllowHardenExchangeCalculation: 0,
};

type AddedName = keyof typeof addedParameters;
export type ParameterName = keyof typeof defaultParameters | AddedName;
/** Parameters of a chain. On 4.8.0 the added ones are absent. */
export type ChainParameters = { readonly [name in keyof typeof defaultParameters]: number } & {
  readonly [name in AddedName]?: number;
};

/** Returns the version of java-tron that has these parameters. */
export function versionOf({ getProposalExpireTime }: ChainParameters): NodeVersion {
  return getProposalExpireTime === undefined ? "4.8.0" : "4.8.2";
}

/** Returns the defaults of a version, with those of Mainnet if requested. */
function versionDefaults(version: NodeVersion, likeMainnet: boolean): ChainParameters {
  if (version === "4.8.0") return defaultParameters;
  return { ...defaultParameters, ...addedParameters, ...(likeMainnet && MAINNET_PARAMETERS) };
}

/**
 * Returns the defaults of a version with overrides.
 *
 * @throws {Error} for a name that `getchainparameters` does not have, or a value that is no integer
 */
export function chainParameters(
  overrides: { readonly [name: string]: unknown } = {},
  version: NodeVersion = "4.8.0",
  likeMainnet = false,
): ChainParameters {
  const parameters: Record<string, number> = { ...versionDefaults(version, likeMainnet) };
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
