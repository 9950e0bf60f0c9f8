import assert from "node:assert/strict";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import { BLOCK_INTERVAL_MS } from "../../../tron/src/primitives/block.ts";
import { transactionId } from "../../../tron/src/primitives/bytes.ts";
import { type AbsenceScan, beginScan, scanForAbsence } from "../../src/proof/absence-scan.ts";
import { inclusionInterval } from "../../src/proof/inclusion-interval.ts";
import { KeptScan, type ScanStore } from "../../src/proof/kept-scan.ts";

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

/** A chain, and the scan for a transaction that could be in 350 of its blocks. */
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

/** Scans and keeps each step, until so many steps were kept: then the window is gone. */
async function scanSome(
  gateway: FakeGateway,
  scan: AbsenceScan,
  store: ScanStore,
  steps: number,
): Promise<AbsenceScan> {
  const kept = new KeptScan(() => NETWORK, store);
  let last = scan;
  for await (const step of scanForAbsence(gateway, scan, signal)) {
    if (step.kind === "stopped" || steps-- === 0) return last;
    last = step.scan;
    await kept.keep(last.wanted.size === 0 ? undefined : last);
  }
  return last;
}

describe("KeptScan", () => {
  it("H1: keeps all of a scan in one place, also when its chain is learned meanwhile", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    let known: string | undefined;
    const kept = new KeptScan(() => known ?? "Old name", store);
    const first = await scanSome(gateway, scan, new MemoryScans(), 1);

    assert.equal(await kept.takeUp(), undefined);
    known = "chain";
    await kept.keep(first);

    assert.deepEqual([...store.keys], ["Old name"]);
    await new KeptScan(() => "chain", store).takeUp();
    assert.deepEqual([...store.keys], ["Old name", "chain"]);
  });

  it("brings a scan back after a restart, which goes on from there and proves the same", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    const before = await scanSome(gateway, scan, store, 2);
    gateway.requests.length = 0;

    const taken = await new KeptScan(() => NETWORK, store).takeUp();

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

  it("writes each block once, and nothing is left when all is proven", async () => {
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

  it("goes on from the last whole line when the last one is torn", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 2);
    const whole = (await new KeptScan(() => NETWORK, store).takeUp())?.blocks.length ?? 0;
    store.lines.push('{"ids":["00');

    assert.equal((await new KeptScan(() => NETWORK, store).takeUp())?.blocks.length, whole);
  });

  it("H2: begins anew what an earlier version kept: nobody had checked it", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 2);
    const lines = [...store.lines];
    for (const v of [undefined, 1]) {
      store.lines = lines.map((line) => JSON.stringify({ ...JSON.parse(line), v }));

      assert.equal(await new KeptScan(() => NETWORK, store).takeUp(), undefined, String(v));
    }
  });

  it("takes up nothing that has a gap, and nothing twice", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 3);
    const kept = new KeptScan(() => NETWORK, store);
    assert.ok(await kept.takeUp());
    assert.equal(await kept.takeUp(), undefined);

    store.lines.splice(1, 1);

    assert.equal(await new KeptScan(() => NETWORK, store).takeUp(), undefined);
  });

  it("proves nothing with blocks of another chain: the next block tells", async () => {
    const { gateway, scan } = fixture();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 1);
    const taken = await new KeptScan(() => NETWORK, store).takeUp();
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
