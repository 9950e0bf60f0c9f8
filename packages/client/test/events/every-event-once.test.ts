import assert from "node:assert/strict";
import { EventServer, TronWebWatcher } from "../../../../test/support/events/tronweb-watcher.ts";
import type { ScriptedTransaction } from "../../../../test/support/fakes/fake-gateway.ts";
import { call, IncomingFixture, party, SLOT } from "../../../../test/support/incoming/incoming-fixture.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { topicOf } from "../../../tron/src/abi/abi-signature.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { EventWatch } from "../../src/events/event-entry.ts";

const CONTRACTS = [party(7), party(8), party(9)];
const OTHER = party(10);
const BLOCKS = 500;
const EVENTS = 5_000;
const REQUESTS_A_BLOCK = 2.05;
const TOPIC = topicOf("Moved(uint256)");
const OFFLINE = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "no network" });

/** Chain with events of three contracts, a window that watches them, and the watchers of TronWeb beside it. */
class WatchedChain {
  readonly shop = new IncomingFixture();
  readonly server = new EventServer(this.shop.gateway, (topic) => (topic === TOPIC ? "Moved" : ""));
  readonly peers = [undefined, 200].map((limit) => ({
    limit,
    watchers: CONTRACTS.map((it) => new TronWebWatcher(this.server, it, limit)),
  }));
  readonly roll = dice(34);
  watches: readonly EventWatch[] = [];
  #left = EVENTS;
  #value = 0;

  async start(): Promise<void> {
    await this.shop.start();
    this.watches = CONTRACTS.map((it) => this.shop.watchEvents(it));
    await this.startPeers();
  }

  async startPeers(): Promise<void> {
    for (const { watchers } of this.peers) {
      for (const it of watchers) await it.start(this.shop.gateway.head.timestamp);
    }
  }

  async poll(): Promise<void> {
    for (const { watchers } of this.peers) for (const it of watchers) await it.poll();
  }

  /** Transactions of a block with this many events; each of them has events of several contracts. */
  transactions(count: number): readonly ScriptedTransaction[] {
    const all: ScriptedTransaction[] = [];
    let left = Math.min(count, this.#left);
    this.#left -= left;
    while (left > 0) {
      const size = Math.min(left, 1 + this.roll(4));
      left -= size;
      const logs = Array.from({ length: size }, () => this.#log(CONTRACTS[this.roll(3)] ?? OTHER));
      all.push(call(logs[0]?.address ?? OTHER, { logs: [this.#log(OTHER), ...logs] }));
    }
    return all;
  }

  #log(address: (typeof CONTRACTS)[number]) {
    const data = (++this.#value).toString(16).padStart(64, "0") as Hex;
    return { address, topics: [TOPIC], data };
  }

  /** Mines transactions as a block of which the watchers hear in time. */
  async block(transactions: readonly ScriptedTransaction[]): Promise<void> {
    await this.shop.block(...transactions);
    await this.poll();
  }

  /** Takes blocks away, the solidified ones too, and returns their transactions. */
  restore(depth: number): readonly ScriptedTransaction[] {
    const { gateway } = this.shop;
    const height = gateway.solid.number - depth;
    const gone = gateway.chainBlocks.slice(height + 1).flatMap(({ transactions }) => transactions);
    const scripts = gone.map(({ txId }) => gateway.scriptOf(txId));
    gateway.restore(height);
    return scripts;
  }

  fail(isDown: boolean): void {
    const { gateway } = this.shop;
    this.server.isDown = isDown;
    if (!isDown) return;
    gateway.fail("solidBlock", OFFLINE);
    gateway.fail("solidTransactionInfos", OFFLINE);
  }

  /** Events of a contract in the chain, as `txID index`. */
  keysOf(contract: string): readonly string[] {
    const { gateway } = this.shop;
    return gateway.chainBlocks.slice(0, gateway.solid.number + 1).flatMap(({ transactions }) =>
      transactions.flatMap(({ txId }) =>
        (gateway.scriptOf(txId).info?.logs ?? []).flatMap((log, index) => {
          return log.address === contract ? [`${txId} ${index}`] : [];
        }),
      ),
    );
  }
}

describe("watcher of events of three contracts", () => {
  let chain: WatchedChain;
  afterEach(() => chain.shop.stop());

  it("finds each of 5,000 events once after restarts, sleep, reorganizations and faults, which TronWeb's loop does not", async () => {
    chain = new WatchedChain();
    const { shop, roll } = chain;
    await chain.start();
    const first = shop.gateway.solid.number;
    let again: readonly ScriptedTransaction[] = [];
    for (let block = 0; block < BLOCKS; block++) {
      const count = block === BLOCKS - 1 ? EVENTS : block % 50 === 7 ? 110 : roll(17);
      const transactions = [...again, ...chain.transactions(count)];
      again = [];
      chain.fail(roll(25) === 0);
      // The computer sleeps for forty blocks.
      const isAsleep = block >= 60 && block < 100;
      if (isAsleep) shop.mine(...transactions);
      else await chain.block(transactions);
      if (block === 99) shop.clock.jump(40 * SLOT);
      if (block === 120 || block === 350) {
        // Five blocks pass before the window is open again.
        await shop.stop();
        for (let missed = 0; missed < 5; missed++) shop.mine(...chain.transactions(10));
        shop.clock.jump(5 * SLOT);
        await shop.restart();
        await chain.startPeers();
      }
      if (block === 200) {
        shop.gateway.reorganise(3);
        again = shop.gateway.pending.map((txId) => shop.gateway.scriptOf(txId));
      }
      if (block === 250) shop.full = new Error("no space left");
      if (block === 253) shop.full = undefined;
      if (block === 300) again = chain.restore(6);
    }
    chain.fail(false);
    await shop.settle();

    const found = chain.watches.map((it) => shop.events(it).map(({ event }) => `${event.txId} ${event.index}`));
    const real = CONTRACTS.map((it) => chain.keysOf(it));
    assert.deepEqual(
      found.map((it) => it.toSorted()),
      real.map((it) => it.toSorted()),
    );
    assert.equal(found.flat().length, EVENTS);
    assert.equal(new Set(found.flat()).size, EVENTS);
    const read = shop.gateway.solid.number - first;
    const ratio = shop.gateway.requests.length / read;
    const lines = [
      `${EVENTS} events found once, ${shop.gateway.requests.length} requests for ${read} blocks: ${ratio.toFixed(3)} a block`,
      ...chain.peers.map(({ limit, watchers }) => {
        const seen = watchers.map((it) => it.seen);
        const lost = real.flatMap((keys, at) => keys.filter((key) => seen[at]?.has(key) !== true)).length;
        const repeated = seen.flatMap((it) => [...it.values()].filter((count) => count > 1)).length;
        assert.ok(lost > 0);
        return `TronWeb's loop with pages of ${limit ?? 20}: ${lost} lost, ${repeated} reported again`;
      }),
      `${(chain.server.requests / 2 / BLOCKS).toFixed(3)} requests of TronWeb's loop a block`,
    ];
    process.stdout.write(lines.map((it) => `      ${it}\n`).join(""));
    assert.ok(ratio <= REQUESTS_A_BLOCK, `${ratio} requests a block`);
  });
});
