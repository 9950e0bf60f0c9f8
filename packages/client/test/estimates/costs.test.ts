import assert from "node:assert/strict";
import fc from "fast-check";
import { findInRecordings } from "../../../../test/support/recorded/exchanges.ts";
import { TRANSFER, VALIDITY } from "../../../../test/support/tracking/intents.ts";
import { genesisLedger } from "../../../local-chain/src/chain/genesis.ts";
import { chainParameters } from "../../../local-chain/src/chain/parameters.ts";
import {
  availableEnergy,
  type EnergyContext,
  energyBudget,
  payEnergy,
} from "../../../local-chain/src/chain/resources.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { isJsonObject, type JsonObject } from "../../../tron/src/primitives/json.ts";
import { rawDataFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import { encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import {
  bandwidthOf,
  type CallFacts,
  callCost,
  energyLeft,
  energyPrice,
  type TransferFacts,
  transferCost,
} from "../../src/estimates/costs.ts";
import type { AccountResources } from "../../src/gateway/gateway.ts";

/** Parameters of the recorded chain. */
const PARAMETERS = new Map([
  ["getTransactionFee", 1_000n],
  ["getCreateAccountFee", 100_000n],
  ["getCreateNewAccountFeeInSystemContract", 1_000_000n],
  ["getCreateNewAccountBandwidthRate", 1n],
  ["getMultiSignFee", 1_000_000n],
  ["getMemoFee", 1_000_000n],
  ["getUpdateAccountPermissionFee", 100_000_000n],
]);

const FRESH: AccountResources = {
  freeBandwidthLimit: 600n,
  freeBandwidthUsed: 0n,
  stakedBandwidthLimit: 0n,
  stakedBandwidthUsed: 0n,
  energyLimit: 0n,
  energyUsed: 0n,
};
const USED_UP: AccountResources = { ...FRESH, freeBandwidthUsed: 530n };
const STAKED: AccountResources = { ...USED_UP, stakedBandwidthLimit: 5_000n };

const PLAIN: TransferFacts = {
  bandwidth: 267n,
  signatures: 1,
  hasMemo: false,
  recipientExists: true,
  resources: FRESH,
};

describe("bandwidthOf", () => {
  it("returns 267 for a transfer of 1.5 coins with one signature", () => {
    const rawData = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));

    assert.equal(bandwidthOf(rawData.length, 1), 267n);
  });

  it("adds 67 bytes for each signature, and the length of the length", () => {
    assert.equal(bandwidthOf(133, 2) - bandwidthOf(133, 1), 67n);
    assert.equal(bandwidthOf(127, 1), 127n + 1n + 1n + 67n + 64n);
    assert.equal(bandwidthOf(128, 1), 128n + 1n + 2n + 67n + 64n);
    assert.equal(bandwidthOf(16_383, 1), 16_383n + 1n + 2n + 67n + 64n);
    assert.equal(bandwidthOf(16_384, 1), 16_384n + 1n + 3n + 67n + 64n);
  });

  it("returns the usage of every recorded receipt", () => {
    const sizes = new Map(signedTransactions().map((it) => [it.txID, bandwidthOf(lengthOf(it), signaturesOf(it))]));
    const receipts = findInRecordings((it) => typeof it.id === "string" && isJsonObject(it.receipt));
    let compared = 0;
    for (const { place, value } of receipts) {
      const expected = sizes.get(value.id);
      const { net_usage, net_fee } = value.receipt as JsonObject;
      if (expected === undefined || net_fee === 100_000) continue;
      compared++;
      assert.equal(BigInt(Number(net_usage ?? Number(net_fee) / 1_000)), expected, place);
    }

    assert.ok(compared > 100, `${compared}`);
  });
});

describe("transferCost", () => {
  for (const [name, facts, parts, fee] of [
    ["the first of the day is free", {}, ["free-bandwidth 267 0"], 0n],
    [
      "with the free quota used up, every byte is burned",
      { resources: USED_UP },
      ["burned-bandwidth 267 267000"],
      267_000n,
    ],
    [
      "a quota with one byte too few pays nothing",
      { resources: { ...FRESH, freeBandwidthUsed: 334n } },
      ["burned-bandwidth 267 267000"],
      267_000n,
    ],
    [
      "a quota with just enough pays all",
      { resources: { ...FRESH, freeBandwidthUsed: 333n } },
      ["free-bandwidth 267 0"],
      0n,
    ],
    ["staked bandwidth comes first", { resources: STAKED }, ["staked-bandwidth 267 0"], 0n],
    [
      "staked bandwidth that is just enough pays all",
      { resources: { ...USED_UP, stakedBandwidthLimit: 267n } },
      ["staked-bandwidth 267 0"],
      0n,
    ],
    [
      "staked bandwidth that is just enough pays for a new account",
      { recipientExists: false, resources: { ...USED_UP, stakedBandwidthLimit: 267n } },
      ["staked-bandwidth 267 0", "account-creation 1000000"],
      1_000_000n,
    ],
    [
      "a change of permissions costs a fee",
      { updatesPermissions: true },
      ["free-bandwidth 267 0", "permissions 100000000"],
      100_000_000n,
    ],
    ["no change of permissions costs no fee", { updatesPermissions: false }, ["free-bandwidth 267 0"], 0n],
    [
      "a memo costs a fee beside its bytes",
      { bandwidth: 278n, hasMemo: true, resources: USED_UP },
      ["burned-bandwidth 278 278000", "memo 1000000"],
      1_278_000n,
    ],
    [
      "a memo costs its fee within the free quota too",
      { bandwidth: 268n, hasMemo: true },
      ["free-bandwidth 268 0", "memo 1000000"],
      1_000_000n,
    ],
    [
      "two signatures cost a fee",
      { bandwidth: 334n, signatures: 2, resources: USED_UP },
      ["burned-bandwidth 334 334000", "multi-sign 1000000"],
      1_334_000n,
    ],
    [
      "a new account costs two fees instead of bytes, however much is free",
      { recipientExists: false },
      ["account-creation-bandwidth 100000", "account-creation 1000000"],
      1_100_000n,
    ],
    [
      "a new account costs one fee when bandwidth is staked",
      { recipientExists: false, resources: STAKED },
      ["staked-bandwidth 267 0", "account-creation 1000000"],
      1_000_000n,
    ],
    [
      "a new account and a memo",
      { recipientExists: false, hasMemo: true, resources: USED_UP },
      ["account-creation-bandwidth 100000", "account-creation 1000000", "memo 1000000"],
      2_100_000n,
    ],
    ["an owner without resources pays", { resources: undefined }, ["burned-bandwidth 267 267000"], 267_000n],
  ] as const satisfies readonly (readonly [string, Partial<TransferFacts>, readonly string[], bigint])[]) {
    it(`S109 ${name}`, () => {
      const cost = transferCost({ ...PLAIN, ...facts }, PARAMETERS);

      assert.deepEqual(cost.parts.map(printed), parts);
      assert.equal(cost.fee, fee);
    });
  }

  it("uses the rate of the chain for the staked bandwidth of an account creation", () => {
    const parameters = new Map([...PARAMETERS, ["getCreateNewAccountBandwidthRate", 20n] as const]);

    const { parts } = transferCost({ ...PLAIN, recipientExists: false, resources: STAKED }, parameters);

    assert.deepEqual(parts.map(printed), ["account-creation-bandwidth 100000", "account-creation 1000000"]);
  });

  it("counts a missing parameter as 0", () => {
    const { fee } = transferCost({ ...PLAIN, hasMemo: true }, new Map());

    assert.equal(fee, 0n);
  });

  it("returns the fees of the recorded receipts", () => {
    const infos = new Map(
      findInRecordings((it) => typeof it.id === "string" && isJsonObject(it.receipt)).map((it) => [it.place, it.value]),
    );
    const cases = [
      ["broadcast memo-fee-info responseBody", { hasMemo: true, resources: USED_UP }],
      ["broadcast creates-account-fee-1trx-no-stake-info responseBody", { recipientExists: false, resources: USED_UP }],
      ["broadcast multisig-ok-info responseBody", { signatures: 2, resources: USED_UP }],
      ["lookups head-transfer-wallet-gettransactioninfobyid responseBody", { resources: USED_UP }],
    ] as const;
    for (const [place, facts] of cases) {
      const info = infos.get(place);
      const transaction = signedTransactions().find((it) => it.txID === info?.id);
      assert.ok(info && transaction, place);
      const known = { ...PLAIN, ...facts };

      const { fee } = transferCost(
        { ...known, bandwidth: bandwidthOf(lengthOf(transaction), known.signatures) },
        PARAMETERS,
      );

      assert.equal(fee, BigInt(Number(info.fee)), place);
    }
  });
});

function printed(part: ReturnType<typeof transferCost>["parts"][number]): string {
  return ["bytes" in part ? `${part.kind} ${part.bytes}` : part.kind, part.amount].join(" ");
}

/** Returns the signed transactions of the recordings. */
function signedTransactions(): readonly JsonObject[] {
  return findInRecordings((it) => typeof it.raw_data_hex === "string" && Array.isArray(it.signature)).map(
    (it) => it.value,
  );
}

function lengthOf(transaction: JsonObject): number {
  return String(transaction.raw_data_hex).length / 2;
}

function signaturesOf(transaction: JsonObject): number {
  return (transaction.signature as readonly string[]).length;
}

const CALL_PARAMETERS = new Map([
  ["getTransactionFee", 1_000n],
  ["getMultiSignFee", 1_000_000n],
  ["getMaxFeeLimit", 15_000_000_000n],
]);
const PRICE = 210n;
const NO_STAKE: AccountResources = {
  freeBandwidthLimit: 600n,
  freeBandwidthUsed: 0n,
  stakedBandwidthLimit: 0n,
  stakedBandwidthUsed: 0n,
  energyLimit: 0n,
  energyUsed: 0n,
};
const CALL: CallFacts = {
  energy: 28_057n,
  feeLimit: sun(10_000_000n),
  callValue: sun(0n),
  balance: sun(100_000_000n),
  resources: NO_STAKE,
  owner: undefined,
  bandwidth: 345n,
  signatures: 1,
};

describe("callCost", () => {
  it("burns coins for energy, and uses the free bandwidth", () => {
    const cost = callCost(CALL, CALL_PARAMETERS, PRICE);

    assert.equal(cost.energyFee, 28_057n * 210n);
    assert.equal(cost.fee, 28_057n * 210n);
    assert.equal(cost.bandwidth.kind, "free-bandwidth");
    assert.equal(cost.neededFeeLimit, 28_057n * 210n);
    assert.deepEqual(cost.shortages, []);
  });

  it("adds burned bandwidth and the fee for a second signature", () => {
    const resources = { ...NO_STAKE, freeBandwidthUsed: 500n };

    const cost = callCost({ ...CALL, resources, signatures: 2 }, CALL_PARAMETERS, PRICE);

    assert.equal(cost.fee, 28_057n * 210n + 345_000n + 1_000_000n);
  });

  it("adds the fee for a memo", () => {
    const parameters = new Map([...CALL_PARAMETERS, ["getMemoFee", 1_000_000n] as const]);

    assert.equal(callCost({ ...CALL, hasMemo: true }, parameters, PRICE).fee, 28_057n * 210n + 1_000_000n);
    assert.equal(callCost(CALL, parameters, PRICE).memoFee, 0n);
  });

  it("pays bytes and signatures before energy when the balance is too small", () => {
    const resources = { ...NO_STAKE, freeBandwidthUsed: 500n };
    const fee = 28_057n * 210n + 345_000n;

    const covers = (balance: bigint) =>
      callCost({ ...CALL, resources, balance: sun(balance) }, CALL_PARAMETERS, PRICE).shortages;

    assert.deepEqual(covers(fee), []);
    assert.deepEqual(covers(fee - 1n), [{ kind: "balance", covers: 28_056n, missing: 1n }]);
    assert.deepEqual(covers(345_000n), [{ kind: "balance", covers: 0n, missing: 28_057n * 210n }]);
  });

  it("uses staked energy first, and requires a fee limit for all energy", () => {
    const resources = { ...NO_STAKE, energyLimit: 30_000n, energyUsed: 10_000n };

    const cost = callCost({ ...CALL, resources, feeLimit: sun(2_100_000n) }, CALL_PARAMETERS, PRICE);

    assert.deepEqual([cost.stakedEnergy, cost.burnedEnergy], [20_000n, 8_057n]);
    assert.equal(cost.energyFee, 8_057n * 210n);
    assert.deepEqual(cost.shortages, [{ kind: "fee-limit", covers: 10_000n, needed: 28_057n * 210n }]);
  });

  it("returns every shortage with the required amount", () => {
    const facts = { ...CALL, feeLimit: sun(0n), balance: sun(1_000_000n), callValue: sun(500_000n) };

    const { shortages } = callCost(facts, CALL_PARAMETERS, PRICE);

    assert.deepEqual(shortages, [
      { kind: "fee-limit", covers: 0n, needed: 5_891_970n },
      { kind: "balance", covers: 2_380n, missing: 5_391_970n },
    ]);
    assert.deepEqual(callCost({ ...CALL, feeLimit: sun(15_000_000_001n) }, CALL_PARAMETERS, PRICE).shortages, [
      { kind: "fee-limit-above-maximum", maximum: 15_000_000_000n },
    ]);
  });

  it("G21: energyPrice returns undefined without getEnergyFee, and 100 sun for 0", () => {
    assert.equal(energyPrice(new Map([["getTransactionFee", 1_000n]])), undefined);
    assert.equal(energyPrice(new Map([["getEnergyFee", 0n]])), 100n);
    assert.equal(energyPrice(new Map([["getEnergyFee", 420n]])), 420n);
  });

  it("returns the bill of the local chain for random callers, owners and limits", () => {
    fc.assert(
      fc.property(billArbitrary, (bill) => {
        const { context, payer } = chainWith(bill);
        const budget = energyBudget(context, payer);
        const left = (stake: typeof CALLER): bigint => availableEnergy(context, stake);
        const owner = { callerPercent: bill.percent, energyLimit: bill.ownerLimit, energyLeft: left(OWNER) };

        const cost = callCost(
          {
            ...CALL,
            energy: bill.energy,
            feeLimit: sun(bill.feeLimit),
            callValue: sun(bill.value),
            owner,
            balance: sun(context.ledger.account(CALLER)?.balance ?? 0n),
            resources: { ...NO_STAKE, energyLimit: left(CALLER) },
          },
          CALL_PARAMETERS,
          PRICE,
        );

        const tooLittle = cost.shortages.some(({ kind }) => kind !== "fee-limit-above-maximum");
        if (budget.limit < bill.energy) assert.ok(tooLittle, "the chain would stop it");
        else {
          assert.ok(!cost.shortages.some(({ kind }) => kind === "fee-limit"), "the chain would run it");
          const use = payEnergy(context, payer, budget, { total: bill.energy, penalty: 0n });
          assert.deepEqual(
            [cost.ownerEnergy, cost.stakedEnergy, cost.energyFee],
            [use.fromOwner, use.fromCaller, use.fee],
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("returns the smallest fee limit that is enough", () => {
    fc.assert(
      fc.property(billArbitrary, (bill) => {
        const { context } = chainWith(bill);
        const owner = {
          callerPercent: bill.percent,
          energyLimit: bill.ownerLimit,
          energyLeft: availableEnergy(context, OWNER),
        };
        const { neededFeeLimit } = callCost({ ...CALL, energy: bill.energy, owner }, CALL_PARAMETERS, PRICE);
        const limitAt = (feeLimit: bigint): bigint => {
          const { payer } = chainWith({ ...bill, feeLimit, value: 0n });
          return energyBudget(chainWith({ ...bill, balance: 10n ** 15n }).context, { ...payer, value: 0n }).limit;
        };

        assert.ok(limitAt(neededFeeLimit) >= bill.energy);
        if (neededFeeLimit > 0n) assert.ok(limitAt(neededFeeLimit - 1n) < bill.energy);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("energyLeft", () => {
  it("grants whole coins of a known stake, and the reported limit otherwise", () => {
    const resources = { ...FRESH, energyLimit: 15n, energyUsed: 2n, energyTotals: { limit: 100n, weight: 10n } };
    const { energyTotals: _totals, ...untold } = resources;
    const cases = [
      ["a stake of 1.55 coins", energyLeft(resources, sun(1_550_000n)), 8n],
      ["an unknown stake", energyLeft(resources), 13n],
      ["a stake that does not give the limit", energyLeft(resources, sun(3_000_000n)), 13n],
      ["unknown totals", energyLeft(untold, sun(1_550_000n)), 13n],
      [
        "a chain without stakes",
        energyLeft({ ...resources, energyTotals: { limit: 100n, weight: 0n } }, sun(1_550_000n)),
        13n,
      ],
      ["more used than granted", energyLeft({ ...resources, energyUsed: 16n }), 0n],
      ["an account without resources", energyLeft(undefined), 0n],
    ] as const;

    for (const [name, left, expected] of cases) assert.equal(left, expected, name);
  });
});

const CALLER = parseAddress(`41${"01".repeat(20)}`);
const OWNER = parseAddress(`41${"02".repeat(20)}`);
const OTHERS = parseAddress(`41${"03".repeat(20)}`);
const NOW = 1_800_000_000_000;
const COIN = 1_000_000n;

interface Bill {
  readonly energy: bigint;
  readonly feeLimit: bigint;
  readonly value: bigint;
  readonly balance: bigint;
  readonly callerStake: bigint;
  readonly ownerStake: bigint;
  readonly percent: bigint;
  readonly ownerLimit: bigint;
}

const billArbitrary: fc.Arbitrary<Bill> = fc.record({
  energy: fc.bigInt(1n, 100_000n),
  feeLimit: fc.bigInt(0n, 30_000_000n),
  value: fc.bigInt(0n, 2_000_000n),
  balance: fc.bigInt(0n, 40_000_000n),
  callerStake: fc.bigInt(0n, 2_000n),
  ownerStake: fc.bigInt(0n, 2_000n),
  percent: fc.bigInt(0n, 100n),
  ownerLimit: fc.bigInt(1n, 100_000n),
});

function chainWith(bill: Bill) {
  const funded = (address: typeof CALLER, balance: bigint, energy: bigint) => ({
    address,
    balance,
    stake: { bandwidth: 0n, energy: energy * COIN },
  });
  const accounts = [
    funded(CALLER, bill.balance, bill.callerStake),
    funded(OWNER, 0n, bill.ownerStake),
    funded(OTHERS, 0n, 5_000_000_000n - bill.callerStake - bill.ownerStake),
  ];
  const parameters = chainParameters();
  const ledger = genesisLedger({ accounts, parameters, startTime: NOW });
  const context: EnergyContext = { ledger, parameters, now: NOW };
  const share = { owner: OWNER, consumeUserResourcePercent: bill.percent, originEnergyLimit: bill.ownerLimit };
  return { context, payer: { caller: CALLER, value: bill.value, feeLimit: bill.feeLimit, share } };
}
