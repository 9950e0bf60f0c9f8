import assert from "node:assert/strict";
import { ChainBench, COIN, payment, stranger } from "../../../../test/support/chain/chain-bench.ts";
import { hitsOf, seenBroadcast, setFaults } from "../../../../test/support/chain/fault-bench.ts";
import { profileAt } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { createHttpGateway } from "../../../client/src/gateway/http/http-gateway.ts";
import { headView } from "../../src/node/node-view.ts";

describe("a fault of the node", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "node" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("M1: false-refusal refuses what it takes into its pool, and a block holds it all the same", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await setFaults(bench, [{ name: "false-refusal", code: "BANDWITH_ERROR", count: 1 }]);

    const refused = await bench.outcome(transaction);

    assert.equal(refused.kind === "rejected" && refused.code, "BANDWITH_ERROR");
    assert.equal(await bench.pendingSize(), 1);
    assert.equal((await bench.outcome(transaction)).kind, "already-known");
  });

  it("pool-full refuses with SERVER_BUSY as often as it was told, and keeps nothing", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await setFaults(bench, [{ name: "pool-full", count: 2 }]);

    await bench.gateway.headBlock();
    assert.match((await seenBroadcast(bench, transaction)).text, /"code":"SERVER_BUSY"/);
    const refused = await bench.outcome(transaction);
    assert.deepEqual(refused, { kind: "rejected", code: "SERVER_BUSY", message: "Server busy." });
    assert.equal(await bench.pendingSize(), 0);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    assert.deepEqual(hitsOf(bench), [2]);
  });

  it("duplicate-cache masks why a transaction was refused, although nobody holds it", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const good = bench.signed(payment(alice, bob.address, COIN), [alice]);
    const bad = { ...good, signatures: bench.signed(payment(alice, bob.address, COIN), [bob]).signatures };
    await setFaults(bench, [{ name: "duplicate-cache" }]);

    const first = await bench.outcome(bad);
    assert.equal(first.kind === "rejected" && first.code, "SIGERROR");
    assert.deepEqual(await bench.outcome(good), { kind: "already-known", message: "Transaction already exists." });
    assert.equal(await bench.gateway.headTransaction(good.txId), undefined);
    await bench.mine(10);
    assert.equal(await bench.timesIncluded(good.txId), 0);

    await setFaults(bench, []);
    assert.deepEqual(await bench.outcome(good), { kind: "accepted" });
  });

  it("duplicate-cache knows what blocks hold, also beyond its expiration", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await bench.outcome(transaction);
    await bench.mine(30);
    await setFaults(bench, [{ name: "duplicate-cache" }]);
    assert.deepEqual(await bench.outcome(transaction), {
      kind: "already-known",
      message: "Transaction already exists.",
    });
  });

  it("S85 stale-head answers {} for what came later, and broadcasts go to the real head", async () => {
    const [alice, carol] = [bench.person(0), stranger()];
    const intent = payment(alice, carol.address, COIN);
    const transaction = bench.signed(intent, [alice]);
    const { txId } = transaction;
    const before = bench.head.number;
    await setFaults(bench, [{ name: "stale-head", blocks: 2 }]);

    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    assert.equal(await bench.gateway.headTransaction(txId), undefined);
    await bench.mine();
    assert.equal(bench.chain.simulation.chain.find(txId)?.block.header.number, before + 1);
    assert.equal((await bench.gateway.headBlock()).number, before - 1);
    assert.equal(await bench.gateway.headTransactionInfo(txId), undefined);
    assert.equal(await bench.gateway.account(carol.address), undefined);
    const state = (await bench.tracker.lookNow(txId))?.state;
    assert.equal(state?.kind, "pending", "nothing found proves nothing");
    assert.equal(await bench.timesIncluded(txId), 0, "its lists of blocks end early too");

    await bench.mine(2);
    assert.equal((await bench.gateway.headTransactionInfo(txId))?.blockNumber, before + 1);
    assert.equal(await bench.balance(carol.address), COIN);
  });

  it("stale-head shows an older solidified block as well", async () => {
    await bench.mine(5);
    const solid = await bench.gateway.solidBlock();
    await bench.mine(3);
    await setFaults(bench, [{ name: "stale-head", blocks: 3 }]);
    assert.deepEqual(await bench.gateway.solidBlock(), solid);
    assert.deepEqual(await bench.gateway.solidBlocks(solid.number + 1, solid.number + 3), []);
    assert.equal((await bench.gateway.nodeInfo()).solid, solid.number + 2);
  });

  it("what a node that lags far behind has built is expired before it is signed", async () => {
    await bench.mine(40);
    const [alice, bob] = [bench.person(0), bench.person(1)];
    await setFaults(bench, [{ name: "stale-head", blocks: 30 }]);
    const built = await bench.ask("/wallet/createtransaction", {
      owner_address: alice.address,
      to_address: bob.address,
      amount: 1,
    });
    const { expiration } = built.raw_data as { expiration: number };
    assert.ok(expiration < bench.head.timestamp, `${expiration} is not before ${bench.head.timestamp}`);
  });

  it("estimate-off answers as a node that does not estimate, while constant calls go on", async () => {
    const call = { owner_address: bench.person(0).address, data: "60016000f3" };
    const before = await bench.ask("/wallet/estimateenergy", call);
    await setFaults(bench, [{ name: "estimate-off" }]);

    const { result } = await bench.ask("/wallet/estimateenergy", call);

    assert.ok(Number(before.energy_required) > 0);
    const message = Buffer.from("this node does not support estimate energy").toString("hex");
    assert.deepEqual(result, { code: "CONTRACT_VALIDATE_ERROR", message });
    assert.ok(Number((await bench.ask("/wallet/triggerconstantcontract", call)).energy_used) > 0);
  });

  it("estimate-off reaches estimateenergy and nothing else", async () => {
    const { chain, faults, node } = bench.chain.simulation;
    await setFaults(bench, [{ name: "estimate-off" }]);
    const view = headView(chain, node);
    assert.equal(faults.view(view, "/wallet/estimateenergy").settings.estimateEnergy, false);
    assert.equal(faults.view(view, "/walletsolidity/estimateenergy").settings.estimateEnergy, false);
    assert.equal(faults.view(view, "/wallet/triggerconstantcontract").settings.estimateEnergy, true);
    assert.deepEqual(hitsOf(bench), [2]);
  });

  it("constant-calls-off answers as a node that runs no code for questions, as often as it is told", async () => {
    const call = { owner_address: bench.person(0).address, data: "60016000f3" };
    await setFaults(bench, [{ name: "constant-calls-off", count: 2 }]);

    const [constant, estimate] = [
      await bench.ask("/wallet/triggerconstantcontract", call),
      await bench.ask("/wallet/estimateenergy", call),
    ];

    const hexOf = (text: string): string => Buffer.from(text).toString("hex");
    const off = "this node does not support constant";
    assert.deepEqual(constant.result, { code: "CONTRACT_VALIDATE_ERROR", message: hexOf(off) });
    const message = hexOf(`${off}, so estimate energy cannot work`);
    assert.deepEqual(estimate.result, { code: "CONTRACT_VALIDATE_ERROR", message });
    assert.ok(Number((await bench.ask("/wallet/triggerconstantcontract", call)).energy_used) > 0);
    assert.deepEqual(hitsOf(bench), [2]);
  });

  it("solidification-stopped lets blocks come and none become final, and catches up afterwards", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const solid = await bench.gateway.solidBlock();
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await setFaults(bench, [{ name: "solidification-stopped", count: 20 }]);

    await bench.outcome(transaction);
    await bench.mine(20);
    assert.deepEqual(await bench.gateway.solidBlock(), solid);
    assert.equal(await bench.gateway.solidTransactionInfo(transaction.txId), undefined);
    assert.notEqual(await bench.gateway.headTransactionInfo(transaction.txId), undefined);
    assert.deepEqual(hitsOf(bench), [20]);

    await bench.mine(2);
    assert.equal((await bench.gateway.solidBlock()).number, bench.head.number - 5);
    assert.notEqual(await bench.gateway.solidTransactionInfo(transaction.txId), undefined);
  });

  it("a rate of a half happens about half of the time, and the same seed gives the same times", async () => {
    const gateway = createHttpGateway(profileAt(bench.chain.baseUrl), { clock: bench.clock, random: () => 0 });
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const run = async (seed: string): Promise<string> => {
      await setFaults(bench, [{ name: "http-status", rate: 0.5 }], seed);
      let drawn = "";
      for (let asked = 0; asked < 60; asked += 1) {
        const { outcome } = await gateway.broadcast(bench.signed(payment(alice, bob.address), [alice]));
        drawn += outcome.kind === "unknown" ? "x" : ".";
      }
      assert.deepEqual(hitsOf(bench), [drawn.replaceAll(".", "").length]);
      return drawn;
    };
    const [first, again, other] = [await run("a"), await run("a"), await run("b")];
    await gateway.close();
    assert.equal(again, first);
    assert.notEqual(other, first);
    const share = first.replaceAll(".", "").length / first.length;
    assert.ok(share > 0.25 && share < 0.75, first);
  });
});
