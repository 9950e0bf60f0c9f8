import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface Account {
  readonly balance?: number;
  readonly votes?: readonly { readonly vote_address: string; readonly vote_count: number }[];
}
interface Witness {
  readonly address: string;
  readonly voteCount?: number;
}

describe("vote command with arguments", () => {
  let api: FinalityApi;
  let baseUrl: string;
  let alice: string;
  let witnesses: readonly Witness[];

  before(async () => {
    api = await finality();
    await startFastChain();
    const chain = (await vscode.commands.executeCommand("finality.startLocalChain", {})) as {
      baseUrl: string;
      accounts: readonly { label: string; address: string }[];
    };
    baseUrl = chain.baseUrl;
    alice = chain.accounts.find(({ label }) => label === "Alice")?.address ?? "";
    witnesses = await listed();
  });

  after(async () => {
    await endLocalChain();
  });

  const ask = async <T>(path: string, body: object): Promise<T> =>
    (await (await fetch(`${baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
  const listed = async (): Promise<readonly Witness[]> =>
    (await ask<{ witnesses: readonly Witness[] }>("wallet/listwitnesses?visible=true", {})).witnesses;
  const votesFor = async (address: string): Promise<number> =>
    (await listed()).find((it) => it.address === address)?.voteCount ?? 0;
  /** As the chain has it when everything is final. */
  const account = (): Promise<Account> => ask("walletsolidity/getaccount", { address: alice, visible: true });
  const witnessAt = (at: number): string => witnesses[at]?.address ?? assert.fail(`there is no witness ${at}`);

  /** Runs a command and waits until what it sent is final. @returns what the chain tells of it */
  async function final(command: string, argument: Record<string, unknown>) {
    const sent = await vscode.commands.executeCommand<{ txId: string }>(`finality.${command}`, argument);
    const { state } = await until(api, sent.txId, (it) => it.state.kind === "solidified");
    assert.deepEqual(state.kind === "solidified" && state.outcome, { kind: "success" });
    return await ask<{ fee?: number; withdraw_amount?: number }>("walletsolidity/gettransactioninfobyid", {
      value: sent.txId,
    });
  }

  /** Votes are counted every 40 blocks, and once for a gap of many periods. */
  async function countVotes(): Promise<void> {
    await vscode.commands.executeCommand("finality.localChainWarp", { ms: "10 min" });
    await vscode.commands.executeCommand("finality.localChainMine", { blocks: "2" });
  }

  const vote = (votes: unknown) => vscode.commands.executeCommand("finality.vote", { from: "Alice", votes });

  it("refuses votes without a stake before signing", async () => {
    await assert.rejects(async () => vote({ [witnessAt(0)]: 1 }), /Nothing was signed\. The account has no votes/);
  });

  it("votes for two witnesses, counted at the next maintenance, and replaces all votes with a new one", async () => {
    await final("stake", { from: "Alice", resource: "votes", amount: "300" });
    const [first, second] = [await votesFor(witnessAt(0)), await votesFor(witnessAt(1))];

    await final("vote", { from: "Alice", votes: { [witnessAt(0)]: 100, [witnessAt(1)]: "50" } });
    await countVotes();
    assert.deepEqual((await account()).votes, [
      { vote_address: witnessAt(0), vote_count: 100 },
      { vote_address: witnessAt(1), vote_count: 50 },
    ]);
    assert.deepEqual([await votesFor(witnessAt(0)), await votesFor(witnessAt(1))], [first + 100, second + 50]);

    await final("vote", { from: "Alice", votes: { [witnessAt(0)]: 300 } });
    await countVotes();
    assert.deepEqual((await account()).votes, [{ vote_address: witnessAt(0), vote_count: 300 }]);
    assert.deepEqual([await votesFor(witnessAt(0)), await votesFor(witnessAt(1))], [first + 300, second]);
  });

  it("withdraws the reward, and the balance grows by exactly that amount", async () => {
    await countVotes();
    await countVotes();
    const { balance: before = 0 } = await account();

    const { withdraw_amount: earned = 0, fee = 0 } = await final("withdrawReward", { from: "Alice" });

    assert.ok(earned > 0, "votes earn");
    assert.equal((await account()).balance, before + earned - fee);
    await countVotes();
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.withdrawReward", { from: "Alice" }),
      /Nothing was signed\. The chain allows it once in 24 hours: next at/,
    );
  });

  it("refuses invalid arguments, and changes that the chain would refuse", async () => {
    await assert.rejects(async () => vote({ [witnessAt(0)]: 301 }), /Nothing was signed\. The account has 300 votes/);
    await assert.rejects(async () => vote({ [alice]: 1 }), /Nothing was signed\. T\w+ is not a witness\./);
    await assert.rejects(async () => vote({}), /Nothing was signed\. No votes are given/);
    await assert.rejects(async () => vote({ [witnessAt(0)]: 0 }), /whole number of votes/);
    await assert.rejects(async () => vote({ Alice: 1, [alice]: 1 }), /name each witness once/);
    await assert.rejects(async () => vote([witnessAt(0)]), /write \{ "<address of a witness>": <votes> \}/);
    await assert.rejects(async () => vote({ nobody: 1 }), /votes/);
  });
});
