import assert from "node:assert/strict";
import { parseHttpDate } from "../../../../src/core/gateway/http/http-exchange.ts";
import { createHttpGateway } from "../../../../src/core/gateway/http/http-gateway.ts";
import { ChainBench, COIN, payment } from "../../../support/chain/chain-bench.ts";
import { hitsOf, seen, setFaults } from "../../../support/chain/fault-bench.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const NOW = Date.UTC(2026, 5, 1);

describe("a fault of time", () => {
  let bench: ChainBench;
  let waits: { readonly ms: number; readonly asked: number }[];

  beforeEach(async () => {
    waits = [];
    const delay = async (ms: number): Promise<void> => {
      waits.push({ ms, asked: bench.chain.simulation.chain.pool.size });
    };
    bench = await ChainBench.start({ seed: "time", now: () => NOW, delay });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  for (const [when, pooled] of [
    ["before", 0],
    ["after", 1],
  ] as const) {
    it(`latency makes an answer wait ${when} the node has done its work`, async () => {
      const [alice, bob] = [bench.person(0), bench.person(1)];
      await setFaults(bench, [{ name: "latency", ms: 4_000, when }]);

      const outcome = await bench.outcome(bench.signed(payment(alice, bob.address, COIN), [alice]));

      assert.equal(outcome.kind, "accepted");
      assert.deepEqual(waits, [{ ms: 4_000, asked: pooled }]);
    });
  }

  it("latency and a client that gives up: the outcome is unknown, and the transaction is in the pool", async () => {
    await using slow = await ChainBench.start({ delay: () => new Promise(() => undefined) });
    const hurried = createHttpGateway(profileAt(slow.chain.baseUrl), { clock: slow.clock, timeoutMs: 20 });
    const [alice, bob] = [slow.person(0), slow.person(1)];
    const transaction = slow.signed(payment(alice, bob.address, COIN), [alice]);
    await setFaults(slow, [{ name: "latency", ms: 1, when: "after", path: "*/broadcasttransaction" }]);

    const { outcome } = await hurried.broadcast(transaction);
    await hurried.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_UNREACHABLE");
    assert.notEqual(slow.chain.simulation.chain.pool.get(transaction.txId), undefined);
  });

  for (const ms of [3_600_000, -3_600_000]) {
    it(`clock-skew of ${ms} ms shows in Date, and in nothing of the chain`, async () => {
      const { timestamp } = bench.head;
      await setFaults(bench, [{ name: "clock-skew", ms }]);

      const { text } = await seen(bench, "/wallet/getnowblock");
      const { serverTime, head } = await bench.gateway.probe();

      assert.equal(parseHttpDate(/\ndate: (.*)\r\n/i.exec(text)?.[1]), NOW + ms);
      assert.equal(text.match(/\ndate:/gi)?.length, 1);
      assert.equal(serverTime, NOW + ms);
      assert.equal(head.timestamp, timestamp);
    });
  }

  it("jwt-refusal keeps silent when asked to, and nothing has happened", async () => {
    await setFaults(bench, [{ name: "jwt-refusal", how: "hang" }]);
    const hurried = createHttpGateway(profileAt(bench.chain.baseUrl), { clock: bench.clock, timeoutMs: 20 });
    const [alice, bob] = [bench.person(0), bench.person(1)];

    const { outcome } = await hurried.broadcast(bench.signed(payment(alice, bob.address, COIN), [alice]));
    await hurried.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_UNREACHABLE");
    assert.deepEqual(hitsOf(bench), [1]);
    assert.equal(bench.chain.simulation.chain.pool.size, 0);
  });
});

describe("connection-refused", () => {
  it("closes the door from its answer on, control included, and opens it again with nothing lost", async () => {
    await using bench = await ChainBench.start();
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
    await setFaults(bench, [{ name: "connection-refused", ms: 300 }]);

    const outcome = await bench.outcome(transaction);
    assert.equal((await seen(bench, "/local/mine")).end, "ECONNREFUSED");
    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_UNREACHABLE");
    assert.match(outcome.kind === "unknown" ? outcome.cause.message : "", /connection refused/);
    assert.equal(bench.chain.simulation.chain.pool.size, 0);

    while ((await seen(bench, "/wallet/getnowblock")).end === "ECONNREFUSED");
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    assert.deepEqual(hitsOf(bench), [1]);
  });

  it("with a path closes it after the answer to what matches", async () => {
    await using bench = await ChainBench.start();
    await setFaults(bench, [{ name: "connection-refused", ms: 300, path: "/wallet/createtransaction" }]);

    assert.match((await seen(bench, "/wallet/getnowblock")).text, /^HTTP\/1\.1 200 /);
    assert.match((await seen(bench, "/wallet/createtransaction")).text, /^HTTP\/1\.1 200 /);
    assert.equal((await seen(bench, "/wallet/getnowblock")).end, "ECONNREFUSED");
  });

  it("does not keep a chain from ending", async () => {
    const bench = await ChainBench.start();
    await setFaults(bench, [{ name: "connection-refused", ms: 60_000 }]);
    await bench[Symbol.asyncDispose]();
    assert.equal((await seen(bench, "/wallet/getnowblock")).end, "ECONNREFUSED");
  });
});
