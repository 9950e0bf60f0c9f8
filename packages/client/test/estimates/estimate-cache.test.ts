import assert from "node:assert/strict";
import { ChainBench } from "../../../../test/support/chain/chain-bench.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import type { CodeIntent } from "../../src/estimates/call-estimate.ts";
import { EstimateCache, WINDOW_BLOCKS } from "../../src/estimates/estimate-cache.ts";
import type { EstimateSource } from "../../src/estimates/estimate-call.ts";

/** Returns a source that counts its requests, and how many run at the same time. */
function counted(source: EstimateSource) {
  const count = { requests: 0, running: 0, most: 0 };
  const watched = new Proxy(source, {
    get: (target, name: keyof EstimateSource) =>
      name in target &&
      (async (...input: never[]) => {
        count.requests += 1;
        count.running += 1;
        count.most = Math.max(count.most, count.running);
        try {
          return await (target[name] as (...of: never[]) => Promise<unknown>).apply(target, input);
        } finally {
          count.running -= 1;
        }
      }),
  });
  return { count, watched };
}

function burningCall(feeLimit: bigint): CodeIntent {
  return {
    kind: "contract-call",
    owner: parseAddress(`41${"aa".repeat(20)}`),
    contract: parseAddress(`41${"bb".repeat(20)}`),
    data: hex(""),
    callValue: sun(0n),
    feeLimit: sun(feeLimit),
  };
}

/** Returns a source whose estimateenergy result is below the energy of the constant call. */
function burningChain(): Omit<EstimateSource, "constantCall"> {
  const parameters = new Map([
    ["getEnergyFee", 210n],
    ["getMaxFeeLimit", 15_000_000_000n],
  ]);
  return {
    headBlock: async () => ({ number: 7, timestamp: 0 }),
    chainParameters: async () => parameters,
    account: async () => ({ balance: sun(10n ** 12n) }) as never,
    accountResources: async () => undefined,
    isSolid: async () => true,
    estimateEnergy: async () => 70_322_158n,
    deployedContract: async () => undefined,
  };
}

describe("EstimateCache", () => {
  let bench: ChainBench;
  let now = 0;

  before(async () => {
    bench = await ChainBench.start();
  });
  beforeEach(() => {
    now = 1_000;
  });
  after(() => bench[Symbol.asyncDispose]());

  /** Returns a deployment of code that depends on the number. */
  function deployment(code: number, feeLimit = 1_000_000_000n): CodeIntent {
    return {
      kind: "contract-creation",
      owner: bench.person(0).address,
      name: "T",
      abi: hex(""),
      userPercent: 100n,
      bytecode: hex(`60016000f3${code.toString(16).padStart(8, "0")}`),
      callValue: sun(0n),
      feeLimit: sun(feeLimit),
      originEnergyLimit: 10_000_000n,
    };
  }

  function open(source: EstimateSource = bench.gateway) {
    const { count, watched } = counted(source);
    return {
      count,
      cache: new EstimateCache({ sourceFor: async () => watched, now: () => now, onChange: () => undefined }),
    };
  }

  it("sends no request before an estimate is requested", () => {
    const { cache, count } = open();

    assert.equal(cache.get("N", deployment(1)), undefined);
    assert.equal(count.requests, 0);
    assert.equal(cache.isEmpty, true);
  });

  it("is no longer empty during the first request and after it", async () => {
    const { cache } = open();
    const pending = cache.estimate({ network: "N", intent: deployment(1) });

    assert.equal(cache.isEmpty, false);
    await pending;
    assert.equal(cache.isEmpty, false);
  });

  const other = (data: string): CodeIntent => ({ ...burningCall(1n), data: hex(data) }) as CodeIntent;
  const plainRun = { reverted: false, energyUsed: 28_057n, energyPenalty: 0n, returned: hex(""), events: [] };

  it("shares data with a new request while another one of the network is pending", async () => {
    const { promise: never } = Promise.withResolvers<never>();
    let heads = 0;
    const { cache } = open({
      ...burningChain(),
      headBlock: async () => ({ number: ++heads, timestamp: 0 }),
      constantCall: async ({ data }) => (data === "aa" ? never : plainRun),
    });
    const closed = new AbortController();
    const waits = cache.estimate({ network: "N", intent: other("aa") }, closed.signal);
    await cache.estimate({ network: "N", intent: other("01") });
    await cache.estimate({ network: "N", intent: other("02") });

    assert.equal(heads, 1);
    closed.abort(new Error("closed"));
    await assert.rejects(waits, /closed/);
  });

  it("keeps the request of a later caller when a cancelled one ends", async () => {
    const runs = [Promise.withResolvers<typeof plainRun>(), Promise.withResolvers<typeof plainRun>()] as const;
    let calls = 0;
    const { cache } = open({
      ...burningChain(),
      constantCall: async ({ contract }) =>
        contract === undefined ? plainRun : await (runs[calls++] ?? runs[1]).promise,
    });
    const closed = new AbortController();
    const left = cache.estimate({ network: "N", intent: other("01") }, closed.signal);
    while (calls < 1) await Promise.resolve();
    closed.abort(new Error("closed"));
    await assert.rejects(left, /closed/);
    const stays = cache.estimate({ network: "N", intent: other("01") });
    while (calls < 2) await Promise.resolve();

    runs[0].resolve(plainRun);
    for (let turns = 0; turns < 100; turns++) await Promise.resolve();

    assert.deepEqual(cache.get("N", other("01")), { kind: "asking" });
    runs[1].resolve(plainRun);
    assert.equal((await stays).kind, "estimated");
  });

  it("estimates the other calls when the node refuses one of them", async () => {
    const refusal = new ChainError("NODE_REFUSED", { endpoint: "http://n.test", code: "Error", message: "", body: "" });
    const { cache } = open({
      ...burningChain(),
      constantCall: async ({ data }) => (data === "00" ? Promise.reject(refusal) : plainRun),
    });
    const calls = Array.from({ length: 10 }, (_, index) => other(index.toString(16).padStart(2, "0")));

    const all = await Promise.all(calls.map((intent) => cache.estimate({ network: "N", intent })));

    assert.deepEqual(
      all.map(({ kind }) => kind),
      ["unavailable", ...Array.from({ length: 9 }, () => "estimated")],
    );
  });

  it("sends one request for concurrent callers, and none within the window", async () => {
    const { cache, count } = open();
    const all = await Promise.all([1, 2, 3].map(() => cache.estimate({ network: "N", intent: deployment(1) })));
    const first = count.requests;
    await cache.estimate({ network: "N", intent: deployment(1) });

    assert.equal(new Set(all.map((it) => it.kind)).size, 1);
    assert.equal(count.requests, first);
    assert.ok(first <= 6, `${first} requests`);
  });

  it("compares a stored estimate with another fee limit without a request", async () => {
    const { cache, count } = open();
    await cache.estimate({ network: "N", intent: deployment(1) });
    const before = count.requests;

    const entry = cache.get("N", deployment(1, 0n));

    assert.ok(entry?.kind === "known" && entry.estimate.kind === "estimated");
    assert.ok(entry.estimate.energy === 0n || entry.estimate.cost.shortages[0]?.kind === "fee-limit");
    assert.equal(count.requests, before);
  });

  it("N4: measures again under another fee limit when the energy depends on it, and only on request", async () => {
    const word = (value: bigint): string => value.toString(16).padStart(64, "0");
    const burning: EstimateSource = {
      ...burningChain(),
      // A run under a limit is code that calls the contract.
      constantCall: async ({ contract }) => ({
        reverted: false,
        energyUsed: contract === undefined ? 100_000n : 98_442_819n,
        energyPenalty: 0n,
        events: [],
        returned: hex(contract === undefined ? word(1n) + word(4_692_880n) + word(0n) : ""),
      }),
    };
    const { cache, count } = open(burning);
    const [thousand, two] = [1_000_000_000n, 2_000_000_000n].map((feeLimit) => burningCall(feeLimit));
    assert.ok(thousand !== undefined && two !== undefined);
    const accuracyOf = (intent: CodeIntent) => {
      const entry = cache.get("N", intent);
      return entry?.kind === "known" && entry.estimate.kind === "estimated" ? entry.estimate.accuracy : entry?.kind;
    };

    await cache.estimate({ network: "N", intent: thousand });
    const first = count.requests;
    await cache.estimate({ network: "N", intent: thousand });
    assert.equal(count.requests, first);
    assert.deepEqual([accuracyOf(thousand), accuracyOf(two)], ["measured", "at-most"]);
    await cache.estimate({ network: "N", intent: two });
    assert.ok(count.requests > first);
    assert.equal(accuracyOf(two), "measured");
  });

  it("estimates 200 calls with at most two requests each, four at a time", async () => {
    const { cache, count } = open();
    await Promise.all(
      Array.from({ length: 200 }, (_, code) => cache.estimate({ network: "N", intent: deployment(code) })),
    );

    assert.ok(count.requests <= 2 * 200 + 4, `${count.requests} requests`);
    assert.equal(count.most, 4);
    process.stdout.write(`      200 calls: ${count.requests} requests, at most ${count.most} at a time\n`);
  }).timeout(20_000);

  it("requests again when the window is over", async () => {
    const { cache, count } = open();
    await cache.estimate({ network: "N", intent: deployment(1) });
    const before = count.requests;
    now += WINDOW_BLOCKS * 3_000;

    const entry = cache.get("N", deployment(1));
    await cache.estimate({ network: "N", intent: deployment(1) });

    assert.ok(entry?.kind === "known");
    assert.equal(cache.ageInBlocks({ ...entry, askedAt: 1_000 }), WINDOW_BLOCKS);
    assert.ok(count.requests > before);
  });

  it("waits for the time of a 429", async () => {
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "http://n.test", retryAfterMs: 5_000 });
    const { cache, count } = open({ ...bench.gateway, headBlock: () => Promise.reject(limited) } as EstimateSource);
    const first = await cache.estimate({ network: "N", intent: deployment(1) });
    const before = count.requests;
    await cache.estimate({ network: "N", intent: deployment(2) });
    assert.equal(count.requests, before);
    now += 4_999;
    await cache.estimate({ network: "N", intent: deployment(2) });
    assert.equal(count.requests, before);
    now += 1;
    await cache.estimate({ network: "N", intent: deployment(2) });

    assert.equal(first.kind, "unavailable");
    assert.ok(count.requests > before);
  });

  it("sends few requests when all callers cancel at once", async () => {
    const { cache, count } = open();
    const closed = new AbortController();
    const estimates = Promise.allSettled(
      Array.from({ length: 50 }, (_, code) =>
        cache.estimate({ network: "N", intent: deployment(code) }, closed.signal),
      ),
    );
    closed.abort(new Error("closed"));

    const ends = await estimates;

    assert.ok(ends.every(({ status }) => status === "rejected"));
    assert.ok(count.requests < 10, `${count.requests} requests`);
  });

  it("stops sending when all callers cancel in the middle", async () => {
    const closed = new AbortController();
    let answered = 0;
    const source = new Proxy(bench.gateway as EstimateSource, {
      get:
        (target, name: keyof EstimateSource) =>
        async (...input: never[]) => {
          answered += 1;
          if (answered === 20) closed.abort(new Error("closed"));
          return await (target[name] as (...of: never[]) => Promise<unknown>).apply(target, input);
        },
    });
    const { cache, count } = open(source);
    const owner = (code: number) => bench.person(code % 10).address;
    const all = Array.from({ length: 100 }, (_, code) => ({ ...deployment(code), owner: owner(code) }));

    const ends = await Promise.allSettled(all.map((intent) => cache.estimate({ network: "N", intent }, closed.signal)));
    const after = await cache.estimate({ network: "N", intent: deployment(1) });

    assert.ok(ends.every(({ status }) => status === "rejected"));
    assert.equal(after.kind, "estimated");
    assert.ok(count.requests <= 20 + 4 + 6, `${count.requests} requests, those of the last question among them`);
  });

  it("sends a new request for a caller that comes after all others have cancelled", async () => {
    const { cache, count } = open();
    const closed = new AbortController();
    const left = cache.estimate({ network: "N", intent: deployment(1) }, closed.signal);
    closed.abort(new Error("closed"));
    const after = cache.estimate({ network: "N", intent: deployment(1) });

    await assert.rejects(left, /closed/);
    assert.equal((await after).kind, "estimated");
    assert.equal(cache.get("N", deployment(1))?.kind, "known");
    assert.ok(count.requests > 0);
  });

  it("keeps a stored estimate when a cancelled request fails later", async () => {
    const down = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://n.test", attempts: 1, reason: "refused" });
    const late = Promise.withResolvers<never>();
    let heads = 0;
    const headBlock = () => {
      heads += 1;
      return heads === 1 ? bench.gateway.headBlock() : late.promise;
    };
    const source = new Proxy(bench.gateway as EstimateSource, {
      get: (target, name: keyof EstimateSource) =>
        name === "headBlock" ? headBlock : (target[name] as () => unknown).bind(target),
    });
    const { cache } = open(source);
    await cache.estimate({ network: "N", intent: deployment(1) });
    const closed = new AbortController();
    const left = cache.estimate({ network: "N", intent: deployment(1), refresh: true }, closed.signal);
    const stays = cache.estimate({ network: "N", intent: deployment(2) });
    closed.abort(new Error("closed"));
    await assert.rejects(left, /closed/);

    late.reject(down);

    assert.equal((await stays).kind, "unavailable");
    const entry = cache.get("N", deployment(1));
    assert.ok(entry?.kind === "known");
    assert.equal(entry.estimate.kind, "estimated");
  });

  it("reads new accounts from one network while another does not answer", async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const { count, watched } = counted(bench.gateway);
    const silent = new Proxy(bench.gateway as EstimateSource, {
      get: (target, name: keyof EstimateSource) => (name === "headBlock" ? () => never : target[name]),
    });
    const sourceFor = async (network: string) => (network === "silent" ? silent : watched);
    const cache = new EstimateCache({ sourceFor, now: () => now, onChange: () => undefined });
    const closed = new AbortController();
    const waits = cache.estimate({ network: "silent", intent: deployment(1) }, closed.signal);
    await cache.estimate({ network: "N", intent: deployment(1) });
    const first = count.requests;
    await cache.estimate({ network: "N", intent: deployment(1), refresh: true });

    assert.equal(count.requests, 2 * first);
    closed.abort(new Error("closed"));
    await assert.rejects(waits, /closed/);
  });

  it("continues for the other callers when one cancels", async () => {
    const { cache, count } = open();
    const closed = new AbortController();
    const left = cache.estimate({ network: "N", intent: deployment(1) }, closed.signal);
    const stays = cache.estimate({ network: "N", intent: deployment(1) });
    closed.abort(new Error("closed"));

    await assert.rejects(left, /closed/);
    assert.equal((await stays).kind, "estimated");
    assert.ok(count.requests <= 6, `${count.requests} requests`);
  });

  it("sends no queued request after a 429", async () => {
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "http://n.test", retryAfterMs: 5_000 });
    let runs = 0;
    const constantCall: EstimateSource["constantCall"] = async (run, signal) => {
      runs += 1;
      if (runs > 10) throw limited;
      return await bench.gateway.constantCall(run, signal);
    };
    const source = new Proxy(bench.gateway as EstimateSource, {
      get: (target, name: keyof EstimateSource) =>
        name === "constantCall" ? constantCall : (target[name] as () => unknown).bind(target),
    });
    const { cache } = open(source);

    const all = await Promise.all(
      Array.from({ length: 200 }, (_, code) => cache.estimate({ network: "N", intent: deployment(code) })),
    );

    assert.ok(runs <= 14, `${runs} calls were sent`);
    assert.ok(all.filter((it) => it.kind === "unavailable").length >= 186);
  });

  it("requests a missing estimateenergy endpoint once", async () => {
    await using without = await ChainBench.start({ node: { estimateEnergy: false } });
    const { cache, count } = open(without.gateway);
    const owner = without.person(0).address;

    for (const code of [1, 2, 3])
      assert.equal((await cache.estimate({ network: "N", intent: { ...deployment(code), owner } })).kind, "estimated");
    const all = Array.from({ length: 40 }, (_, code) => ({ ...deployment(code + 10), owner }));
    await Promise.all(all.map((intent) => cache.estimate({ network: "N", intent })));

    assert.ok(without.requests("/wallet/estimateenergy") <= 3 + 4, `${without.requests("/wallet/estimateenergy")}`);
    assert.ok(count.requests > 0);
  });

  it("separates networks, callers, values and data", async () => {
    const { cache } = open();
    await cache.estimate({ network: "N", intent: deployment(1) });

    assert.equal(cache.get("M", deployment(1)), undefined);
    assert.equal(cache.get("N", deployment(2)), undefined);
    assert.equal(cache.get("N", { ...deployment(1), owner: bench.person(1).address }), undefined);
    assert.equal(cache.get("N", { ...deployment(1), callValue: sun(1n) }), undefined);
    assert.notEqual(cache.get("N", deployment(1, 5n)), undefined, "whatever the limit is");
  });

  it("requests again within the window after a failure", async () => {
    let isDown = true;
    const down = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://n.test", attempts: 1, reason: "refused" });
    const source = {
      headBlock: () => (isDown ? Promise.reject(down) : bench.gateway.headBlock()),
    };
    const { cache } = open(
      new Proxy(bench.gateway as EstimateSource, {
        get: (target, name: keyof EstimateSource) =>
          name === "headBlock" ? source.headBlock : (target[name] as () => unknown).bind(target),
      }),
    );
    assert.equal((await cache.estimate({ network: "N", intent: deployment(1) })).kind, "unavailable");
    isDown = false;

    assert.equal((await cache.estimate({ network: "N", intent: deployment(1) })).kind, "estimated");
  });
});
