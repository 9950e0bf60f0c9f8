import assert from "node:assert/strict";
import { ChainError } from "../../../../src/core/errors/chain-error.ts";
import type { CodeIntent } from "../../../../src/core/estimates/call-estimate.ts";
import { EstimateBook, WINDOW_BLOCKS } from "../../../../src/core/estimates/estimate-book.ts";
import type { EstimateSource } from "../../../../src/core/estimates/estimate-call.ts";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { hex } from "../../../../src/core/primitives/bytes.ts";
import { ChainBench } from "../../../support/chain-bench.ts";

/** A chain that counts who asks, and how many requests are under way at once. */
function counted(source: EstimateSource) {
  const count = { asked: 0, running: 0, most: 0 };
  const watched = new Proxy(source, {
    get: (target, name: keyof EstimateSource) =>
      name in target &&
      (async (...given: never[]) => {
        count.asked += 1;
        count.running += 1;
        count.most = Math.max(count.most, count.running);
        try {
          return await (target[name] as (...of: never[]) => Promise<unknown>).apply(target, given);
        } finally {
          count.running -= 1;
        }
      }),
  });
  return { count, watched };
}

describe("the book of estimates", () => {
  let bench: ChainBench;
  let now = 0;

  beforeEach(async () => {
    bench = await ChainBench.start();
    now = 1_000;
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  /** A deployment of as many different codes as wanted: code that leaves one byte, then a number. */
  function deployment(code: number, feeLimit = 1_000_000_000n): CodeIntent {
    return {
      ...{ kind: "contract-creation", owner: bench.person(0).address, name: "T", abi: hex(""), userPercent: 100n },
      bytecode: hex(`60016000f3${code.toString(16).padStart(8, "0")}`),
      ...{ callValue: sun(0n), feeLimit: sun(feeLimit), originEnergyLimit: 10_000_000n },
    };
  }

  function open(source: EstimateSource = bench.gateway) {
    const { count, watched } = counted(source);
    return {
      count,
      book: new EstimateBook({ sourceFor: async () => watched, now: () => now, onChange: () => undefined }),
    };
  }

  it("asks nothing before somebody asks", () => {
    const { book, count } = open();

    assert.equal(book.get("N", deployment(1)), undefined);
    assert.equal(count.asked, 0);
  });

  it("asks once for what several ask at the same time, and not again within the window", async () => {
    const { book, count } = open();
    const all = await Promise.all([1, 2, 3].map(() => book.ask({ network: "N", intent: deployment(1) })));
    const first = count.asked;
    await book.ask({ network: "N", intent: deployment(1) });

    assert.equal(new Set(all.map((it) => it.kind)).size, 1);
    assert.equal(count.asked, first);
    assert.ok(first <= 6, `${first} requests`);
  });

  it("compares a known figure with another fee limit without a request", async () => {
    const { book, count } = open();
    await book.ask({ network: "N", intent: deployment(1) });
    const before = count.asked;

    const entry = book.get("N", deployment(1, 0n));

    assert.ok(entry?.kind === "known" && entry.estimate.kind === "estimated");
    assert.ok(entry.estimate.energy === 0n || entry.estimate.cost.shortages[0]?.kind === "fee-limit");
    assert.equal(count.asked, before);
  });

  it("asks for 200 calls with at most two requests each and what they share, four at a time", async () => {
    const { book, count } = open();
    await Promise.all(Array.from({ length: 200 }, (_, code) => book.ask({ network: "N", intent: deployment(code) })));

    assert.ok(count.asked <= 2 * 200 + 4, `${count.asked} requests`);
    assert.equal(count.most, 4);
    process.stdout.write(`      200 calls: ${count.asked} requests, at most ${count.most} at a time\n`);
  }).timeout(20_000);

  it("asks again when the window is over", async () => {
    const { book, count } = open();
    await book.ask({ network: "N", intent: deployment(1) });
    const before = count.asked;
    now += WINDOW_BLOCKS * 3_000;

    const entry = book.get("N", deployment(1));
    await book.ask({ network: "N", intent: deployment(1) });

    assert.ok(entry?.kind === "known");
    assert.equal(book.ageInBlocks({ ...entry, askedAt: 1_000 }), WINDOW_BLOCKS);
    assert.ok(count.asked > before);
  });

  it("asks nothing of a gateway that said 429 until its time is over", async () => {
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "http://n.test", retryAfterMs: 5_000 });
    const { book, count } = open({ ...bench.gateway, headBlock: () => Promise.reject(limited) } as EstimateSource);
    const first = await book.ask({ network: "N", intent: deployment(1) });
    const before = count.asked;
    await book.ask({ network: "N", intent: deployment(2) });
    assert.equal(count.asked, before);
    now += 5_000;
    await book.ask({ network: "N", intent: deployment(2) });

    assert.equal(first.kind, "unavailable");
    assert.ok(count.asked > before);
  });

  it("leaves out what nobody waits for any more", async () => {
    const { book, count } = open();
    const closed = new AbortController();
    const asked = Promise.allSettled(
      Array.from({ length: 50 }, (_, code) => book.ask({ network: "N", intent: deployment(code) }, closed.signal)),
    );
    closed.abort(new Error("closed"));

    const ends = await asked;

    assert.ok(ends.every(({ status }) => status === "rejected"));
    assert.ok(count.asked < 10, `${count.asked} requests`);
  });
});
