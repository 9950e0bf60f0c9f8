import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { transactionVectors } from "../../../../test/support/recorded/vectors.ts";
import { anyIntent, anyValidity } from "../../../../test/support/tracking/intents.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { bytesToHex, hexToBytes } from "../../src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from "../../src/primitives/json.ts";
import { rawDataFromIntent } from "../../src/transaction/built-transaction.ts";
import { contractTypeByName } from "../../src/transaction/contract-types.ts";
import { ContractSchema, RawSchema, ResultSchema } from "../../src/transaction/gen/transaction_pb.js";
import { decodeRawData, encodeRawData } from "../../src/transaction/raw-data-codec.ts";
import {
  messageToJson,
  rawDataFromJson,
  rawDataToJson,
  unknownNameIn,
} from "../../src/transaction/transaction-json.ts";

const OWNER = "41dd791d6b49e190062d650e6a23c575510d35f2f9";
const RECIPIENT = "4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a";

describe("transaction JSON", () => {
  it("S38 means the same bytes in both visible forms", () => {
    return fc.assert(
      fc.property(anyIntent(), anyValidity, (intent, validity) => {
        const raw = rawDataFromIntent(intent, validity);
        for (const visible of [false, true]) {
          const wire = parseJson(printJson(rawDataToJson(raw, visible)));
          assert.equal(bytesToHex(encodeRawData(rawDataFromJson(wire, visible))), bytesToHex(encodeRawData(raw)));
        }
      }),
      { numRuns: howOften(60, 2_000) },
    );
  });

  it("S35 S36 S38 prints addresses in hex, or in base58 when visible", () => {
    assert.deepEqual(contractIn(vector(1), false), { owner_address: OWNER, to_address: RECIPIENT, amount: 1_000_000 });
    assert.deepEqual(contractIn(vector(1), true), {
      owner_address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
      to_address: "TPLkz8rzTT7gKRS1bUm3hBcvw1EExAbKTV",
      amount: 1_000_000,
    });
  });

  it("prints a token name as text when visible, and a resource by its name", () => {
    assert.equal(contractIn(vector(4), false).asset_name, "31303035343136");
    assert.equal(contractIn(vector(4), true).asset_name, "1005416");
    assert.equal(contractIn(vector(2), false).resource, "ENERGY");
  });

  it("always prints call data in hex", () => {
    assert.equal(contractIn(vector(5), true).data, contractIn(vector(5), false).data);
  });

  it("omits defaults as the node does, but always prints the type", () => {
    const raw = read({ contract: [transfer({ amount: 0 })] });

    assert.deepEqual(rawDataToJson(raw, false), {
      contract: [
        {
          parameter: {
            value: { owner_address: OWNER, to_address: RECIPIENT },
            type_url: "type.googleapis.com/protocol.TransferContract",
          },
          type: "TransferContract",
        },
      ],
    });
  });

  it("prints a contract without a parameter with an empty message", () => {
    const [type] = [contractTypeByName("TransferContract")];
    assert.ok(type);
    const raw = create(RawSchema, { contract: [create(ContractSchema, { type: type.number })] });

    assert.deepEqual(rawDataToJson(raw, false), {
      contract: [{ parameter: { value: "", type_url: "" }, type: "TransferContract" }],
    });
  });

  it("prints the entries of a map as a list", () => {
    const result = create(ResultSchema, { cancelUnfreezeV2Amount: { BANDWIDTH: 5n, ENERGY: 7n } });

    assert.deepEqual(messageToJson(ResultSchema, result, false), {
      cancel_unfreezeV2_amount: [
        { key: "BANDWIDTH", value: 5 },
        { key: "ENERGY", value: 7 },
      ],
    });
  });

  it("S37 keeps an amount beyond the range of a float", () => {
    const wire = `{"contract":[${printJson(transfer({}))}]}`.replace("7777", "9007199254740993");

    const raw = rawDataFromJson(parseJson(wire), false);

    assert.ok(printJson(rawDataToJson(raw, false)).includes('"amount":9007199254740993'));
  });

  it("is read, or refused with a code, for any value in any field", () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }).map((it) => it as Json),
      fc.bigInt(-(2n ** 70n), 2n ** 70n),
      fc.constantFrom<Json>(OWNER, "", "0x", "ENERGY", 2 ** 31, -(2 ** 31) - 1, { toString: false, valueOf: 1 }),
    );
    const anyJson = fc.tuple(anyIntent(), anyValidity, fc.boolean()).map(([intent, validity, visible]) => ({
      visible,
      json: rawDataToJson(rawDataFromIntent(intent, validity), visible),
    }));
    return fc.assert(
      fc.property(anyJson, fc.nat(60), anything, ({ json, visible }, at, value) => {
        try {
          encodeRawData(rawDataFromJson(withLeaf(json, at, value), visible));
        } catch (thrown) {
          assert.ok(isChainError(thrown), `${thrown} for ${printJson(value)} at ${at} of ${printJson(json)}`);
        }
      }),
      { numRuns: howOften(200, 5_000) },
    );
  });

  it("is read with the leniency of the node", () => {
    for (const [name, json] of [
      ["unknown names", { contract: [{ ...transfer({ surprise: "x" }), more: {} }], another: [1] }],
      ["a single contract in place of a list", { contract: transfer({}) }],
      ["0x and capitals in hex", { contract: [transfer({ owner_address: `0x${OWNER.toUpperCase()}` })] }],
      ["null as absent", { contract: [transfer({})], data: null, fee_limit: null, auths: null }],
    ] as const satisfies readonly (readonly [string, JsonObject])[])
      assert.equal(bytesOf(json), bytesOf({ contract: [transfer({})] }), name);
    assert.equal(bytesOf({ contract: null }), "");
    assert.equal(read({ data: "abc" }).data.join(), "10,188");
    const stake = (resource: Json) => entry("FreezeBalanceV2Contract", { owner_address: OWNER, resource });
    const bytes = ["ENERGY", "energy", 1].map((it) => bytesOf({ contract: [stake(it)] }));
    assert.equal(new Set(bytes).size, 1);
  });

  it("is searched for names that are not in the protocol, at every level", () => {
    const vote = (change: JsonObject) => ({
      contract: [entry("VoteWitnessContract", { owner_address: OWNER, votes: [{ vote_count: 1 }, change] })],
    });

    assert.equal(unknownNameIn({ contract: [transfer({})], expiration: 1 }), undefined);
    assert.equal(unknownNameIn(vote({ vote_count: 2 })), undefined);
    assert.equal(unknownNameIn(vote({ count: 2 })), "raw_data.contract[0].parameter.value.votes.count");
    assert.equal(unknownNameIn({ contract: null, surprise: 1 }), "raw_data.surprise");
  });

  it("is refused with the path of the invalid value", () => {
    const value = "raw_data.contract[0].parameter.value";
    for (const [json, path] of [
      [{ contract: [transfer({ amount: "1" })] }, `${value}.amount`],
      [{ contract: [transfer({ amount: 1.5 })] }, `${value}.amount`],
      [{ contract: [{ ...transfer({}), Permission_id: 2 ** 31 }] }, "raw_data.contract[0].Permission_id"],
      [{ contract: [entry("CreateSmartContract", { new_contract: { name: 7 } })] }, `${value}.new_contract.name`],
      [{ expiration: 2n ** 63n }, "raw_data.expiration"],
      [{ data: "zz" }, "raw_data.data"],
      [{ contract: [transfer({ to_address: "TPLkz8rzTT7gKRS1bUm3hBcvw1EExAbKTV" })] }, `${value}.to_address`],
      [{ data: 1 }, "raw_data.data"],
      [{ contract: [entry("NoSuchContract", {})] }, "raw_data.contract[0].type"],
      [{ contract: [entry("FreezeBalanceV2Contract", { resource: "GOLD" })] }, `${value}.resource`],
      [{ contract: [{ type: "TransferContract" }] }, "raw_data.contract[0].parameter"],
      [{ contract: [7] }, "raw_data.contract[0]"],
    ] as const satisfies readonly (readonly [JsonObject, string])[])
      assert.throws(
        () => read(json),
        (thrown) =>
          isChainError(thrown) && thrown.code === "TRANSACTION_JSON_MALFORMED" && thrown.details.path === path,
        path,
      );
  });

  it("is refused for hex addresses when visible, a wrong checksum, and other values than objects", () => {
    assert.throws(() => rawDataFromJson({ contract: [transfer({})] }, true), isChainError);
    const wrong = { owner_address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHq" };
    assert.throws(() => rawDataFromJson({ contract: [entry("TransferContract", wrong)] }, true), {
      code: "ADDRESS_CHECKSUM_MISMATCH",
    });
    for (const json of [undefined, null, [], "x", 1]) assert.throws(() => rawDataFromJson(json, false), isChainError);
  });
});

/** Replaces the field at an index, counted depth first. */
function withLeaf(json: Json, at: number, value: Json): Json {
  let left = at;
  const walk = (it: Json): Json => {
    if (left-- === 0) return value;
    if (Array.isArray(it)) return (it as readonly Json[]).map(walk);
    if (!isJsonObject(it)) return it;
    return Object.fromEntries(Object.entries(it).map(([name, inside]) => [name, walk(inside ?? null)]));
  };
  return walk(json);
}

function transfer(change: JsonObject): JsonObject {
  return entry("TransferContract", { owner_address: OWNER, to_address: RECIPIENT, amount: 7_777, ...change });
}

function entry(type: string, value: JsonObject): JsonObject {
  return { type, parameter: { type_url: `type.googleapis.com/protocol.${type}`, value } };
}

function read(json: JsonObject): ReturnType<typeof rawDataFromJson> {
  return rawDataFromJson(json, false);
}

function bytesOf(json: JsonObject): string {
  return bytesToHex(encodeRawData(read(json)));
}

function vector(number: number): Uint8Array {
  return hexToBytes(transactionVectors.find((it) => it.vector === number)?.rawDataHex ?? "");
}

function contractIn(bytes: Uint8Array, visible: boolean): JsonObject {
  const json = rawDataToJson(decodeRawData(bytes).raw, visible) as unknown as {
    contract: [{ parameter: { value: JsonObject } }];
  };
  return json.contract[0].parameter.value;
}
