import assert from "node:assert/strict";
import { chainParameters, initialRules } from "../../src/chain/parameters.ts";
import { changedRules, proposableNumbers, proposalError } from "../../src/chain/proposals.ts";

const RANGE = "Bad chain parameter value, valid range is ";
const LONG = `${RANGE}[0,100000000000000000]`;
const MAX = 100_000_000_000_000_000n;

/** Number, lowest and highest value of a parameter, and the error for values beyond. */
const RANGES: readonly (readonly [number: bigint, lowest: bigint, highest: bigint, error: string])[] = [
  [0n, 81_000n, 86_400_000n, `${RANGE}[3 * 27 * 1000,24 * 3600 * 1000]`],
  [1n, 0n, MAX, LONG],
  [5n, 0n, MAX, LONG],
  [13n, 10n, 400n, `${RANGE}[10,400]`],
  [19n, 0n, MAX, LONG],
  [22n, 0n, 100_000_000_000n, `${RANGE}[0, 100_000_000_000L]`],
  [23n, 0n, 100_000_000_000n, `${RANGE}[0, 100_000_000_000L]`],
  [24n, 0n, 1n, "This value[ALLOW_PROTO_FILTER_NUM] is only allowed to be 1 or 0"],
  [29n, 1n, 10_000n, `${RANGE}[1,10_000]`],
  [30n, 0n, 1n, "This value[ALLOW_CHANGE_DELEGATION] is only allowed to be 1 or 0"],
  [33n, 1n, 1000n, `${RANGE}[1,1_000]`],
  [35n, 1n, 1n, "This value[FORBID_TRANSFER_TO_CONTRACT] is only allowed to be 1"],
  [45n, 0n, 10_000_000_000n, "Bad MARKET_SELL_FEE parameter value, valid range is [0,10_000_000_000L]"],
  [49n, 0n, 1n, "This value[ALLOW_REMOVE_BLACKHOLE] is only allowed to be 1 or 0"],
  [61n, 0n, 100_000n, `${RANGE}[0,100_000]`],
  [62n, 0n, 1_000_000_000_000n, `${RANGE}[0, 1_000_000_000_000L]`],
  [68n, 0n, 1_000_000_000n, "This value[MEMO_FEE] is only allowed to be in the range 0-1000_000_000"],
  [70n, 1n, 365n, "This value[UNFREEZE_DELAY_DAYS] is only allowed to be in the range 1-365"],
  [72n, 0n, 1n, "This value[ALLOW_DYNAMIC_ENERGY] is only allowed to be in the range 0-1"],
  [74n, 0n, 10_000n, "This value[DYNAMIC_ENERGY_INCREASE_FACTOR] is only allowed to be in the range 0-10000"],
  [75n, 0n, 100_000n, "This value[DYNAMIC_ENERGY_MAX_FACTOR] is only allowed to be in the range 0-100000"],
  [
    78n,
    864_001n,
    10_512_000n,
    "This value[MAX_DELEGATE_LOCK_PERIOD] is only allowed to be greater than 864000 and less than or equal to 10512000 !",
  ],
  [
    82n,
    500n,
    10_000n,
    "This value[MAX_CREATE_ACCOUNT_TX_SIZE] is only allowed to be greater than or equal to 500 and less than or equal to 10000!",
  ],
];

describe("proposalError", () => {
  const parameters = chainParameters();

  it("accepts the values of each range only", () => {
    for (const [number, lowest, highest, error] of RANGES) {
      const errors = [lowest - 1n, lowest, highest, highest + 1n].map((it) => proposalError(number, it, parameters));
      assert.deepEqual(errors, [error, undefined, undefined, error], `parameter ${number}`);
    }
  });

  it("accepts any value for two prices, and knows 76 parameters", () => {
    for (const number of [11n, 12n]) assert.equal(proposalError(number, -1n, parameters), undefined);
    assert.equal(proposableNumbers.length, 76);
    assert.equal(proposalError(17n, 1n, parameters), "Bad chain parameter id");
    assert.equal(proposalError(27n, 1n, parameters), "Does not support code : 27");
  });

  it("reports an invalid fee limit", () => {
    const old = chainParameters({ getAllowTvmLondon: 0 });
    assert.equal(proposalError(47n, -1n, parameters), "Bad MAX_FEE_LIMIT parameter value, value must not be negative");
    assert.equal(proposalError(47n, 10_000_000_001n, parameters), undefined);
    assert.equal(
      proposalError(47n, 10_000_000_001n, old),
      "Bad MAX_FEE_LIMIT parameter value, valid range is [0,10_000_000_000L]",
    );
    assert.equal(proposalError(47n, MAX + 1n, parameters), LONG);
  });

  it("reports parameters already in force for any value", () => {
    assert.equal(proposalError(67n, 7n, parameters), "New reward has been valid.");
    for (const [number, label] of [
      [79n, "ALLOW_OLD_REWARD_OPT"],
      [81n, "ALLOW_ENERGY_ADJUSTMENT"],
      [83n, "ALLOW_TVM_CANCUN"],
      [87n, "ALLOW_STRICT_MATH"],
      [88n, "CONSENSUS_LOGIC_OPTIMIZATION"],
      [89n, "ALLOW_TVM_BLOB"],
    ] as const) {
      assert.equal(proposalError(number, 7n, parameters), `[${label}] has been valid, no need to propose again`);
    }
    const forgotten = chainParameters({ getRemoveThePowerOfTheGr: -1 });
    assert.equal(
      proposalError(10n, 1n, forgotten),
      "This proposal has been executed before and is only allowed to be executed once",
    );
  });

  it("reports missing prerequisites after checking the value", () => {
    const bare = chainParameters({
      getAllowSameTokenName: 0,
      getAllowCreationOfContracts: 0,
      getChangeDelegation: 0,
      getUnfreezeDelayDays: 0,
      getAllowMarketTransaction: 0,
      getAllowTvmSolidity059: 0,
      getAllowOldRewardOpt: 0,
      getAllowNewReward: 0,
      getAllowTvmVote: 0,
    });
    const first = (label: string, earlier: string, done = "proposed"): string =>
      `[${earlier}] proposal must be approved before [${label}] can be ${done}`;
    assert.equal(proposalError(18n, 1n, bare), first("ALLOW_TVM_TRANSFER_TRC10", "ALLOW_SAME_TOKEN_NAME"));
    assert.equal(proposalError(32n, 1n, bare), first("ALLOW_TVM_SOLIDITY_059", "ALLOW_CREATION_OF_CONTRACTS"));
    assert.equal(proposalError(52n, 1n, bare), first("ALLOW_TVM_FREEZE", "ALLOW_TVM_SOLIDITY_059"));
    assert.equal(proposalError(59n, 1n, bare), first("ALLOW_TVM_VOTE", "ALLOW_CHANGE_DELEGATION"));
    assert.equal(proposalError(72n, 1n, bare), first("ALLOW_DYNAMIC_ENERGY", "ALLOW_CHANGE_DELEGATION", "opened"));
    assert.equal(proposalError(72n, 0n, bare), undefined);
    assert.equal(proposalError(77n, 1n, bare), first("ALLOW_CANCEL_ALL_UNFREEZE_V2", "UNFREEZE_DELAY_DAYS"));
    assert.equal(proposalError(45n, -1n, bare), "Market Transaction is not activated, can not set Market Sell Fee");
    assert.equal(
      proposalError(79n, 1n, bare),
      "[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed",
    );
  });
});

describe("changedRules", () => {
  const rules = initialRules(chainParameters());
  const changed = (number: bigint, value: bigint, from = rules): typeof rules =>
    changedRules(from, new Map([[number, value]]), 1234);

  it("updates the energy limit and its target", () => {
    const { parameters } = changed(19n, 288_000_000_000n);
    assert.deepEqual(
      [parameters.getTotalEnergyLimit, parameters.getTotalEnergyCurrentLimit, parameters.getTotalEnergyTargetLimit],
      [288_000_000_000, 288_000_000_000, 20_000_000],
    );
    assert.equal(changed(33n, 20n).parameters.getTotalEnergyTargetLimit, 6_250_000);
    const adaptive = changed(21n, 1n);
    assert.deepEqual(
      [adaptive.parameters.getAdaptiveResourceLimitMultiplier, adaptive.parameters.getTotalEnergyTargetLimit],
      [50, 62_500_000],
    );
    assert.equal(changed(19n, 5n, adaptive).parameters.getTotalEnergyCurrentLimit, 180_000_000_000);
  });

  it("adds an entry to the price history", () => {
    const { prices } = changedRules(
      rules,
      new Map([
        [11n, 420n],
        [3n, 500n],
        [68n, 0n],
      ]),
      1234,
    );
    assert.deepEqual(prices, {
      energy: "0:210,1234:420",
      bandwidth: "0:1000,1234:500",
      memo: "0:1000000,1234:0",
    });
  });

  it("returns the same rules for a switch that is already on", () => {
    assert.equal(changed(44n, 1n), rules);
    assert.equal(changed(20n, 1n), rules);
  });
});
