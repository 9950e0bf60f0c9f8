import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { ChainBeside } from "../support/chain/chain-beside.ts";
import { addArtifacts } from "./artifacts.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface Stakes {
  readonly frozenV2?: readonly { type?: string; amount?: number }[];
  readonly unfrozenV2?: readonly { unfreeze_amount?: number }[];
  readonly account_resource?: { readonly delegated_frozenV2_balance_for_energy?: number };
}

const COIN = 1_000_000;

describe("system contract command with arguments", () => {
  let api: FinalityApi;
  let chain: ChainBeside;
  const address = new Map<string, string>();

  before(async () => {
    addArtifacts();
    api = await finality();
    await startFastChain();
    const started = (await vscode.commands.executeCommand("finality.startLocalChain", {})) as {
      baseUrl: string;
      accounts: readonly { label: string; address: string }[];
    };
    chain = new ChainBeside(started.baseUrl);
    for (const account of started.accounts) address.set(account.label, account.address);
  });

  after(async () => {
    await endLocalChain();
  });

  const named = (name: string): string => address.get(name) ?? "";
  /** As the chain has it when everything is final. */
  const stakesOf = (name: string): Promise<Stakes> => chain.account(named(name));
  const energyOf = async (name: string): Promise<number> =>
    (await chain.ask<{ EnergyLimit?: number }>("wallet/getaccountresource", { address: named(name), visible: true }))
      .EnergyLimit ?? 0;
  const own = ({ frozenV2 = [] }: Stakes, type = "ENERGY"): number =>
    frozenV2.find((it) => it.type === type)?.amount ?? 0;

  /** Runs a command and waits until what it sent is final. */
  async function final(command: string, argument: Record<string, unknown>): Promise<void> {
    const sent = await vscode.commands.executeCommand<{ txId: string }>(`finality.${command}`, argument);
    const { state } = await until(api, sent.txId, (it) => it.state.kind === "solidified");
    assert.deepEqual(state.kind === "solidified" && state.outcome, { kind: "success" });
  }

  /** Nothing moves but these coins, by the name of their account, and the fees of the receipts: to the sun. */
  async function settles(coins: Readonly<Record<string, number>>, work: () => Promise<unknown>): Promise<void> {
    const changes = Object.entries(coins).map(([name, amount]) => [named(name), amount * COIN] as const);
    await chain.settles(Object.fromEntries(changes), work);
  }

  it("stakes for energy and for votes", async () => {
    await settles({ Alice: -520 }, async () => {
      await final("stake", { from: "Alice", resource: "energy", amount: "500" });
      await final("stake", { from: "Alice", resource: "votes", amount: "20" });
    });

    const stakes = await stakesOf("Alice");
    assert.deepEqual([own(stakes), own(stakes, "TRON_POWER")], [500_000_000, 20_000_000]);
    assert.ok((await energyOf("Alice")) > 0);
  });

  it("delegates energy to an account, which can use it, and reclaims it", async () => {
    const before = await energyOf("Bob");
    await settles({ Alice: 0, Bob: 0 }, () =>
      final("delegate", { from: "Alice", resource: "energy", to: "Bob", amount: "200" }),
    );

    const lent = await stakesOf("Alice");
    assert.equal(lent.account_resource?.delegated_frozenV2_balance_for_energy, 200_000_000);
    assert.equal(own(lent), 300_000_000);
    assert.ok((await energyOf("Bob")) > before);

    await settles({ Alice: 0, Bob: 0 }, () =>
      final("undelegate", { from: "Alice", resource: "energy", to: "Bob", amount: "200" }),
    );
    assert.equal(own(await stakesOf("Alice")), 500_000_000);
    assert.equal(await energyOf("Bob"), before);
  });

  it("unstakes, cancels, unstakes again, and withdraws after the delay", async () => {
    const unstake = () => final("unstake", { from: "Alice", resource: "energy", amount: "100" });
    await settles({ Alice: 0 }, unstake);
    assert.equal((await stakesOf("Alice")).unfrozenV2?.[0]?.unfreeze_amount, 100_000_000);
    await settles({ Alice: 0 }, () => final("cancelUnstakes", { from: "Alice" }));
    assert.equal(own(await stakesOf("Alice")), 500_000_000);

    await unstake();
    await vscode.commands.executeCommand("finality.localChainWarp", { ms: "15 d" });
    await settles({ Alice: 100 }, () => final("withdrawUnstaked", { from: "Alice" }));

    assert.equal((await stakesOf("Alice")).unfrozenV2, undefined);
  });

  it("sends TRC-10 tokens by their ID, up to the balance", async () => {
    const tokenId = await chain.giveToken(named("Alice"), 1_000);
    const send = { from: "Alice", to: "Bob", tokenId };
    await settles({ Alice: 0, Bob: 0 }, () => final("sendTrc10", { ...send, amount: "234" }));

    assert.deepEqual(
      [await chain.units(named("Alice"), tokenId), await chain.units(named("Bob"), tokenId)],
      [766, 234],
    );
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.sendTrc10", { ...send, amount: "767" }),
      /Nothing was signed. There are 766 units on this account./,
    );
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.sendTrc10", { ...send, tokenId: "1999999", amount: "1" }),
      /Nothing was signed. No token has the number 1999999./,
    );
  });

  it("creates an account, and names the own account", async () => {
    const to = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
    await settles({ Alice: 0 }, async () => {
      await final("createAccount", { from: "Alice", to });
      await final("updateAccountName", { from: "Alice", name: "tea house" });
    });

    const { account_name } = (await stakesOf("Alice")) as { account_name?: string };
    assert.deepEqual([await chain.exists(to), account_name], [true, "tea house"]);
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.createAccount", { from: "Alice", to }),
      /Nothing was signed. This account exists already\./,
    );
  });

  it("changes the energy share of a contract, and clears its ABI", async () => {
    const deployed = { contract: "Leaf", arguments: ["1000"], from: "Alice" };
    const { txId, address: value } = await vscode.commands.executeCommand<{ txId: string; address: string }>(
      "finality.deployContract",
      deployed,
    );
    await until(api, txId, (it) => it.state.kind === "solidified");
    await settles({ Alice: 0 }, async () => {
      await final("setCallersShare", { from: "Alice", contract: "Leaf", percent: "40" });
      await final("setEnergyLimit", { from: "Alice", contract: value, limit: "12345" });
      await final("clearAbi", { from: "Alice", contract: value });
    });

    const contract = await chain.ask("wallet/getcontract", { value, visible: true });
    assert.deepEqual([contract.consume_user_resource_percent, contract.origin_energy_limit], [40, 12_345]);
    assert.deepEqual(contract.abi, {});
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.clearAbi", { from: "Bob", contract: value }),
      /Nothing was signed. Only T\w+, who deployed it, may change it./,
    );
  });

  it("refuses to withdraw a missing reward", async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand("finality.withdrawReward", { from: "Bob" }),
      /Nothing was signed. There is no reward to withdraw\./,
    );
  });

  it("refuses invalid arguments with the valid forms", async () => {
    const stake = (argument: Record<string, unknown>) =>
      vscode.commands.executeCommand("finality.stake", { from: "Alice", resource: "energy", amount: "1", ...argument });

    await assert.rejects(async () => stake({ resource: "gas" }), /write "energy", "bandwidth" or "votes"/);
    await assert.rejects(async () => stake({ amount: "0" }), /more than 0/);
    await assert.rejects(async () => stake({ from: "Nobody" }), /from/);
    await assert.rejects(async () => stake({ amount: "1000000" }), /Nothing was signed. The account has/);
    await assert.rejects(async () => stake({ amount: "0.5" }), /Nothing was signed. The minimum is 1 coin\./);
  });
});
