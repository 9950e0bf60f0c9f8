import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import type { FaultReport } from "../../src/features/local-chain/chain-control.ts";
import type { LocalChainResult } from "../../src/features/local-chain/local-chain.ts";
import type { FinalityApi } from "../../src/public/api.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const start = () => run<LocalChainResult>("startLocalChain", {});
const stop = () => run("stopLocalChain", { confirmed: true });

describe("local chain", () => {
  let api: FinalityApi;

  before(async () => {
    api = await finality();
  });

  afterEach(endLocalChain);

  it("starts with named, funded accounts as the active network", async () => {
    const { network, baseUrl, accounts } = await start();

    assert.equal(network, "Local chain");
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual(
      accounts.slice(0, 2).map(({ label }) => label),
      ["Alice", "Bob"],
    );
    assert.equal(accounts.at(-1)?.label, "Faucet");
    assert.equal(await run("copyAddress", { address: "Alice" }), accounts[0]?.address);
    const findings = await run<CheckResult[]>("testConnection", {});
    assert.equal(findings[0]?.status, "ok");
  });

  it("H8: ignores a chain of the environment without a valid proof", async () => {
    assert.match(process.env.FINALITY_DEV_CHAIN ?? "", /127\.0\.0\.1:1"/);

    const { baseUrl, accounts } = await start();

    assert.notEqual(baseUrl, "http://127.0.0.1:1");
    assert.equal(accounts.length, 11);
  });

  it("runs once when it is started repeatedly", async () => {
    const [first, second] = await Promise.all([start(), start()]);

    assert.deepEqual(second, first);
    assert.deepEqual(await start(), first);
  });

  it("keeps its accounts when it stops, and the next start continues the same chain", async () => {
    const first = await start();
    await stop();

    assert.equal(await run("copyAddress", { address: "Alice" }), first.accounts[0]?.address);
    await assert.rejects(fetch(`${first.baseUrl}/wallet/getnowblock`));
    assert.deepEqual(await start(), first);
  });

  it("keeps its unsettled transactions in the list when it stops, and tracks them after the next start", async () => {
    await startFastChain();
    const { txId } = await run<{ txId: string }>("sendCoins", { from: "Alice", to: "Bob", amount: "1" });

    await stop();

    assert.ok(api.transactions.list().some((it) => it.txId === txId));
    await start();
    await until(api, txId, ({ state }) => state.kind === "solidified");
  });

  it("drops an answer on request: the outcome is unknown until a block contains the transaction", async () => {
    await startFastChain();
    const lost = { name: "lost-answer", path: "/wallet/broadcasttransaction", count: 1 };
    const set = await run<FaultReport>("localChainFaults", { faults: [lost] });
    assert.deepEqual(set.faults, [{ ...lost, rate: 1, hits: 0 }]);

    const { txId, state } = await run<{ txId: string; state: { kind: string } }>("sendCoins", {
      from: "Alice",
      to: "Bob",
      amount: "3",
    });

    assert.equal(state.kind, "unknown");
    await until(api, txId, (it) => it.state.kind === "solidified");
    const none = await run<FaultReport>("localChainFaults", { faults: [] });
    assert.deepEqual(none.faults, []);
    await assert.rejects(
      async () => run("localChainFaults", { faults: [{ name: "sunshine" }] }),
      /no fault "sunshine"/,
    );
  });

  it("shows the active faults, and keeps them without a change", async () => {
    await start();
    const other = { name: "latency", ms: 1, when: "before", rate: 0.5 };
    const lost = { name: "lost-answer", path: "*/broadcast*", count: 1, rate: 1 };
    await run("localChainFaults", { faults: [other, lost] });

    let report: FaultReport | undefined;
    const closed = vscode.commands.executeCommand<FaultReport>("finality.localChainFaults").then((input) => {
      report = input;
    });
    while (report === undefined) await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await closed;

    assert.deepEqual(report.faults, [
      { ...lost, hits: 0 },
      { ...other, hits: 0 },
    ]);
  });

  it("keeps final transactions in the list", async () => {
    await startFastChain();
    const { txId } = await run<{ txId: string }>("sendCoins", { from: "Alice", to: "Bob", amount: "2" });
    await until(api, txId, ({ state }) => state.kind === "solidified");

    await stop();

    assert.equal(api.transactions.list().find((it) => it.txId === txId)?.state.kind, "solidified");
  });
});
