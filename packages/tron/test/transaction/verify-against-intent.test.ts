import assert from "node:assert/strict";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import {
  anyIntent,
  anyValidity,
  HEAD_TIMESTAMP,
  intentKinds,
  OWNER,
  RECIPIENT,
  TRANSFER,
  VALIDITY,
} from "../../../../test/support/tracking/intents.ts";
import { parseAddress } from "../../src/primitives/address.ts";
import { sun } from "../../src/primitives/amount.ts";
import { bytesToHex, type Hex, type TxId, transactionId } from "../../src/primitives/bytes.ts";
import { type BuiltTransaction, rawDataFromIntent } from "../../src/transaction/built-transaction.ts";
import {
  AccountPermissionUpdateContractSchema,
  type Contract,
  type Raw,
  TransferContractSchema,
} from "../../src/transaction/gen/transaction_pb.js";
import type { Intent } from "../../src/transaction/intent.ts";
import { decodeRawData, encodeRawData } from "../../src/transaction/raw-data-codec.ts";
import { rawDataToJson } from "../../src/transaction/transaction-json.ts";
import {
  type Difference,
  type Verification,
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../src/transaction/verify-against-intent.ts";

const LIMITS = { headTimestamp: HEAD_TIMESTAMP };
const DAY_MS = 86_400_000;
const THIEF = parseAddress("THph9K2M2nLvkianrMGswRhz5hjSA9fuH7");
const VALUE = "raw_data.contract[0].parameter.value";
const UNKNOWN = [{ no: 99, wireType: 0, data: Uint8Array.of(1) }];

describe("verifyAgainstIntent", () => {
  it("accepts every transaction built from its own intent", () => {
    return fc.assert(
      fc.property(anyIntent(), anyValidity, (intent, validity) => {
        assert.equal(verify(rawDataFromIntent(intent, validity), intent).kind, "same");
      }),
      { numRuns: howOften(100, 500) },
    );
  });

  it("lists every verified field as text", () => {
    const { fields, expiration, txId } = verified(rawDataFromIntent(TRANSFER, VALIDITY), TRANSFER);

    assert.deepEqual(Object.fromEntries(fields.map((it) => [it.path, it.value])), {
      "raw_data.ref_block_bytes": "262d",
      "raw_data.ref_block_hash": "52bfa4b2814f816f",
      "raw_data.expiration": "1777447527000",
      "raw_data.contract[0].parameter.value.owner_address": "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
      "raw_data.contract[0].parameter.value.to_address": "TUg28KYvCXWW81EqMUeZvCZmZw2BChk1HQ",
      "raw_data.contract[0].parameter.value.amount": "1.5 coins (1500000 sun)",
      "raw_data.contract[0].parameter.type_url": "type.googleapis.com/protocol.TransferContract",
      "raw_data.contract[0].type": "TransferContract",
      "raw_data.timestamp": "1777447468234",
      txID: txId,
    });
    assert.equal(expiration, VALIDITY.expiration);
  });

  describe("when a transfer was requested", () => {
    it("S67 refuses another recipient, and names both in base58", () => {
      const differences = refused(builtFrom({ ...TRANSFER, to: THIEF }));

      assert.deepEqual(differences, [
        {
          path: `${VALUE}.to_address`,
          asked: "TUg28KYvCXWW81EqMUeZvCZmZw2BChk1HQ",
          built: "THph9K2M2nLvkianrMGswRhz5hjSA9fuH7",
        },
      ]);
    });

    it("S67 refuses another amount, and names both in coins and sun", () => {
      const differences = refused(builtFrom({ ...TRANSFER, amount: sun(15_000_000n) }));

      assert.deepEqual(differences, [
        { path: `${VALUE}.amount`, asked: "1.5 coins (1500000 sun)", built: "15 coins (15000000 sun)" },
      ]);
    });

    it("S67 refuses another owner", () => {
      assert.deepEqual(pathsOf(refused(builtFrom({ ...TRANSFER, owner: THIEF }))), [`${VALUE}.owner_address`]);
    });

    it("refuses a transfer of a token with the same id", () => {
      const token: Intent = {
        kind: "token-transfer",
        owner: OWNER,
        to: RECIPIENT,
        tokenId: "1000001",
        amount: 1_500_000n,
      };

      const differences = refused(builtFrom(token));

      assert.deepEqual(
        new Set(pathsOf(differences)),
        new Set([
          `${VALUE}.amount`,
          `${VALUE}.asset_name`,
          "raw_data.contract[0].parameter.type_url",
          "raw_data.contract[0].type",
        ]),
      );
      assert.equal(differences.find((it) => it.path.endsWith(".amount"))?.built, "1500000");
    });

    it("refuses a permission update", () => {
      const permission = { name: "owner", threshold: 1n, keys: [{ address: THIEF, weight: 1n }] };
      const takeover: Intent = {
        kind: "permission-update",
        owner: OWNER,
        ownerPermission: permission,
        activePermissions: [],
      };

      const differences = refused(builtFrom(takeover));

      assert.ok(differences.some((it) => it.built === "AccountPermissionUpdateContract"));
      assert.ok(differences.some((it) => it.built === "THph9K2M2nLvkianrMGswRhz5hjSA9fuH7"));
    });

    it("refuses fields that were not requested", () => {
      for (const [name, path, change] of hiddenAdditions()) {
        const raw = rawDataFromIntent(TRANSFER, VALIDITY);
        change(raw, contractOf(raw));

        assert.deepEqual(pathsOf(refused(encodeRawData(raw))), [path], name);
      }
    });

    it("refuses a second contract, and shows its contents", () => {
      const raw = rawDataFromIntent(TRANSFER, VALIDITY);
      raw.contract = [...raw.contract, contractOf(rawDataFromIntent({ ...TRANSFER, to: THIEF } as Intent, VALIDITY))];

      const differences = refused(encodeRawData(raw));

      assert.ok(differences.every((it) => it.path.startsWith("raw_data.contract[1]") && it.asked === "nothing"));
      assert.ok(differences.some((it) => it.built === "THph9K2M2nLvkianrMGswRhz5hjSA9fuH7"));
    });

    it("refuses a transaction without a contract", () => {
      const raw = rawDataFromIntent(TRANSFER, VALIDITY);
      raw.contract = [];

      assert.ok(refused(encodeRawData(raw)).some((it) => it.path === `${VALUE}.to_address` && it.built === "nothing"));
    });

    it("refuses another or an unknown contract type with the same bytes", () => {
      for (const [type, name] of [
        [0, "AccountCreateContract"],
        [99, "99"],
      ] as const) {
        const raw = rawDataFromIntent(TRANSFER, VALIDITY);
        contractOf(raw).type = type;

        const [difference] = refused(encodeRawData(raw)).filter((it) => it.path === "raw_data.contract[0].type");
        assert.equal(difference?.built, name);
      }
    });

    it("refuses an unknown field inside a list of messages", () => {
      const permission = { name: "owner", threshold: 1n, keys: [{ address: OWNER, weight: 1n }] };
      const intent: Intent = {
        kind: "permission-update",
        owner: OWNER,
        ownerPermission: permission,
        activePermissions: [],
      };
      const raw = rawDataFromIntent(intent, VALIDITY);
      const { parameter } = contractOf(raw);
      assert.ok(parameter);
      const message = fromBinary(AccountPermissionUpdateContractSchema, parameter.value);
      for (const key of message.owner?.keys ?? []) key.$unknown = UNKNOWN;
      parameter.value = toBinary(AccountPermissionUpdateContractSchema, message);

      assert.deepEqual(pathsOf(differencesOf(encodeRawData(raw), intent)), [`${VALUE}.owner.keys[0].99`]);
    });
  });

  it("refuses bytes that are not the canonical encoding of their fields", () => {
    const bytes = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));
    const raw = rawDataFromIntent(TRANSFER, VALIDITY);
    const { parameter } = contractOf(raw);
    assert.ok(parameter);
    parameter.value = Buffer.concat([parameter.value.subarray(0, 23), parameter.value]);
    for (const [name, changed] of [
      ["a field twice, the last one right", Buffer.concat([bytes.subarray(0, 4), bytes])],
      ["fields in another order", Buffer.concat([bytes.subarray(4), bytes.subarray(0, 4)])],
      ["an overlong number", Buffer.concat([bytes.subarray(0, -1), Uint8Array.of((bytes.at(-1) ?? 0) | 0x80, 0)])],
      ["an explicit default", Buffer.concat([bytes, Uint8Array.of(0x90, 0x01, 0x00)])],
      ["a field twice inside the contract", encodeRawData(raw)],
    ] as const)
      assert.deepEqual(pathsOf(refused(changed)), ["raw_data"], name);
  });

  it("returns differences for malformed bytes instead of throwing", () => {
    const bytes = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));
    for (const malformed of [bytesToHex(bytes.subarray(0, -1)), "0a02zz", "ffff"]) {
      const built = { txId: "00" as TxId, rawDataHex: malformed as Hex };

      assert.equal(verifyAgainstIntent(built, TRANSFER, LIMITS).kind, "different", malformed);
    }
    assert.ok(refused(new Uint8Array()).length > 3, "empty bytes");
  });

  describe("for fields that the gateway chooses", () => {
    it("accepts an expiration up to a day after the head", () => {
      for (const [ahead, kind] of [
        [-HEAD_TIMESTAMP, "different"],
        [-1, "different"],
        [0, "different"],
        [1, "same"],
        [DAY_MS, "same"],
        [DAY_MS + 1, "different"],
      ] as const) {
        const raw = rawDataFromIntent(TRANSFER, { ...VALIDITY, expiration: HEAD_TIMESTAMP + ahead });

        assert.equal(verify(raw, TRANSFER).kind, kind, `${ahead} ms`);
      }
    });

    it("refuses reference fields of another length", () => {
      const raw = rawDataFromIntent(TRANSFER, VALIDITY);
      raw.refBlockBytes = new Uint8Array();
      raw.refBlockHash = new Uint8Array(9);

      assert.deepEqual(pathsOf(refused(encodeRawData(raw))), ["raw_data.ref_block_bytes", "raw_data.ref_block_hash"]);
    });

    it("refuses a negative timestamp, and accepts a missing one", () => {
      assert.equal(verify(rawDataFromIntent(TRANSFER, { ...VALIDITY, timestamp: -1 }), TRANSFER).kind, "different");
      assert.equal(verify(rawDataFromIntent(TRANSFER, { ...VALIDITY, timestamp: 0 }), TRANSFER).kind, "same");
    });

    it("refuses a txID that is not the hash of the bytes, and names both", () => {
      const bytes = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));
      const txId = "ab".repeat(32) as TxId;

      const result = verifyAgainstIntent({ txId, rawDataHex: bytesToHex(bytes) }, TRANSFER, LIMITS);

      assert.deepEqual(result, {
        kind: "different",
        differences: [{ path: "txID", asked: transactionId(bytes), built: txId }],
      });
    });
  });

  it("refuses a transaction without the requested memo or permission", () => {
    for (const omitted of [{ memo: "c0ffee" as Hex }, { permissionId: 2 }]) {
      const differences = differencesOf(builtFrom(TRANSFER), { ...TRANSFER, ...omitted });

      assert.deepEqual(
        differences.map((it) => it.built),
        ["nothing"],
        JSON.stringify(omitted),
      );
    }
  });

  describe("under random mutations", () => {
    it("refuses each changed byte with the old txID", () => {
      return fc.assert(
        fc.property(anyIntent(), anyValidity, fc.integer({ min: 1, max: 255 }), (intent, validity, flip) => {
          const bytes = encodeRawData(rawDataFromIntent(intent, validity));
          const txId = transactionId(bytes);
          for (const mutated of eachByteFlipped(bytes, flip)) {
            const result = verifyAgainstIntent({ txId, rawDataHex: bytesToHex(mutated) }, intent, LIMITS);
            assert.equal(result.kind, "different");
          }
        }),
        { numRuns: howOften(5, 400) },
      );
    }).timeout(120_000);

    for (const kind of intentKinds) {
      it(`refuses each changed byte of a ${kind} transaction with a new txID, except in fields that the gateway chooses`, () => {
        return fc.assert(
          fc.property(anyIntent(kind), anyValidity, fc.integer({ min: 1, max: 255 }), (intent, validity, flip) => {
            const original = encodeRawData(rawDataFromIntent(intent, validity));
            for (const mutated of eachByteFlipped(original, flip)) assertRefusedOrChoice(mutated, original, intent);
          }),
          { numRuns: howOften(1, 20) },
        );
      }).timeout(120_000);
    }

    it("refuses inserted, removed and repeated bytes", () => {
      const edit = fc.record({ at: fc.nat(400), remove: fc.nat(30), insert: fc.uint8Array({ maxLength: 30 }) });
      return fc.assert(
        fc.property(anyIntent(), anyValidity, edit, (intent, validity, { at, remove, insert }) => {
          const original = encodeRawData(rawDataFromIntent(intent, validity));
          const start = at % (original.length + 1);
          const mutated = Buffer.concat([original.subarray(0, start), insert, original.subarray(start + remove)]);
          if (!mutated.equals(original)) assertRefusedOrChoice(mutated, original, intent);
        }),
        { numRuns: howOften(200, 2_000) },
      );
    }).timeout(120_000);

    it("refuses a transaction of any other intent", () => {
      return fc.assert(
        fc.property(anyIntent(), anyIntent(), anyValidity, (requested, other, validity) => {
          const same = bytesToHex(encodeRawData(rawDataFromIntent(requested, validity)));
          const built = encodeRawData(rawDataFromIntent(other, validity));
          if (bytesToHex(built) !== same) assert.ok(differencesOf(built, requested).length > 0);
        }),
        { numRuns: howOften(100, 500) },
      );
    });
  });
});

/** Asserts that accepted bytes differ from the original only in fields that the gateway chooses. */
function assertRefusedOrChoice(mutated: Uint8Array, original: Uint8Array, intent: Intent): void {
  const built = { txId: transactionId(mutated), rawDataHex: bytesToHex(mutated) };
  if (verifyAgainstIntent(built, intent, LIMITS).kind === "different") return;
  assert.deepEqual(withoutChoices(mutated), withoutChoices(original));
  assert.equal(bytesToHex(encodeRawData(decodeRawData(mutated).raw)), built.rawDataHex);
}

function withoutChoices(bytes: Uint8Array): object {
  const { ref_block_bytes, ref_block_hash, expiration, timestamp, ...rest } = rawDataToJson(
    decodeRawData(bytes).raw,
    false,
  );
  return rest;
}

function* eachByteFlipped(bytes: Uint8Array, flip: number): Generator<Uint8Array> {
  for (let index = 0; index < bytes.length; index++) {
    const mutated = Uint8Array.from(bytes);
    mutated[index] = (mutated[index] ?? 0) ^ flip;
    yield mutated;
  }
}

type Change = (raw: Raw, contract: Contract) => void;

/** Fields that were not requested: name, path and change. */
function hiddenAdditions(): readonly (readonly [string, string, Change])[] {
  const bytes = (): Uint8Array => Uint8Array.of(1, 2, 3);
  const set = (target: "raw" | "contract", name: string, value: unknown): Change => {
    return (raw, contract) => Object.assign(target === "raw" ? raw : contract, { [name]: value });
  };
  return [
    ["a memo", "raw_data.data", set("raw", "data", bytes())],
    ["a fee limit", "raw_data.fee_limit", set("raw", "feeLimit", 1n)],
    ["scripts", "raw_data.scripts", set("raw", "scripts", bytes())],
    ["a reference block number", "raw_data.ref_block_num", set("raw", "refBlockNum", 1n)],
    ["a permission", "raw_data.contract[0].Permission_id", set("contract", "PermissionId", 2)],
    ["a negative permission", "raw_data.contract[0].Permission_id", set("contract", "PermissionId", -1)],
    ["a provider, which JSON never shows", "raw_data.contract[0].provider", set("contract", "provider", bytes())],
    [
      "a contract name, which JSON never shows",
      "raw_data.contract[0].ContractName",
      set("contract", "ContractName", bytes()),
    ],
    [
      "a foreign type URL",
      "raw_data.contract[0].parameter.type_url",
      (_raw, { parameter }) => {
        if (parameter !== undefined) parameter.typeUrl = "type.googleapis.com/protocol.TransferAssetContract";
      },
    ],
    [
      "an authority",
      "raw_data.auths[0].permission_name",
      (raw) => {
        raw.auths = [{ $typeName: "protocol.Authority", permissionName: bytes() }];
      },
    ],
    ["an unknown field of raw_data", "raw_data.99", set("raw", "$unknown", UNKNOWN)],
    ["an unknown field of the contract", "raw_data.contract[0].99", set("contract", "$unknown", UNKNOWN)],
    [
      "an unknown field of the parameter",
      "raw_data.contract[0].parameter.99",
      (_raw, { parameter }) => {
        if (parameter !== undefined) parameter.$unknown = UNKNOWN;
      },
    ],
    [
      "an unknown field of the transfer",
      `${VALUE}.99`,
      (_raw, contract) => {
        const { parameter } = contract;
        assert.ok(parameter);
        const message = fromBinary(TransferContractSchema, parameter.value);
        message.$unknown = UNKNOWN;
        parameter.value = toBinary(TransferContractSchema, message);
      },
    ],
  ];
}

function contractOf(raw: Raw): Contract {
  const [contract] = raw.contract;
  assert.ok(contract);
  return contract;
}

function builtFrom(intent: Intent): Uint8Array {
  return encodeRawData(rawDataFromIntent(intent, VALIDITY));
}

function refused(bytes: Uint8Array): readonly Difference[] {
  return differencesOf(bytes, TRANSFER);
}

function differencesOf(bytes: Uint8Array, intent: Intent): readonly Difference[] {
  const built: BuiltTransaction = { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
  const result = verifyAgainstIntent(built, intent, LIMITS);
  assert.equal(result.kind, "different");
  return result.kind === "different" ? result.differences : [];
}

function pathsOf(differences: readonly Difference[]): readonly string[] {
  return [...new Set(differences.map((it) => it.path))];
}

function verify(raw: Raw, intent: Intent): Verification {
  const bytes = encodeRawData(raw);
  return verifyAgainstIntent({ txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) }, intent, LIMITS);
}

function verified(raw: Raw, intent: Intent): VerifiedTransaction {
  const result = verify(raw, intent);
  assert.equal(result.kind, "same");
  return result as VerifiedTransaction;
}
