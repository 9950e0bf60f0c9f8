import assert from "node:assert/strict";
import { ChainBench, COIN, payment } from "../../../../test/support/chain/chain-bench.ts";
import { hitsOf, seen, setFaults } from "../../../../test/support/chain/fault-bench.ts";
import { profileAt } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { parseHttpDate } from "../../../client/src/gateway/http/http-exchange.ts";
import { createHttpGateway } from "../../../client/src/gateway/http/http-gateway.ts";

describe("a reorganisation", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "fork" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("puts a longer chain of others in the place of the newest blocks, each later than what it replaces", async () => {
    await bench.mine(5);
    const { chain } = bench.chain.simulation;
    const heights = [0, 1, 2].map((it) => bench.head.number - it);
    const [old, irreversible, { number, timestamp }] = [
      heights.map((it) => chain.block(it)?.id),
      chain.irreversible.id,
      bench.head,
    ];

    const { removed, head } = await bench.ask("/local/fork", { blocks: 3 });

    assert.deepEqual((removed as { id: string }[]).map(({ id }) => id).reverse(), old);
    assert.equal((head as { number: number }).number, number + 1);
    for (const [index, it] of heights.entries()) assert.notEqual(chain.block(it)?.id, old[index]);
    assert.equal(chain.block(heights[2] ?? 0)?.header.timestamp, timestamp + 3000);
    assert.equal(chain.block(chain.solid.header.number)?.id, chain.solid.id);
    assert.equal(chain.block(Number(heights[2]) - 1)?.id, chain.block(Number(heights[2]))?.header.parentId);
    assert.equal(chain.block(number - 3)?.id, irreversible);
  });

  it("S71 the info disappears, the tracker is back at pending, and a later inclusion is recognised", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = payment(alice, bob.address, COIN);
    const transaction = bench.signed(intent, [alice]);
    const { txId } = transaction;
    const before = await bench.balance(bob.address);
    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    await bench.mine();
    const first = await bench.gateway.headTransactionInfo(txId);
    assert.equal((await bench.tracker.lookNow(txId))?.state.kind, "included");

    await bench.ask("/local/fork", { blocks: 1, transactions: "return" });
    await bench.clock.advance(3_000);
    assert.equal(await bench.gateway.headTransactionInfo(txId), undefined);
    assert.equal(await bench.pendingSize(), 1);
    assert.equal((await bench.tracker.lookNow(txId))?.state.kind, "pending");

    await bench.mine();
    await bench.clock.advance(3_000);
    const second = await bench.gateway.headTransactionInfo(txId);
    assert.equal(second?.blockNumber, Number(first?.blockNumber) + 2);
    assert.equal((await bench.tracker.lookNow(txId))?.state.kind, "included");
    await bench.mine(5);
    assert.equal((await bench.tracker.lookNow(txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });

  it("S71 loses the transactions when told to, and the same bytes can be sent again", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = payment(alice, bob.address, COIN);
    const transaction = bench.signed(intent, [alice]);
    const { txId } = transaction;
    const before = await bench.balance(bob.address);
    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    await bench.mine();

    await bench.ask("/local/fork", { blocks: 1, transactions: "lost" });
    assert.equal(await bench.gateway.headTransaction(txId), undefined);
    assert.equal(await bench.balance(bob.address), before);
    assert.equal((await bench.again(txId)).kind, "sent");
    await bench.mine(6);
    assert.equal((await bench.tracker.lookNow(txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });

  it("S22 takes a reference to a block that is gone away for ever", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    await bench.mine();
    const referenceBlock = bench.chain.simulation.chain.head.id;
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice], { referenceBlock });
    await bench.ask("/local/fork", { blocks: 1 });
    const outcome = await bench.outcome(transaction);
    assert.equal(outcome.kind === "rejected" && outcome.code, "TAPOS_ERROR");
  });

  it("keeps what waits, in the order: first what a block held, then what had none yet", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const [first, second] = [0, 1].map(() => bench.signed(payment(alice, bob.address, COIN), [alice]));
    assert.ok(first && second);
    await bench.outcome(first);
    await bench.mine();
    await bench.outcome(second);
    await bench.ask("/local/fork", { blocks: 1 });
    assert.deepEqual((await bench.ask("/wallet/gettransactionlistfrompending")).txId, [first.txId, second.txId]);
  });

  it("never touches what is solidified", async () => {
    await bench.mine(10);
    const { error } = await bench.ask("/local/fork", { blocks: 4 });
    assert.match(String(error), /blocks has to be an integer from 1 to 3/);
    await using single = await ChainBench.start({ witnesses: 1 });
    assert.match(String((await single.ask("/local/fork")).error), /Every block is solidified/);
    assert.match(String((await bench.ask("/local/fork", { transactions: "x" })).error), /"return" or "lost"/);
  });

  it("happens as a fault too, before the request that sets it off, as deep as it can", async () => {
    await bench.mine(10);
    const { chain } = bench.chain.simulation;
    const [head, solid] = [chain.head, chain.solid];
    await setFaults(bench, [{ name: "reorganisation", blocks: 50, path: "/wallet/getnowblock" }]);
    const { text } = await seen(bench, "/wallet/getnowblock");
    assert.match(text, new RegExp(`"number":${head.header.number + 1}`));
    assert.notEqual(chain.block(head.header.number)?.id, head.id);
    assert.equal(chain.block(solid.header.number)?.id, solid.id);
    await seen(bench, "/wallet/getnowblock");
    assert.deepEqual(hitsOf(bench), [1]);
  });
});

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
