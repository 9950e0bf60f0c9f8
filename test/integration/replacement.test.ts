import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { recheckProof } from "../../packages/client/src/proof/proof-document.ts";
import type { FinalityApi } from "../../src/public/api.ts";
import { ChainBeside } from "../support/chain/chain-beside.ts";
import { addArtifacts } from "./artifacts.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

const COIN = 1_000_000;

interface Sent {
  readonly txId: string;
  readonly state: { readonly kind: string };
}

interface Started {
  readonly baseUrl: string;
  readonly accounts: readonly { readonly label: string; readonly address: string }[];
}

/** State after a vote and a change of permissions. */
interface Governed {
  readonly votes?: readonly { readonly vote_count: number }[];
  readonly owner_permission?: { readonly keys: readonly object[] };
}

describe("replacement after a proof of absence", () => {
  let api: FinalityApi;
  let chain: ChainBeside;
  let alice: string;

  before(async () => {
    api = await finality();
    await startFastChain();
    const started = await vscode.commands.executeCommand<Started>("finality.startLocalChain", {});
    chain = new ChainBeside(started.baseUrl);
    alice = started.accounts.find(({ label }) => label === "Alice")?.address ?? "";
  });

  after(async () => {
    await endLocalChain();
  });

  const run = (command: string, argument: object): Thenable<Record<string, string>> =>
    vscode.commands.executeCommand(`finality.${command}`, argument);
  /** Lets the time of the chain pass that signed bytes have; a person would wait a minute. */
  const expire = (): Thenable<unknown> => run("localChainWarp", { ms: "61 s" });

  it("S82 S146 is refused before the proof, and afterwards created once with links in both directions and the old bytes stored", async function () {
    this.timeout(180_000);
    const lost = await chain.forgets(() =>
      vscode.commands.executeCommand<Sent>("finality.sendCoins", { from: "Alice", to: "Bob", amount: "4.25" }),
    );
    const { txId } = lost;
    await assert.rejects(async () => run("createReplacement", { txId }), /Nothing was replaced/);
    await assert.rejects(async () => run("exportProof", { txId }), /no proof/);

    const stopped = await run("stopProof", { txId });
    const resumed = await run("resumeProof", { txId });
    await expire();
    await until(api, txId, (it) => it.state.kind === "proven-absent");
    const folder = await mkdtemp(join(tmpdir(), "finality-proof-"));
    const file = join(folder, "proof.json");
    const proof = await run("exportProof", { txId, file });
    const onChain = await run("recheckProof", { file });
    const alone = await run("recheckProof", { proof: proof.json, offline: true });
    const damaged = await run("recheckProof", { proof: String(proof.json).replace('"count": ', '"count": 1') });
    const replacement = await run("createReplacement", { txId });
    const next = String(replacement.txId);
    await until(api, next, (it) => it.state.kind === "solidified");

    assert.deepEqual([stopped.txId, resumed.txId], [txId, txId]);
    assert.equal(await readFile(file, "utf8"), proof.json);
    assert.deepEqual(recheckProof(String(proof.json)), { kind: "ok" });
    assert.ok(proof.markdown?.includes(txId));
    assert.deepEqual([onChain.kind, onChain.txId, alone.kind, damaged.kind], ["confirmed", txId, "alone", "refused"]);
    assert.match(String(damaged.sentence), /is not valid.* Do not pay again because of it/);
    assert.equal(replacement.replaces, txId);
    assert.deepEqual(api.transactions.get(txId)?.state, { kind: "replaced", by: next });
    await assert.rejects(async () => run("sendSameBytesAgain", { txId }), /could pay twice/);
    await assert.rejects(async () => run("createReplacement", { txId }), /was replaced by/);
    await rm(folder, { recursive: true });
  });

  it("S146 repeats calls and deployments with the same parameters after the same proof and review", async function () {
    this.timeout(180_000);
    addArtifacts();
    const leaf = await run("deployContract", { contract: "Leaf", arguments: ["1000000000"], from: "Alice" });
    await until(api, String(leaf.txId), (it) => it.state.kind === "solidified");
    const lost = await chain.forgets(async () => ({
      deployment: await run("deployContract", {
        contract: "Leaf",
        arguments: ["7"],
        from: "Alice",
        feeLimit: "900 coins",
      }),
      call: await run("callContract", {
        contract: leaf.address,
        function: "transfer",
        arguments: ["Bob", "1000"],
        from: "Alice",
        label: "Tip",
      }),
    }));
    const both = [lost.deployment, lost.call];
    for (const { txId } of both) {
      await assert.rejects(async () => run("createReplacement", { txId }), /Nothing was replaced/);
    }
    await expire();
    for (const { txId } of both) {
      await until(api, String(txId), (it) => it.state.kind === "proven-absent");
    }

    const deployment = await run("createReplacement", { txId: lost.deployment.txId, expirySeconds: 120 });
    const call = await run("createReplacement", { txId: lost.call.txId });
    const outcomes = [];
    for (const { txId } of [deployment, call]) {
      const { state } = await until(api, String(txId), (it) => it.state.kind === "solidified");
      outcomes.push(state.kind === "solidified" && state.outcome.kind);
    }

    assert.deepEqual(outcomes, ["success", "success"]);
    assert.deepEqual([deployment.replaces, call.replaces], [lost.deployment.txId, lost.call.txId]);
    assert.deepEqual(api.transactions.get(String(lost.call.txId))?.state, { kind: "replaced", by: call.txId });
    const balance = await run("tokenBalance", { token: String(leaf.address), account: "Bob" });
    assert.equal(balance.balance, "1000");
  });

  it("refuses to repeat a call that would fail unless the caller acknowledges it", async function () {
    this.timeout(180_000);
    const leaf = await run("deployContract", { contract: "Leaf", arguments: ["5"], from: "Alice" });
    await until(api, String(leaf.txId), (it) => it.state.kind === "solidified");
    const tip = { contract: leaf.address, function: "transfer", arguments: ["Bob", "5"], from: "Alice" };
    const { txId } = await chain.forgets(() => run("callContract", tip));
    await expire();
    await until(api, String(txId), (it) => it.state.kind === "proven-absent");
    const spent = await run("callContract", { ...tip, arguments: ["Bob", "4"] });
    await until(api, String(spent.txId), (it) => it.state.kind === "solidified");

    await assert.rejects(async () => run("createReplacement", { txId }), /Nothing was signed/);

    const replacement = await run("createReplacement", { txId, acknowledgeFailure: true });
    assert.equal(replacement.replaces, txId);
  });

  it("repeats votes and permission changes after the proof, each executed once", async function () {
    this.timeout(180_000);
    const staked = await run("stake", { from: "Alice", resource: "votes", amount: "30" });
    await until(api, String(staked.txId), (it) => it.state.kind === "solidified");
    const { witnesses } = await chain.ask<{ witnesses: readonly { address: string }[] }>(
      "wallet/listwitnesses?visible=true",
    );
    const votes = { [witnesses[0]?.address ?? ""]: 30 };
    const permissions = { owner: { threshold: 1, keys: { Alice: 1, Bob: 1 } } };
    const lost = await chain.forgets(async () => [
      await run("vote", { from: "Alice", votes }),
      await run("editPermissions", { from: "Alice", permissions }),
    ]);
    await expire();
    for (const { txId } of lost) await until(api, String(txId), (it) => it.state.kind === "proven-absent");

    const executed = await chain.settles({ [alice]: 0 }, async () => {
      for (const { txId } of lost) {
        const replacement = await run("createReplacement", { txId });
        assert.equal(replacement.replaces, txId);
        await until(api, String(replacement.txId), (it) => it.state.kind === "solidified");
      }
    });

    assert.deepEqual(
      executed.map(({ type }) => type),
      ["VoteWitnessContract", "AccountPermissionUpdateContract"],
    );
    const { votes: cast = [], owner_permission: owner } = await chain.account<Governed>(alice);
    assert.deepEqual([cast.map((it) => it.vote_count), owner?.keys.length], [[30], 2]);
    assert.ok((executed[1]?.fee ?? 0) >= 100 * COIN, "a change of permissions costs 100 coins");
  });
});
