import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface Sent {
  readonly txId: string;
  readonly state: { readonly kind: string };
}

const timelines = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("finality.timeline"));

/** Waits for a tab with this label: tabs change after their panels. */
async function untilOpen(title: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (timelines().some(({ label }) => label === title)) resolve();
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
    await endLocalChain();
  });

  it("shows the last transaction in one panel", async () => {
    const { txId: other } = await run<Sent>("sendCoins", { from: "Alice", to: "Carol", amount: "0.5" });

    assert.deepEqual(await run("showTimeline", { txId: other }), { txId: other });
    assert.deepEqual(await run("showTimeline", { txId }), { txId });

    await untilOpen("2.5 coins → Bob");
    assert.equal(timelines().length, 1);
  });

  it("refuses a txID that is not tracked", async () => {
    await assert.rejects(async () => run("showTimeline", { txId: "5e".repeat(32) }), /not the txID of a tracked/);
    await assert.rejects(async () => run("copyReport", { txId: "x" }), /not the txID of a tracked/);
  });

  it("copies a report with block and outcome", async () => {
    await until(api, txId, (it) => it.state.kind === "solidified");

    const { markdown } = await run<{ markdown: string }>("copyReport", { txId });

    assert.equal(await vscode.env.clipboard.readText(), markdown);
    for (const part of [txId, "Solidified", "Accepted", baseUrl, "Block ID", "2.5 coins", "Nothing to do"])
      assert.ok(markdown.includes(part), part);
  });

  it("copies a report as plain text and as JSON", async () => {
    const { text } = await run<{ text: string }>("copyReport", { txId, format: "text" });
    const { json } = await run<{ json: string }>("copyReport", { txId, format: "json" });

    assert.equal(await vscode.env.clipboard.readText(), json);
    assert.match(text, /^2\.5 coins → Bob\n/);
    const { intent, receipt, rawDataHex } = JSON.parse(json);
    assert.equal(intent.amount, "2500000");
    assert.equal(receipt.fee, "0");
    assert.match(rawDataHex, /^0a02/);
    await assert.rejects(async () => run("copyReport", { txId, format: "pdf" }));
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
