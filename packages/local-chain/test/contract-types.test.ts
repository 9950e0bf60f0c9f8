import assert from "node:assert/strict";
import { create, type Message } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { type TestChain, testChain } from "../../../test/support/chain/test-chain.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId, transactionId } from "../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { referenceTo } from "../../tron/src/transaction/built-transaction.ts";
import {
  type ContractType,
  contractTypeByNumber,
  contractTypeName,
} from "../../tron/src/transaction/contract-types.ts";
import type { Raw } from "../../tron/src/transaction/gen/transaction_pb.js";
import * as schemas from "../../tron/src/transaction/gen/transaction_pb.js";
import { contractEntry, encodeRawData, encodeTransaction } from "../../tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../tron/src/transaction/signature.ts";
import { rawDataToJson } from "../../tron/src/transaction/transaction-json.ts";
import { systemActuators } from "../src/actuators/actuators.ts";
import { SHIELDED } from "../src/chain/transaction.ts";

const NUMBERS = Array.from({ length: 71 }, (_, number) => number);
const NOT_CONTAINED = /^Validate signature error: [0-9a-f]{130} is signed by T\w{33} but it is not contained of perm/;

interface Printed {
  readonly contract: readonly { readonly type: string; readonly parameter: { readonly value?: string } }[];
}

describe("transactions of all contract types", () => {
  let chain: TestChain;
  let owner: Hex;

  before(async () => {
    chain = await testChain();
    owner = account().hex;
  });

  function account(): TestChain["accounts"][number] {
    return chain.accounts[0] ?? assert.fail("There is no account.");
  }

  /** Returns a transaction of a type with only the owner, or with a message of another type if the type is unknown. */
  function rawOf(number: number): Raw {
    const type = contractTypeByNumber(number);
    return rawWith(type ? contractEntry(type, ownMessage(type)) : { ...transferEntry(), type: number });
  }

  function ownMessage(type: ContractType): Message {
    const schema = type.schema as GenMessage<Message>;
    const field = type.name === SHIELDED ? "transparentFromAddress" : "ownerAddress";
    return create(schema, { [field]: hexToBytes(owner) });
  }

  function transferEntry(): ReturnType<typeof contractEntry> {
    const type = contractTypeByNumber(1);
    assert.ok(type);
    return contractEntry(type, create(schemas.TransferContractSchema, { ownerAddress: hexToBytes(owner), amount: 1n }));
  }

  function rawWith(contract: ReturnType<typeof contractEntry>): Raw {
    const { chain: blocks } = chain.simulation;
    const { bytes, hash } = referenceTo(blocks.solid.id);
    return create(schemas.RawSchema, {
      refBlockBytes: bytes,
      refBlockHash: hash,
      expiration: BigInt(blocks.head.header.timestamp + 60_000),
      timestamp: BigInt(blocks.buildTime()),
      contract: [contract],
    });
  }

  const idOf = (raw: Raw): TxId => transactionId(encodeRawData(raw));
  const sign = (raw: Raw): Hex => signTransactionId(idOf(raw), hexToBytes(account().privateKey) as PrivateKey);

  async function sendHex(raw: Raw, signatures = [sign(raw)]): Promise<JsonObject> {
    const bytes = encodeTransaction(raw, signatures.map(hexToBytes));
    return await chain.ask("/wallet/broadcasthex", { transaction: bytesToHex(bytes) });
  }

  /** Returns the JSON of a signed transaction with the name of its type. */
  function jsonOf(raw: Raw): JsonObject {
    const json = rawDataToJson(raw, true);
    const contract = raw.contract.map(({ type }, index) => ({
      ...(json.contract as JsonObject[])[index],
      type: contractTypeName(type),
    }));
    return { visible: true, raw_data: { ...json, contract }, signature: [sign(raw)] };
  }

  it("keep their txid in every answer of broadcasthex, which prints the type and the bytes", async () => {
    for (const number of NUMBERS) {
      const raw = rawOf(number);
      const answer = await sendHex(raw);
      const { raw_data: printed } = JSON.parse(String(answer.transaction)) as { raw_data: Printed };
      const [contract] = printed.contract;
      assert.equal(answer.txid, idOf(raw), contractTypeName(number));
      assert.equal(contract?.type, contractTypeName(number));
      const value = bytesToHex(raw.contract[0]?.parameter?.value ?? new Uint8Array());
      assert.equal(contract?.parameter.value ?? "", value);
    }
  });

  it("are refused with SIGERROR when the node has no message for the type", async () => {
    for (const number of NUMBERS.filter((it) => contractTypeByNumber(it) === undefined)) {
      const { code, message } = await sendHex(rawOf(number));
      assert.equal(code, "SIGERROR", String(number));
      assert.match(String(message), NOT_CONTAINED);
    }
  });

  it("keep their txid as JSON when the node knows the message", async () => {
    for (const number of NUMBERS.filter((it) => contractTypeByNumber(it) !== undefined)) {
      const raw = rawOf(number);
      const weight = await chain.ask("/wallet/getsignweight", jsonOf(raw));
      const echoed = weight.transaction as JsonObject;
      assert.equal(echoed.txid, idOf(raw), contractTypeName(number));
      const { raw_data_hex: bytes, raw_data: data } = echoed.transaction as JsonObject;
      assert.equal(bytes, bytesToHex(encodeRawData(raw)));
      assert.deepEqual(data, rawDataToJson(raw, true));
      assert.deepEqual(weight.result, {}, contractTypeName(number));
      const approved = await chain.ask("/wallet/getapprovedlist", jsonOf(raw));
      assert.equal((approved.transaction as JsonObject).txid, idOf(raw));
      assert.equal((await chain.ask("/wallet/broadcasttransaction", jsonOf(raw))).txid, idOf(raw));
    }
  });

  it("lose a contract as JSON when the node has no message for it, and are refused", async () => {
    for (const number of NUMBERS.filter((it) => contractTypeByNumber(it) === undefined)) {
      const raw = rawOf(number);
      const id = idOf({ ...raw, contract: [] });
      const refused = await chain.ask("/wallet/broadcasttransaction", jsonOf(raw));
      const message = "Contract validate error : No contract!";
      assert.deepEqual(refused, { code: "CONTRACT_VALIDATE_ERROR", txid: id, message }, String(number));
      const { result } = await chain.ask("/wallet/getsignweight", jsonOf(raw));
      assert.deepEqual(result, { code: "OTHER_ERROR", message: "Invalid transaction: no valid contract" });
    }
  });

  it("are refused with the node's error format when this chain does not execute the type", async () => {
    const known = NUMBERS.map(contractTypeByNumber).filter((it) => it !== undefined);
    for (const { name, number } of known.filter((it) => !(it.name in systemActuators) && it.name !== SHIELDED)) {
      const { result, code, message } = await sendHex(rawOf(number));
      const text = `Contract validate error : this local chain does not execute ${name} yet`;
      assert.deepEqual({ result, code, message }, { result: false, code: "CONTRACT_VALIDATE_ERROR", message: text });
    }
  });

  describe("of the shielded pool", () => {
    const shielded = (): Raw => {
      const type = contractTypeByNumber(51);
      assert.ok(type);
      return rawWith(contractEntry(type, create(schemas.ShieldedTransferContractSchema)));
    };

    it("are refused until the committee opens it, with or without an owner", async () => {
      const text = "Contract validate error : Not support Shielded Transaction, need to be opened by the committee";
      for (const answer of [await sendHex(rawOf(51)), await sendHex(shielded(), [])]) {
        assert.equal(answer.code, "CONTRACT_VALIDATE_ERROR");
        assert.equal(answer.message, text);
      }
    });

    it("have no signature unless they take coins from an account", async () => {
      const { code, message } = await sendHex(shielded());
      assert.equal(code, "SIGERROR");
      assert.match(String(message), /there should be no signatures signed by transparent address when transfer from/);
    });
  });

  it("are denied by a permission without the bit of their type, with a separate message for weights", async () => {
    const denied = contractTypeByNumber(46);
    assert.ok(denied);
    const raw = rawWith(contractEntry(denied, ownMessage(denied), 2));
    const { result } = await chain.ask("/wallet/getsignweight", jsonOf(raw));
    assert.deepEqual(result, { code: "PERMISSION_ERROR", message: "Permission denied!" });
    assert.equal((await sendHex(raw)).message, "Validate signature error: Permission denied");
  });

  it("have no owner when type_url names another message, or none after a slash", async () => {
    for (const typeUrl of ["type.googleapis.com/protocol.FreezeBalanceV2Contract", "protocol.TransferContract", ""]) {
      const { parameter, ...entry } = transferEntry();
      assert.ok(parameter);
      const raw = rawWith({ ...entry, parameter: { ...parameter, typeUrl } });
      assert.match(String((await sendHex(raw)).message), NOT_CONTAINED, typeUrl);
      const sent = await chain.ask("/wallet/broadcasttransaction", jsonOf(raw));
      assert.equal(sent.txid, idOf(raw), typeUrl);
      assert.match(String(sent.message), NOT_CONTAINED, typeUrl);
    }
  });
});
