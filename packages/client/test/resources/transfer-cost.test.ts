import assert from "node:assert/strict";
import { findInRecordings } from "../../../../test/support/recorded/recorded-transactions.ts";
import { TRANSFER, VALIDITY } from "../../../../test/support/tracking/intents.ts";
import { isJsonObject, type JsonObject } from "../../../tron/src/primitives/json.ts";
import { rawDataFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import { encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import type { AccountResources } from "../../src/gateway/gateway.ts";
import { bandwidthOf, type TransferFacts, transferCost } from "../../src/resources/transfer-cost.ts";

/** Those of the recorded chain. */
const PARAMETERS = new Map([
  ["getTransactionFee", 1_000n],
  ["getCreateAccountFee", 100_000n],
  ["getCreateNewAccountFeeInSystemContract", 1_000_000n],
  ["getCreateNewAccountBandwidthRate", 1n],
  ["getMultiSignFee", 1_000_000n],
  ["getMemoFee", 1_000_000n],
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
  it("is 267 bytes for a transfer of 1.5 coins with one signature", () => {
    const rawData = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));

    assert.equal(bandwidthOf(rawData.length, 1), 267n);
  });

  it("grows by 67 bytes with each signature, and by the length of a length", () => {
    assert.equal(bandwidthOf(133, 2) - bandwidthOf(133, 1), 67n);
    assert.equal(bandwidthOf(127, 1), 127n + 1n + 1n + 67n + 64n);
    assert.equal(bandwidthOf(128, 1), 128n + 1n + 2n + 67n + 64n);
    assert.equal(bandwidthOf(16_383, 1), 16_383n + 1n + 2n + 67n + 64n);
    assert.equal(bandwidthOf(16_384, 1), 16_384n + 1n + 3n + 67n + 64n);
  });

  it("is what every recorded receipt says", () => {
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

      assert.deepEqual(cost.parts.map(inWords), parts);
      assert.equal(cost.fee, fee);
    });
  }

  it("takes the rate at which creating an account uses staked bandwidth from the chain", () => {
    const parameters = new Map([...PARAMETERS, ["getCreateNewAccountBandwidthRate", 20n] as const]);

    const { parts } = transferCost({ ...PLAIN, recipientExists: false, resources: STAKED }, parameters);

    assert.deepEqual(parts.map(inWords), ["account-creation-bandwidth 100000", "account-creation 1000000"]);
  });

  it("counts a parameter that the chain does not list as nothing", () => {
    const { fee } = transferCost({ ...PLAIN, hasMemo: true }, new Map());

    assert.equal(fee, 0n);
  });

  it("agrees with the fees of the recorded receipts", () => {
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

function inWords(part: ReturnType<typeof transferCost>["parts"][number]): string {
  return ["bytes" in part ? `${part.kind} ${part.bytes}` : part.kind, part.amount].join(" ");
}

/** Every signed transaction of the recordings whose txID and bytes belong together. */
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
