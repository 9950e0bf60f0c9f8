import assert from "node:assert/strict";
import { testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";

describe("control interface", () => {
  it("counts requests by path without control requests, and can be reset", async () => {
    const chain = await testChain();
    await chain.ask("/wallet/getnowblock");
    await chain.ask("/wallet/getnowblock");
    await chain.ask("/walletsolidity/getnowblock");
    await chain.ask("/local/mine");

    const status = (await chain.ask("/local/snapshot")) && chain.simulation.requests.report();
    assert.deepEqual(status, { total: 3, paths: { "/wallet/getnowblock": 2, "/walletsolidity/getnowblock": 1 } });
    chain.simulation.requests.reset();
    assert.equal(chain.simulation.requests.report().total, 0);
  });

  it("funds an account by an ordinary transfer", async () => {
    const chain = await testChain();
    const address = "TSEhFXHjUdLLJV4obHj1XLo6RFy6X4LLrc";

    const { txID } = await chain.ask("/local/fund", { address, amount: "123456789" });

    const account = await chain.ask("/wallet/getaccount", { address, visible: true });
    assert.equal(account.balance, 123_456_789);
    const transaction = await chain.ask("/wallet/gettransactionbyid", { value: String(txID) });
    assert.equal(transaction.txID, txID);
  });

  it("mines the requested number of blocks, 3 s apart", async () => {
    const chain = await testChain();
    const before = chain.simulation.chain.head.header;
    await chain.ask("/local/mine", { blocks: 10 });
    const after = chain.simulation.chain.head.header;
    assert.deepEqual([after.number - before.number, after.timestamp - before.timestamp], [10, 30_000]);
  });

  it("warps with or without a block at the end", async () => {
    const chain = await testChain();
    const { number, timestamp } = chain.simulation.chain.head.header;
    await chain.ask("/local/warp", { ms: 5000, mine: false });
    assert.equal(chain.simulation.chain.head.header.number, number);
    chain.mine();
    assert.equal(chain.simulation.chain.head.header.timestamp, timestamp + 5000);
    chain.mine();
    assert.equal(chain.simulation.chain.head.header.timestamp, timestamp + 8000);
  });

  it("resets to the initial state", async () => {
    const chain = await testChain();
    const { id } = chain.simulation.chain.head;
    await chain.send(chain.transfer());
    chain.mine(5);
    await chain.ask("/local/reset");
    assert.equal(chain.simulation.chain.head.id, id);
    assert.equal(chain.simulation.chain.pool.size, 0);
  });

  it("reports the state of transactions after a restore", async () => {
    const chain = await testChain();
    const [solid, block, pool, late] = [1n, 2n, 3n, 4n].map((amount) => chain.transfer({ amount }));
    assert.ok(solid && block && pool && late);
    await chain.send(solid);
    chain.mine(10);
    await chain.send(block);
    chain.mine(1);
    await chain.send(pool);
    await chain.ask("/local/snapshot", { id: "here" });
    await chain.send(late);
    chain.mine(10);
    const never = "00".repeat(32);
    const transactions = [solid, block, pool, late].map(({ id }) => id);

    const restored = await chain.ask("/local/restore", { id: "here", transactions: [...transactions, never] });

    assert.deepEqual(restored.transactions, {
      [solid.id]: "solid",
      [block.id]: "block",
      [pool.id]: "pool",
      [late.id]: "lost",
      [never]: "unknown",
    });
    const reset = await chain.ask("/local/reset", { transactions });
    assert.deepEqual(Object.values(reset.transactions as object), ["lost", "lost", "lost", "unknown"]);
    const { error } = await chain.ask("/local/reset", { transactions: "all" });
    assert.match(String(error), /list of txIDs/);
  });

  it("drops a snapshot, but not the initial one", async () => {
    const chain = await testChain();
    const drop = async (id: string): Promise<unknown> => {
      const request = new Request("http://chain/local/snapshot", { method: "DELETE", body: JSON.stringify({ id }) });
      const input = await answer(request, "/local/snapshot", chain.simulation);
      return input.kind === "answer" ? await input.response.json() : input.kind;
    };
    await chain.ask("/local/snapshot", { id: "here" });
    await chain.ask("/local/snapshot", { id: "here" });
    assert.deepEqual(await drop("here"), { snapshots: ["initial"] });
    assert.deepEqual(await drop("here"), { error: 'There is no snapshot "here" to drop.' });
    assert.deepEqual(await drop("initial"), { error: 'There is no snapshot "initial" to drop.' });
    assert.match(String((await chain.ask("/local/restore", { id: "here" })).error), /no snapshot "here"/);
    for (const name of ["snapshot-1", "snapshot-2"]) assert.equal((await chain.ask("/local/snapshot")).id, name);
    await drop("snapshot-1");
    assert.equal((await chain.ask("/local/snapshot")).id, "snapshot-3");
  });

  it("reports invalid control requests", async () => {
    const chain = await testChain();
    assert.match(String((await chain.ask("/local/mine", { blocks: 0 })).error), /blocks has to be an integer from 1/);
    assert.match(String((await chain.ask("/local/restore", { id: "nowhere" })).error), /no snapshot "nowhere"/);
    assert.match(String((await chain.ask("/local/fund", { address: "x", amount: 1 })).error), /address/);
    assert.match(String((await chain.ask("/local/sing")).error), /no control POST \/local\/sing/);
  });

  it("T1: accepts a whole number of sun only", async () => {
    const chain = await testChain();
    const address = chain.accounts[1]?.address ?? "";
    for (const amount of ["1,5", "0x10", "", " ", "-1", "1e6", 1.5, 4503599627370498, "9223372036854775808"])
      assert.match(String((await chain.ask("/local/fund", { address, amount })).error), /whole number of sun/);
  });
});
