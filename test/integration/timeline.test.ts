import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { finality, startFastChain, until } from "./local-chain.ts";

interface Sent {
  readonly txId: string;
  readonly state: { readonly kind: string };
}

const timelines = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("finality.timeline"));

/** Tabs are told of a moment after a panel was made. */
async function untilOpen(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (timelines().length > 0) resolve();
  };
  const subscription = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  await promise.finally(() => subscription.dispose());
}

describe("transaction timeline", () => {
  let api: FinalityApi;
  let baseUrl: string;
  let txId: string;

  const run = <T = Record<string, unknown>>(command: string, argument: object): Thenable<T> =>
    vscode.commands.executeCommand<T>(`finality.${command}`, argument);

  before(async () => {
    api = await finality();
    await startFastChain();
    ({ baseUrl } = await run<{ baseUrl: string }>("startLocalChain", {}));
    ({ txId } = await run<Sent>("sendCoins", { from: "Alice", to: "Bob", amount: "2.5" }));
  });

  after(async () => {
    await vscode.window.tabGroups.close(timelines());
    await run("stopLocalChain", { confirmed: true });
  });

  it("opens one panel per transaction", async () => {
    assert.deepEqual(await run("showTimeline", { txId }), { txId });
    assert.deepEqual(await run("showTimeline", { txId }), { txId });

    await untilOpen();
    assert.deepEqual(
      timelines().map(({ label }) => label),
      ["Timeline: 2.5 coins → Bob"],
    );
  });

  it("refuses a txID that is not tracked", async () => {
    await assert.rejects(async () => run("showTimeline", { txId: "5e".repeat(32) }), /not the txID of a tracked/);
    await assert.rejects(async () => run("copyReport", { txId: "x" }), /not the txID of a tracked/);
  });

  it("copies a report with block and outcome", async () => {
    await until(api, txId, (it) => it.state.kind === "solidified");

    const { markdown } = await run<{ markdown: string }>("copyReport", { txId });

    assert.equal(await vscode.env.clipboard.readText(), markdown);
    const asRead = markdown.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "");
    for (const part of [txId, "Solidified", "Accepted", baseUrl, "Block ID"]) assert.ok(asRead.includes(part), part);
  });

  it("offers only fallback URLs of the network as other nodes", async () => {
    const { txId: next } = await run<Sent>("sendCoins", {
      from: "Alice",
      to: "Bob",
      amount: "2.75",
      expirySeconds: 600,
    });
    const elsewhere = "https://elsewhere.test";

    await assert.rejects(async () => run("sendToAnotherNode", { txId: next, url: elsewhere }), /not one of the URLs/);
    await until(api, next, (it) => it.state.kind === "solidified");
    await assert.rejects(async () => run("sendToAnotherNode", { txId: next, url: baseUrl }), /not sent again/);
  });

  it("refuses an expiration that no node accepts", async () => {
    const payment = { from: "Alice", to: "Bob", amount: "2.8" };

    await assert.rejects(async () => run("sendCoins", { ...payment, expirySeconds: 90_000 }), /30 to 86400/);
  });
});
