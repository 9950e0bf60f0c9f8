import assert from "node:assert/strict";
import type { CodeIntent } from "../../packages/client/src/estimates/call-estimate.ts";
import { explain } from "../../packages/client/src/explain/explain.ts";
import type { DecodedField, Explanation } from "../../packages/client/src/explain/explanation.ts";
import type { View } from "../../packages/client/src/gateway/gateway.ts";
import { createAbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import { reasonData } from "../../packages/tron/src/abi/revert-data.ts";
import { type Address, toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import type { TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, printJson } from "../../packages/tron/src/primitives/json.ts";
import { deployedContractAddress } from "../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { describeContent } from "../../src/features/decoder/decoder-page.view.ts";
import { ChainBench, type Person, stranger } from "../support/chain/chain-bench.ts";
import { HOSTILE_TEXTS, HUGE_TEXT } from "../support/failures/hostile-texts.ts";
import { fakeTxId } from "../support/fakes/fake-gateway.ts";
import { FEE_LIMIT, sample } from "../support/samples/samples.ts";
import { nameOf, noReasons } from "../support/tracking/tracked.ts";

const leaf = sample("Leaf");

/** Returns the values of a tree by the path of names. */
function named(fields: readonly DecodedField[], path = ""): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ name, value, children = [] }) => [
      [`${path}${name}`, value] as const,
      ...named(children, `${path}${name}.`),
    ]),
  );
}

describe("explanation of a transaction", () => {
  let bench: ChainBench;
  let alice: Person;
  let bob: Person;
  let token: Address;

  before(async () => {
    bench = await ChainBench.start();
    [alice, bob] = [bench.person(0), bench.person(1)];
    const deployment = await send(leaf.creation(alice.address, ["1000000000"]), alice);
    token = deployedContractAddress(deployment, alice.address);
  });
  after(() => bench[Symbol.asyncDispose]());

  async function send(intent: Intent, sender: Person): Promise<TxId> {
    const transaction = bench.signed(intent, [sender]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    return transaction.txId;
  }

  const transfer = (owner: Address, to: Address, change: Partial<CodeIntent> = {}): CodeIntent =>
    leaf.call({ owner, contract: token, name: "transfer", values: [toBase58(to), "5"] }, change);

  async function answered(txId: TxId, view: View = "head"): Promise<JsonObject> {
    const { endpoint, transaction, info } = await bench.gateway.transactionAnswers(txId, view);
    assert.ok(transaction);
    return { network: "bench", endpoint, view, transaction, info: info ?? null };
  }

  const explained = async (txId: TxId, abi = leaf.index, view: View = "head") =>
    explain(printJson(await answered(txId, view), 2), { abi });
  const buttonsOf = (explanation: Explanation) =>
    describeContent(
      { explanation, candidates: [] },
      { nameOf, reasonOf: noReasons, tracked: undefined, fallbackUrls: [] },
    ).buttons.map(({ label }) => label);
  const fieldsOf = ({ decoded }: Explanation): ReadonlyMap<string, string> => named(decoded);

  it("shows call, events, result and costs by name", async () => {
    const to = stranger().address;
    const found = await explained(await send(transfer(alice.address, to), alice));
    const fields = fieldsOf(found);

    assert.equal(found.title, `Executed successfully: transfer(to: ${toBase58(to)}, value: 5)`);
    assert.equal(fields.get("call.to"), toBase58(to));
    assert.match(fields.get("events.event 1") ?? "", /^Transfer\(from: T\w{33}, to: T\w{33}, value: 5\) of T\w{33}$/);
    assert.equal(fields.get("returned.[0]"), "true");
    assert.match(fields.get("costs.energy") ?? "", /^\d[\d,]+$/);
    assert.match(fields.get("costs.burned for energy") ?? "", /^\d+\.\d+ coins$/);
    assert.equal(fields.get("transaction.type"), "TriggerSmartContract");
    assert.equal(found.retry.sameBytes, "no");
    assert.match(found.cause, /in block \d+, which may still change, according to http:\/\/127\.0\.0\.1:\d+\.$/);
    assert.ok(found.sources.includes("Names of the call: Leaf"));
    assert.deepEqual(buttonsOf(found), ["Find Transaction"]);
  });

  it("shows the contract's error with its values", async () => {
    const found = await explained(await send(transfer(bob.address, alice.address), bob));

    assert.match(found.title, /^Reverted: NotEnoughLeaves\(holder: T\w{33}, balance: 0, needed: 5\)$/);
    assert.equal(fieldsOf(found).get("reason.needed"), "5");
    assert.match(fieldsOf(found).get("call") ?? "", /^transfer\(to: /);
    assert.equal(found.category, "execution");
    assert.equal(found.retry.sameBytes, "no");
  });

  it("shows used energy and fee limit for OUT_OF_ENERGY", async () => {
    const poor = transfer(alice.address, stranger().address, { feeLimit: sun(FEE_LIMIT / 1_000n) });
    const found = await explained(await send(poor, alice));

    assert.equal(found.code, "OUT_OF_ENERGY");
    assert.match(found.cause, /It ran out of energy: stopped at [\d,]+, and needs [\d,]+ or more\./);
    assert.match(found.cause, /The fee limit of 1 coin paid for [\d,]+ energy at \d+ sun\./);
  });

  it("shows selector and topics when no ABI matches", async () => {
    const found = await explained(await send(transfer(alice.address, stranger().address), alice), createAbiIndex([]));
    const fields = fieldsOf(found);

    assert.equal(found.title, "Executed successfully: the function 0xa9059cbb, which is in no ABI here");
    assert.equal(fields.has("call"), false);
    assert.equal(fields.get("events"), "1, 1 of them unnamed: no ABI here has them");
  });

  it("does not report execution when the node reports no result", async () => {
    const { info, ...answer } = await answered(await send(transfer(alice.address, stranger().address), alice));
    assert.ok(isJsonObject(info) && isJsonObject(info.receipt));
    const { result: _result, ...receipt } = info.receipt;
    const found = explain(printJson({ ...answer, info: { ...info, receipt } }), { abi: leaf.index });

    assert.deepEqual([found.code, found.category], ["DEFAULT", "execution"]);
    assert.match(found.retry.when ?? "", /build nothing new before its solidified information shows the failure/);
  });

  it("reports a transaction as final from solidified data only", async () => {
    const txId = await send({ kind: "transfer", owner: alice.address, to: bob.address, amount: sun(7n) }, alice);
    assert.equal((await bench.gateway.transactionAnswers(txId, "solid")).transaction, undefined);
    await bench.mine(30);

    const found = await explained(txId, leaf.index, "solid");

    assert.match(found.cause, /which is solidified, according to/);
    assert.equal(found.title, "Included and executed: TransferContract");
    assert.equal(fieldsOf(found).get("transaction.amount"), "7");
  });

  it("reports PENDING while no block is known", async () => {
    const transaction = bench.signed({ kind: "transfer", owner: alice.address, to: bob.address, amount: sun(9n) }, [
      alice,
    ]);
    await bench.outcome(transaction);

    const found = await explained(transaction.txId);
    await bench.mine();

    assert.equal(found.code, "PENDING");
    assert.deepEqual(buttonsOf(found), ["Find Transaction", "Decode Again"]);
    assert.match(found.cause, /names no block/);
  });

  it("trust.md: refuses a transaction whose bytes do not match its txID", async () => {
    const whole = await answered(await send(transfer(alice.address, bob.address), alice));
    const transaction = whole.transaction as JsonObject;
    const bytes = String(transaction.raw_data_hex);
    const altered = { ...transaction, raw_data_hex: `${bytes.slice(0, -2)}${bytes.endsWith("00") ? "01" : "00"}` };

    const found = explain(printJson({ ...whole, transaction: altered }), { abi: leaf.index });

    assert.equal(found.code, "TRANSACTION_ALTERED");
    assert.match(found.fix, /Do not trust this gateway/);
  });

  it("trust.md: reads the bytes and not the JSON beside them", async () => {
    const whole = await answered(await send(transfer(alice.address, bob.address), alice));
    const transaction = { ...(whole.transaction as JsonObject), raw_data: { contract: [] } };

    const found = explain(printJson({ ...whole, transaction }), { abi: leaf.index });

    assert.equal(fieldsOf(found).get("call.to"), toBase58(bob.address));
  });

  for (const [name, text] of Object.entries({
    ...HOSTILE_TEXTS,
    "a hundred thousand characters": HUGE_TEXT.slice(0, 100_000),
  })) {
    it(`shows hostile text of contract and node as plain, short text: ${name}`, async () => {
      const whole = await answered(await send(transfer(bob.address, alice.address), bob));
      const note = Buffer.from(text).toString("hex");
      const info = {
        ...(whole.info as JsonObject),
        contractResult: [reasonData(text)],
        resMessage: note,
        internal_transactions: [
          { note, caller_address: text, transferTo_address: text, callValueInfo: [{ tokenId: text, callValue: 1 }] },
        ],
        log: [{ address: text, topics: [text], data: text }],
      };

      const explanation = explain(printJson({ ...whole, endpoint: text, network: text, info }), { abi: leaf.index });
      const description = describeContent(
        { explanation, candidates: [] },
        { nameOf, reasonOf: noReasons, tracked: undefined, fallbackUrls: [] },
      );

      const shown = JSON.stringify({ ...description, raw: null, marks: null });
      assert.doesNotMatch(shown, /[\p{Cf}\p{Cc}]|\\u00[01]/u);
      for (const line of [description.title, description.cause, description.fix]) assert.ok(line.length <= 2_001);
      assert.ok(shown.length < 60_000, `${shown.length} characters`);
    });
  }

  it("has no answers for an unknown txID", async () => {
    const nothing = { endpoint: bench.gateway.endpoint, transaction: undefined, info: undefined };

    assert.deepEqual(await bench.gateway.transactionAnswers(fakeTxId(7), "head"), nothing);
    assert.deepEqual(await bench.gateway.transactionAnswers(fakeTxId(7), "solid"), nothing);
  });
});
