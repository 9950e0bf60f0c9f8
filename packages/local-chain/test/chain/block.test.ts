import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";
import { packValue, unpackValue } from "../../src/chain/block.ts";

/** More blocks than the chain stores unpacked. */
const MANY = 100;
/** Logs a word with a topic, and returns the word. */
const LOGGING = "602a60005260aa60206000a160206000f3";
const REVERTING = "60aa60005260206000fd";

/** Returns all answers about the first blocks, in both visible forms. */
async function reported({ chain }: ContractFixture, height: number): Promise<Json[]> {
  const answers: Json[] = [];
  for (let num = 0; num <= height; num += 1) {
    for (const visible of [true, false]) {
      answers.push(await chain.ask("/wallet/getblockbynum", { num, visible }));
      if (num > 0) answers.push(await chain.askList("/wallet/gettransactioninfobyblocknum", { num, visible }));
    }
  }
  return answers;
}

async function busyChain(): Promise<{
  readonly contracts: ContractFixture;
  readonly height: number;
  readonly txId: string;
}> {
  const contracts = await contractFixture();
  const logging = await contracts.install(LOGGING);
  await contracts.call(logging);
  await contracts.call(await contracts.install(REVERTING));
  const transfer = contracts.chain.transfer({ memo: new TextEncoder().encode("kept") });
  await contracts.chain.send(transfer);
  contracts.chain.mine();
  return { contracts, height: contracts.chain.simulation.chain.head.header.number, txId: transfer.id };
}

describe("irreversible blocks", () => {
  it("return the same data as before, with receipts, logs and failures", async () => {
    const { contracts, height } = await busyChain();
    const before = await reported(contracts, height);

    contracts.chain.mine(MANY);

    assert.deepEqual(await reported(contracts, height), before);
  });

  it("are found by transaction and by id, with all fields of a transaction", async () => {
    const { contracts, height, txId } = await busyChain();
    const { chain } = contracts.chain.simulation;
    const before = [await contracts.ask("gettransactionbyid", { value: txId }), chain.find(txId as never)?.transaction];
    const { blockID } = await contracts.ask("getblockbynum", { num: height });

    contracts.chain.mine(MANY);

    const after = [await contracts.ask("gettransactionbyid", { value: txId }), chain.find(txId as never)?.transaction];
    assert.deepEqual(after, before);
    assert.equal((await contracts.ask("getblockbyid", { value: String(blockID) })).blockID, blockID);
  });

  it("are restored with a snapshot, and their transactions are still duplicates", async () => {
    const { contracts, height } = await busyChain();
    const { chain } = contracts;
    const late = chain.transfer({ expiration: chain.simulation.chain.head.header.timestamp + 3_600_000 });
    await chain.send(late);
    chain.mine(MANY);
    const before = await reported(contracts, height + 1);
    await chain.ask("/local/snapshot", { id: "here" });
    chain.mine(MANY);

    await chain.ask("/local/restore", { id: "here" });

    assert.deepEqual(await reported(contracts, height + 1), before);
    assert.equal((await chain.send(late)).code, "DUP_TRANSACTION_ERROR");
  });
});

describe("packValue", () => {
  it("restores values unchanged", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9a-f]{0,70}$/));
    const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        number,
        fc.bigInt(),
        fc.boolean(),
        fc.constantFrom(undefined, null),
        fc.uint8Array(),
        fc.array(tie("value")),
        fc.array(fc.tuple(text, fc.bigInt())).map((it) => new Map(it)),
        fc.dictionary(fc.oneof(fc.constantFrom("header", "info", "tokens"), fc.string()), tie("value"), {
          noNullPrototype: true,
        }),
      ),
    }));
    fc.assert(
      fc.property(value, (it) => {
        assert.deepEqual(unpackValue(packValue(it)), it);
      }),
      { numRuns: howOften(300, 5_000) },
    );
  });

  it("refuses other values", () => {
    assert.throws(() => packValue({ call: () => 1 }), TypeError);
  });
});
