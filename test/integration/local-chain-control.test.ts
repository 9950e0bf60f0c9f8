import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface BlockPosition {
  readonly number: number;
  readonly timestamp: number;
}
interface Moved {
  readonly head: BlockPosition;
  readonly solid: BlockPosition;
  readonly removed: readonly string[];
}

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const send = (amount: string) => run<{ txId: string }>("sendCoins", { from: "Alice", to: "Bob", amount });

describe("local chain control", () => {
  let api: FinalityApi;

  const isListed = (txId: string): boolean => api.transactions.list().some((it) => it.txId === txId);

  before(async () => {
    api = await finality();
  });

  beforeEach(startFastChain);

  afterEach(endLocalChain);

  it("mines the requested number of blocks, and warps by hours", async () => {
    const before = await run<Moved>("localChainMine", {});
    const after = await run<Moved>("localChainMine", { blocks: 40 });
    assert.ok(after.head.number >= before.head.number + 40);
    assert.ok(after.solid.number >= before.head.number);

    const later = await run<Moved>("localChainWarp", { ms: "2 h" });
    assert.ok(later.head.timestamp - after.head.timestamp >= 7_200_000);
    await assert.rejects(async () => run("localChainMine", { blocks: 0 }), /whole number/);
    await assert.rejects(async () => run("localChainMine", { blocks: 100_001 }), /from 1 to 100000/);
    await assert.rejects(async () => run("localChainWarp", {}), /missing/);
  });

  it("restores a snapshot: earlier transactions stay final, later ones leave the list", async () => {
    const kept = await send("1");
    await until(api, kept.txId, ({ state }) => state.kind === "solidified");
    assert.deepEqual(await run("localChainSnapshot", { id: "before lunch" }), { id: "before lunch" });
    const final = await send("2");
    await until(api, final.txId, ({ state }) => state.kind === "solidified");
    const open = await send("3");

    const { removed } = await run<Moved>("localChainRestore", { id: "before lunch" });

    assert.deepEqual([...removed].sort(), [final.txId, open.txId].sort());
    assert.deepEqual(
      [kept, final, open].map(({ txId }) => isListed(txId)),
      [true, false, false],
    );
    assert.notEqual(api.transactions.get(final.txId), undefined);
    await assert.rejects(async () => run("localChainRestore", { id: "nowhere" }), /no snapshot "nowhere"/);
  });

  it("tracks transactions after a reset until they are final, even if chain time was hours ahead", async () => {
    const before = await send("4");
    await until(api, before.txId, ({ state }) => state.kind === "solidified");
    await run("localChainWarp", { ms: 36_000_000 });

    const { head, removed } = await run<Moved>("localChainReset", {});

    assert.ok(head.number < 10);
    assert.deepEqual(removed, [before.txId]);
    assert.equal(isListed(before.txId), false);
    const after = await send("5");
    await until(api, after.txId, ({ state }) => state.kind === "solidified");
    assert.equal(isListed(after.txId), true);
  });
});
