import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { parseAddress, toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { answering } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain } from "./local-chain.ts";

const at = (digit: string): string => toBase58(parseAddress(`41${digit.repeat(40)}`));
const [FRIEND, THIEF, VAULT] = [at("b"), at("e"), at("a")];
const settings = () => vscode.workspace.getConfiguration("finality");
const names = () => settings().get<Record<string, string>>("addressBook") ?? {};
const write = (names: object | undefined) => settings().update("addressBook", names, vscode.ConfigurationTarget.Global);
const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const name = (address: string, as: string) => run("nameAddress", { address, name: as });

describe("address book", () => {
  before(async () => {
    await finality();
    await startFastChain();
  });

  after(async () => {
    await write(undefined);
    await endLocalChain();
  });

  it("H7: adds a name from a program only after the user saw the whole address", async () => {
    const [left] = await answering(undefined, () => name(FRIEND, "Friend"));
    assert.ok(left?.title.includes(FRIEND), left?.title);
    assert.deepEqual(names(), {});

    await answering("Set Name", () => name(FRIEND, "Friend"));
    assert.deepEqual(names(), { [FRIEND]: "Friend" });
  });

  it("resolves a name as recipient, and shows it in the list", async () => {
    const sent = await run<{ readonly txId: string }>("sendCoins", { from: "Alice", to: "Friend", amount: "1" });

    const api = await finality();
    assert.equal(api.transactions.get(sent.txId)?.intent?.to, FRIEND);
    const report = await run<{ readonly markdown: string }>("copyReport", { txId: sent.txId });
    assert.match(report.markdown, /Friend/);
  });

  it("refuses names that are taken, look like an address, or belong to an account", async () => {
    await assert.rejects(async () => name(THIEF, "FRIEND"), /that looks like it/);
    await assert.rejects(async () => name(THIEF, "Аlice"), /that looks like it/);
    await assert.rejects(async () => name(THIEF, FRIEND), /looks like an address/);
    const { address } = await run<{ readonly address: string }>("generateSigningKey", { label: "Own" });
    await assert.rejects(async () => name(address, "Mine"), /is an account here/);
    await answering("Remove", () => run("removeSigningKey", { address }));
    assert.deepEqual(names(), { [FRIEND]: "Friend" });
  });

  it("H7: does not pay by a name that the settings moved to another address", async () => {
    await write({ [THIEF]: "Friend" });

    await assert.rejects(async () => run("sendCoins", { from: "Alice", to: "Friend", amount: "1" }), /Friend/);

    await write({ [FRIEND]: "Friend" });
    await run("sendCoins", { from: "Alice", to: "Friend", amount: "2" });
  });

  it("keeps valid names beside an invalid one, and removes names", async () => {
    await write({ [FRIEND]: "Friend", T123: "Nobody", [THIEF]: "https://a.test" });
    await run("sendCoins", { from: "Alice", to: "Friend", amount: "3" });

    await answering("Remove Name", () => name(FRIEND, ""));
    assert.equal(names()[FRIEND], undefined);
  });
});

describe("address names of a workspace", () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = join(folder?.uri.fsPath ?? "", "finality.names.json");
  const outside = join(tmpdir(), `finality-names-${process.pid}.json`);

  before(async () => {
    await finality();
    await startFastChain();
  });

  afterEach(() => rmSync(file, { force: true }));
  after(async () => {
    rmSync(outside, { force: true });
    await endLocalChain();
  });

  /** Returns the report of a payment to an address once it matches. */
  async function reportUntil(to: string, amount: string, expected: RegExp): Promise<string> {
    const { txId } = await run<{ readonly txId: string }>("sendCoins", { from: "Alice", to, amount });
    for (let tries = 0; ; tries++) {
      const { markdown } = await run<{ readonly markdown: string }>("copyReport", { txId });
      if (expected.test(markdown) || tries > 200) return markdown;
      await new Promise(setImmediate);
      await vscode.workspace.fs.stat(vscode.Uri.file(folder?.uri.fsPath ?? ""));
    }
  }

  it("are shown as claims of the workspace, and cannot be used for payments", async () => {
    writeFileSync(file, JSON.stringify({ [VAULT]: "Treasury" }));

    assert.match(await reportUntil(VAULT, "0.5", /Treasury/), /in this workspace/);
    await assert.rejects(async () => run("sendCoins", { from: "Alice", to: "Treasury", amount: "1" }), /Treasury/);
  });

  it("are not read through a link to a file outside of the workspace", async () => {
    writeFileSync(outside, JSON.stringify({ [VAULT]: "Elsewhere" }));
    symlinkSync(outside, file);

    assert.doesNotMatch(await reportUntil(VAULT, "0.75", /Elsewhere/), /Elsewhere/);
  });
});
