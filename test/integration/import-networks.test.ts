import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { answering } from "./dialogs.ts";
import { finality } from "./local-chain.ts";

interface Imported {
  readonly added: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly accounts: readonly string[];
}

const KEY = randomBytes(32).toString("hex");
const [folder] = vscode.workspace.workspaceFolders ?? [];
const inWorkspace = (name: string): string => join(folder?.uri.fsPath ?? "", name);
const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const networks = () =>
  vscode.workspace.getConfiguration("finality").get<{ name: string; baseUrl: string }[]>("networks") ?? [];

const TRONBOX = `
globalThis.finalityTestRan = true;
module.exports = { networks: {
  nile: { privateKey: "${KEY}", fullHost: "https://nile.trongrid.io" },
  wide: { fullHost: "http://node.example.org:8090" },
  near: { fullHost: "http://192.168.1.20:8090" },
  dev: { fullHost: "http://127.0.0.1:" + (globalThis.finalityTestRan = true) },
} };`;

describe("Import Networks with arguments", () => {
  const file = inWorkspace("tronbox.js");

  before(async () => {
    await finality();
    writeFileSync(file, TRONBOX);
  });

  afterEach(async () => {
    for (const { name } of networks()) await answering("Remove", () => run("removeNetwork", { network: name }));
  });

  after(() => rmSync(file));

  /** @returns the result, with the dialogs that were shown and answered with this button */
  async function importing(button: Parameters<typeof answering>[0], argument: object = { file }) {
    let result: Imported | undefined;
    const texts: string[] = [];
    const dialogs = await answering(
      button,
      async () => {
        result = await run<Imported>("importNetworks", argument);
      },
      (text) => texts.push(text),
    );
    return { result, dialogs, texts };
  }

  it("H7: reads the file as text, runs nothing and imports no key without confirmation", async () => {
    const { result, dialogs, texts } = await importing(({ buttons }) => buttons.find((it) => it === "Add"));

    assert.equal("finalityTestRan" in globalThis, false);
    assert.deepEqual(result?.added, ["nile"]);
    assert.deepEqual(result?.accounts, []);
    assert.deepEqual(
      dialogs.map(({ title }) => title),
      [
        "Add these networks?",
        "Use http://192.168.1.20:8090 for near?",
        "tronbox.js contains 1 private key. Import it as an account?",
      ],
    );
    assert.deepEqual(
      result?.skipped.map(({ name, reason }) => `${name}: ${reason}`),
      ["wide: http is not encrypted: use https", "near: http was not allowed for it"],
    );
    assert.equal(JSON.stringify([result, texts, networks()]).includes(KEY), false, "a key is shown nowhere");
  });

  it("adds an account for a key after confirmation, and stores the key nowhere else", async () => {
    const { result } = await importing("Import", { file, names: ["nile"] });

    const [address] = result?.accounts ?? [];
    assert.match(address ?? "", /^T\w{33}$/);
    assert.equal(JSON.stringify([result, networks()]).includes(KEY), false);
    await answering("Remove", () => run("removeSigningKey", { address }));
  });

  it("refuses an invalid file with the reason", async () => {
    const outside = join(tmpdir(), `finality-outside-${process.pid}.js`);
    writeFileSync(outside, TRONBOX);
    symlinkSync(outside, inWorkspace("hardhat.config.js"));
    writeFileSync(inWorkspace(".env"), Buffer.alloc(5 * 1024 * 1024, "A=1\n"));
    writeFileSync(inWorkspace("foundry.toml"), "[profile.default]\nsrc = 'src'\n");
    const refused = (path: string, names: object, reason: RegExp) =>
      assert.rejects(async () => run("importNetworks", { file: path, ...names }), reason);

    await refused(outside, {}, /no folder of this workspace/);
    await refused(inWorkspace("hardhat.config.js"), {}, /link to a file outside of the workspace/);
    await refused(inWorkspace(".env"), {}, /has 5242880 bytes/);
    await refused(inWorkspace("foundry.toml"), {}, /defines no network with a literal URL/);
    await refused(inWorkspace("none.js"), {}, /cannot be read \(ENOENT\)/);
    await refused(file, { names: ["mainnet"] }, /defines no network "mainnet"; it has nile/);
    for (const name of ["hardhat.config.js", ".env", "foundry.toml"]) rmSync(inWorkspace(name));
    rmSync(outside);
  });
});
