import assert from "node:assert/strict";
import { coins, IncomingFixture, included, party, SLOT } from "../../../../test/support/incoming/incoming-fixture.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import type { IncomingWatch } from "../../src/incoming/incoming-entry.ts";

const ADDRESSES = 1_000;
const BLOCKS = 200;
const PAYMENTS = 5_000;
const TOKEN = "1000001";
const REQUESTS_A_BLOCK = 1.05;

/** Returns the sum of the payments of each watch. */
function totals(shop: IncomingFixture, watches: readonly IncomingWatch[]): readonly bigint[] {
  return watches.map((it) => shop.amounts(it).reduce((sum, amount) => sum + amount, 0n));
}

describe("tracker of payments to 1,000 addresses", () => {
  let shop: IncomingFixture;
  afterEach(() => shop.stop());

  it("counts each payment once with at most 1.05 requests per block after sleep, restart and reorganization", async () => {
    const roll = dice(6);
    shop = await new IncomingFixture().start();
    const watches = Array.from({ length: ADDRESSES }, (_, at) => {
      return shop.watch(party(100 + at), at % 2 === 0 ? {} : { token: { kind: "trc10", id: TOKEN } });
    });
    const expected = watches.map(() => 0n);
    const [first] = [shop.gateway.solid.number];
    const pay = () => {
      const at = roll(ADDRESSES);
      const amount = BigInt(1 + roll(1_000_000));
      expected[at] = (expected[at] ?? 0n) + amount;
      const to = party(100 + at);
      if (at % 2 === 0) return coins(to, amount);
      return included({ kind: "token-transfer", owner: party(1), to, tokenId: TOKEN, amount });
    };

    for (let block = 0; block < BLOCKS; block++) {
      const paid = Array.from({ length: PAYMENTS / BLOCKS }, pay);
      // The computer sleeps for forty blocks.
      if (block >= 60 && block < 100) shop.mine(...paid);
      else await shop.block(...paid);
      if (block === 99) shop.clock.jump(40 * SLOT);
      if (block === 120) await shop.restart();
      if (block === 150) {
        shop.gateway.reorganise(3);
        await shop.block(...shop.gateway.pending.map((txId) => ({ ...shop.gateway.scriptOf(txId) })));
      }
    }
    await shop.settle();

    assert.deepEqual(totals(shop, watches), expected);
    const counted = watches.reduce((sum, it) => sum + shop.amounts(it).length, 0);
    assert.equal(counted, PAYMENTS);
    const read = shop.gateway.solid.number - first;
    const ratio = shop.gateway.requests.length / read;
    process.stdout.write(
      `      ${shop.gateway.requests.length} requests for ${read} blocks: ${ratio.toFixed(3)} a block\n`,
    );
    assert.ok(ratio <= REQUESTS_A_BLOCK, `${ratio} requests a block`);
  });
});
