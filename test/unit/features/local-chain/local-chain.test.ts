import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain as EmbeddedChain, startLocalChain } from "../../../../packages/local-chain/src/main.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { LocalChainRecordFile, parseReadyLine } from "../../../../src/host/local-chain/local-chain-ready.ts";
import { editor, FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";
import { startServer } from "../../../support/http/http-server.ts";

type Chains = typeof import("../../../../src/features/local-chain/local-chain.ts");
type Keys = typeof import("../../../../src/host/secrets/signing-keys.ts");
type Credentials = typeof import("../../../../src/host/secrets/network-credentials.ts");
type NetworksPart = typeof import("../../../../src/host/networks/networks.ts");

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const code = (wanted: string) => (error: unknown) => isChainError(error) && error.code === wanted;
const noTransactions = { ready: async () => {}, list: () => [], hide: async () => {}, startOver: () => {} };

describe("who counts as the local chain", () => {
  let parts: Chains & Keys & NetworksPart & Credentials;
  let folder: string;
  let secrets: FakeSecrets;
  let chain: EmbeddedChain;
  let readyLine: string;

  before(async () => {
    const [chains, keys, networks, credentials] = await Promise.all([
      loadWithEditor<Chains>("src/features/local-chain/local-chain.ts"),
      loadWithEditor<Keys>("src/host/secrets/signing-keys.ts"),
      loadWithEditor<NetworksPart>("src/host/networks/networks.ts"),
      loadWithEditor<Credentials>("src/host/secrets/network-credentials.ts"),
    ]);
    parts = { ...chains, ...keys, ...networks, ...credentials };
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

  /** A window of the editor. @param line - what FINALITY_DEV_CHAIN says */
  function openWindow(line?: string) {
    const keys = new parts.SigningKeys(memento() as never, secrets as never);
    const networks = new parts.Networks(memento() as never);
    const record = new LocalChainRecordFile(folder);
    const credentials = new parts.NetworkCredentials({
      store: secrets as never,
      state: memento(),
      now: Date.now,
    });
    const services = {
      keys,
      networks,
      credentials,
      record,
      secrets,
      transactions: noTransactions,
      log: silent,
      program: join(folder, "no-program.js"),
      readyLine: line,
    };
    return { keys, networks, record, local: new parts.LocalChain(services as never) };
  }

  /** Writes the record of a chain that another window started. */
  async function leaveRecord(baseUrl = chain.baseUrl): Promise<void> {
    const ready = parseReadyLine(readyLine);
    const accounts = parts.namedAccounts(ready).map(({ address, label }) => ({ address, label }));
    await new LocalChainRecordFile(folder).write({
      chain: parts.chainIdentity(ready),
      baseUrl,
      pid: process.pid,
      accounts,
    });
  }

  it("is the one of the ready line, which proves itself and is taken, and its accounts come with it", async () => {
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

  it("is known to the next window of who took it, without a question", async () => {
    editor.answer = "Use It";
    await openWindow(readyLine).local.start();
    const { local, networks } = openWindow(readyLine);

    await local.findRunning();

    assert.equal(networks.local?.baseUrl, chain.baseUrl);
    assert.equal(editor.asked.length, 1);
    local.dispose();
  });

  it("is gone when the chain that was taken answers no more, and what proved it is forgotten", async () => {
    editor.answer = "Use It";
    await openWindow(readyLine).local.start();
    await chain.close();
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local, undefined);
    assert.equal(await secrets.get("chainProof", parts.chainIdentity(parseReadyLine(readyLine))), undefined);
  });

  it("H8: is not the one that the environment names, unless the person takes it", async () => {
    const { local, keys, networks } = openWindow(readyLine);

    // It starts one of its own, and here there is no program for that.
    await assert.rejects(local.start(), code("LOCAL_CHAIN_FAILED"));

    assert.match(editor.asked[0]?.title ?? "", /Use the local chain that runs at http:/);
    assert.equal(networks.local, undefined);
    assert.equal(keys.list().length, 0);
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: is no process that answers without the secret of the ready line: no question, no key of theirs", async () => {
    const { local, keys, networks } = openWindow(JSON.stringify({ ...chain.ready, proof: "0".repeat(64) }));
    editor.answer = "Use It";

    await assert.rejects(local.start(), code("LOCAL_CHAIN_FAILED"));

    assert.deepEqual(editor.asked, []);

    assert.equal(networks.local, undefined);
    assert.equal(keys.list().length, 0);
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: is no process that only a file names, even with the number of a live one", async () => {
    await leaveRecord();
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local, undefined);
  });

  it("is found by another window, which has it prove the same", async () => {
    await leaveRecord();
    await secrets.set("chainProof", parts.chainIdentity(parseReadyLine(readyLine)), chain.ready.proof);
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local?.baseUrl, chain.baseUrl);
    local.dispose();
  });

  it("H8: is not who took the port over, or passes the questions on to the chain", async () => {
    const server = await startServer(async (response, { path, body }) => {
      const answer = await fetch(new URL(path, chain.baseUrl), { method: "POST", body });
      response.writeHead(answer.status).end(await answer.text());
    });
    await leaveRecord(server.url);
    await secrets.set("chainProof", parts.chainIdentity(parseReadyLine(readyLine)), chain.ready.proof);
    const { local, networks } = openWindow();

    await local.findRunning();

    assert.equal(server.requests.length, 1, "it was asked to prove itself");
    assert.equal(networks.local, undefined);
    await server[Symbol.asyncDispose]();
  });

  it("H8: has to prove it again each time: the port of a chain that ended is anybody's", async () => {
    const { local } = openWindow(readyLine);
    editor.answer = "Use It";
    await local.start();
    const port = Number(new URL(chain.baseUrl).port);
    await chain.close();
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 2, port });

    // The first question goes over a connection of the chain that ended.
    await assert.rejects(local.prove(), code("GATEWAY_UNREACHABLE"));
    await assert.rejects(local.prove(), code("LOCAL_CHAIN_UNPROVEN"));
  });

  it("H8: answers on this machine alone: a file that names another place is none", async () => {
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

describe("the accounts of a local chain", () => {
  let chains: Chains;

  before(async () => {
    chains = await loadWithEditor<Chains>("src/features/local-chain/local-chain.ts");
  });

  it("have names that people remember, and the faucet is last", () => {
    const labels = chains.namedAccounts(ready(11)).map(({ label }) => label);

    assert.deepEqual(labels.slice(0, 2), ["Alice", "Bob"]);
    assert.deepEqual(labels.slice(-2), ["Local 11", "Faucet"]);
    assert.equal(new Set(labels).size, labels.length);
  });

  it("H8: tell nothing of which chain it is: its secret does, also where a seed gives the same accounts", () => {
    const again = { ...ready(1), proof: "b".repeat(64) };

    assert.equal(chains.chainIdentity(ready(1)), chains.chainIdentity(ready(2)));
    assert.notEqual(chains.chainIdentity(ready(1)), chains.chainIdentity(again));
    assert.ok(!chains.chainIdentity(ready(1)).includes("aaaaaaaa"));
  });
});
