import assert from "node:assert/strict";
import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { BuilderWalk, builders } from "../../../test/support/chain/builder-walk.ts";
import { testChain } from "../../../test/support/chain/test-chain.ts";
import { bytesToHex } from "../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { type ContractType, contractTypeByNumber } from "../../tron/src/transaction/contract-types.ts";
import { type Raw, RawSchema } from "../../tron/src/transaction/gen/transaction_pb.js";
import { contractEntry, encodeRawData } from "../../tron/src/transaction/raw-data-codec.ts";
import { systemActuators } from "../src/actuators/actuators.ts";
import { chainTransaction } from "../src/chain/transaction.ts";
import { printTransaction } from "../src/routes/print.ts";

const CONTRACT_TYPES = Array.from({ length: 80 }, (_, number) => contractTypeByNumber(number)).filter(
  (it) => it !== undefined,
);
/** Builders of Stake 1.0, which is closed. */
const CLOSED = ["FreezeBalanceContract", "UnfreezeBalanceContract"];

describe("response of a builder", () => {
  for (const visible of [false, true]) {
    it(`L1: is accepted when signed, for every contract type, with visible ${visible}`, async function () {
      this.timeout(30_000);
      const walk = new BuilderWalk(await testChain(), visible);
      await walk.run();
      const types = [...builders.map(({ builds }) => builds), ...Object.keys(systemActuators)];
      const expected = new Set(types.filter((it) => !CLOSED.includes(it)));
      assert.deepEqual([...walk.accepted].sort(), [...expected].sort());
    });

    it(`L1: keeps its bytes when it is read again, with every field of every message set, with visible ${visible}`, async () => {
      const chain = await testChain();
      for (const type of CONTRACT_TYPES) {
        const raw = rawOf(filled(type.schema as GenMessage<Message>), type);
        const id = chainTransaction({ rawData: raw, signature: [] }).id;
        const printed = { visible, ...printTransaction(chainTransaction({ rawData: raw, signature: [] }), visible) };
        for (const path of ["getsignweight", "getapprovedlist"]) {
          const { transaction } = await chain.ask(`/wallet/${path}`, printed);
          const echoed = transaction as JsonObject;
          const { raw_data_hex } = echoed.transaction as JsonObject;
          assert.equal(raw_data_hex, bytesToHex(encodeRawData(raw)), `${type.name} ${path}`);
          assert.equal(echoed.txid, id);
        }
      }
    });
  }
});

/** Returns a message with a value in every field, including nested ones. */
function filled<Filled extends Message>(schema: GenMessage<Filled>): Filled {
  const message = create(schema);
  for (const field of schema.fields) {
    if (field.fieldKind === "map") continue;
    const value = field.fieldKind === "list" ? [valueFor(field), valueFor(field)] : valueFor(field);
    Object.assign(message, { [field.localName]: value });
  }
  return message;
}

function valueFor(field: DescField): unknown {
  if (field.message !== undefined) return filled(field.message as GenMessage<Message>);
  switch (field.scalar) {
    case ScalarType.BYTES:
      return field.name.endsWith("address")
        ? Uint8Array.of(0x41, ...new Uint8Array(20).fill(field.number))
        : new TextEncoder().encode(`größer “${field.name}”`);
    case ScalarType.STRING:
      return `text of ${field.name}`;
    case ScalarType.BOOL:
      return true;
    case ScalarType.INT32:
      return 1;
    default:
      return 9_007_199_254_740_993n;
  }
}

function rawOf(message: Message, type: ContractType): Raw {
  const raw = filled(RawSchema);
  raw.contract = [contractEntry(type, message, 2)];
  return raw;
}
