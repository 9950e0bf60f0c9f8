import assert from "node:assert/strict";
import { transactionId } from "../../../../src/core/primitives/hash.ts";
import { type AbsenceScan, beginScan, scanForAbsence } from "../../../../src/core/replacement/absence-scan.ts";
import { inclusionInterval } from "../../../../src/core/replacement/inclusion-interval.ts";
import { KeptScan, type ScanStore } from "../../../../src/core/replacement/kept-scan.ts";
import { FakeGateway } from "../../../support/fake-gateway.ts";
import { rawDataFor, SLOT_MS } from "../../../support/random-chains.ts";

const NETWORK = "Main";
const signal = new AbortController().signal;

class MemoryScans implements ScanStore {
  lines: string[] = [];

  async load(): Promise<readonly string[]> {
    return this.lines;
  }

  async begin(_network: string, lines: readonly string[]): Promise<void> {
    this.lines = [...lines];
  }

  async append(_network: string, line: string): Promise<void> {
    this.lines.push(line);
  }
}

/** A chain, and the scan for a transaction that could be in 350 of its blocks. */
function scene(): { gateway: FakeGateway; scan: AbsenceScan } {
  const gateway = new FakeGateway();
  gateway.mineEmpty(5);
  gateway.solidify();
  const { id, timestamp, number: solidHeight } = gateway.solid;
  const expiration = timestamp + 350 * SLOT_MS;
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
  const kept = new KeptScan(NETWORK, store);
  let last = scan;
  for await (const step of scanForAbsence(gateway, scan, signal)) {
    if (step.kind === "stopped" || steps-- === 0) return last;
    last = step.scan;
    await kept.keep(last.wanted.size === 0 ? undefined : last);
  }
  return last;
}

describe("KeptScan", () => {
  it("brings a scan back after a restart, which goes on from there and proves the same", async () => {
    const { gateway, scan } = scene();
    const store = new MemoryScans();
    const before = await scanSome(gateway, scan, store, 2);
    gateway.requests.length = 0;

    const taken = await new KeptScan(NETWORK, store).takeUp();

    assert.ok(taken);
    assert.deepEqual(taken, before);
    const absent = [];
    for await (const step of scanForAbsence(gateway, taken, signal)) {
      if (step.kind === "read") absent.push(...step.absent);
    }
    assert.equal(absent[0]?.count, 350);
    assert.equal(gateway.requests[1], `solidBlocks ${(before.blocks.at(-1)?.number ?? 0) + 1} 305`);
  });

  it("writes each block once, and nothing is left when all is proven", async () => {
    const { gateway, scan } = scene();
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
    const { gateway, scan } = scene();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 2);
    const whole = (await new KeptScan(NETWORK, store).takeUp())?.blocks.length ?? 0;
    store.lines.push('{"ids":["00');

    assert.equal((await new KeptScan(NETWORK, store).takeUp())?.blocks.length, whole);
  });

  it("takes up nothing that has a gap, and nothing twice", async () => {
    const { gateway, scan } = scene();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 3);
    const kept = new KeptScan(NETWORK, store);
    assert.ok(await kept.takeUp());
    assert.equal(await kept.takeUp(), undefined);

    store.lines.splice(1, 1);

    assert.equal(await new KeptScan(NETWORK, store).takeUp(), undefined);
  });

  it("proves nothing with blocks of another chain: the next block tells", async () => {
    const { gateway, scan } = scene();
    const store = new MemoryScans();
    await scanSome(gateway, scan, store, 1);
    const taken = await new KeptScan(NETWORK, store).takeUp();
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
