import assert from "node:assert/strict";
import { ChainBench, COIN, payment, stranger } from "../../../../test/support/chain/chain-bench.ts";
import { hitsOf, readOutcome, seen, seenBroadcast, setFaults } from "../../../../test/support/chain/fault-bench.ts";
import { profileAt } from "../../../../test/support/fakes/gateway-fixtures.ts";
import type { BroadcastOutcome } from "../../../client/src/gateway/gateway.ts";
import { parseHttpDate } from "../../../client/src/gateway/http/http-exchange.ts";
import { createHttpGateway } from "../../../client/src/gateway/http/http-gateway.ts";
import { bindToOrigins } from "../../../client/src/gateway/network.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

/** Signs a payment of one coin from the first account to the second. */
function signedPayment(bench: ChainBench) {
  const [alice, bob] = [bench.person(0), bench.person(1)];
  const intent = payment(alice, bob.address, COIN);
  return { bob, intent, transaction: bench.signed(intent, [alice]) };
}

describe("node fault", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "node" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("M1: refuses a transaction but accepts it into the pool and a block (false-refusal)", async () => {
    const { transaction } = signedPayment(bench);
    await setFaults(bench, [{ name: "false-refusal", code: "BANDWITH_ERROR", count: 1 }]);

    const refused = await bench.outcome(transaction);

    assert.equal(refused.kind === "rejected" && refused.code, "BANDWITH_ERROR");
    assert.equal(await bench.pendingSize(), 1);
    assert.equal((await bench.outcome(transaction)).kind, "already-known");
  });

  it("refuses with SERVER_BUSY and accepts nothing until its count is used up (pool-full)", async () => {
    const { transaction } = signedPayment(bench);
    await setFaults(bench, [{ name: "pool-full", count: 2 }]);

    await bench.gateway.headBlock();
    assert.match((await seenBroadcast(bench, transaction)).text, /"code":"SERVER_BUSY"/);
    const refused = await bench.outcome(transaction);
    assert.deepEqual(refused, { kind: "rejected", code: "SERVER_BUSY", message: "Server busy." });
    assert.equal(await bench.pendingSize(), 0);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    assert.deepEqual(hitsOf(bench), [2]);
  });

  it("hides the reason of a refusal although the transaction is not stored (duplicate-cache)", async () => {
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

  it("reports included transactions as duplicates even after their expiration (duplicate-cache)", async () => {
    const { transaction } = signedPayment(bench);
    await bench.outcome(transaction);
    await bench.mine(30);
    await setFaults(bench, [{ name: "duplicate-cache" }]);
    assert.deepEqual(await bench.outcome(transaction), {
      kind: "already-known",
      message: "Transaction already exists.",
    });
  });

  it("S85 answers {} for newer data and broadcasts to the real head (stale-head)", async () => {
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
    const state = (await bench.tracker.refresh(txId))?.state;
    assert.equal(state?.kind, "pending", "nothing found proves nothing");
    assert.equal(await bench.timesIncluded(txId), 0, "its lists of blocks end early too");

    await bench.mine(2);
    assert.equal((await bench.gateway.headTransactionInfo(txId))?.blockNumber, before + 1);
    assert.equal(await bench.balance(carol.address), COIN);
  });

  it("returns an older solidified block (stale-head)", async () => {
    await bench.mine(5);
    const solid = await bench.gateway.solidBlock();
    await bench.mine(3);
    await setFaults(bench, [{ name: "stale-head", blocks: 3 }]);
    assert.deepEqual(await bench.gateway.solidBlock(), solid);
    assert.deepEqual(await bench.gateway.solidBlocks(solid.number + 1, solid.number + 3), []);
    assert.equal((await bench.gateway.nodeInfo()).solid, solid.number + 2);
  });

  it("builds transactions that have already expired (stale-head)", async () => {
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

  it("disables estimates on both sides, but not constant calls (estimate-off)", async () => {
    const call = { owner_address: bench.person(0).address, data: "60016000f3" };
    assert.ok(Number((await bench.ask("/wallet/estimateenergy", call)).energy_required) > 0);
    await setFaults(bench, [{ name: "estimate-off" }]);

    const message = Buffer.from("this node does not support estimate energy").toString("hex");
    for (const side of ["wallet", "walletsolidity"]) {
      const { result } = await bench.ask(`/${side}/estimateenergy`, call);
      assert.deepEqual(result, { code: "CONTRACT_VALIDATE_ERROR", message });
    }
    assert.ok(Number((await bench.ask("/wallet/triggerconstantcontract", call)).energy_used) > 0);
    assert.deepEqual(hitsOf(bench), [2]);
  });

  it("disables constant calls until its count is used up (constant-calls-off)", async () => {
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

  it("produces blocks without solidification and catches up afterwards (solidification-stopped)", async () => {
    const { transaction } = signedPayment(bench);
    const solid = await bench.gateway.solidBlock();
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
});

describe("reorganization fault", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "fork" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("replaces the newest blocks with a longer chain of later blocks", async () => {
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

  it("S71 removes the receipt, so that the tracker returns to pending and finds the later inclusion", async () => {
    const { bob, intent, transaction } = signedPayment(bench);
    const { txId } = transaction;
    const before = await bench.balance(bob.address);
    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    await bench.mine();
    const first = await bench.gateway.headTransactionInfo(txId);
    assert.equal((await bench.tracker.refresh(txId))?.state.kind, "included");

    await bench.ask("/local/fork", { blocks: 1, transactions: "return" });
    await bench.clock.advance(3_000);
    assert.equal(await bench.gateway.headTransactionInfo(txId), undefined);
    assert.equal(await bench.pendingSize(), 1);
    assert.equal((await bench.tracker.refresh(txId))?.state.kind, "pending");

    await bench.mine();
    await bench.clock.advance(3_000);
    const second = await bench.gateway.headTransactionInfo(txId);
    assert.equal(second?.blockNumber, Number(first?.blockNumber) + 2);
    assert.equal((await bench.tracker.refresh(txId))?.state.kind, "included");
    await bench.mine(5);
    assert.equal((await bench.tracker.refresh(txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });

  it("S71 drops the transactions on request, and the same bytes can be sent again", async () => {
    const { bob, intent, transaction } = signedPayment(bench);
    const { txId } = transaction;
    const before = await bench.balance(bob.address);
    await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    await bench.mine();

    await bench.ask("/local/fork", { blocks: 1, transactions: "lost" });
    assert.equal(await bench.gateway.headTransaction(txId), undefined);
    assert.equal(await bench.balance(bob.address), before);
    assert.equal((await bench.again(txId)).kind, "sent");
    await bench.mine(6);
    assert.equal((await bench.tracker.refresh(txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });

  it("S22 invalidates references to replaced blocks", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    await bench.mine();
    const referenceBlock = bench.chain.simulation.chain.head.id;
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice], { referenceBlock });
    await bench.ask("/local/fork", { blocks: 1 });
    const outcome = await bench.outcome(transaction);
    assert.equal(outcome.kind === "rejected" && outcome.code, "TAPOS_ERROR");
  });

  it("keeps pending transactions in order, those of replaced blocks first", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const [first, second] = [0, 1].map(() => bench.signed(payment(alice, bob.address, COIN), [alice]));
    assert.ok(first && second);
    await bench.outcome(first);
    await bench.mine();
    await bench.outcome(second);
    await bench.ask("/local/fork", { blocks: 1 });
    assert.deepEqual((await bench.ask("/wallet/gettransactionlistfrompending")).txId, [first.txId, second.txId]);
  });

  it("does not change solidified blocks", async () => {
    await bench.mine(10);
    const { error } = await bench.ask("/local/fork", { blocks: 4 });
    assert.match(String(error), /blocks has to be an integer from 1 to 3/);
    await using single = await ChainBench.start({ witnesses: 1 });
    assert.match(String((await single.ask("/local/fork")).error), /Every block is solidified/);
    assert.match(String((await bench.ask("/local/fork", { transactions: "x" })).error), /"return" or "lost"/);
  });

  it("replaces as many blocks as possible before it answers the request", async () => {
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

describe("time fault", () => {
  let bench: ChainBench;
  let waits: { readonly ms: number; readonly poolSize: number }[];

  beforeEach(async () => {
    waits = [];
    const delay = async (ms: number): Promise<void> => {
      waits.push({ ms, poolSize: bench.chain.simulation.chain.pool.size });
    };
    bench = await ChainBench.start({ seed: "time", now: () => NOW, delay });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  for (const [when, pooled] of [
    ["before", 0],
    ["after", 1],
  ] as const) {
    it(`delays the answer ${when} the node has processed the request (latency)`, async () => {
      await setFaults(bench, [{ name: "latency", ms: 4_000, when }]);

      const outcome = await bench.outcome(signedPayment(bench).transaction);

      assert.equal(outcome.kind, "accepted");
      assert.deepEqual(waits, [{ ms: 4_000, poolSize: pooled }]);
    });
  }

  it("leaves the outcome unknown and the transaction in the pool beyond the client's timeout (latency)", async () => {
    await using slow = await ChainBench.start({ delay: () => new Promise(() => undefined) });
    const impatient = createHttpGateway(profileAt(slow.chain.baseUrl), { clock: slow.clock, timeoutMs: 20 });
    const { transaction } = signedPayment(slow);
    await setFaults(slow, [{ name: "latency", ms: 1, when: "after", path: "*/broadcasttransaction" }]);

    const { outcome } = await impatient.broadcast(transaction);
    await impatient.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_UNREACHABLE");
    assert.notEqual(slow.chain.simulation.chain.pool.get(transaction.txId), undefined);
  });

  it("changes the Date header and no chain time (clock-skew)", async () => {
    const { timestamp } = bench.head;
    for (const ms of [3_600_000, -3_600_000]) {
      await setFaults(bench, [{ name: "clock-skew", ms }]);

      const { text } = await seen(bench, "/wallet/getnowblock");
      const { serverTime, head } = await bench.gateway.probe();

      assert.equal(parseHttpDate(/\ndate: (.*)\r\n/i.exec(text)?.[1]), NOW + ms);
      assert.equal(text.match(/\ndate:/gi)?.length, 1);
      assert.deepEqual([serverTime, head.timestamp], [NOW + ms, timestamp]);
    }
  });

  it("does not answer and does not process the request (jwt-refusal, hang)", async () => {
    await setFaults(bench, [{ name: "jwt-refusal", how: "hang" }]);
    const impatient = createHttpGateway(profileAt(bench.chain.baseUrl), { clock: bench.clock, timeoutMs: 20 });

    const { outcome } = await impatient.broadcast(signedPayment(bench).transaction);
    await impatient.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_UNREACHABLE");
    assert.deepEqual(hitsOf(bench), [1]);
    assert.equal(bench.chain.simulation.chain.pool.size, 0);
  });
});

describe("connection-refused fault", () => {
  it("closes the listener after its response, control requests included, and reopens it without loss", async () => {
    await using bench = await ChainBench.start();
    const { transaction } = signedPayment(bench);
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

  it("closes the listener after the response to a matching path", async () => {
    await using bench = await ChainBench.start();
    await setFaults(bench, [{ name: "connection-refused", ms: 300, path: "/wallet/createtransaction" }]);

    assert.match((await seen(bench, "/wallet/getnowblock")).text, /^HTTP\/1\.1 200 /);
    assert.match((await seen(bench, "/wallet/createtransaction")).text, /^HTTP\/1\.1 200 /);
    assert.equal((await seen(bench, "/wallet/getnowblock")).end, "ECONNREFUSED");
  });

  it("does not prevent the chain from closing", async () => {
    const bench = await ChainBench.start();
    await setFaults(bench, [{ name: "connection-refused", ms: 60_000 }]);
    await bench[Symbol.asyncDispose]();
    assert.equal((await seen(bench, "/wallet/getnowblock")).end, "ECONNREFUSED");
  });
});

/** A transport fault with its effect on a broadcast. */
interface Case {
  readonly title: string;
  readonly fault: JsonObject;
  readonly wire: RegExp;
  /** End of the connection, by default "closed". */
  readonly end?: string;
  /** Kind of the outcome, then the code of the cause or of the refusal. */
  readonly outcome: string;
  readonly executed: boolean;
}

const cases: readonly Case[] = [
  {
    title: "resets the connection before the request is processed (reset-before)",
    fault: { name: "reset-before" },
    wire: /^$/,
    end: "ECONNRESET",
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: false,
  },
  {
    title: "S105 resets the connection after the request was processed (lost-answer)",
    fault: { name: "lost-answer" },
    wire: /^$/,
    end: "ECONNRESET",
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: true,
  },
  {
    title: "truncates the body of a processed request (truncated-body)",
    fault: { name: "truncated-body" },
    wire: /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"result":true,"txid":"[0-9a-f]*$/,
    outcome: "unknown GATEWAY_ANSWER_MALFORMED",
    executed: true,
  },
  {
    title: "answers a processed request with an HTML page (not-json)",
    fault: { name: "not-json" },
    wire: /^HTTP\/1\.1 200 [\s\S]*content-type: text\/html[\s\S]*<h1>200 OK</,
    outcome: "unknown GATEWAY_ANSWER_MALFORMED",
    executed: true,
  },
  {
    title: "S101 refuses with 4xx without processing (http-status)",
    fault: { name: "http-status", status: 400 },
    wire: /^HTTP\/1\.1 400 /,
    outcome: "turned away GATEWAY_HTTP_STATUS",
    executed: false,
  },
  {
    title: "S100 refuses with 5xx without processing (http-status)",
    fault: { name: "http-status", status: 503 },
    wire: /^HTTP\/1\.1 503 /,
    outcome: "unknown GATEWAY_HTTP_STATUS",
    executed: false,
  },
  {
    title: "S100 answers a processed request with 5xx (http-status-after)",
    fault: { name: "http-status-after", status: 502 },
    wire: /^HTTP\/1\.1 502 /,
    outcome: "unknown GATEWAY_HTTP_STATUS",
    executed: true,
  },
  {
    title: "S104 answers 429 with seconds without processing (rate-limit)",
    fault: { name: "rate-limit", seconds: 7 },
    wire: /^HTTP\/1\.1 429 [\s\S]*retry-after: 7\r\n/,
    outcome: "turned away GATEWAY_RATE_LIMITED",
    executed: false,
  },
  {
    title: "S104 answers 429 with a date without processing (rate-limit)",
    fault: { name: "rate-limit", seconds: 5, form: "date" },
    wire: /^HTTP\/1\.1 429 [\s\S]*retry-after: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/,
    outcome: "turned away GATEWAY_RATE_LIMITED",
    executed: false,
  },
  {
    title: "closes the connection without a byte (jwt-refusal)",
    fault: { name: "jwt-refusal" },
    wire: /^$/,
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: false,
  },
  {
    title: "answers 401 without processing (jwt-refusal, 401)",
    fault: { name: "jwt-refusal", how: "401" },
    wire: /^HTTP\/1\.1 401 /,
    outcome: "turned away GATEWAY_UNAUTHORIZED",
    executed: false,
  },
  {
    title: "reports an accepted transaction as a duplicate (duplicate-answer)",
    fault: { name: "duplicate-answer" },
    wire: /"code":"DUP_TRANSACTION_ERROR"/,
    outcome: "already-known Dup transaction.",
    executed: true,
  },
];

function short(outcome: BroadcastOutcome): string {
  switch (outcome.kind) {
    case "accepted":
      return outcome.kind;
    case "already-known":
      return `already-known ${outcome.message}`;
    case "rejected":
      return `rejected ${outcome.code}`;
    case "unknown":
      return `${outcome.turnedAway ? "turned away" : "unknown"} ${outcome.cause.code}`;
  }
}

describe("transport fault", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "transport" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  for (const { title, fault, wire, end = "closed", outcome, executed } of cases) {
    it(title, async () => {
      const [alice, bob] = [bench.person(0), bench.person(1)];
      const before = bench.chain.simulation.chain.pendingState.account(bob.address)?.balance ?? 0n;
      const [raw, ours] = [0, 1].map(() => bench.signed(payment(alice, bob.address, COIN), [alice]));
      assert.ok(raw && ours);
      await setFaults(bench, [{ ...fault, count: 2, path: "/wallet/broadcasttransaction" }]);

      const exchange = await seenBroadcast(bench, raw);
      assert.match(exchange.text, wire);
      assert.equal(exchange.end, end);
      assert.equal(short(await bench.outcome(ours)), outcome);
      assert.deepEqual(hitsOf(bench), [2]);

      const again = [await bench.outcome(raw), await bench.outcome(ours)].map(({ kind }) => kind);
      assert.deepEqual(again, executed ? ["already-known", "already-known"] : ["accepted", "accepted"]);
      await bench.mine(10);
      for (const it of [raw, ours]) assert.equal(await bench.timesIncluded(it.txId), 1);
      assert.equal(bench.chain.simulation.chain.solidState.account(bob.address)?.balance, before + 2n * COIN);
    });
  }

  it("S100 S135 does not break reads, because the client repeats them", async () => {
    const expected = `block ${bench.head.number}`;
    for (const { fault } of cases.filter((it) => !/40[01]|401/.test(JSON.stringify(it.fault)))) {
      await setFaults(bench, [{ ...fault, count: 1, path: "/wallet/getnowblock" }]);
      assert.equal(await readOutcome(bench), expected, JSON.stringify(fault));
      assert.deepEqual(hitsOf(bench), [1], JSON.stringify(fault));
    }
  });

  it("S3 is reported as silence of the gateway while JWT is on (jwt-refusal)", async () => {
    const accessToken = async () => "a.b.c";
    const profile = profileAt(bench.chain.baseUrl, { jwt: true });
    const gateway = createHttpGateway(profile, {
      clock: bench.clock,
      accessToken: bindToOrigins(profile, accessToken),
    });
    await setFaults(bench, [{ name: "jwt-refusal" }]);

    const { outcome } = await gateway.broadcast(signedPayment(bench).transaction);
    await gateway.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_SILENT");
    assert.equal(bench.chain.simulation.chain.pool.size, 0);
  });

  it("S105 finds the transaction solidified by polling after a lost response", async () => {
    const { intent, transaction } = signedPayment(bench);
    await setFaults(bench, [{ name: "lost-answer", count: 1, path: "/wallet/broadcasttransaction" }]);

    const sent = await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    assert.equal(sent.state.kind, "unknown");
    assert.equal((await bench.tracker.refresh(transaction.txId))?.state.kind, "pending");
    await bench.mine(10);
    assert.equal((await bench.tracker.refresh(transaction.txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(transaction.txId), 1);
  });

  it("S143 executes a transaction once after twenty rebroadcasts through a faulty gateway", async () => {
    const { bob, transaction } = signedPayment(bench);
    const before = await bench.balance(bob.address);
    const names = ["lost-answer", "duplicate-answer", "http-status-after", "reset-before", "truncated-body"];
    await setFaults(
      bench,
      names.map((name) => ({ name, rate: 0.4, path: "*broadcast*" })),
    );

    for (let sent = 0; sent < 20; sent += 1) {
      await bench.outcome(transaction);
      if (sent % 4 === 3) await bench.mine();
    }

    await setFaults(bench, []);
    await bench.mine(10);
    assert.equal(await bench.timesIncluded(transaction.txId), 1);
    assert.equal(await bench.balance(bob.address), before + COIN);
  });
});
