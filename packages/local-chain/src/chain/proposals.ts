import { installBlockHashHistory } from "./block-hash-history.ts";
import type { Ledger } from "./ledger.ts";
import {
  type ChainParameters,
  type ChainRules,
  type ParameterName,
  PROPOSAL_EXPIRE_MS,
  type PriceHistory,
  type Proposal,
  versionOf,
} from "./parameters.ts";

/** Changes of the chain rules that a new value causes. @param since - chain time in ms from which on it counts */
type Consequence = (rules: ChainRules, value: number, since: number) => Partial<ChainRules>;
/** Returns the reason why a value cannot be proposed, or undefined. */
type Check = (value: bigint, parameters: ChainParameters) => string | undefined;

/** A parameter that proposals can change. */
interface Proposable {
  readonly name: ParameterName;
  /** Checks in the order of the node. */
  readonly checks: readonly Check[];
  /** True if no proposal can change the value once it is not 0. */
  readonly once?: boolean;
  readonly consequence?: Consequence;
}

const BAD_ID = "Bad chain parameter id";
const LARGEST = 100_000_000_000_000_000n;
const LARGEST_TEXT = `Bad chain parameter value, valid range is [0,${LARGEST}]`;

const within =
  (least: number | bigint, most: number | bigint, text: string): Check =>
  (value) =>
    value < BigInt(least) || value > BigInt(most) ? text : undefined;

const amount = within(0, LARGEST, LARGEST_TEXT);
const upToSupply = within(0, 100_000_000_000, "Bad chain parameter value, valid range is [0, 100_000_000_000L]");
const only = (label: string): Check => within(1, 1, `This value[${label}] is only allowed to be 1`);
const either = (label: string): Check => within(0, 1, `This value[${label}] is only allowed to be 1 or 0`);
const inRange = (label: string, least: number, most: number, printed = String(most)): Check =>
  within(least, most, `This value[${label}] is only allowed to be in the range ${least}-${printed}`);

/** Requires another parameter. */
const after =
  (label: string, name: ParameterName, earlier: string, done = "proposed"): Check =>
  (_value, parameters) =>
    parameters[name] === 0 ? `[${earlier}] proposal must be approved before [${label}] can be ${done}` : undefined;

/** Requires that the parameter is not in force yet. */
const unless =
  (name: ParameterName, text: string): Check =>
  (_value, parameters) =>
    parameters[name] === 1 ? text : undefined;

const alreadyValid = (label: string): string => `[${label}] has been valid, no need to propose again`;

const cpuTime: Check = (value, { getAllowHigherLimitForMaxCpuTimeOfOneTx }) => {
  const most = getAllowHigherLimitForMaxCpuTimeOfOneTx === 1 ? 400n : 100n;
  return value < 10n || value > most ? `Bad chain parameter value, valid range is [10,${most}]` : undefined;
};

const feeLimit: Check = (value, { getAllowTvmLondon }) => {
  const bad = "Bad MAX_FEE_LIMIT parameter value, ";
  if (value < 0n) return `${bad}value must not be negative`;
  if (value > 10_000_000_000n && getAllowTvmLondon === 0) return `${bad}valid range is [0,10_000_000_000L]`;
  return value > LARGEST ? LARGEST_TEXT : undefined;
};

const LONGEST_LOCK = 10_512_000n;
const lockPeriod: Check = (value, { getMaxDelegateLockPeriod: now }) =>
  value <= BigInt(now) || value > LONGEST_LOCK
    ? `This value[MAX_DELEGATE_LOCK_PERIOD] is only allowed to be greater than ${now} and less than or equal to ${LONGEST_LOCK} !`
    : undefined;

const genesisVotesForgotten: Check = (_value, { getRemoveThePowerOfTheGr }) =>
  getRemoveThePowerOfTheGr === -1
    ? "This proposal has been executed before and is only allowed to be executed once"
    : undefined;

const dynamicEnergy: Check = (value, parameters) =>
  value === 1n
    ? after("ALLOW_DYNAMIC_ENERGY", "getChangeDelegation", "ALLOW_CHANGE_DELEGATION", "opened")(value, parameters)
    : undefined;

const newRewards: Check = (_value, { getAllowNewReward, getAllowTvmVote }) =>
  getAllowNewReward === 0 && getAllowTvmVote === 0
    ? "[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed"
    : undefined;

/** Since 4.8.1 no proposal opens the market. */
const marketClosed: Check = (_value, parameters) =>
  versionOf(parameters) === "4.8.0" ? undefined : "Bad chain parameter id [ALLOW_MARKET_TRANSACTION]";

/** In ms: 365 days and 3 s. */
const LONGEST_EXPIRE_MS = 31_536_003_000;

/** The code of the block hash history needs PUSH0. */
const shanghaiFirst: Check = (_value, { getAllowTvmShangHai }) =>
  getAllowTvmShangHai === 1 ? undefined : "[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first";

const marketFee = (label: string, words: string): readonly Check[] => [
  (_value, { getAllowMarketTransaction }) =>
    getAllowMarketTransaction === 1 ? undefined : `Market Transaction is not activated, can not set Market ${words}`,
  within(0, 10_000_000_000, `Bad ${label} parameter value, valid range is [0,10_000_000_000L]`),
];

const priced =
  (price: keyof PriceHistory): Consequence =>
  ({ prices }, value, since) => ({ prices: { ...prices, [price]: `${prices[price]},${since}:${value}` } });

/** Adds contract types to permissions and to new accounts. */
const permits =
  (...types: readonly number[]): Consequence =>
  ({ operations }) => ({
    operations: { available: withBits(operations.available, types), usual: withBits(operations.usual, types) },
  });

function withBits(mask: Uint8Array, types: readonly number[]): Uint8Array {
  const changed = Uint8Array.from(mask);
  for (const type of types) changed[type >> 3] = (changed[type >> 3] ?? 0) | (1 << (type & 7));
  return changed;
}

const MINUTES_OF_A_DAY = 1440;

const withTarget = (parameters: ChainParameters, ratio: number): Partial<ChainRules> => ({
  parameters: {
    ...parameters,
    getTotalEnergyTargetLimit: Math.trunc(parameters.getTotalEnergyLimit / (MINUTES_OF_A_DAY * ratio)),
  },
});

const energyTotal: Consequence = ({ parameters }, value) => {
  const { getAllowAdaptiveEnergy, getTotalEnergyCurrentLimit: before } = parameters;
  const changed = { ...parameters, getTotalEnergyLimit: value, getTotalEnergyCurrentLimit: before };
  return withTarget(
    getAllowAdaptiveEnergy === 0 ? { ...changed, getTotalEnergyCurrentLimit: value } : changed,
    parameters.getAdaptiveResourceLimitTargetRatio,
  );
};

const adaptiveEnergy: Consequence = ({ parameters }) =>
  withTarget({ ...parameters, getAdaptiveResourceLimitTargetRatio: 2, getAdaptiveResourceLimitMultiplier: 50 }, 2);

const adaptiveRatio: Consequence = ({ parameters }, value) => withTarget(parameters, value);

interface Extras {
  readonly once?: boolean;
  readonly consequence?: Consequence;
}

const proposable = (
  number: number,
  name: ParameterName,
  checks: readonly Check[],
  extras: Extras = {},
): [bigint, Proposable] => [BigInt(number), { name, checks, ...extras }];

/** A switch that can only be turned on. */
const switchOn = (
  number: number,
  name: ParameterName,
  label: string,
  ...more: readonly Check[]
): [bigint, Proposable] => proposable(number, name, [only(label), ...more]);

/** A switch that can be turned on once. */
const switchOnOnce = (number: number, name: ParameterName, label: string): [bigint, Proposable] =>
  proposable(number, name, [unless(name, alreadyValid(label)), only(label)]);

const CONTRACTS_FIRST = ["getAllowCreationOfContracts", "ALLOW_CREATION_OF_CONTRACTS"] as const;
const DELAY_FIRST = ["getUnfreezeDelayDays", "UNFREEZE_DELAY_DAYS"] as const;
const CANCEL_ALL = "ALLOW_CANCEL_ALL_UNFREEZE_V2";

/** Parameters by number (ProposalUtil, ProposalService). */
const PROPOSABLE: ReadonlyMap<bigint, Proposable> = new Map([
  proposable(0, "getMaintenanceTimeInterval", [
    within(81_000, 86_400_000, "Bad chain parameter value, valid range is [3 * 27 * 1000,24 * 3600 * 1000]"),
  ]),
  proposable(1, "getAccountUpgradeCost", [amount]),
  proposable(2, "getCreateAccountFee", [amount]),
  proposable(3, "getTransactionFee", [amount], { consequence: priced("bandwidth") }),
  proposable(4, "getAssetIssueFee", [amount]),
  proposable(5, "getWitnessPayPerBlock", [amount]),
  proposable(6, "getWitnessStandbyAllowance", [amount]),
  proposable(7, "getCreateNewAccountFeeInSystemContract", [amount]),
  proposable(8, "getCreateNewAccountBandwidthRate", [amount]),
  switchOn(9, "getAllowCreationOfContracts", "ALLOW_CREATION_OF_CONTRACTS"),
  proposable(10, "getRemoveThePowerOfTheGr", [genesisVotesForgotten, only("REMOVE_THE_POWER_OF_THE_GR")], {
    once: true,
  }),
  proposable(11, "getEnergyFee", [], { consequence: priced("energy") }),
  proposable(12, "getExchangeCreateFee", []),
  proposable(13, "getMaxCpuTimeOfOneTx", [cpuTime]),
  switchOn(14, "getAllowUpdateAccountName", "ALLOW_UPDATE_ACCOUNT_NAME"),
  switchOn(15, "getAllowSameTokenName", "ALLOW_SAME_TOKEN_NAME"),
  switchOn(16, "getAllowDelegateResource", "ALLOW_DELEGATE_RESOURCE"),
  proposable(17, "getTotalEnergyLimit", [() => BAD_ID]),
  switchOn(
    18,
    "getAllowTvmTransferTrc10",
    "ALLOW_TVM_TRANSFER_TRC10",
    after("ALLOW_TVM_TRANSFER_TRC10", "getAllowSameTokenName", "ALLOW_SAME_TOKEN_NAME"),
  ),
  proposable(19, "getTotalEnergyLimit", [amount], { consequence: energyTotal }),
  proposable(20, "getAllowMultiSign", [only("ALLOW_MULTI_SIGN")], { once: true }),
  proposable(21, "getAllowAdaptiveEnergy", [only("ALLOW_ADAPTIVE_ENERGY")], {
    once: true,
    consequence: adaptiveEnergy,
  }),
  proposable(22, "getUpdateAccountPermissionFee", [upToSupply]),
  proposable(23, "getMultiSignFee", [upToSupply]),
  proposable(24, "getAllowProtoFilterNum", [either("ALLOW_PROTO_FILTER_NUM")]),
  proposable(25, "getAllowAccountStateRoot", [either("ALLOW_ACCOUNT_STATE_ROOT")]),
  proposable(
    26,
    "getAllowTvmConstantinople",
    [
      only("ALLOW_TVM_CONSTANTINOPLE"),
      after("ALLOW_TVM_CONSTANTINOPLE", "getAllowTvmTransferTrc10", "ALLOW_TVM_TRANSFER_TRC10"),
    ],
    { consequence: permits(48) },
  ),
  proposable(29, "getAdaptiveResourceLimitMultiplier", [
    within(1, 10_000, "Bad chain parameter value, valid range is [1,10_000]"),
  ]),
  proposable(30, "getChangeDelegation", [either("ALLOW_CHANGE_DELEGATION")], { consequence: permits(49) }),
  proposable(31, "getWitness127PayPerBlock", [amount]),
  switchOn(32, "getAllowTvmSolidity059", "ALLOW_TVM_SOLIDITY_059", after("ALLOW_TVM_SOLIDITY_059", ...CONTRACTS_FIRST)),
  proposable(
    33,
    "getAdaptiveResourceLimitTargetRatio",
    [within(1, 1000, "Bad chain parameter value, valid range is [1,1_000]")],
    { consequence: adaptiveRatio },
  ),
  switchOn(
    35,
    "getForbidTransferToContract",
    "FORBID_TRANSFER_TO_CONTRACT",
    after("FORBID_TRANSFER_TO_CONTRACT", ...CONTRACTS_FIRST),
  ),
  proposable(39, "getAllowShieldedTRC20Transaction", [either("ALLOW_SHIELDED_TRC20_TRANSACTION")]),
  switchOn(40, "getAllowPBFT", "ALLOW_PBFT"),
  switchOn(41, "getAllowTvmIstanbul", "ALLOW_TVM_ISTANBUL"),
  proposable(44, "getAllowMarketTransaction", [marketClosed, only("ALLOW_MARKET_TRANSACTION")], {
    once: true,
    consequence: permits(52, 53),
  }),
  proposable(45, "getMarketSellFee", marketFee("MARKET_SELL_FEE", "Sell Fee")),
  proposable(46, "getMarketCancelFee", marketFee("MARKET_CANCEL_FEE", "Cancel Fee")),
  proposable(47, "getMaxFeeLimit", [feeLimit]),
  proposable(48, "getAllowTransactionFeePool", [either("ALLOW_TRANSACTION_FEE_POOL")]),
  proposable(49, "getAllowOptimizeBlackHole", [either("ALLOW_REMOVE_BLACKHOLE")]),
  switchOn(51, "getAllowNewResourceModel", "ALLOW_NEW_RESOURCE_MODEL"),
  switchOn(
    52,
    "getAllowTvmFreeze",
    "ALLOW_TVM_FREEZE",
    after("ALLOW_TVM_FREEZE", "getAllowDelegateResource", "ALLOW_DELEGATE_RESOURCE"),
    after("ALLOW_TVM_FREEZE", "getAllowMultiSign", "ALLOW_MULTI_SIGN"),
    after("ALLOW_TVM_FREEZE", "getAllowTvmConstantinople", "ALLOW_TVM_CONSTANTINOPLE"),
    after("ALLOW_TVM_FREEZE", "getAllowTvmSolidity059", "ALLOW_TVM_SOLIDITY_059"),
  ),
  switchOn(53, "getAllowAccountAssetOptimization", "ALLOW_ACCOUNT_ASSET_OPTIMIZATION"),
  switchOn(
    59,
    "getAllowTvmVote",
    "ALLOW_TVM_VOTE",
    after("ALLOW_TVM_VOTE", "getChangeDelegation", "ALLOW_CHANGE_DELEGATION"),
  ),
  switchOn(60, "getAllowTvmCompatibleEvm", "ALLOW_TVM_COMPATIBLE_EVM"),
  proposable(61, "getFreeNetLimit", [within(0, 100_000, "Bad chain parameter value, valid range is [0,100_000]")]),
  proposable(62, "getTotalNetLimit", [
    within(0, 1_000_000_000_000, "Bad chain parameter value, valid range is [0, 1_000_000_000_000L]"),
  ]),
  switchOn(63, "getAllowTvmLondon", "ALLOW_TVM_LONDON"),
  switchOn(65, "getAllowHigherLimitForMaxCpuTimeOfOneTx", "ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX"),
  switchOn(66, "getAllowAssetOptimization", "ALLOW_ASSET_OPTIMIZATION"),
  proposable(67, "getAllowNewReward", [
    unless("getAllowNewReward", "New reward has been valid."),
    only("ALLOW_NEW_REWARD"),
  ]),
  proposable(68, "getMemoFee", [inRange("MEMO_FEE", 0, 1_000_000_000, "1000_000_000")], {
    consequence: priced("memo"),
  }),
  switchOn(69, "getAllowDelegateOptimization", "ALLOW_DELEGATE_OPTIMIZATION"),
  proposable(70, "getUnfreezeDelayDays", [inRange("UNFREEZE_DELAY_DAYS", 1, 365)], {
    consequence: permits(54, 55, 56, 57, 58),
  }),
  switchOn(71, "getAllowOptimizedReturnValueOfChainId", "ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID"),
  proposable(72, "getAllowDynamicEnergy", [inRange("ALLOW_DYNAMIC_ENERGY", 0, 1), dynamicEnergy]),
  proposable(73, "getDynamicEnergyThreshold", [amount]),
  proposable(74, "getDynamicEnergyIncreaseFactor", [inRange("DYNAMIC_ENERGY_INCREASE_FACTOR", 0, 10_000)]),
  proposable(75, "getDynamicEnergyMaxFactor", [inRange("DYNAMIC_ENERGY_MAX_FACTOR", 0, 100_000)]),
  switchOn(76, "getAllowTvmShangHai", "ALLOW_TVM_SHANGHAI"),
  proposable(77, "getAllowCancelAllUnfreezeV2", [only(CANCEL_ALL), after(CANCEL_ALL, ...DELAY_FIRST)], {
    once: true,
    consequence: permits(59),
  }),
  proposable(78, "getMaxDelegateLockPeriod", [lockPeriod, after("MAX_DELEGATE_LOCK_PERIOD", ...DELAY_FIRST)]),
  proposable(79, "getAllowOldRewardOpt", [
    unless("getAllowOldRewardOpt", alreadyValid("ALLOW_OLD_REWARD_OPT")),
    only("ALLOW_OLD_REWARD_OPT"),
    newRewards,
  ]),
  switchOnOnce(81, "getAllowEnergyAdjustment", "ALLOW_ENERGY_ADJUSTMENT"),
  proposable(82, "getMaxCreateAccountTxSize", [
    within(
      500,
      10_000,
      "This value[MAX_CREATE_ACCOUNT_TX_SIZE] is only allowed to be greater than or equal to 500 and less than or equal to 10000!",
    ),
  ]),
  switchOnOnce(83, "getAllowTvmCancun", "ALLOW_TVM_CANCUN"),
  switchOnOnce(87, "getAllowStrictMath", "ALLOW_STRICT_MATH"),
  switchOnOnce(88, "getConsensusLogicOptimization", "CONSENSUS_LOGIC_OPTIMIZATION"),
  switchOnOnce(89, "getAllowTvmBlob", "ALLOW_TVM_BLOB"),
  proposable(92, "getProposalExpireTime", [
    within(
      1,
      LONGEST_EXPIRE_MS - 1,
      `This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than ${LONGEST_EXPIRE_MS}!`,
    ),
  ]),
  switchOnOnce(94, "getAllowTvmSelfdestructRestriction", "ALLOW_TVM_SELFDESTRUCT_RESTRICTION"),
  proposable(95, "getAllowTvmPrague", [
    shanghaiFirst,
    unless("getAllowTvmPrague", alreadyValid("ALLOW_TVM_PRAGUE")),
    only("ALLOW_TVM_PRAGUE"),
  ]),
  switchOnOnce(96, "getAllowTvmOsaka", "ALLOW_TVM_OSAKA"),
  switchOnOnce(97, "getAllowHardenResourceCalculation", "ALLOW_HARDEN_RESOURCE_CALCULATION"),
  proposable(98, "getAllowHardenExchangeCalculation", [
    within(0, 1, "This value[ALLOW_HARDEN_EXCHANGE_CALCULATION] is only allowed to be 0 or 1"),
    (value, { getAllowHardenExchangeCalculation }) =>
      value === BigInt(getAllowHardenExchangeCalculation ?? 0)
        ? `[ALLOW_HARDEN_EXCHANGE_CALCULATION] has been set to ${value}, no need to propose again`
        : undefined,
  ]),
]);

const DEPRECATED = 17n;

/** Numbers of the parameters that can be proposed. */
export const proposableNumbers: readonly bigint[] = [...PROPOSABLE.keys()].filter((it) => it !== DEPRECATED);

/** Returns the current value of a parameter as a proposal expresses it; 0 for an unknown number. */
export function proposedValue(parameters: ChainParameters, number: bigint): bigint {
  const proposable = PROPOSABLE.get(number);
  return proposable === undefined ? 0n : BigInt(parameters[proposable.name] ?? 0);
}

/** Returns the node's message if a value cannot be proposed now. */
export function proposalError(number: bigint, value: bigint, parameters: ChainParameters): string | undefined {
  const proposable = PROPOSABLE.get(number);
  if (proposable === undefined || !(proposable.name in parameters)) return `Does not support code : ${number}`;
  for (const check of proposable.checks) {
    const complaint = check(value, parameters);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/**
 * Returns the rules after a proposal.
 *
 * @param proposed - values by the numbers of parameters
 * @param since - chain time in ms from which on they count
 */
export function changedRules(rules: ChainRules, proposed: ReadonlyMap<bigint, bigint>, since: number): ChainRules {
  let changed = rules;
  for (const [number, value] of proposed) {
    const proposable = PROPOSABLE.get(number);
    if (proposable !== undefined) changed = withParameter(changed, proposable, Number(value), since);
  }
  return changed;
}

function withParameter(
  rules: ChainRules,
  { name, once, consequence }: Proposable,
  value: number,
  since: number,
): ChainRules {
  if (once === true && rules.parameters[name] !== 0) return rules;
  const changed = { ...rules, parameters: { ...rules.parameters, [name]: value } };
  return { ...changed, ...consequence?.(changed, value, since) };
}

/** Returns the chain time of the maintenance that decides a new proposal (ProposalCreateActuator). */
export function decidedAt({ parameters, totals }: Ledger, now: number): number {
  const interval = parameters.getMaintenanceTimeInterval;
  const openFor = parameters.getProposalExpireTime ?? PROPOSAL_EXPIRE_MS;
  const rounds = Math.trunc((now + openFor - totals.nextMaintenance) / interval);
  return totals.nextMaintenance + (rounds + 1) * interval;
}

/** Percentage of active witnesses that has to approve. */
const MAJORITY = 70;
/** Number of the proposal that installs the block hash history. */
const PRAGUE = 95n;

/** Decides expired proposals, newest first (ProposalController). */
export function decideProposals(ledger: Ledger): void {
  const { proposals } = ledger.tables;
  for (let id = ledger.totals.newestProposal; id > 0; id -= 1) {
    const proposal = proposals.get(id);
    if (proposal?.state === "APPROVED" || proposal?.state === "DISAPPROVED") return;
    if (proposal?.state === "PENDING" && proposal.expiresAt <= ledger.totals.nextMaintenance) decide(ledger, proposal);
  }
}

function decide(ledger: Ledger, proposal: Proposal): void {
  const { active } = ledger.totals;
  const count = proposal.approvals.filter((it) => active.includes(it)).length;
  const approved = count >= Math.floor((active.length * MAJORITY) / 100);
  if (approved) {
    ledger.changeTotals(changedRules(ledger.totals, proposal.parameters, proposal.expiresAt));
    if (proposal.parameters.has(PRAGUE)) installBlockHashHistory(ledger);
  }
  ledger.tables.proposals.set(proposal.id, { ...proposal, state: approved ? "APPROVED" : "DISAPPROVED" });
}
