import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { answering, type ShownDialog } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface OnChain {
  readonly balance?: number;
  readonly owner_permission?: { readonly threshold: number; readonly keys: readonly object[] };
  readonly active_permission?: readonly { readonly permission_name: string; readonly id: number }[];
}

interface Receipt {
  readonly fee?: number;
  readonly receipt?: { readonly net_fee?: number };
}

const STRANGER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const COIN = 1_000_000;

describe("permission command with arguments", () => {
  let api: FinalityApi;
  let baseUrl: string;
  const address = new Map<string, string>();

  before(async () => {
    api = await finality();
    await startFastChain();
    const chain = await vscode.commands.executeCommand<{
      baseUrl: string;
      accounts: readonly { label: string; address: string }[];
    }>("finality.startLocalChain", {});
    baseUrl = chain.baseUrl;
    for (const account of chain.accounts) address.set(account.label, account.address);
  });

  after(async () => {
    await endLocalChain();
  });

  const ask = async <T>(path: string, body: object): Promise<T> =>
    (await (await fetch(`${baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
  const onChain = (name: string): Promise<OnChain> =>
    ask("walletsolidity/getaccount", { address: address.get(name) ?? name, visible: true });
  const balanceOf = async (name: string): Promise<number> => (await onChain(name)).balance ?? 0;
  const run = <T>(command: string, argument: Record<string, unknown>) =>
    vscode.commands.executeCommand<T>(`finality.${command}`, argument);

  /** Runs a command, waits until what it sent is final, and gives what the chain says of it. */
  async function final(command: string, argument: Record<string, unknown>): Promise<Receipt & { txId: string }> {
    const { txId } = await run<{ txId: string }>(command, argument);
    const { state } = await until(api, txId, (it) => it.state.kind === "solidified");
    assert.deepEqual(state.kind === "solidified" && state.outcome, { kind: "success" });
    return { txId, ...(await ask<Receipt>("walletsolidity/gettransactioninfobyid", { value: txId })) };
  }

  async function signaturesOf(txId: string): Promise<number> {
    return (await ask<{ signature: readonly string[] }>("wallet/gettransactionbyid", { value: txId })).signature.length;
  }

  it("shows the default permissions", async () => {
    const { owner, actives } = await run<Shown>("showPermissions", { account: "Alice" });

    assert.deepEqual(owner, {
      id: 0,
      name: "owner",
      threshold: "1",
      keys: [{ address: address.get("Alice"), weight: "1", here: true }],
      reached: true,
    });
    assert.deepEqual(
      actives.map(({ id, name, operations }) => [id, name, operations.includes("Transfer")]),
      [[2, "active", true]],
    );
  });

  it("sets two owner keys and one active key, for the exact fee of the chain", async () => {
    const before = await balanceOf("Alice");
    const { fee = 0, receipt } = await final("editPermissions", {
      from: "Alice",
      permissions: {
        owner: { threshold: 2, keys: { Alice: 1, Bob: 1 } },
        actives: [
          { name: "payments", threshold: 1, keys: { Carol: 1 }, operations: "payments" },
          { name: "calls", threshold: 2, keys: { Alice: 1, [STRANGER]: 1 }, operations: ["TriggerSmartContract"] },
        ],
      },
    });

    const { balance = 0, owner_permission, active_permission } = await onChain("Alice");
    assert.equal(fee, 100 * COIN + (receipt?.net_fee ?? 0));
    assert.equal(before - balance, fee);
    assert.deepEqual([owner_permission?.threshold, owner_permission?.keys.length], [2, 2]);
    assert.deepEqual(
      active_permission?.map(({ id, permission_name }) => [id, permission_name]),
      [
        [2, "payments"],
        [3, "calls"],
      ],
    );
  });

  it("signs one transaction with both keys when one is not enough", async () => {
    const before = await balanceOf("Alice");
    const { txId, fee = 0, receipt } = await final("sendCoins", { from: "Alice", to: "Dave", amount: "3" });

    assert.equal(await signaturesOf(txId), 2);
    assert.deepEqual(await run("showSignatures", { txId }), {
      txId,
      signers: [address.get("Alice"), address.get("Bob")],
      weight: "2",
      threshold: "2",
      missing: [],
      counted: "2",
    });
    assert.equal(fee, COIN + (receipt?.net_fee ?? 0));
    assert.equal(before - (await balanceOf("Alice")), 3 * COIN + fee);
  });

  it("pays with the named permission and the key of another account", async () => {
    const before = await balanceOf("Alice");
    const payment = { from: "Alice", to: "Dave", amount: "4", permissionId: 2 };
    const { txId, fee = 0 } = await final("sendCoins", payment);

    assert.equal(await signaturesOf(txId), 1);
    assert.equal(before - (await balanceOf("Alice")), 4 * COIN + fee);
    const { signers } = await run<{ signers: readonly string[] }>("showSignatures", { txId });
    assert.deepEqual(signers, [address.get("Carol")]);
  });

  it("signs nothing beyond the permission or the available keys, and names possible signers", async () => {
    const stake = { from: "Alice", resource: "energy", amount: "5" };
    await assert.rejects(
      async () => run("stake", { ...stake, permissionId: 2 }),
      /Nothing was signed\. The permission “payments” \(2\) does not allow this\. It allows: payments\. owner \(0\) allows it/,
    );
    await assert.rejects(async () => run("stake", { ...stake, permissionId: 7 }), /no permission with the number 7/);
    await assert.rejects(
      async () => run("callContract", { contract: STRANGER, function: "f()", from: "Alice", permissionId: 3 }),
      /./,
    );
    await assert.rejects(async () => run("stake", { ...stake, permissionId: "x" }), /the number of a permission/);
  });

  it("refuses to lock the account out unless the caller requests it explicitly", async () => {
    const permissions = {
      owner: { threshold: 2, keys: { Erin: 1, [STRANGER]: 1 } },
      actives: [{ name: "pay", keys: { Erin: 1 }, operations: "payments" }],
    };
    const change = { from: "Erin", permissions };
    await assert.rejects(
      async () => run("editPermissions", change),
      /Nothing was signed\. This locks you out: your keys would have a weight of 1 of the 2 .* only TWAFR/,
    );
    await assert.rejects(async () => run("editPermissions", { ...change, lockOut: "yes" }), /write "LOCK OUT"/);
    assert.equal((await onChain("Erin")).owner_permission?.threshold, 1);

    await final("editPermissions", { ...change, lockOut: "LOCK OUT" });
    await assert.rejects(
      async () => run("editPermissions", { from: "Erin", permissions: { owner: { threshold: 1, keys: { Erin: 1 } } } }),
      /Nothing was signed\. Your keys have a weight of 1 of the 2 that the permission owner \(0\) needs\. 1 more is missing, from TWAFR/,
    );
    await final("sendCoins", { from: "Erin", to: "Dave", amount: "1", permissionId: 2 });

    const share = { from: "Erin", permissions: { owner: { threshold: 1, keys: { Erin: 1 } } }, share: true };
    const { transaction } = await run<{ transaction: string }>("editPermissions", share);
    assert.equal((JSON.parse(transaction) as { signature: readonly string[] }).signature.length, 1);
  });

  it("refuses invalid arguments, and changes that the chain would refuse", async () => {
    const edit = (permissions: unknown) => async () => run("editPermissions", { from: "Dave", permissions });
    const active = { name: "a", keys: { Dave: 1 }, operations: "payments" };

    await assert.rejects(edit({ owner: { threshold: 5, keys: { Dave: 1 } } }), /have a total weight of 1, less than/);
    await assert.rejects(edit({ actives: [] }), /at least one active permission/);
    await assert.rejects(edit({ actives: Array.from({ length: 9 }, () => active) }), /at most 8 active permissions/);
    await assert.rejects(edit({ actives: [{ ...active, name: "x".repeat(33) }] }), /more than 32 bytes/);
    await assert.rejects(edit({ actives: [{ ...active, operations: "sing" }] }), /operations must be "payments"/);
    await assert.rejects(
      edit({ actives: [{ ...active, operations: `${"00".repeat(31)}01` }] }),
      /isn't a validate ContractType/,
    );
    await assert.rejects(edit({ owner: { keys: { Nobody: 1 } } }), /"Nobody" is not an address/);
    await assert.rejects(edit({ boss: {} }), /boss is not known/);
  });

  it("shows a review before a user's key signs, which matches the executed change", async () => {
    const { address: mine } = await run<{ address: string }>("generateSigningKey", { label: "Mine" });
    await final("sendCoins", { from: "Bob", to: mine, amount: "300" });
    let fee: number | undefined;
    const permissions = {
      owner: { threshold: 2, keys: { Mine: 1, Bob: 1, [STRANGER]: 1 } },
      actives: [{ name: "pay", keys: { Mine: 1 }, operations: "payments" }],
    };
    const [review] = await answering("Sign and Send", async () => {
      ({ fee } = await final("editPermissions", { from: "Mine", permissions }));
    });
    assert.equal(costIn(review), fee);
    assert.match(
      review?.detail ?? "",
      /Everything \(owner\)\n {2}before: Mine alone\n {2}after: any 2 of Mine, Bob and TWAFR\w+ \(no key here\)/,
    );

    const [second] = await answering("Sign and Send", async () => {
      ({ fee } = await final("sendCoins", { from: "Mine", to: "Dave", amount: "1" }));
    });
    assert.match(
      second?.detail ?? "",
      /Signed by: Mine and Bob, by the permission owner \(0\), weight 2 of 2 \(2 signatures\)/,
    );
    assert.equal(costIn(second), fee);
  });
});

interface Shown {
  readonly owner: object;
  readonly actives: readonly { readonly id: number; readonly name: string; readonly operations: readonly string[] }[];
}

/** The fee that a review promises, in sun. */
function costIn(review: ShownDialog | undefined): number {
  const coins = /\nCosts: ([\d,.]+) coins? \(/.exec(review?.detail ?? "")?.[1];
  return Math.round(Number(coins?.replaceAll(",", "")) * COIN);
}
