import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { importMutant, type Mutation } from "../../../../test/support/random/mutants.ts";
import { anyChain, type Placed, type RandomChain, rawDataFor } from "../../../../test/support/random/random-chains.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import type { Block, Gateway } from "../../src/gateway/gateway.ts";
import * as real from "../../src/proof/absence-scan.ts";
import {
  type AbsenceScan,
  beginScan,
  SavedScan,
  type ScanStore,
  scanForAbsence,
} from "../../src/proof/absence-scan.ts";
import type { NoProof } from "../../src/proof/evidence.ts";
import { inclusionInterval } from "../../src/proof/inclusion-interval.ts";

/** Scanner under test: the real one, or one with a mistake. */
type Scanner = Pick<typeof real, "beginScan" | "scanForAbsence"> & {
  readonly inclusionInterval: typeof inclusionInterval;
};
const REAL: Scanner = { ...real, inclusionInterval };
const NEVER = new AbortController().signal;
const SOURCES = join(import.meta.dirname, "../../src/proof");

interface Outcome {
  readonly found: readonly TxId[];
  readonly absent: readonly real.BlockEvidence[];
  readonly foreign: readonly TxId[];
  readonly reason: NoProof | undefined;
  readonly scan: real.AbsenceScan;
}

async function run(gateway: Gateway, scan: real.AbsenceScan, { scanForAbsence } = REAL): Promise<Outcome> {
  const outcome = { found: [] as TxId[], absent: [] as real.BlockEvidence[], foreign: [] as TxId[] };
  let last = scan;
  for await (const step of scanForAbsence(gateway, scan, NEVER)) {
    if (step.kind === "stopped") return { ...outcome, reason: step.reason, scan: last };
    outcome.found.push(...step.found.map(({ transaction }) => transaction.txId));
    outcome.absent.push(...step.absent);
    outcome.foreign.push(...step.foreign);
    last = step.scan;
  }
  return { ...outcome, reason: undefined, scan: last };
}

function scanFor(transactions: readonly Placed[], scanner = REAL): real.AbsenceScan {
  return scanner.beginScan(transactions.map((it) => [it.txId, scanner.inclusionInterval(it)]));
}

/** Returns a transaction that no block contains and that expires after so many blocks. */
function unsentOn(gateway: FakeGateway, lifeBlocks: number): Placed {
  const { number, id, timestamp } = gateway.head;
  const expiration = timestamp + lifeBlocks * BLOCK_INTERVAL_MS;
  const rawDataHex = rawDataFor(id, expiration, 1);
  return {
    txId: fakeTxId(7),
    rawDataHex,
    expiration,
    solidHeight: number,
    height: undefined,
    interval: [number + 1, number + lifeBlocks],
  };
}

async function assertCorrect({ gateway, transactions }: RandomChain, scanner = REAL): Promise<void> {
  const { found, absent, reason } = await run(gateway, scanFor(transactions, scanner), scanner);
  const included = transactions.filter(({ height }) => height !== undefined).map(({ txId }) => txId);
  const never = transactions.filter(({ height }) => height === undefined).map(({ txId }) => txId);
  assert.equal(reason, undefined);
  assert.deepEqual(new Set(found), new Set(included));
  assert.deepEqual(new Set(absent.map(({ txId }) => txId)), new Set(never));
  const intervals = new Map(transactions.map((it) => [it.txId, it.interval]));
  for (const { txId, first, last } of absent) assert.deepEqual([first.number, last.number], intervals.get(txId));
}

/** Checks that a scan proves nothing for each known fault of a gateway. */
async function assertRejectsFaults(scanner = REAL): Promise<void> {
  for (const spoil of [withBrokenParent, withHole, withEmptyAnswer, withIncompleteBlock, withAnotherReference]) {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    gateway.mineEmpty(12);
    gateway.solidify();
    const { absent } = await run(spoil(gateway), scanFor([unsent], scanner), scanner);
    assert.deepEqual(absent, [], spoil.name);
  }
}

function withBrokenParent(gateway: FakeGateway): Gateway {
  gateway.replaceBlock(11, { parentId: "ab".repeat(32) as BlockId });
  return gateway;
}

function withHole(gateway: FakeGateway): Gateway {
  return withBlocks(gateway, (blocks) => blocks.filter(({ number }) => number !== 11));
}

/** Returns no block for any range. */
function withEmptyAnswer(gateway: FakeGateway): Gateway {
  return withBlocks(gateway, () => []);
}

/** Returns block 11 with transactions that do not match its ID. */
function withIncompleteBlock(gateway: FakeGateway): Gateway {
  gateway.replaceBlock(11, { complete: false });
  return gateway;
}

/** Returns a fork from before the reference block. */
function withAnotherReference(gateway: FakeGateway): Gateway {
  const id = `${(5).toString(16).padStart(16, "0")}${"cd".repeat(24)}` as BlockId;
  gateway.replaceBlock(5, { id });
  gateway.replaceBlock(6, { parentId: id });
  return gateway;
}

function withBlocks(gateway: FakeGateway, change: (blocks: readonly Block[]) => readonly Block[]): Gateway {
  return new Proxy(gateway, {
    get: (target, name) => {
      if (name === "solidBlocks") {
        return async (start: number, end: number) => change(await target.solidBlocks(start, end));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("scanForAbsence", () => {
  it("S82 finds each included transaction and proves each other one absent", async () => {
    await fc.assert(
      fc.asyncProperty(anyChain, (chain) => assertCorrect(chain)),
      { numRuns: 500 },
    );
  });

  it("S82 finds a transaction in a block whose time is after its expiration", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const late = unsentOn(gateway, 3);
    gateway.mineEmpty(2);
    const { timestamp } = gateway.mine([late.txId], gateway.head.timestamp + 10 * BLOCK_INTERVAL_MS);
    gateway.mineEmpty(3);
    gateway.solidify();

    const { found, absent } = await run(gateway, scanFor([late]));

    assert.ok(timestamp > late.expiration);
    assert.deepEqual({ found, absent }, { found: [late.txId], absent: [] });
  });

  it("S81 proves nothing before solidified time reaches the expiration, and continues where it stopped", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    gateway.mine([], gateway.head.timestamp + 9 * BLOCK_INTERVAL_MS);
    gateway.mine([], unsent.expiration - 1);
    gateway.solidify();
    const first = await run(gateway, scanFor([unsent]));
    gateway.mine([], unsent.expiration);
    gateway.solidify();
    gateway.requests.length = 0;
    const second = await run(gateway, first.scan);

    assert.deepEqual({ absent: first.absent, reason: first.reason?.kind }, { absent: [], reason: "not-reached" });
    assert.deepEqual([second.absent[0]?.first.number, second.absent[0]?.last.number], [6, 8]);
    assert.deepEqual(gateway.requests, ["solidBlock"]);
  });

  it("S85 proves nothing and returns the height after a missing block, an empty answer or a wrong parent", async () => {
    await assertRejectsFaults();
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    gateway.mineEmpty(12);
    gateway.solidify();

    assert.deepEqual((await run(withHole(gateway), scanFor([unsent]))).reason, { kind: "hole", height: 11 });
    assert.deepEqual((await run(withEmptyAnswer(gateway), scanFor([unsent]))).reason, { kind: "hole", height: 0 });
    assert.deepEqual((await run(withBrokenParent(gateway), scanFor([unsent]))).reason, {
      kind: "broken-link",
      height: 11,
    });
  });

  it("S85 proves nothing when the node goes backwards", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(150);
    const behind = { ...unsentOn(gateway, 10), solidHeight: 120 };
    gateway.mineEmpty(5);
    gateway.solidify();
    const { scan } = await run(gateway, scanFor([behind]));
    const lagging = new FakeGateway();
    lagging.mineEmpty(130);
    lagging.solidify();

    const { absent, reason } = await run(lagging, scan);

    assert.deepEqual({ absent, reason }, { absent: [], reason: { kind: "went-backwards", height: 155, newest: 130 } });
  });

  it("S82 proves nothing on a chain without the reference block", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    const other = new FakeGateway();
    other.mineEmpty(5);
    other.reorganise(3);
    other.mineEmpty(20);
    other.solidify();

    const { absent, foreign } = await run(other, scanFor([unsent]));

    assert.deepEqual({ absent, foreign }, { absent: [], foreign: [unsent.txId] });
  });

  it("H2: rejects a block without a signature up to the reference block, and none after it", async () => {
    for (const [height, reason] of [
      [4, { kind: "stranger", height: 4 }],
      [5, { kind: "stranger", height: 5 }],
      [6, undefined],
    ] as const) {
      const gateway = new FakeGateway();
      gateway.mineEmpty(5);
      const scan = scanFor([unsentOn(gateway, 10)]);
      assert.equal(scan.opensTo, 5);
      gateway.mineEmpty(12);
      gateway.replaceBlock(height, { seal: undefined as never });
      gateway.solidify();

      assert.deepEqual((await run(gateway, scan)).reason, reason, String(height));
    }
  });

  it("S85 proves nothing when the newest block is replaced or an answer is malformed", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    gateway.mineEmpty(3);
    gateway.solidify();
    const { scan } = await run(gateway, scanFor([unsent]));
    gateway.replaceBlock(8, { id: "ab".repeat(32) as BlockId });
    assert.deepEqual((await run(gateway, scan)).reason, { kind: "broken-link", height: 8 });

    const details = { endpoint: "x", reason: "no JSON", body: "" };
    gateway.fail("solidBlock", new ChainError("GATEWAY_ANSWER_MALFORMED", details));
    assert.equal((await run(gateway, scan)).reason?.kind, "unreadable");
    const down = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "refused" });
    gateway.fail("solidBlock", down);
    await assert.rejects(run(gateway, scan), { code: "GATEWAY_UNREACHABLE" });
  });

  it("S82 rejects a chain whose time does not advance", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 10);
    gateway.mineEmpty(12);
    gateway.replaceBlock(9, { timestamp: 0 });
    gateway.solidify();

    assert.deepEqual((await run(gateway, scanFor([unsent]))).reason, { kind: "broken-link", height: 9 });
  });

  it("S82 proves 500 transactions with one request for 100 blocks", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const all = Array.from({ length: 500 }, (_, index) => ({
      ...unsentOn(gateway, 20 + (index % 20)),
      txId: fakeTxId(index),
    }));
    gateway.mineEmpty(60);
    gateway.solidify();

    const { absent } = await run(gateway, scanFor(all));

    assert.equal(absent.length, 500);
    assert.deepEqual(gateway.requests, ["solidBlock", "solidBlocks 0 65"]);
  });

  it("stops between two requests when it is cancelled", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 350);
    gateway.mineEmpty(400);
    gateway.solidify();
    const stop = new AbortController();
    const steps: real.ScanStep[] = [];

    const scanning = async () => {
      for await (const step of real.scanForAbsence(gateway, scanFor([unsent]), stop.signal)) {
        steps.push(step);
        stop.abort(new Error("cancelled"));
      }
    };

    await assert.rejects(scanning, /cancelled/);
    assert.deepEqual(
      steps.map((it) => it.kind === "read" && it.scan.blocks.length),
      [100],
    );
  });

  it("returns the progress", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    const unsent = unsentOn(gateway, 150);
    gateway.mineEmpty(200);
    gateway.solidify();
    const progress: real.ScanProgress[] = [];

    for await (const step of real.scanForAbsence(gateway, scanFor([unsent]), NEVER)) {
      if (step.kind === "read") progress.push(real.progressOf(step.scan, inclusionInterval(unsent)));
    }

    assert.deepEqual(progress[0], { read: 94, total: 150 });
  });
});

describe("scanForAbsence with a mistake", () => {
  const mistakes: readonly (Mutation & { readonly name: string })[] = [
    {
      name: "an interval short by its first block",
      file: "inclusion-interval.ts",
      from: "first: height + 1,",
      to: "first: height + 2,",
    },
    {
      name: "an interval short by its last block",
      file: "absence-scan.ts",
      from: "of block.complete ? block.transactions : []) {",
      to: "of [...searched.values()].some((it) => isLast(it, block)) ? [] : block.transactions) {",
    },
    {
      name: "an interval that ends before its expiration",
      file: "inclusion-interval.ts",
      from: "return timestamp >= expiration;",
      to: "return timestamp + 3_000 >= expiration;",
    },
    {
      name: "one empty answer as a proof",
      file: "absence-scan.ts",
      from: "    if (reason === undefined) throw error;",
      to: `    if (reason?.kind === "hole") yield { kind: "read", scan, found: [], foreign: [], absent: [...scan.searched.keys()].map((txId) => ({ txId }) as never) };
    if (reason === undefined) throw error;`,
    },
    {
      name: "a block whose content was not checked",
      file: "absence-scan.ts",
      from: "return complete || !decides ?",
      to: "return complete || decides ?",
    },
    {
      name: "a reference block that nobody met",
      file: "inclusion-interval.ts",
      from: "reference !== undefined && refersTo(reference, block.id) ?",
      to: "reference !== undefined ?",
    },
    {
      name: "a parent hash that is ignored",
      file: "solidified-blocks.ts",
      from: "previous.id !== undefined && block.parentId !== previous.id",
      to: "false",
    },
  ];
  for (const mistake of mistakes) {
    it(`is detected by the tests: ${mistake.name}`, async () => {
      const scan = await importMutant<typeof real>(join(SOURCES, "absence-scan.ts"), mistake);
      const interval = await importMutant<Pick<Scanner, "inclusionInterval">>(
        join(SOURCES, "inclusion-interval.ts"),
        mistake,
      );
      const scanner = { ...scan, ...interval };
      const check = async (): Promise<void> => {
        await assertRejectsFaults(scanner);
        await fc.assert(
          fc.asyncProperty(anyChain, (chain) => assertCorrect(chain, scanner)),
          { numRuns: 300 },
        );
      };

      await assert.rejects(check);
    });
  }
});

const NETWORK = "Main";
const signal = new AbortController().signal;

class MemoryScans implements ScanStore {
  lines: string[] = [];
  readonly keys = new Set<string>();

  async load(key: string): Promise<readonly string[]> {
    this.keys.add(key);
    return this.lines;
  }

  async begin(key: string, lines: readonly string[]): Promise<void> {
    this.keys.add(key);
    this.lines = [...lines];
  }

  async append(key: string, line: string): Promise<void> {
    this.keys.add(key);
    this.lines.push(line);
  }
}

/** Returns a chain, and the scan for a transaction with an interval of 350 blocks. */
function fixture(): { gateway: FakeGateway; scan: AbsenceScan } {
  const gateway = new FakeGateway();
  gateway.mineEmpty(5);
  gateway.solidify();
  const { id, timestamp, number: solidHeight } = gateway.solid;
  const expiration = timestamp + 350 * BLOCK_INTERVAL_MS;
  const rawDataHex = rawDataFor(id, expiration, 1);
  const txId = transactionId(Buffer.from(rawDataHex, "hex"));
  gateway.mineEmpty(360);
  gateway.solidify();
  return { gateway, scan: beginScan([[txId, inclusionInterval({ rawDataHex, expiration, solidHeight })]]) };
}

/** Scans and saves so many steps, as a window that closes then. */
async function scanSome(
  gateway: FakeGateway,
  scan: AbsenceScan,
  store: ScanStore,
  steps: number,
): Promise<AbsenceScan> {
  const saved = new SavedScan(() => NETWORK, store);
  let last = scan;
  for await (const step of scanForAbsence(gateway, scan, signal)) {
    if (step.kind === "stopped" || steps-- === 0) return last;
    last = step.scan;
    await saved.save(last.searched.size === 0 ? undefined : last);
  }
  return last;
}

describe("SavedScan", () => {
  it("H1: stores a scan under one key when its chain becomes known meanwhile", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    let known: string | undefined;
    const saved = new SavedScan(() => known ?? "Old name", store);
    const first = await scanSome(gateway, scan, new MemoryScans(), 1);

    assert.equal(await saved.resume(), undefined);
    known = "chain";
    await saved.save(first);

    assert.deepEqual([...store.keys], ["Old name"]);
    await new SavedScan(() => "chain", store).resume();
    assert.deepEqual([...store.keys], ["Old name", "chain"]);
  });

  it("restores a scan after a restart, continues it and proves the same", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    const before = await scanSome(gateway, scan, store, 2);
    gateway.requests.length = 0;

    const taken = await new SavedScan(() => NETWORK, store).resume();

    assert.ok(taken);
    assert.deepEqual(taken, before);
    const absent = [];
    for await (const step of scanForAbsence(gateway, taken, signal)) {
      if (step.kind === "read") absent.push(...step.absent);
    }
    assert.equal(absent[0]?.count, 350);
    assert.equal(
      gateway.requests[1],
      `solidBlocks ${(before.blocks.at(-1)?.number ?? 0) + 1} ${(before.blocks.at(-1)?.number ?? 0) + 101}`,
    );
  });

  it("writes each block once, and removes all when everything is proven", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    const before = await scanSome(gateway, scan, store, 3);

    const ids = store.lines.flatMap((line) => (JSON.parse(line) as { ids: string[] }).ids);
    assert.deepEqual(
      ids,
      before.blocks.map(({ id }) => id),
    );

    await scanSome(gateway, scan, store, 9);
    assert.deepEqual(store.lines, []);
  });

  it("ignores a torn last line", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 2);
    const whole = (await new SavedScan(() => NETWORK, store).resume())?.blocks.length ?? 0;
    store.lines.push('{"ids":["00');

    assert.equal((await new SavedScan(() => NETWORK, store).resume())?.blocks.length, whole);
  });

  it("restores the blocks before a damaged line in the middle", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 1);
    const before = (await new SavedScan(() => NETWORK, store).resume())?.blocks.length ?? 0;
    await scanSome(gateway, scan, store, 3);
    store.lines = store.lines.with(1, '{"ids":["00');

    assert.equal((await new SavedScan(() => NETWORK, store).resume())?.blocks.length, before);
    assert.ok(before > 0);
  });

  it("writes nothing to remove a scan that was never stored", async () => {
    const store = new MemoryScans();

    await new SavedScan(() => NETWORK, store).save(undefined);

    assert.deepEqual([...store.keys], []);
  });

  it("replaces the stored scan when a new one begins before the first block or has fewer blocks", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    const long = await scanSome(gateway, scan, new MemoryScans(), 3);
    const short = { ...long, blocks: long.blocks.slice(0, 10) };
    const saved = new SavedScan(() => NETWORK, store);
    const stored = async () => (await new SavedScan(() => NETWORK, store).resume())?.blocks;

    for (const blocks of [[], [], long.blocks, short.blocks, long.blocks]) {
      await saved.save({ ...long, blocks });
      assert.deepEqual(await stored(), blocks.length === 0 ? undefined : blocks, `${blocks.length} blocks`);
    }
  });

  it("H2: starts again when an earlier version wrote the scan", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 2);
    const lines = [...store.lines];
    for (const v of [undefined, 1]) {
      store.lines = lines.map((line) => JSON.stringify({ ...JSON.parse(line), v }));

      assert.equal(await new SavedScan(() => NETWORK, store).resume(), undefined, String(v));
    }
  });

  it("does not restore a scan with a gap, or the same scan twice", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 3);
    const saved = new SavedScan(() => NETWORK, store);
    assert.ok(await saved.resume());
    assert.equal(await saved.resume(), undefined);

    store.lines.splice(1, 1);

    assert.equal(await new SavedScan(() => NETWORK, store).resume(), undefined);
  });

  it("stops at the first block of another chain", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 1);
    const taken = await new SavedScan(() => NETWORK, store).resume();
    const other = new FakeGateway();
    other.mineEmpty(100);
    other.reorganise(100);
    other.mineEmpty(400);
    other.solidify();

    assert.ok(taken);
    const steps = [];
    for await (const step of scanForAbsence(other, taken, signal))
      steps.push(step.kind === "stopped" && step.reason.kind);
    assert.deepEqual(steps, ["broken-link"]);
  });
});
