import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProposalFolder } from "../../../packages/agent-tools/src/proposals.ts";
import { CommandChain } from "../../../packages/cli/test/support/chain.ts";
import { partOf, type RunInput, runJson } from "../../../packages/cli/test/support/test-terminal.ts";
import { callSitesInCallFile } from "../../../packages/client/src/call-sites/find-call-sites.ts";
import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { AgentClient } from "../../support/agents/agent-client.ts";

const ARTIFACT = readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8");
const untrustedText = (value: unknown): string => String((value as { readonly untrusted?: string }).untrusted);

describe("an agent over the protocol", () => {
  let chain: CommandChain;
  let agent: AgentClient;
  let folder: string;
  let leaf: Address;
  let alice: string;
  let bob: string;

  before(async () => {
    chain = await CommandChain.start();
    leaf = await chain.deployLeaf();
    [alice, bob] = [toBase58(chain.address(0)), toBase58(chain.address(1))];
    folder = mkdtempSync(join(tmpdir(), "finality-agent-"));
    mkdirSync(join(folder, "build/contracts"), { recursive: true });
    writeFileSync(join(folder, "build/contracts/Leaf.json"), ARTIFACT);
    const call = { contract: toBase58(leaf), function: "transfer", arguments: [bob, "5"] };
    writeFileSync(join(folder, "pay.finality.jsonc"), JSON.stringify({ calls: [call] }));
    const abi = "build/contracts/Leaf.json";
    const args = ["--local", "--journal", "journal", "--abi", abi];
    agent = await AgentClient.start(args, { env: { ...chain.env }, cwd: folder });
  });

  after(async () => {
    await agent.close();
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends the call of the file with the command line, as the user does. */
  async function sendAsUser(): Promise<string> {
    const env = { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) };
    const input: RunInput = { folder, env };
    const { line } = await runJson(["send", "pay.finality.jsonc", "--local", "--key-env", "KEY", "--yes"], input);
    return String(partOf(line, "result").txId);
  }

  it("explains why a call failed", async () => {
    const { whole } = await agent.result("explain_text", { text: "REVERT opcode executed" });

    assert.match(JSON.stringify(whole), /REVERT/);
  });

  it("tells what a transfer costs", async () => {
    const cost = await agent.result("estimate_transfer", { from: alice, to: bob, amount: "1.5" });

    assert.equal(cost.recipientIsActivated, true);
    assert.match(String(cost.feeSun), /^\d+$/);
    assert.equal(cost.balanceCovers, true);
  });

  it("tells what a call costs, with a fee limit", async () => {
    const call = {
      from: alice,
      contract: toBase58(leaf),
      function: "transfer(address,uint256)",
      arguments: [bob, "5"],
    };
    const estimate = await agent.result("estimate_call", call);

    assert.equal(estimate.outcome, "would succeed");
    assert.ok(BigInt(String(estimate.suggestedFeeLimitSun)) > BigInt(String(estimate.energy)));
  });

  it("tells why a call would fail, with the contract's own text marked as untrusted", async () => {
    const call = {
      from: bob,
      contract: toBase58(leaf),
      function: "transfer(address,uint256)",
      arguments: [alice, "9"],
    };
    const estimate = await agent.result("estimate_call", call);

    assert.equal(estimate.outcome, "would revert");
    assert.notEqual(untrustedText(estimate.title), "undefined");
  });

  it("follows a transaction until it is final", async () => {
    const txId = await sendAsUser();
    const pending = await agent.result("explain_transaction", { txId });
    await agent.result("local_mine", { blocks: 40 });
    const solid = await agent.result("explain_transaction", { txId });

    assert.equal(pending.final, false);
    assert.deepEqual([solid.state, solid.final, solid.outcome], ["solidified", true, "success"]);
  });

  it("recovers the outcome after a lost answer, and never proposes to pay again", async () => {
    await agent.result("local_faults", { faults: [{ name: "lost-answer", path: "/wallet/broadcast*", count: 1 }] });
    const txId = await sendAsUser();
    const { transactions } = await agent.result("list_transactions", { state: "unknown" });
    await agent.result("local_faults", { faults: [] });
    await agent.result("local_mine", { blocks: 40 });
    const found = await agent.result("explain_transaction", { txId });

    assert.match(JSON.stringify(transactions), new RegExp(txId));
    assert.deepEqual([found.state, found.outcome], ["solidified", "success"]);
  });

  it("drafts a call file that the editor can read", async () => {
    const call = { contract: "Leaf", function: "transfer", arguments: [bob, "5"], label: "Rent", caller: alice };
    const { content } = await agent.result("draft_call_file", call);

    const [site] = callSitesInCallFile(untrustedText(content));
    assert.deepEqual([site?.method, site?.label], ["transfer", "Rent"]);
  });

  it("proposes a payment, which waits for the user", async () => {
    const before = await agent.result("read_account", { address: bob });
    const proposed = await agent.result("propose_transfer", { from: alice, to: bob, amount: "1.5", note: "rent" });
    await agent.result("local_mine", { blocks: 2 });

    const [stored] = await new ProposalFolder(join(folder, "journal", "proposals")).list();
    assert.deepEqual([stored?.id, stored?.agent, stored?.hash], [proposed.proposal, "Scout", proposed.hash]);
    const state = await agent.result("proposal_state", { proposal: proposed.proposal });
    assert.equal(state.state, "open");
    assert.deepEqual(await agent.result("read_account", { address: bob }), before);
  });

  it("proposes a call with the fee limit of its estimate", async () => {
    const call = {
      from: alice,
      contract: toBase58(leaf),
      function: "transfer(address,uint256)",
      arguments: [bob, "5"],
    };
    const { intent } = await agent.result("propose_call", call);

    assert.match(JSON.stringify(intent), /"feeLimit":"[1-9]\d+"/);
  });

  it("prepares the embedded chain: funds, time and status", async () => {
    const before = await agent.result("local_status");
    await agent.result("local_fund", { address: bob, amount: "5" });
    await agent.result("local_warp", { seconds: 3600 });
    const after = await agent.result("local_status");

    assert.ok(Number(after.height) >= Number(before.height) + 2);
    assert.doesNotMatch(JSON.stringify(after), /privateKey/i);
  });

  it("decodes call data with the names of artifacts", async () => {
    const data = `a9059cbb${chain.address(1).slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
    const decoded = await agent.result("decode", { text: data });

    assert.match(JSON.stringify(decoded), /transfer/);
  });

  it("reports a wrong argument with its code, cause and next step", async () => {
    const { isError, json } = await agent.call("read_account", { address: "nonsense", extra: 1 });
    const error = json.error as { readonly code?: string; readonly next?: string };

    assert.equal(isError, true);
    assert.equal(error.code, "ARGUMENT_MALFORMED");
    assert.match(String(error.next), /schema/);
  });

  it("refuses a network that is not configured, also by its URL", async () => {
    for (const network of ["https://evil.example.org", "http://127.0.0.1:1", "nile"]) {
      const { json } = await agent.call("read_chain", { network });

      assert.equal((json.error as { readonly code?: string }).code, "NETWORK_UNKNOWN", network);
    }
  });
});
