import assert from "node:assert/strict";
import { messageOf, type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

const CODE = { data: "60016000f3" };

describe("settings of the node", () => {
  it("refuse a broadcast before the chain checks it, with the first reason", async () => {
    const chain = await testChain({
      node: { transactionCache: true, maxPending: 0, maxUnsolidified: 3, peers: false },
    });
    const first = chain.transfer();
    assert.equal(await reported(chain, first), "BLOCK_UNSOLIDIFIED: Block unsolidified.");
    await chain.ask("/local/node", { maxUnsolidified: 4 });
    assert.equal(await reported(chain, first), "NO_CONNECTION: No connection.");
    await chain.ask("/local/node", { peers: true });
    assert.equal(await reported(chain, first), "accepted");
    assert.equal(await reported(chain, first), "SERVER_BUSY: Server busy.");
    chain.mine();
    assert.equal(await reported(chain, first), "DUP_TRANSACTION_ERROR: Transaction already exists.");
    await chain.ask("/local/node", { transactionCache: false });
    assert.equal(await reported(chain, first), "DUP_TRANSACTION_ERROR: Dup transaction.");
  });

  it("accept one transaction more than the pool limit until the next block", async () => {
    const chain = await testChain({ node: { maxPending: 2 } });
    const transfers = [1n, 2n, 3n, 4n].map((amount) => chain.transfer({ amount }));
    const answers: string[] = [];
    for (const it of transfers) answers.push(await reported(chain, it));
    assert.deepEqual(answers, ["accepted", "accepted", "accepted", "SERVER_BUSY: Server busy."]);
    assert.deepEqual(await chain.ask("/wallet/getpendingsize"), { pendingSize: 3 });
    chain.mine();
    assert.equal(await reported(chain, chain.transfer({ amount: 4n })), "accepted");
  });

  it("S47 remember a txID with a refused signature, and refuse the correct one", async () => {
    const chain = await testChain({ node: { transactionCache: true } });
    const good = chain.transfer();
    const bad = { ...good, signatures: chain.transfer().signatures };
    assert.match(await reported(chain, bad), /^SIGERROR/);
    assert.equal(await reported(chain, good), "DUP_TRANSACTION_ERROR: Transaction already exists.");
    assert.deepEqual(await chain.ask("/wallet/gettransactionbyid", { value: good.id }), {});
    await chain.ask("/local/node", { transactionCache: false });
    assert.equal(await reported(chain, good), "accepted");
  });

  it("turn off constant calls and dependent methods, with the node's message", async () => {
    const chain = await testChain({ node: { constantCalls: false } });
    const answers = await Promise.all(
      ["triggerconstantcontract", "estimateenergy"].map((it) => chain.ask(`/wallet/${it}`, owned(chain))),
    );
    assert.deepEqual(answers.map(refusal), [
      "CONTRACT_VALIDATE_ERROR: this node does not support constant",
      "CONTRACT_VALIDATE_ERROR: this node does not support constant, so estimate energy cannot work",
    ]);
    const { configNodeInfo } = await chain.ask("/wallet/getnodeinfo");
    assert.equal((configNodeInfo as JsonObject).supportConstant, false);
    await chain.ask("/local/node", { estimateEnergy: false });
    const estimate = await chain.ask("/wallet/estimateenergy", owned(chain));
    assert.equal(refusal(estimate), "CONTRACT_VALIDATE_ERROR: this node does not support estimate energy");
    await chain.ask("/local/node", { constantCalls: true });
    assert.ok(Number((await chain.ask("/wallet/triggerconstantcontract", owned(chain))).energy_used) > 0);
  });

  it("are reported, and are all refused when one is invalid", async () => {
    const chain = await testChain();
    const usual = {
      constantCalls: true,
      estimateEnergy: true,
      transactionCache: false,
      peers: true,
      maxPending: 2000,
      maxUnsolidified: 0,
    };
    assert.deepEqual(await chain.ask("/local/node", {}), usual);
    const refused: readonly (readonly [JsonObject, RegExp])[] = [
      [{ sunshine: true }, /no setting "sunshine".*constantCalls, estimateEnergy/],
      [{ peers: 1 }, /peers has to be true or false, not 1/],
      [{ peers: false, maxPending: -1 }, /maxPending has to be an integer from 0 to 1000000, not -1/],
      [{ maxUnsolidified: "54" }, /maxUnsolidified has to be an integer .*, not "54"/],
    ];
    for (const [body, message] of refused) {
      assert.match(String((await chain.ask("/local/node", body)).error), message);
    }
    assert.deepEqual({ ...chain.simulation.node.settings }, usual);
  });

  it("do not affect the control interface", async () => {
    const chain = await testChain({ node: { peers: false, maxPending: 0, maxUnsolidified: 1 } });
    const { txID } = await chain.ask("/local/fund", { address: chain.accounts[1]?.address ?? "", amount: 5 });
    assert.equal((await chain.ask("/wallet/gettransactionbyid", { value: String(txID) })).txID, txID);
  });
});

describe("queries for missing data", () => {
  it("are answered as by a node without data", async () => {
    const chain = await testChain();
    const address = chain.accounts[0]?.hex ?? "";
    for (const side of ["wallet", "walletsolidity"]) {
      const parties = { fromAddress: address, toAddress: address };
      assert.deepEqual(await chain.ask(`/${side}/getdelegatedresource`, parties), {});
      assert.deepEqual(await chain.ask(`/${side}/getdelegatedresourceaccountindex`, { value: address }), {
        account: address,
      });
      assert.deepEqual(await chain.ask(`/${side}/getReward`, { address }), { reward: 0 });
      assert.deepEqual(await chain.ask(`/${side}/listexchanges`), {});
    }
  });

  it("end a maintenance cycle at the time that getnextmaintenancetime returns", async () => {
    const chain = await testChain();
    const interval = 120_000;
    const next = async (): Promise<number> => Number((await chain.ask("/wallet/getnextmaintenancetime")).num);
    const first = await next();
    const now = chain.simulation.chain.head.header.timestamp;
    assert.ok(first > now && first - now <= interval && first % interval === 0, `${first} after ${now}`);
    await chain.ask("/local/warp", { ms: first - now });
    assert.equal(await next(), first + interval);
  });
});

function owned(chain: TestChain): JsonObject {
  return { ...CODE, owner_address: chain.accounts[0]?.hex ?? "" };
}

async function reported(chain: TestChain, transfer: Parameters<TestChain["send"]>[0]): Promise<string> {
  const answer = await chain.send(transfer);
  return answer.result === true ? "accepted" : `${answer.code}: ${messageOf(answer)}`;
}

function refusal({ result }: JsonObject): string {
  const { code, ...rest } = result as JsonObject;
  return `${code}: ${messageOf(rest)}`;
}
