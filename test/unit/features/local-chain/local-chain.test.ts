import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain as EmbeddedChain, startLocalChain } from "../../../../packages/local-chain/src/main.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { chainIdentity } from "../../../../packages/tron/src/primitives/chain-proof.ts";
import { runFor } from "../../../../src/host/caller.ts";
import { LocalChainRecordFile, parseReadyLine } from "../../../../src/host/local-chain/local-chain-ready.ts";
import { EventEmitter, editor, FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";
import { startServer } from "../../../support/http/http-server.ts";

type ChainCommands = typeof import("../../../../src/features/local-chain/commands.ts");
type Chains = typeof import("../../../../src/features/local-chain/local-chain.ts");
type Keys = typeof import("../../../../src/host/secrets/signing-keys.ts");
type Credentials = typeof import("../../../../src/host/secrets/network-credentials.ts");
type NetworksPart = typeof import("../../../../src/host/networks/networks.ts");

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;
const noTransactions = { ready: async () => {}, list: () => [], hide: async () => {}, startOver: () => {} };

describe("LocalChain", () => {
  let parts: ChainCommands & Chains & Keys & NetworksPart & Credentials;
  let folder: string;
  let secrets: FakeSecrets;
  let chain: EmbeddedChain;
  let readyLine: string;

  before(async () => {
    const [commands, chains, keys, networks, credentials] = await Promise.all([
      loadWithEditor<ChainCommands>("src/features/local-chain/commands.ts"),
      loadWithEditor<Chains>("src/features/local-chain/local-chain.ts"),
      loadWithEditor<Keys>("src/host/secrets/signing-keys.ts"),
      loadWithEditor<NetworksPart>("src/host/networks/networks.ts"),
      loadWithEditor<Credentials>("src/host/secrets/network-credentials.ts"),
    ]);
    parts = { ...commands, ...chains, ...keys, ...networks, ...credentials };
  });

  beforeEach(async () => {
    editor.reset();
    folder = await mkdtemp(join(tmpdir(), "finality-local-"));
    secrets = new FakeSecrets();
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 2 });
    readyLine = JSON.stringify(chain.ready);
  });

  afterEach(async () => {
    await chain.close();
    await rm(folder, { recursive: true });
  });

  /** Opens a window. `line` is the value of FINALITY_DEV_CHAIN. */
  function openWindow(line?: string) {
    const keys = new parts.SigningKeys(memento() as never, secrets as never);
    const networks = new parts.Networks(memento() as never);
    const credentials = new parts.NetworkCredentials({
      store: secrets as never,
      state: memento(),
      now: Date.now,
    });
    const services = {
      keys,
      networks,
      credentials,
      folder,
      secrets,
      transactions: noTransactions,
      log: silent,
      program: join(folder, "no-program.js"),
      readyLine: line,
    };
    return { keys, networks, services, local: new parts.LocalChain(services as never) };
  }

  /** Writes the record of a chain that another window started. */
  async function leaveRecord(baseUrl = chain.baseUrl, isStored = false): Promise<void> {
    const ready = parseReadyLine(readyLine);
    const accounts = parts.namedAccounts(ready).map(({ address, label }) => ({ address, label }));
    await new LocalChainRecordFile(folder).write({
      chain: chainIdentity(ready.proof),
      baseUrl,
      isStored,
      accounts,
    });
  }

  it("uses the chain of the ready line and its accounts after its proof", async () => {
    const { local, keys, networks } = openWindow(readyLine);
    editor.answer = "Use It";

    await local.start();
    await local.prove();

    assert.equal(networks.local?.baseUrl, chain.baseUrl);
    assert.deepEqual(
      keys.list().map(({ label }) => label),
      ["Alice", "Bob", "Faucet"],
    );
  });

  it("is found by the next window without a prompt", async () => {
    editor.answer = "Use It";
    await openWindow(readyLine).local.start();
    const { local, networks } = openWindow(readyLine);

    await local.findRunning();

    assert.equal(networks.local?.baseUrl, chain.baseUrl);
    assert.equal(editor.asked.length, 1);
    local.dispose();
  });

  it("U20: disconnects from a chain that it did not start, which goes on", async () => {
    editor.answer = "Use It";
    const { services, networks, keys } = openWindow(readyLine);
    const view = { visible: false, changed: new EventEmitter() };
    const { chain: local, commands, dispose } = parts.openChain(services as never, view as never);
    await commands["finality.startLocalChain"]({}, undefined);
    assert.equal(networks.local?.baseUrl, chain.baseUrl);

    await commands["finality.stopLocalChain"]({}, undefined);
    assert.equal(networks.isLocalDisconnected, true);
    await local.findRunning();

    assert.deepEqual(editor.reported, ["$(debug-stop) Disconnected from the local chain"]);
    assert.equal(networks.local, undefined);
    assert.deepEqual(keys.listOn(undefined), []);
    assert.ok((await fetch(`${chain.baseUrl}/wallet/getnowblock`)).ok);
    dispose();
  });

  it("A1: resets the chain for a program only after a dialog", async () => {
    editor.answer = "Use It";
    const { services } = openWindow(readyLine);
    const { commands, dispose } = parts.openChain(
      services as never,
      { visible: false, changed: new EventEmitter() } as never,
    );
    const height = async () =>
      ((await (await fetch(`${chain.baseUrl}/local/status`)).json()) as { readonly head: { readonly number: number } })
        .head.number;
    await commands["finality.startLocalChain"]({}, undefined);
    await commands["finality.localChainMine"]({ blocks: "40" }, {});
    const mined = await height();
    const reset = () => runFor({}, () => commands["finality.localChainReset"]({}, {}));

    editor.answer = "Do Nothing";
    assert.equal(await reset(), undefined);
    assert.equal(await height(), mined);
    assert.deepEqual(editor.asked.at(-1)?.title, "Reset the local chain?");
    editor.answer = "Reset Local Chain";
    await reset();

    assert.ok((await height()) < mined);
    dispose();
  });

  it("forgets a chain that no longer answers, and its proof", async () => {
    editor.answer = "Use It";
    await openWindow(readyLine).local.start();
    await chain.close();
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local, undefined);
    assert.equal(await secrets.get("chainProof", chainIdentity(chain.ready.proof)), undefined);
  });

  it("H8: ignores the chain of the environment when the user declines", async () => {
    const { local, keys, networks } = openWindow(readyLine);

    // It then starts its own chain, whose program is missing here.
    await assert.rejects(local.start(), code("LOCAL_CHAIN_FAILED"));

    assert.match(editor.asked[0]?.title ?? "", /Use the local chain that runs at http:/);
    assert.equal(networks.local, undefined);
    assert.equal(keys.list().length, 0);
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: ignores a process without the secret of the ready line, without a prompt", async () => {
    const { local, keys, networks } = openWindow(JSON.stringify({ ...chain.ready, proof: "0".repeat(64) }));
    editor.answer = "Use It";

    await assert.rejects(local.start(), code("LOCAL_CHAIN_FAILED"));

    assert.deepEqual(editor.asked, []);

    assert.equal(networks.local, undefined);
    assert.equal(keys.list().length, 0);
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: ignores a chain that only a file names", async () => {
    await leaveRecord();
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local, undefined);
  });

  it("is found by another window that has the secret", async () => {
    await leaveRecord();
    await secrets.set("chainProof", chainIdentity(chain.ready.proof), chain.ready.proof);
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local?.baseUrl, chain.baseUrl);
    local.dispose();
  });

  it("U4: lists the accounts of the stored chain while its killed process still counts as running", async () => {
    await leaveRecord(chain.baseUrl, true);
    const named = chainIdentity(chain.ready.proof);
    await mkdir(join(folder, "local-chain"));
    await writeFile(
      join(folder, "local-chain", "lock"),
      JSON.stringify({ pid: process.pid, baseUrl: chain.baseUrl, chain: named }),
    );
    const { local, keys, networks } = openWindow();
    await keys.addOfChain(parts.namedAccounts(parseReadyLine(readyLine)), named);

    await local.findRunning();

    assert.deepEqual(
      keys.list().map(({ label }) => label),
      ["Alice", "Bob", "Faucet"],
    );
    assert.equal(networks.local, undefined);
    local.dispose();
  });

  it("H8: rejects a process that forwards the proof to the chain", async () => {
    const server = await startServer(async (response, { path, body }) => {
      const answer = await fetch(new URL(path, chain.baseUrl), { method: "POST", body });
      response.writeHead(answer.status).end(await answer.text());
    });
    await leaveRecord(server.url);
    await secrets.set("chainProof", chainIdentity(chain.ready.proof), chain.ready.proof);
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(server.requests.length, 1, "no proof was requested");
    assert.equal(networks.local, undefined);
    await server[Symbol.asyncDispose]();
  });

  it("H8: proves the chain again each time", async () => {
    const { local } = openWindow(readyLine);
    editor.answer = "Use It";
    await local.start();
    const port = Number(new URL(chain.baseUrl).port);
    await chain.close();
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 2, port });

    // The first request uses a connection of the chain that ended.
    await assert.rejects(local.prove(), code("GATEWAY_UNREACHABLE"));
    await assert.rejects(local.prove(), code("LOCAL_CHAIN_UNPROVEN"));
  });

  it("H8: ignores a record with a remote address", async () => {
    await leaveRecord("http://chain.example:9471");

    assert.equal(await new LocalChainRecordFile(folder).read(), undefined);
  });
});

const account = (digit: string) => ({ address: parseAddress(`41${digit.repeat(40)}`), privateKey: digit.repeat(64) });
const ready = (accounts: number) => ({
  baseUrl: "http://127.0.0.1:1",
  proof: "a".repeat(64),
  faucet: account("f"),
  accounts: Array.from({ length: accounts }, (_, index) => account((index % 10).toString())),
});

describe("namedAccounts", () => {
  let chains: Chains;

  before(async () => {
    chains = await loadWithEditor<Chains>("src/features/local-chain/local-chain.ts");
  });

  it("names the accounts, with the faucet last", () => {
    const labels = chains.namedAccounts(ready(11)).map(({ label }) => label);

    assert.deepEqual(labels.slice(0, 2), ["Alice", "Bob"]);
    assert.deepEqual(labels.slice(-2), ["Local 11", "Faucet"]);
    assert.equal(new Set(labels).size, labels.length);
  });
});
