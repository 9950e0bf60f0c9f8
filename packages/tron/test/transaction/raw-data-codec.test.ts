import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { transactionVectors } from "../../../../test/support/recorded/vectors.ts";
import { anyIntent, anyValidity, TRANSFER, VALIDITY } from "../../../../test/support/tracking/intents.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { bytesToHex, hexToBytes, transactionId } from "../../src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../src/transaction/built-transaction.ts";
import { contractTypeByName, contractTypes, typeUrl } from "../../src/transaction/contract-types.ts";
import * as schemas from "../../src/transaction/gen/transaction_pb.js";
import {
  contractEntry,
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
  withResult,
} from "../../src/transaction/raw-data-codec.ts";

const UNKNOWN = [{ no: 99, wireType: 0, data: Uint8Array.of(1) }];
const BYTES = encodeRawData(rawDataFromIntent(TRANSFER, VALIDITY));

describe("decodeRawData", () => {
  it("S18 decodes each vector and re-encodes it to the same bytes and txID", () => {
    for (const { vector, rawDataHex, txId } of transactionVectors) {
      const { raw, canonical, unknownFields, contracts } = decodeRawData(hexToBytes(rawDataHex));

      assert.equal(bytesToHex(encodeRawData(raw)), rawDataHex, `vector ${vector}`);
      assert.equal(transactionId(encodeRawData(raw)), txId);
      assert.ok(canonical && unknownFields.length === 0 && contracts[0]?.message !== undefined);
    }
    assert.ok(transactionVectors.length > 0);
  });

  it("S18 leads to another txID when any field of raw_data changes", () => {
    const { raw } = decodeRawData(BYTES);
    const changed = [
      { refBlockBytes: Uint8Array.of(1, 2) },
      { refBlockHash: new Uint8Array(8) },
      { refBlockNum: 1n },
      { expiration: 1n },
      { data: Uint8Array.of(1) },
      { contract: [] },
      { scripts: Uint8Array.of(1) },
      { timestamp: 1n },
      { feeLimit: 1n },
    ].map((change) => transactionId(encodeRawData({ ...raw, ...change })));

    assert.equal(new Set([transactionId(BYTES), ...changed]).size, changed.length + 1);
  });

  it("keeps negative and the largest numbers", () => {
    for (const amount of [-1n, -(2n ** 63n), 2n ** 63n - 1n]) {
      const type = contractTypeByName("TransferContract");
      assert.ok(type);
      const raw = create(schemas.RawSchema, {
        contract: [contractEntry(type, create(schemas.TransferContractSchema, { amount }))],
      });

      const { contracts, canonical } = decodeRawData(encodeRawData(raw));

      assert.deepEqual(
        [(contracts.at(0)?.message as { amount?: bigint } | undefined)?.amount, canonical],
        [amount, true],
      );
    }
  });

  it("reads contract type 0 without a tag", () => {
    const [vector3] = transactionVectors.filter((it) => it.vector === 3);
    const { raw } = decodeRawData(hexToBytes(vector3?.rawDataHex ?? ""));

    assert.equal(raw.contract[0]?.type, 0);
    assert.ok(vector3?.rawDataHex.includes("5a6612640a32"));
  });

  it("reports an unknown contract type, and keeps its bytes", () => {
    const { raw } = decodeRawData(BYTES);
    const contract = raw.contract.map((it) => ({ ...it, type: 99 }));

    const decoded = decodeRawData(encodeRawData({ ...raw, contract }));

    assert.equal(decoded.contracts[0]?.type, undefined);
    assert.equal(decoded.contracts[0]?.message, undefined);
    assert.ok(decoded.canonical);
    assert.deepEqual(decoded.raw.contract[0]?.parameter?.value, raw.contract[0]?.parameter?.value);
  });

  it("accepts a contract without a parameter", () => {
    const decoded = decodeRawData(encodeRawData(create(schemas.RawSchema, { contract: [{ type: 1 }] })));

    assert.equal(decoded.contracts[0]?.message, undefined);
  });

  describe("reports an unknown field", () => {
    it("of raw_data", () => {
      assert.deepEqual(unknownOf(Buffer.concat([BYTES, hexToBytes("980601")])), [{ path: "raw_data", number: 99 }]);
    });

    it("of a contract, of its parameter and of an authority", () => {
      const raw = rawDataFromIntent(TRANSFER, VALIDITY);
      const [contract] = raw.contract;
      assert.ok(contract?.parameter);
      contract.$unknown = UNKNOWN;
      contract.parameter.$unknown = UNKNOWN;
      raw.auths = [{ $typeName: "protocol.Authority", permissionName: new Uint8Array(), $unknown: UNKNOWN }];

      assert.deepEqual(unknownOf(encodeRawData(raw)), [
        { path: "raw_data.auths[0]", number: 99 },
        { path: "raw_data.contract[0]", number: 99 },
        { path: "raw_data.contract[0].parameter", number: 99 },
      ]);
    });

    it("four levels inside a contract's message", () => {
      const type = contractTypeByName("CreateSmartContract");
      assert.ok(type);
      const message = create(schemas.CreateSmartContractSchema, {
        newContract: { abi: { entrys: [{ name: "a" }, { name: "b", inputs: [{ name: "x" }] }] } },
      });
      const input = message.newContract?.abi?.entrys.at(1)?.inputs.at(0);
      assert.ok(input);
      input.$unknown = UNKNOWN;
      const raw = create(schemas.RawSchema, { contract: [contractEntry(type, message)] });

      assert.deepEqual(unknownOf(encodeRawData(raw)), [
        { path: "raw_data.contract[0].parameter.value.new_contract.abi.entrys[1].inputs[0]", number: 99 },
      ]);
    });

    it("of any wire type, including groups", () => {
      for (const field of ["980601", "99060000000000000000", "9a0600", "9d0600000000", "9b069c06"]) {
        assert.deepEqual(
          unknownOf(Buffer.concat([BYTES, hexToBytes(field)])),
          [{ path: "raw_data", number: 99 }],
          field,
        );
      }
    });
  });

  it("reports bytes that are not canonical", () => {
    for (const [name, bytes] of [
      ["an overlong number", Buffer.concat([BYTES.subarray(0, -1), overlong(BYTES)])],
      ["a field twice", Buffer.concat([BYTES.subarray(0, 4), BYTES])],
      ["fields in another order", Buffer.concat([BYTES.subarray(4), BYTES.subarray(0, 4)])],
      ["an explicit default", Buffer.concat([BYTES, hexToBytes("900100")])],
      ["a number of more than 32 bits in a field of 32", wideContractType()],
    ] as const)
      assert.equal(decodeRawData(bytes).canonical, false, name);
  });

  it("refuses a type URL that is not UTF-8, as the node does", () => {
    assert.throws(
      () => decodeRawData(brokenTypeUrl()),
      (thrown) => isChainError(thrown) && thrown.code === "TRANSACTION_MALFORMED",
    );
  });

  it("names the field whose bytes are no message", () => {
    const raw = rawDataFromIntent(TRANSFER, VALIDITY);
    const [contract] = raw.contract;
    assert.ok(contract?.parameter);
    contract.parameter.value = Uint8Array.of(0x0a);

    assert.throws(
      () => decodeRawData(encodeRawData(raw)),
      (error: unknown) =>
        isChainError(error) &&
        error.code === "TRANSACTION_MALFORMED" &&
        error.details.reason.startsWith("raw_data.contract[0].parameter.value: "),
    );
  });

  it("throws TRANSACTION_MALFORMED, and no other error, for invalid bytes", () => {
    return fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.nat(150), (noise, at) => {
        const bytes = Buffer.concat([BYTES.subarray(0, at), noise]);
        try {
          decodeRawData(bytes);
        } catch (thrown) {
          assert.ok(isChainError(thrown) && thrown.code === "TRANSACTION_MALFORMED", String(thrown));
        }
      }),
      { numRuns: howOften(200, 5_000) },
    );
  });

  it("reports bytes as canonical only when they re-encode to the same bytes", () => {
    return fc.assert(
      fc.property(
        anyIntent(),
        anyValidity,
        fc.nat(600),
        fc.integer({ min: 1, max: 255 }),
        (intent, validity, at, flip) => {
          const bytes = Uint8Array.from(encodeRawData(rawDataFromIntent(intent, validity)));
          const index = at % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ flip;
          try {
            const { canonical, raw } = decodeRawData(bytes);
            if (canonical) assert.deepEqual(Buffer.from(encodeRawData(raw)), Buffer.from(bytes));
          } catch (thrown) {
            assert.ok(isChainError(thrown), String(thrown));
          }
        },
      ),
      { numRuns: howOften(200, 5_000) },
    );
  });
});

describe("encodeTransaction", () => {
  it("encodes raw_data and signatures, which decodeTransaction returns", () => {
    const raw = rawDataFromIntent(TRANSFER, VALIDITY);
    const signatures = [new Uint8Array(65).fill(1), new Uint8Array(65).fill(2)];

    const { rawData, signature, ret } = decodeTransaction(encodeTransaction(raw, signatures));

    assert.ok(rawData);
    assert.equal(bytesToHex(encodeRawData(rawData)), bytesToHex(BYTES));
    assert.deepEqual(signature, signatures);
    assert.deepEqual(ret, []);
  });

  it("keeps an empty signature, which counts in the bytes of a block", () => {
    const bytes = encodeTransaction(rawDataFromIntent(TRANSFER, VALIDITY), [new Uint8Array(), new Uint8Array(65)]);

    assert.deepEqual(decodeTransaction(bytes).signature, [new Uint8Array(), new Uint8Array(65)]);
  });

  it("keeps the result of a block", () => {
    const bytes = encodeTransaction(rawDataFromIntent(TRANSFER, VALIDITY), []);
    const { ret } = decodeTransaction(withResult(bytes, "OUT_OF_TIME"));

    assert.deepEqual(
      ret.map((it) => it.contractRet),
      [11],
    );
  });
});

describe("contractTypes", () => {
  it("have a unique number, a name and a schema of the same name", () => {
    assert.equal(new Set(contractTypes.map((it) => it.number)).size, contractTypes.length);
    for (const type of contractTypes) {
      assert.equal(type.schema.typeName, `protocol.${type.name}`);
      assert.equal(typeUrl(type), `type.googleapis.com/protocol.${type.name}`);
    }
  });
});

function unknownOf(bytes: Uint8Array): ReturnType<typeof decodeRawData>["unknownFields"] {
  return decodeRawData(bytes).unknownFields;
}

/** Returns the last byte of a number, continued with an empty byte. */
function overlong(bytes: Uint8Array): Uint8Array {
  return Uint8Array.of((bytes.at(-1) ?? 0) | 0x80, 0);
}

/** Returns contract type 2^32 + 1, which is 1 in 32 bits. */
function wideContractType(): Uint8Array {
  const entry = hexToBytes("088180808010");
  return Uint8Array.of(0x5a, entry.length, ...entry);
}

function brokenTypeUrl(): Uint8Array {
  const parameter = hexToBytes("0a02c328");
  return Uint8Array.of(0x5a, parameter.length + 2, 0x12, parameter.length, ...parameter);
}
