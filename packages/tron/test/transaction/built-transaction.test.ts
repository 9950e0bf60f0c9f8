import assert from "node:assert/strict";
import * as fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { transactionVectors } from "../../../../test/support/recorded/vectors.ts";
import { buildWithTronWeb } from "../../../../test/support/samples/tronweb-builder.ts";
import {
  anyIntent,
  anyValidity,
  intentKinds,
  OWNER,
  RECIPIENT,
  VALIDITY,
} from "../../../../test/support/tracking/intents.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { parseAddress } from "../../src/primitives/address.ts";
import { sun } from "../../src/primitives/amount.ts";
import type { BlockId } from "../../src/primitives/block.ts";
import { bytesToHex, type Hex, transactionId } from "../../src/primitives/bytes.ts";
import type { JsonObject } from "../../src/primitives/json.ts";
import {
  builtFromIntent,
  rawDataFromIntent,
  readLifetime,
  withExpiration,
} from "../../src/transaction/built-transaction.ts";
import type { Intent } from "../../src/transaction/intent.ts";
import { decodeRawData, encodeRawData } from "../../src/transaction/raw-data-codec.ts";
import { rawDataToJson } from "../../src/transaction/transaction-json.ts";

const RUNS_PER_KIND = howOften(10, 300);

describe("rawDataFromIntent", () => {
  for (const kind of intentKinds) {
    it(`builds the intent ${kind} byte for byte as TronWeb does`, async () => {
      await fc.assert(
        fc.asyncProperty(anyIntent(kind), anyValidity, async (intent, validity) => {
          // TronWeb cannot build stakes for votes. The recorded scenarios contain them.
          fc.pre(!("resource" in intent && intent.resource === "TRON_POWER"));
          const bytes = encodeRawData(rawDataFromIntent(intent, validity));

          const other = await buildWithTronWeb(intent, validity);
          assert.equal(bytesToHex(bytes), other.raw_data_hex);
          assert.equal(transactionId(bytes), other.txID);
        }),
        { numRuns: RUNS_PER_KIND },
      );
    }).timeout(20_000);
  }

  it("S18 builds the bytes and the txID of each vector", () => {
    for (const [number, intent] of Object.entries(vectorIntents())) {
      const vector = transactionVectors.find((it) => it.vector === Number(number));
      const { raw } = decodeRawData(Buffer.from(vector?.rawDataHex ?? "", "hex"));
      const block = `000000000000${bytesToHex(raw.refBlockBytes)}${bytesToHex(raw.refBlockHash)}${"0".repeat(32)}`;
      const times = { expiration: Number(raw.expiration), timestamp: Number(raw.timestamp) };

      const bytes = encodeRawData(rawDataFromIntent(intent, { ...times, referenceBlock: block as BlockId }));

      assert.equal(bytesToHex(bytes), vector?.rawDataHex, `vector ${number}`);
      assert.equal(transactionId(bytes), vector?.txId);
    }
  });

  it("keeps every amount up to the largest int64", () => {
    const largest: Intent = { kind: "stake", owner: OWNER, resource: "ENERGY", amount: sun(2n ** 63n - 1n) };

    assert.equal(valuesOf(largest).frozen_balance, 2n ** 63n - 1n);
  });

  it("omits the lock of a delegation without a lock period", () => {
    const free: Intent = { kind: "delegate", owner: OWNER, resource: "ENERGY", amount: sun(1n), receiver: RECIPIENT };

    assert.equal(valuesOf(free).lock, undefined);
    assert.equal(valuesOf({ ...free, lockPeriod: 0n }).lock, true);
    assert.equal(valuesOf({ ...free, lockPeriod: 28_800n }).lock_period, 28_800);
  });

  it("refuses an invalid ABI", () => {
    const intent: Intent = {
      kind: "contract-creation",
      owner: OWNER,
      name: "Counter",
      bytecode: "6000" as Hex,
      abi: "ff" as Hex,
      callValue: sun(0n),
      feeLimit: sun(1n),
      userPercent: 100n,
      originEnergyLimit: 1n,
    };

    assert.throws(
      () => rawDataFromIntent(intent, VALIDITY),
      (thrown) => isChainError(thrown) && thrown.code === "TRANSACTION_MALFORMED",
    );
  });
});

describe("withExpiration", () => {
  const intent: Intent = { kind: "transfer", owner: OWNER, to: RECIPIENT, amount: sun(1n), memo: "6869" as Hex };

  it("changes the expiration and the txID, and nothing else", () => {
    const later = { ...VALIDITY, expiration: VALIDITY.expiration + 60_000 };

    assert.deepEqual(
      withExpiration(builtFromIntent(intent, VALIDITY), later.expiration),
      builtFromIntent(intent, later),
    );
  });

  it("returns the same transaction for the same expiration", () => {
    const built = builtFromIntent(intent, VALIDITY);

    assert.deepEqual(withExpiration(built, VALIDITY.expiration), built);
  });
});

describe("readLifetime", () => {
  const intent: Intent = { kind: "transfer", owner: OWNER, to: RECIPIENT, amount: sun(1n) };
  const bytesWith = (change: object) =>
    bytesToHex(encodeRawData({ ...rawDataFromIntent(intent, VALIDITY), ...change }));

  it("reads bytes whose last field is the contract", () => {
    const { expiration, timestamp } = readLifetime(bytesWith({ timestamp: 0n })) ?? {};

    assert.deepEqual([expiration, timestamp], [VALIDITY.expiration, undefined]);
  });

  it("reads nothing without a whole reference to a block, or from truncated bytes", () => {
    for (const change of [
      { refBlockBytes: new Uint8Array() },
      { refBlockBytes: new Uint8Array(3) },
      { refBlockHash: new Uint8Array() },
      { refBlockHash: new Uint8Array(7) },
      { expiration: 0n },
    ])
      assert.equal(readLifetime(bytesWith(change)), undefined, JSON.stringify(Object.keys(change)));
    assert.equal(readLifetime(bytesWith({ timestamp: 0n }).slice(0, -2) as Hex), undefined);
  });
});

/** Returns the fields of the contract that an intent is built to. */
function valuesOf(intent: Intent): JsonObject {
  const { raw } = decodeRawData(encodeRawData(rawDataFromIntent(intent, VALIDITY)));
  const { contract } = rawDataToJson(raw, false) as unknown as { contract: [{ parameter: { value: JsonObject } }] };
  return contract[0].parameter.value;
}

/** Intents of the vectors in the protocol reference. Vector 3, an account creation, has none. */
function vectorIntents(): { readonly [vector: number]: Intent } {
  const owner = parseAddress("41dd791d6b49e190062d650e6a23c575510d35f2f9");
  const to = parseAddress("4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a");
  return {
    1: { kind: "transfer", owner, to, amount: sun(1_000_000n) },
    2: { kind: "stake", owner, resource: "ENERGY", amount: sun(1_000_000_000n) },
    4: { kind: "token-transfer", owner, to, tokenId: "1005416", amount: 100n },
    5: {
      kind: "contract-call",
      owner,
      contract: parseAddress("41eca9bc828a3005b9a3b909f2cc5c2a54794de05f"),
      data: `a9059cbb${"88a2bfcb1c7271029fd69a66859d55560895884".padStart(64, "0")}${"64".padStart(64, "0")}` as Hex,
      callValue: sun(0n),
      feeLimit: sun(100_000_000n),
    },
  };
}
