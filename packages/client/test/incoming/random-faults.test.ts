import assert from "node:assert/strict";
import type { ScriptedTransaction } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  call,
  coins,
  IncomingFixture,
  LAG,
  paidInside,
  party,
  SLOT,
  transferEvent,
} from "../../../../test/support/incoming/incoming-fixture.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { IncomingWatch } from "../../src/incoming/incoming-entry.ts";

const DAYS = 10;
const STEPS = 60;
const TOKEN = party(7);
const SHOP = party(8);
const OFFLINE = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "no network" });

/** Watch and the token that it counts. */
interface WatchedToken {
  readonly watch: IncomingWatch;
  readonly kind: "coins" | "token";
}

interface ChainPayment {
  readonly to: string;
  readonly kind: WatchedToken["kind"];
  readonly amount: bigint;
}

/** Random run of a window: payments of every kind, and faults of the computer, the disk and the chain. */
class RandomRun {
  readonly shop = new IncomingFixture();
  readonly #roll: (bound: number) => number;
  readonly #watches: WatchedToken[] = [];
  /** Payments by height. */
  readonly #paid: ChainPayment[][] = [];

  constructor(seed: number) {
    this.#roll = dice(seed);
  }

  async live(): Promise<void> {
    await this.shop.start();
    this.#begin();
    for (let step = 0; step < STEPS; step++) await this.#step();
    // Without this call, a lower chain looks like a node that is behind.
    this.shop.tracker.startOver("Shop");
    await this.shop.settle();
  }

  /** Returns the counted payments of each watch and those of the chain. */
  *compared(): Iterable<readonly [counted: readonly bigint[], real: readonly bigint[]]> {
    for (const { watch, kind } of this.#watches) {
      const { watch: now, partedAt } = this.shop.standing(watch);
      // The chain was reset to a block before its start.
      if (partedAt !== undefined) continue;
      const real = this.#paid.slice(now.after.number + 1, this.shop.gateway.solid.number + 1).flat();
      const mine = real.filter((it) => it.to === watch.address && it.kind === kind);
      yield [sorted(this.shop.amounts(watch)), sorted(mine.map(({ amount }) => amount))];
    }
  }

  async #step(): Promise<void> {
    const { shop } = this;
    switch (this.#roll(12)) {
      case 0:
        return this.#begin();
      case 1:
        return await this.#sleep(this.#roll(150));
      case 2:
        return await shop.restart();
      case 3:
        return await this.#restoreSnapshot();
      case 4:
        shop.full = new Error("no space left");
        await this.#blocks(2);
        shop.full = undefined;
        return;
      case 5:
        shop.gateway.fail("solidBlock", OFFLINE);
        shop.gateway.fail("solidTransactionInfos", OFFLINE);
        return await this.#blocks(1);
      default:
        return await this.#blocks(1 + this.#roll(4));
    }
  }

  #begin(): void {
    const address = party(20 + this.#roll(3));
    const kind = this.#roll(2) === 0 ? "coins" : "token";
    const change = kind === "coins" ? {} : { token: { kind: "trc20", contract: TOKEN } as const };
    this.#watches.push({ watch: this.shop.watch(address, change), kind });
  }

  async #blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined++) await this.shop.block(...this.#payments());
  }

  async #sleep(blocks: number): Promise<void> {
    for (let mined = 0; mined < blocks; mined++) this.shop.mine(...this.#payments());
    this.shop.clock.jump(blocks * SLOT);
  }

  async #restoreSnapshot(): Promise<void> {
    const { gateway, tracker } = this.shop;
    gateway.restore(Math.max(17, gateway.solid.number - this.#roll(40)));
    this.#paid.length = gateway.head.number + 1;
    if (this.#roll(2) === 0) tracker.startOver("Shop");
    await this.#blocks(LAG + this.#roll(4));
  }

  #payments(): readonly ScriptedTransaction[] {
    const height = this.shop.gateway.head.number + 1;
    const paid: ChainPayment[] = [];
    this.#paid[height] = paid;
    return Array.from({ length: this.#roll(3) }, () => {
      const to = party(20 + this.#roll(4));
      const amount = BigInt(1 + this.#roll(1_000));
      const noted = (kind: WatchedToken["kind"]) => paid.push({ to, kind, amount });
      switch (this.#roll(5)) {
        case 0:
          noted("token");
          return call(TOKEN, { logs: transferEvent(TOKEN, to, amount) });
        case 1:
          noted("coins");
          return call(SHOP, { internal: paidInside(SHOP, to, amount) });
        case 2:
          return coins(to, amount, { contractResult: "OUT_OF_ENERGY" });
        case 3:
          noted("coins");
          return call(to, {}, { callValue: amount });
        default:
          noted("coins");
          return coins(to, amount);
      }
    });
  }
}

function sorted(amounts: readonly bigint[]): readonly bigint[] {
  return amounts.toSorted((left, right) => Number(left - right));
}

describe("tracker of payments under random faults", () => {
  for (let seed = 1; seed <= DAYS; seed++) {
    it(`counts each payment of the chain once (seed ${seed})`, async () => {
      const run = new RandomRun(seed);
      await run.live();
      await run.shop.stop();

      for (const [counted, real] of run.compared()) assert.deepEqual(counted, real);
    });
  }
});
