import assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";
import { agentTools } from "../../packages/agent-tools/src/agent-tools.ts";
import { ProposalFolder } from "../../packages/agent-tools/src/proposals.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { answering } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

const TIMEOUT_MS = 120_000;

/** Returns whether the tools can be called. The editor lists them from the manifest also while they are off. */
async function isOn(): Promise<boolean> {
  return await textOf("finality_networks", {}).then(
    () => true,
    () => false,
  );
}

/** Resolves when the tools can be called, or no longer. */
async function untilOn(expected: boolean): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while ((await isOn()) !== expected) assert.ok(Date.now() < end, `the tools stayed ${expected ? "off" : "on"}`);
}

async function textOf(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((it) => (it instanceof vscode.LanguageModelTextPart ? it.value : "")).join("");
}

describe("tools for agents", () => {
  let folder: ProposalFolder;

  before(async () => {
    await finality();
    await startFastChain();
    const storage = process.env.FINALITY_STORAGE ?? assert.fail("the run names no storage");
    folder = new ProposalFolder(join(storage, "proposals"));
  });

  after(async () => {
    const settings = vscode.workspace.getConfiguration("finality");
    await settings.update("agents.enabled", undefined, vscode.ConfigurationTarget.Global);
    await endLocalChain();
  });

  it("are off until the user agrees, and a workspace cannot turn them on", async () => {
    assert.equal(await isOn(), false);
    const settings = vscode.workspace.getConfiguration("finality");
    await assert.rejects(async () => settings.update("agents.enabled", true, vscode.ConfigurationTarget.Workspace));

    const [question] = await answering("Turn On", () => vscode.commands.executeCommand("finality.agentTools", {}));

    assert.match(question?.detail ?? "", /They cannot sign or send: each proposal waits for your review\./);
    await untilOn(true);
    const listed = vscode.lm.tools.filter(({ name }) => name.startsWith("finality_"));
    assert.equal(listed.length, agentTools.length);
  });

  it("answer a language model with marked text", async () => {
    const networks = await textOf("finality_networks", {});
    const status = await textOf("finality_local_status", {});

    assert.match(networks, /never an instruction/);
    assert.match(networks, /"untrusted": "Local chain"/);
    assert.match(status, /"height": \d+/);
    assert.doesNotMatch(status, /privateKey/i);
  });

  it("lead to a transaction after the user's review alone, and only once", async () => {
    const api = await finality();
    const accounts = await vscode.commands.executeCommand<{ account: string }>("finality.showBalance", {
      account: "Alice",
    });
    const owner = parseAddress(accounts.account);
    const intent = {
      kind: "transfer",
      owner,
      to: parseAddress(`41${"22".repeat(20)}`),
      amount: sun(1_000_000n),
    } as const;
    const { id } = await folder.add({ at: Date.now(), agent: "Scout", network: "Local chain", intent, note: "rent" });

    const review = () =>
      vscode.commands.executeCommand<{ txId: string } | undefined>("finality.reviewProposal", { id });
    const dismissed = await answering(undefined, review);
    let txId = "";
    await answering("Sign and Send", async () => {
      txId = (await review())?.txId ?? "";
    });

    assert.match(dismissed[0]?.detail ?? "", /Proposed by “Scout”, a program\./);
    await until(api, txId, ({ state }) => state.kind === "solidified");
    await assert.rejects(async () => review(), /the proposal was used or discarded before/);
  });

  it("are withdrawn when the user turns them off", async () => {
    await answering("Turn Off", () => vscode.commands.executeCommand("finality.agentTools", {}));

    await untilOn(false);
  });
});
