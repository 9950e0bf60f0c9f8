import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TronWeb } from "tronweb";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { answering } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

interface Account {
  readonly address: string;
  readonly privateKey: string;
}

/** A transaction that TronWeb built and signed. */
type Built = Parameters<TronWeb["trx"]["sendRawTransaction"]>[0];

interface Result {
  readonly txId: string;
  readonly state: { readonly kind: string };
  readonly file?: string;
  readonly transaction?: string;
}

const COIN = 1_000_000;
const OWNER = 0;

describe("transaction file command with arguments", () => {
  let api: FinalityApi;
  let folder: string;
  let tronWeb: TronWeb;
  const address = new Map<string, string>();
  const named = (name: string): string => address.get(name) ?? "";

  before(async function () {
    this.timeout(60_000);
    api = await finality();
    await startFastChain();
    folder = await mkdtemp(join(tmpdir(), "finality-shared-"));
    const chain = (await vscode.commands.executeCommand("finality.startLocalChain", {})) as {
      baseUrl: string;
      accounts: readonly { label: string; address: string }[];
    };
    tronWeb = new TronWeb({ fullHost: chain.baseUrl });
    for (const account of chain.accounts) address.set(account.label, account.address);
  });

  after(async () => {
    await endLocalChain();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (command: string, argument: Record<string, unknown>) =>
    vscode.commands.executeCommand<Result>(`finality.${command}`, argument);
  const balance = async (of: string): Promise<number> => await tronWeb.trx.getUnconfirmedBalance(of);

  async function final(txId: string): Promise<void> {
    const { state } = await until(api, txId, (it) => it.state.kind === "solidified");
    assert.deepEqual(state.kind === "solidified" && state.outcome, { kind: "success" });
  }

  /** Fee that the chain charged besides the amount. */
  async function feeOf(txId: string): Promise<number> {
    return (await tronWeb.trx.getUnconfirmedTransactionInfo(txId)).fee ?? 0;
  }

  /** Creates a foreign account with coins whose owner permission needs all of these keys. */
  async function shared(keys: number, others: readonly string[]): Promise<readonly Account[]> {
    const own = await Promise.all(Array.from({ length: keys }, () => tronWeb.createAccount()));
    const accounts = own.map(({ address: { base58 }, privateKey }) => ({ address: base58, privateKey }));
    const [{ address: owner = "", privateKey = "" } = {}] = accounts;
    await final((await run("sendCoins", { from: "Alice", to: owner, amount: "500" })).txId);
    const all = [...accounts.map((it) => it.address), ...others];
    const permission = (type: number, permission_name: string) => ({
      type,
      permission_name,
      threshold: all.length,
      keys: all.map((it) => ({ address: TronWeb.address.toHex(it), weight: 1 })),
    });
    const operations = `02${"00".repeat(31)}`;
    const update = await tronWeb.transactionBuilder.updateAccountPermissions(
      owner,
      permission(0, "owner") as never,
      undefined,
      { ...permission(2, "active"), operations } as never,
    );
    const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(update, privateKey));
    await run("trackTransaction", { txId: txid });
    await final(txid);
    return accounts;
  }

  async function transferBy(owner: string, to: string, coins: number): Promise<Built> {
    const built = await tronWeb.transactionBuilder.sendTrx(to, coins * COIN, owner);
    return (await tronWeb.transactionBuilder.extendExpiration(built, 600, { txLocal: true })) as Built;
  }

  async function signedBy(built: Built, keys: readonly Account[]): Promise<Built> {
    let signed = built;
    for (const { privateKey } of keys) signed = (await tronWeb.trx.multiSign(signed, privateKey, OWNER)) as Built;
    return signed;
  }

  it("exports a signed transaction, which TronWeb sends, and tracks it until final", async () => {
    const file = join(folder, "one.tron.json");
    const before = await balance(named("Bob"));
    const asked = { from: "Alice", to: "Bob", amount: "3", share: true, expirySeconds: "3600", file };
    const exported = await run("sendCoins", asked);
    const json = JSON.parse(await readFile(file, "utf8"));

    assert.deepEqual([exported.state.kind, exported.file, json.txID], ["signed", file, exported.txId]);
    assert.equal(json.signature.length, 1);
    await assert.rejects(async () => run("sendCoins", { from: "Alice", to: "Bob", amount: "3" }), /equal transaction/i);

    const { result } = await tronWeb.trx.sendRawTransaction(json);
    assert.equal(result, true);
    await final(exported.txId);
    assert.equal((await balance(named("Bob"))) - before, 3 * COIN);
  });

  it("imports a transaction that TronWeb built and signed, and sends it", async () => {
    const [stranger] = await shared(1, []);
    assert.ok(stranger);
    const before = await balance(stranger.address);
    const built = await signedBy(await transferBy(stranger.address, named("Bob"), 7), [stranger]);

    const imported = await consenting("Broadcast", () =>
      run("importSignedTransaction", { text: JSON.stringify(built), broadcast: true }),
    );
    await final(imported.txId);

    assert.equal(imported.txId, built.txID);
    assert.equal(before - (await balance(stranger.address)), 7 * COIN + (await feeOf(built.txID)));
  });

  it("adds the second signature to a file of TronWeb, and sends it", async () => {
    const [stranger] = await shared(1, [named("Bob")]);
    assert.ok(stranger);
    const before = await balance(stranger.address);
    const built = await signedBy(await transferBy(stranger.address, named("Alice"), 11), [stranger]);
    const file = join(folder, "two.tron.json");
    await writeFile(file, JSON.stringify(built));

    const added = await consenting("Sign", () => run("addSignature", { file, signer: "Bob", broadcast: true }));
    await final(added.txId);

    const { signature } = JSON.parse(await readFile(file, "utf8"));
    assert.deepEqual([signature[0].toLowerCase(), signature.length], [built.signature[0]?.toLowerCase(), 2]);
    const fee = await feeOf(built.txID);
    assert.equal(before - (await balance(stranger.address)), 11 * COIN + fee);
    assert.ok(fee >= COIN, "the fee of several signatures is in it");
  });

  it("collects five signatures for a transaction built here without one: four by TronWeb, one here", async () => {
    const strangers = await shared(4, [named("Carol")]);
    const [{ address: owner = "" } = {}] = strangers;
    await run("addWatchOnlyAddress", { address: owner, label: "Treasury" });
    const file = join(folder, "five.tron.json");
    const before = await balance(owner);
    const asked = { from: "Treasury", to: "Bob", amount: "13", share: true, expirySeconds: "3600", file };
    const exported = await consenting("Export Unsigned", () => run("sendCoins", asked));
    const unsigned: Built = JSON.parse(await readFile(file, "utf8"));
    assert.deepEqual([unsigned.signature, api.transactions.get(exported.txId)?.state.kind], [[], "signed"]);

    await writeFile(file, JSON.stringify(await signedBy(unsigned, strangers)));
    const added = await consenting("Sign", () => run("addSignature", { file, signer: "Carol", broadcast: true }));
    await final(added.txId);

    assert.equal(added.txId, exported.txId);
    assert.equal(before - (await balance(owner)), 13 * COIN + (await feeOf(added.txId)));
    assert.equal(api.transactions.list().filter(({ txId }) => txId === added.txId).length, 1);
  });

  it("signs and exports system contracts that TronWeb reads unchanged", async () => {
    const staked = await run("stake", {
      from: "Alice",
      resource: "energy",
      amount: "5",
      share: true,
      expirySeconds: "600",
    });
    const json = JSON.parse(staked.transaction ?? "{}");

    assert.equal(json.raw_data.contract[0].type, "FreezeBalanceV2Contract");
    const imported = await run("importSignedTransaction", { text: staked.transaction, broadcast: true });
    await final(imported.txId);
    assert.equal(imported.txId, staked.txId);
    const late = await run("importSignedTransaction", { text: staked.transaction, broadcast: true });
    assert.equal(late.state.kind, "solidified", "a file of what is final joins its row, and nothing is sent");
    assert.equal(api.transactions.get(staked.txId)?.attempts.length, 1);
  });

  it("re-signs a transaction that was refused for its signature until it is final, with the same txID", async () => {
    const asked = { from: "Alice", to: "Carol", amount: "17", share: true, unsigned: true, expirySeconds: "600" };
    const { txId, transaction = "{}" } = await run("sendCoins", asked);
    const thief = await tronWeb.createAccount();
    const built: Built = JSON.parse(transaction);
    const wrong = { ...built, signature: [tronWeb.utils.crypto.signTransaction(thief.privateKey, built).signature[0]] };
    const kept = await run("importSignedTransaction", { text: JSON.stringify(wrong) });
    await assertSent(txId);
    await until(api, txId, (it) => it.state.kind === "rejected");

    const [alice, carol] = [await balance(named("Alice")), await balance(named("Carol"))];
    const again = await run("signAgain", { txId, signer: "Alice" });
    await final(txId);

    assert.deepEqual([kept.txId, again.txId], [txId, txId]);
    assert.equal((await balance(named("Carol"))) - carol, 17 * COIN);
    assert.equal(alice - (await balance(named("Alice"))), 17 * COIN + (await feeOf(txId)));
  });

  /** The signatures that there are are not enough, and a person sends them all the same. */
  async function assertSent(txId: string): Promise<void> {
    const { state } = await run("sendSameBytesAgain", { txId });
    assert.equal(state.kind, "rejected");
  }

  it("refuses hostile files with a reason, and stores nothing", async () => {
    const known = api.transactions.list().length;
    const built = await transferBy(named("Alice"), named("Bob"), 1);
    const other = await transferBy(named("Alice"), named("Bob"), 2);
    const give = (text: string) => async () => run("importSignedTransaction", { text, broadcast: true });

    await assert.rejects(
      give(JSON.stringify({ ...built, raw_data_hex: other.raw_data_hex })),
      /does not match its bytes/,
    );
    await assert.rejects(give(JSON.stringify({ ...built, txID: other.txID })), /txID does not match its bytes/);
    await assert.rejects(give("x".repeat(11_000_000)), /it is too long: 11000000 characters/);
    const large = join(folder, "large.tron.json");
    await writeFile(large, " ".repeat(10_000_000));
    await assert.rejects(async () => run("addSignature", { file: large }), /more than a transaction needs/);
    await assert.rejects(async () => run("addSignature", { file: folder }), /is not a file/);
    const elsewhere = built.raw_data_hex.replace(built.raw_data.ref_block_hash, "00".repeat(8));
    await assert.rejects(give(elsewhere), /not on this network's chain/);
    assert.equal(api.transactions.list().length, known);
  });

  it("does not overwrite a file, and keeps the signed transaction in the list", async () => {
    const file = join(folder, "there.tron.json");
    await writeFile(file, "mine");
    const asked = { from: "Alice", to: "Bob", amount: "19", share: true, expirySeconds: "600", file };
    await assert.rejects(async () => run("sendCoins", asked), /already exists/);

    const [row] = api.transactions.list();
    const elsewhere = join(folder, "elsewhere.tron.json");
    const exported = await run("exportForSignature", { txId: row?.txId, file: elsewhere });

    assert.equal(await readFile(file, "utf8"), "mine");
    assert.ok((await stat(elsewhere)).size > 0);
    assert.equal(exported.txId, row?.txId);
  });
});

/** Says yes to the review of an account that the local chain did not bring along. */
async function consenting(button: string, work: () => PromiseLike<Result>): Promise<Result> {
  let result: Result | undefined;
  await answering(button, async () => {
    result = await work();
  });
  assert.ok(result, "the review had another button");
  return result;
}
