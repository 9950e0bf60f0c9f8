import assert from "node:assert/strict";
import { messageOf, type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { systemActuators } from "../../src/actuators/actuators.ts";
import { solidifiedHeight } from "../../src/chain/block.ts";
import type { Actuator } from "../../src/chain/execution.ts";
import { isTooOld } from "../../src/chain/mempool.ts";

const balanceOf = async (chain: TestChain, side: string, index: number): Promise<unknown> =>
  (await chain.ask(`/${side}/getaccount`, { address: chain.accounts[index]?.hex ?? "" })).balance;

describe("Blockchain", () => {
  it("S2 shows a block under /wallet/ at once, and under /walletsolidity/ when it is solidified", async () => {
    const chain = await testChain();
    const transfer = chain.transfer();
    await chain.send(transfer);
    chain.mine();

    const value = { value: transfer.id };
    assert.equal((await chain.ask("/wallet/gettransactioninfobyid", value)).id, transfer.id);
    assert.deepEqual(await chain.ask("/walletsolidity/gettransactioninfobyid", value), {});
    assert.deepEqual(await chain.ask("/walletsolidity/gettransactionbyid", value), {});
    chain.mine(4);
    assert.deepEqual(await chain.ask("/walletsolidity/gettransactionbyid", value), {});
    chain.mine();
    for (const name of ["gettransactioninfobyid", "gettransactionbyid"]) {
      assert.deepEqual(await chain.ask(`/walletsolidity/${name}`, value), await chain.ask(`/wallet/${name}`, value));
    }
  });

  it("S2 shows pending transfers in balances of the head side only", async () => {
    const chain = await testChain();
    await chain.send(chain.transfer({ amount: 5n }));

    assert.equal(await balanceOf(chain, "wallet", 1), 10_000_000_005);
    assert.equal(await balanceOf(chain, "walletsolidity", 1), 10_000_000_000);
    chain.mine(5);
    assert.equal(await balanceOf(chain, "walletsolidity", 1), 10_000_000_000);
    chain.mine();
    assert.equal(await balanceOf(chain, "walletsolidity", 1), 10_000_000_005);
  });

  it("makes blocks irreversible floor(0.7 n) behind the head when n witnesses produce blocks", async () => {
    for (const [witnesses, lag] of [
      [1, 0],
      [3, 2],
      [5, 3],
      [7, 4],
      [27, 18],
    ] as const) {
      const { simulation, mine } = await testChain({ witnesses });
      mine(30);
      const { head, irreversible } = simulation.chain;
      assert.equal(head.header.number - irreversible.header.number, lag, `${witnesses} witnesses`);
    }
    assert.equal(solidifiedHeight([9, 0, 0, 0, 0]), 0);
  });

  it("shows a block as solidified two blocks after it is irreversible, and at once when a transaction arrives", async () => {
    for (const [witnesses, lag] of [
      [1, 0],
      [5, 3],
    ] as const) {
      const chain = await testChain({ witnesses });
      const behind = async (): Promise<number> => {
        const { block_header } = await chain.ask("/walletsolidity/getnowblock", {});
        const { number } = (block_header as { raw_data: { number: number } }).raw_data;
        return chain.simulation.chain.head.header.number - number;
      };
      chain.mine(9);
      assert.equal(await behind(), lag + 2);
      await chain.send(chain.transfer());
      assert.equal(await behind(), lag);
      chain.mine();
      assert.equal(await behind(), lag + 1);
      chain.mine();
      assert.equal(await behind(), lag + 2);
    }
  });

  it("produces the same chain for the same seed and requests", async () => {
    const run = async (): Promise<unknown[]> => {
      const chain = await testChain({ seed: "twice" });
      const built = await chain.ask("/wallet/createtransaction", {
        owner_address: chain.accounts[0]?.hex ?? "",
        to_address: chain.accounts[1]?.hex ?? "",
        amount: 1,
      });
      await chain.send(chain.transfer());
      chain.mine(3);
      return [built, await chain.ask("/wallet/getblockbylimitnext", { startNum: 0, endNum: 100 })];
    };

    assert.deepEqual(await run(), await run());
    const other = await testChain({ seed: "other" });
    assert.notEqual(other.simulation.chain.head.id, (await testChain({ seed: "twice" })).simulation.chain.head.id);
  });

  it("builds equal transactions that differ only by timestamp", async () => {
    const chain = await testChain();
    const body = { owner_address: chain.accounts[0]?.hex ?? "", to_address: chain.accounts[1]?.hex ?? "", amount: 1 };
    const [first, second] = [
      await chain.ask("/wallet/createtransaction", body),
      await chain.ask("/wallet/createtransaction", body),
    ];

    assert.notEqual(first.txID, second.txID);
    const { timestamp: _one, ...left } = first.raw_data as { timestamp: number };
    const { timestamp: _two, ...right } = second.raw_data as { timestamp: number };
    assert.deepEqual(left, right);
  });

  it("restores a snapshot with pool and solidified state repeatedly", async () => {
    const chain = await testChain();
    await chain.send(chain.transfer({ amount: 3n }));
    chain.mine(2);
    const waiting = chain.transfer({ amount: 4n });
    await chain.send(waiting);
    await chain.ask("/local/snapshot", { id: "here" });
    const at = async (): Promise<unknown> => [
      await chain.ask("/wallet/getnowblock"),
      await chain.ask("/walletsolidity/getnowblock"),
      await chain.ask("/wallet/gettransactionlistfrompending"),
      await balanceOf(chain, "wallet", 1),
      await balanceOf(chain, "walletsolidity", 1),
    ];
    const before = await at();

    for (let round = 0; round < 2; round += 1) {
      chain.mine(7);
      assert.equal(await balanceOf(chain, "walletsolidity", 1), 10_000_000_007);
      await chain.ask("/local/restore", { id: "here" });
      assert.deepEqual(await at(), before);
    }
  });

  it("leaves transactions beyond two million bytes in the pool, in order of arrival", async () => {
    const chain = await testChain();
    const memo = new Uint8Array(490_000);
    const sent = [1n, 2n, 3n, 4n, 5n].map((amount) => chain.transfer({ amount, memo }));
    for (const transfer of sent) assert.equal((await chain.send(transfer)).result, true);

    chain.mine();
    assert.equal(chain.simulation.chain.head.transactions.length, 4);
    assert.deepEqual((await chain.ask("/wallet/gettransactionlistfrompending")).txId, [sent[4]?.id]);
    chain.mine();
    assert.equal(chain.simulation.chain.head.transactions[0]?.transaction.id, sent[4]?.id);
  });

  it("drops transactions that are pending for a minute of chain time", () => {
    const entry = { since: 1000 } as Parameters<typeof isTooOld>[0];
    assert.equal(isTooOld(entry, 61_000), false);
    assert.equal(isTooOld(entry, 61_001), true);
  });

  it("drops pending transactions silently when a block invalidates them", async () => {
    const chain = await testChain();
    const whole = 10_000_000_000n;
    const [first, second] = [
      chain.transfer({ amount: whole }),
      chain.transfer({ amount: whole, memo: Uint8Array.of(1) }),
    ];
    await chain.send(first);
    assert.equal((await chain.send(second)).code, "BANDWITH_ERROR");
    chain.mine();
    assert.equal((await chain.ask("/wallet/getpendingsize")).pendingSize, 0);
  });

  it("executes a pending transaction in its block again only if the result may differ there", async () => {
    const { TransferContract } = systemActuators;
    assert.ok(TransferContract);
    let readsBlock = false;
    const heights: (number | undefined)[] = [];
    const counted: Actuator = {
      validate: (execution) => TransferContract.validate(execution),
      execute: (execution) => {
        heights.push(readsBlock ? execution.context?.block.number : undefined);
        return TransferContract.execute(execution);
      },
    };
    const chain = await testChain({ actuators: { TransferContract: counted } });
    const { chain: blocks } = chain.simulation;
    const executions = async (beforeBlock: () => void = () => {}): Promise<readonly unknown[]> => {
      heights.length = 0;
      for (let sent = 0; sent < 2; sent += 1) await chain.send(chain.transfer({ amount: 5n }));
      beforeBlock();
      chain.mine();
      assert.equal(blocks.head.transactions.length, 2);
      return [...heights];
    };

    assert.deepEqual(await executions(), [undefined, undefined]);
    assert.equal(await balanceOf(chain, "wallet", 1), 10_000_000_010);
    const again = await executions(() => blocks.amend(() => {}));
    assert.equal(again.length, 4);
    assert.equal((await executions(() => blocks.fork(1, "lost"))).length, 4);
    readsBlock = true;
    const number = blocks.head.header.number + 1;
    assert.deepEqual(await executions(), [0, 0, number, number]);
  });

  it("S22 accepts a reference 65,535 blocks back, but not 65,536", async () => {
    const chain = await testChain({ accounts: 2 });
    const reference = chain.simulation.chain.head.id;
    chain.mine(65_535);
    assert.equal((await chain.send(chain.transfer({ reference }))).result, true);
    chain.mine();
    const late = await chain.send(chain.transfer({ reference }));
    assert.equal(late.code, "TAPOS_ERROR");
    assert.equal(messageOf(late), "Tapos check error.");
  }).timeout(60_000);

  it("includes a transaction after its expiration when slots were missed, because the parent's time counts", async () => {
    const chain = await testChain();
    const now = chain.simulation.chain.head.header.timestamp;
    const transfer = chain.transfer({ expiration: now + 6000 });
    await chain.send(transfer);

    await chain.ask("/local/warp", { ms: 30_000 });

    const info = await chain.ask("/wallet/gettransactioninfobyid", { value: transfer.id });
    assert.equal(info.blockTimeStamp, now + 30_000);
  });
});
