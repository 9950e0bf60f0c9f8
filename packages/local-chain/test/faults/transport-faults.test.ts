import assert from "node:assert/strict";
import { ChainBench, COIN, payment } from "../../../../test/support/chain/chain-bench.ts";
import { hitsOf, readOutcome, seenBroadcast, setFaults } from "../../../../test/support/chain/fault-bench.ts";
import { profileAt } from "../../../../test/support/fakes/gateway-fixtures.ts";
import type { BroadcastOutcome } from "../../../client/src/gateway/gateway.ts";
import { createHttpGateway } from "../../../client/src/gateway/http/http-gateway.ts";
import { bindToOrigins } from "../../../client/src/gateway/network.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

/** A fault around the routes: what a client sees of a broadcast, what our gateway makes of it, what the chain did. */
interface Case {
  readonly title: string;
  readonly fault: JsonObject;
  readonly wire: RegExp;
  readonly end: string;
  /** The outcome: kind, then the code of the cause or of the refusal. */
  readonly outcome: string;
  readonly executed: boolean;
}

const cases: readonly Case[] = [
  {
    title: "reset-before resets the connection, and nothing has happened",
    fault: { name: "reset-before" },
    wire: /^$/,
    end: "ECONNRESET",
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: false,
  },
  {
    title: "S105 lost-answer resets the connection after all has happened",
    fault: { name: "lost-answer" },
    wire: /^$/,
    end: "ECONNRESET",
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: true,
  },
  {
    title: "truncated-body ends in the middle of the answer, after all has happened",
    fault: { name: "truncated-body" },
    wire: /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"result":true,"txid":"[0-9a-f]*$/,
    end: "closed",
    outcome: "unknown GATEWAY_ANSWER_MALFORMED",
    executed: true,
  },
  {
    title: "not-json shows a page with status 200, after all has happened",
    fault: { name: "not-json" },
    wire: /^HTTP\/1\.1 200 [\s\S]*content-type: text\/html[\s\S]*<h1>200 OK</,
    end: "closed",
    outcome: "unknown GATEWAY_ANSWER_MALFORMED",
    executed: true,
  },
  {
    title: "S101 http-status with 4xx refuses, and nothing has happened",
    fault: { name: "http-status", status: 400 },
    wire: /^HTTP\/1\.1 400 /,
    end: "closed",
    outcome: "turned away GATEWAY_HTTP_STATUS",
    executed: false,
  },
  {
    title: "S100 http-status with 5xx refuses, and nothing has happened",
    fault: { name: "http-status", status: 503 },
    wire: /^HTTP\/1\.1 503 /,
    end: "closed",
    outcome: "unknown GATEWAY_HTTP_STATUS",
    executed: false,
  },
  {
    title: "S100 http-status-after answers 5xx after all has happened",
    fault: { name: "http-status-after", status: 502 },
    wire: /^HTTP\/1\.1 502 /,
    end: "closed",
    outcome: "unknown GATEWAY_HTTP_STATUS",
    executed: true,
  },
  {
    title: "S104 rate-limit answers 429 with seconds, and nothing has happened",
    fault: { name: "rate-limit", seconds: 7 },
    wire: /^HTTP\/1\.1 429 [\s\S]*retry-after: 7\r\n/,
    end: "closed",
    outcome: "turned away GATEWAY_RATE_LIMITED",
    executed: false,
  },
  {
    title: "S104 rate-limit answers 429 with a date, and nothing has happened",
    fault: { name: "rate-limit", seconds: 5, form: "date" },
    wire: /^HTTP\/1\.1 429 [\s\S]*retry-after: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/,
    end: "closed",
    outcome: "turned away GATEWAY_RATE_LIMITED",
    executed: false,
  },
  {
    title: "jwt-refusal ends the connection without a byte, and nothing has happened",
    fault: { name: "jwt-refusal" },
    wire: /^$/,
    end: "closed",
    outcome: "unknown GATEWAY_UNREACHABLE",
    executed: false,
  },
  {
    title: "jwt-refusal answers 401 when asked to, and nothing has happened",
    fault: { name: "jwt-refusal", how: "401" },
    wire: /^HTTP\/1\.1 401 /,
    end: "closed",
    outcome: "turned away GATEWAY_UNAUTHORIZED",
    executed: false,
  },
  {
    title: "duplicate-answer says that an accepted transaction is a duplicate",
    fault: { name: "duplicate-answer" },
    wire: /"code":"DUP_TRANSACTION_ERROR"/,
    end: "closed",
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

describe("a fault between client and node", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ seed: "transport" });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  for (const { title, fault, wire, end, outcome, executed } of cases) {
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

  it("S100 S135 reads get over each of them by asking again", async () => {
    const want = `block ${bench.head.number}`;
    for (const { fault } of cases.filter((it) => !/40[01]|401/.test(JSON.stringify(it.fault)))) {
      await setFaults(bench, [{ ...fault, count: 1, path: "/wallet/getnowblock" }]);
      assert.equal(await readOutcome(bench), want, JSON.stringify(fault));
      assert.deepEqual(hitsOf(bench), [1], JSON.stringify(fault));
    }
  });

  it("S3 jwt-refusal looks like a token that is not accepted while JWT is on", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const accessToken = async () => "a.b.c";
    const profile = profileAt(bench.chain.baseUrl, { jwt: true });
    const gateway = createHttpGateway(profile, {
      clock: bench.clock,
      accessToken: bindToOrigins(profile, accessToken),
    });
    await setFaults(bench, [{ name: "jwt-refusal" }]);

    const { outcome } = await gateway.broadcast(bench.signed(payment(alice, bob.address), [alice]));
    await gateway.close();

    assert.equal(outcome.kind === "unknown" && outcome.cause.code, "GATEWAY_SILENT");
    assert.equal(bench.chain.simulation.chain.pool.size, 0);
  });

  it("S105 after a lost answer the tracker does not know, looks, and finds it solidified", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = payment(alice, bob.address, COIN);
    const transaction = bench.signed(intent, [alice]);
    await setFaults(bench, [{ name: "lost-answer", count: 1, path: "/wallet/broadcasttransaction" }]);

    const sent = await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
    assert.equal(sent.state.kind, "unknown");
    assert.equal((await bench.tracker.lookNow(transaction.txId))?.state.kind, "pending");
    await bench.mine(10);
    assert.equal((await bench.tracker.lookNow(transaction.txId))?.state.kind, "solidified");
    assert.equal(await bench.timesIncluded(transaction.txId), 1);
  });

  it("S143 twenty rebroadcasts through a gateway that loses, repeats and fails execute it once", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const before = await bench.balance(bob.address);
    const transaction = bench.signed(payment(alice, bob.address, COIN), [alice]);
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
