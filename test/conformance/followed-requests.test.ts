import assert from "node:assert/strict";
import type { TransactionTracker } from "../../packages/client/src/tracking/transaction-tracker.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { systemClock as clock } from "../../packages/node/src/system-clock.ts";
import type { Address } from "../../packages/tron/src/primitives/address.ts";
import { Balances } from "../../src/features/accounts-view/balances.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { TrackingLoad } from "../support/tracking/tracking-load.ts";

const COUNT = 200;
const BLOCKS = 15;
const ACCOUNTS = 26;

describe("200 transactions of others, with 26 accounts shown", () => {
  let chain: LocalChain;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0, accounts: ACCOUNTS });
  });

  after(() => chain.close());

  it("P5, P6: take requests by blocks and accounts", async function () {
    this.timeout(60_000);
    await using load = new TrackingLoad(chain.ready);
    const accounts = chain.simulation.accounts.map(({ hex }) => hex as Address);
    const follow = (tracker: TransactionTracker): void => {
      const balances = new Balances({
        clock,
        network: () => profileAt(chain.baseUrl),
        addresses: () => accounts,
        isOpen: () => false,
        isWatched: () => true,
        gatewayFor: async () => load.gateway,
        changed: () => undefined,
      });
      tracker.onDidChange((txIds) => balances.transactionsChanged(txIds.flatMap((it) => tracker.get(it) ?? [])));
    };

    const { requests, paths, durationMs } = await load.follow(COUNT, BLOCKS, follow);

    const of = (name: string): number => paths[name] ?? 0;
    const [reads, lookups] = [of("/walletsolidity/getblockbylimitnext"), of("/walletsolidity/gettransactioninfobyid")];
    const balances = of("/wallet/getaccount");
    process.stdout.write(
      `      ${requests} requests in ${(durationMs / 1_000).toFixed(1)} s: ${reads} block reads, ${lookups} lookups, ${balances} balances\n`,
    );
    assert.ok(reads <= BLOCKS, JSON.stringify(paths));
    assert.ok(lookups <= 2 * BLOCKS, JSON.stringify(paths));
    assert.ok(balances <= ACCOUNTS * (1 + Math.ceil(durationMs / 3_000)), JSON.stringify(paths));
  });
});
