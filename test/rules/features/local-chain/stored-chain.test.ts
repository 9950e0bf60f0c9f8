import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_NETWORK_NAME } from "../../../../packages/client/src/gateway/network.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import type { LocalChainResult } from "../../../../src/features/local-chain/local-chain.ts";
import { startLocalChainProcess } from "../../../../src/host/local-chain/local-chain-process.ts";
import { ChainBeside } from "../../../support/chain/chain-beside.ts";
import { editor, FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";
import { startServer } from "../../../support/http/http-server.ts";
import { howOften } from "../../../support/random/how-often.ts";

type Chains = typeof import("../../../../src/features/local-chain/local-chain.ts");
type Keys = typeof import("../../../../src/host/secrets/signing-keys.ts");
type Credentials = typeof import("../../../../src/host/secrets/network-credentials.ts");
type NetworksPart = typeof import("../../../../src/host/networks/networks.ts");

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const PROGRAM = new URL("../../../../packages/local-chain/src/main.ts", import.meta.url).pathname;
const SECRET = "5ec2e7".padEnd(64, "0");
const RECIPIENT = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
/** Code that stores 42 in memory and returns it, as the code of a contract. */
const BYTECODE = "602a60005260206000f3";
const WAIT_MS = 60_000;
const ROUNDS = howOften(2, 20);
const MINUTE_MS = 60_000;

interface Lock {
  readonly pid: number;
  readonly baseUrl: string;
  readonly chain: string;
}

describe("LocalChain with stored data", function () {
  this.timeout(120_000);
  let parts: Chains & Keys & NetworksPart & Credentials;
  let folder: string;
  let secrets: FakeSecrets;
  let windows: { dispose(): void }[];

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
    editor.settings["finality.localChain.blockTime"] = 200;
    folder = await mkdtemp(join(tmpdir(), "finality-stored-"));
    secrets = new FakeSecrets();
    windows = [];
  });

  afterEach(async () => {
    for (const it of windows) it.dispose();
    const lock = await lockOf().catch(() => undefined);
    if (lock !== undefined) await fetch(`${lock.baseUrl}/local/stop`, { method: "POST" }).catch(() => undefined);
    await until(async () => (await lockOf().catch(() => undefined)) === undefined || !isRunning(lock?.pid));
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens a window. Windows share the folder, the secret storage and the state of the editor. */
  function openWindow(state = memento()) {
    const keys = new parts.SigningKeys(state as never, secrets as never, folder);
    const networks = new parts.Networks(state as never);
    const credentials = new parts.NetworkCredentials({ store: secrets as never, state, now: Date.now });
    const hidden: string[] = [];
    const transactions = {
      ready: async () => {},
      list: () => [
        { txId: "open", network: LOCAL_NETWORK_NAME, state: { kind: "pending" }, hidden: false, attempts: [] },
      ],
      hide: async (txId: string) => void hidden.push(txId),
      startOver: () => {},
    };
    const local = new parts.LocalChain({
      ...{ keys, networks, credentials, secrets, transactions, folder, log: silent, program: PROGRAM },
      readyLine: undefined,
    } as never);
    windows.push(local, keys, networks, credentials);
    // Two windows that add the accounts at once define no order.
    const names = (): readonly string[] =>
      keys
        .list()
        .map(({ label }) => label)
        .toSorted();
    return { keys, networks, local, hidden, names, state };
  }

  const lockFile = (): string => join(folder, "local-chain", "lock");
  const lockOf = async (): Promise<Lock> => JSON.parse(await readFile(lockFile(), "utf8")) as Lock;

  const byName = (result: LocalChainResult) => ({
    ...result,
    accounts: result.accounts.toSorted((one, other) => (one.label < other.label ? -1 : 1)),
  });

  /** Kills the chain as a crash of the computer does, without a chance to save. */
  async function killChain(): Promise<void> {
    const { pid } = await lockOf();
    process.kill(pid, "SIGKILL");
    await until(async () => !isRunning(pid));
  }

  it("starts once in two windows and outlives them, the next one finds it, and a killed one leaves its names", async () => {
    const [first, other] = [openWindow(), openWindow()];
    const [started, again] = await Promise.all([first.local.start(), other.local.start()]);
    assert.deepEqual(byName(again), byName(started));
    await first.local.prove();
    await other.local.prove();
    const { pid } = await lockOf();
    first.local.dispose();
    other.local.dispose();

    const next = openWindow(first.state);
    await next.local.findRunning();
    await next.local.prove();

    assert.equal(next.networks.local?.baseUrl, started.baseUrl);
    assert.equal(next.networks.active?.name, LOCAL_NETWORK_NAME);
    assert.equal((await lockOf()).pid, pid);
    assert.deepEqual(next.names(), first.names());
    assert.equal(editor.contexts["finality.localChainRunning"], true);
    assert.deepEqual(editor.asked, []);

    next.local.dispose();
    await killChain();
    const last = openWindow(next.state);
    await last.local.findRunning();

    assert.deepEqual(last.names(), first.names());
    assert.equal(last.networks.local, undefined);
    assert.equal(last.networks.active, undefined, "no other network takes its place");
    assert.throws(() => last.networks.get(LOCAL_NETWORK_NAME), code("LOCAL_CHAIN_STOPPED"));
    assert.deepEqual(last.hidden, []);
  });

  it(`has its accounts, contracts and transactions after each of ${ROUNDS} rounds of reload, kill, close, two windows and a killed chain`, async () => {
    let window = openWindow();
    const first = await window.local.start();
    window.hidden.splice(0);
    const chain = new ChainBeside(first.baseUrl);
    const key = await chain.keyAt(0);
    const contract = await chain.deployed(key, { abi: "[]", bytecode: BYTECODE, name: "Leaf" });
    const payments: string[] = [];
    const addresses = first.accounts.map(({ address }) => address);
    for (let round = 1; round <= ROUNDS; round++) {
      const { txID } = await chain.done(key, "createtransaction", {
        to_address: parseAddress(RECIPIENT),
        amount: round,
      });
      payments.push(String(txID));
      // A reload ends the window in order; a killed host does not get to it.
      if (round % 2 === 0) window.local.dispose();
      if (round % 3 !== 0) await killChain();
      window = openWindow(window.state);
      const second = openWindow(window.state);
      await Promise.all([window.local.findRunning(), second.local.findRunning()]);
      assert.deepEqual(window.names(), first.accounts.map(({ label }) => label).toSorted(), `round ${round}`);

      const [again, other] = await Promise.all([window.local.start(), second.local.start()]);

      assert.deepEqual(again, first, `round ${round}`);
      assert.deepEqual(other, first, `round ${round}`);
      assert.deepEqual(
        again.accounts.map(({ address }) => address),
        addresses,
      );
      assert.equal(window.networks.active?.name, LOCAL_NETWORK_NAME);
      assert.equal(
        (await chain.ask("wallet/getcontract", { value: contract, visible: true })).contract_address,
        contract,
      );
      for (const id of payments) assert.equal((await chain.ask("wallet/gettransactionbyid", { value: id })).txID, id);
      await window.keys.withPrivateKey(window.keys.list()[0]?.address ?? assert.fail(), () => undefined);
      second.local.dispose();
    }
    assert.deepEqual(window.hidden, [], "its transactions stay in the list");
  });

  it("stops on request only, keeps its data, and other windows notice its end and its start without a message", async () => {
    const one = openWindow();
    const first = await one.local.start();
    const two = openWindow(one.state);
    await two.local.findRunning();
    one.hidden.splice(0);

    await one.local.stop();
    await until(async () => !two.local.isRunning && two.networks.isLocalStopped);

    await assert.rejects(fetch(`${first.baseUrl}/wallet/getnowblock`));
    assert.deepEqual(await one.local.start(), first);
    assert.deepEqual(one.hidden, []);
    // The window connects to the chain first, and then adds its network.
    await until(async () => two.local.isRunning && two.networks.active !== undefined);
    assert.equal(two.networks.active?.baseUrl, first.baseUrl);
    assert.deepEqual(editor.asked, []);
  });

  it("reports a killed chain with a way to start it again", async () => {
    const { local } = openWindow();
    await local.start();

    await killChain();
    await until(async () => editor.asked.length > 0);

    assert.deepEqual(editor.asked, [
      {
        title: "The local chain has stopped. Its accounts, contracts and transactions are stored.",
        buttons: ["Start Local Chain", "Show Log"],
      },
    ]);
    assert.equal(local.isRunning, false);
    assert.equal(editor.contexts["finality.localChainRunning"], false);
  });

  it("is found when its window was killed before it wrote the record", async () => {
    const { chainIdentity } = await import("../../../../packages/tron/src/primitives/chain-proof.ts");
    await secrets.set("chainProof", chainIdentity(SECRET), SECRET);
    const data = join(folder, "local-chain");
    const ready = await startLocalChainProcess({
      ...{
        log: silent,
        program: PROGRAM,
        data,
        fork: undefined,
        secret: SECRET,
        baseUrl: undefined,
        blockTimeMs: 1_000,
        leaseMs: MINUTE_MS,
      },
    });
    const { local, keys, networks } = openWindow();

    await local.findRunning();

    assert.equal(networks.local?.baseUrl, ready.baseUrl);
    const alice = keys.list()[0] ?? assert.fail();
    assert.equal(toBase58(alice.address), toBase58(ready.accounts[0]?.address ?? assert.fail()));
    await keys.withPrivateKey(alice.address, () => undefined);
  });

  it("H8: uses no server that only the lock or the record names", async () => {
    const first = openWindow();
    const started = await first.local.start();
    first.local.dispose();
    const { pid, chain } = await lockOf();
    const server = await startServer(async (response) => {
      response.writeHead(200).end(JSON.stringify({ proof: "0".repeat(64) }));
    });
    const original = await readFile(lockFile(), "utf8");
    await writeFile(lockFile(), JSON.stringify({ pid, chain, baseUrl: server.url }));
    const recordFile = join(folder, "local-chain.json");
    const record = JSON.parse(await readFile(recordFile, "utf8")) as object;
    await writeFile(recordFile, JSON.stringify({ ...record, baseUrl: server.url }));

    const { local, networks } = openWindow(first.state);
    const used = (): string | undefined => networks.local?.baseUrl;
    await local.findRunning();

    assert.equal(server.requests.length, 1, "no proof was requested");
    assert.equal(used(), undefined);
    await writeFile(lockFile(), original);
    await local.findRunning();
    assert.equal(used(), started.baseUrl);
    await server[Symbol.asyncDispose]();
  });

  it("starts although another program has the process ID of a killed chain", async () => {
    const first = openWindow();
    const started = await first.local.start();
    first.local.dispose();
    await killChain();
    await writeFile(lockFile(), JSON.stringify({ ...(await lockOf()), pid: process.pid }));
    const past = Date.now() / 1_000 - 120;
    await utimes(lockFile(), past, past);

    const again = await openWindow(first.state).local.start();

    assert.deepEqual(again, started);
  });

  it("takes another port when its own one is taken", async () => {
    const first = openWindow();
    const started = await first.local.start();
    await first.local.stop();
    const server = createServer().listen(Number(new URL(started.baseUrl).port), "127.0.0.1");

    const again = await first.local.start();

    assert.notEqual(again.baseUrl, started.baseUrl);
    assert.deepEqual(again.accounts, started.accounts);
    server.close();
  });

  it("reports why it cannot use its folder", async () => {
    await writeFile(join(folder, "local-chain"), "a file");
    const { local } = openWindow();

    await assert.rejects(local.start(), (error) => isChainError(error) && /EEXIST|ENOTDIR/.test(error.message));

    assert.deepEqual(editor.asked, [], "the deletion of data is offered only if they cannot be read");
    await rm(join(folder, "local-chain"));
    assert.equal(secrets.kept.size, 0);
  });

  it("deletes a chain of another version only if the user agrees", async () => {
    const { local } = openWindow();
    const first = await local.start();
    await local.stop();
    const setup = join(folder, "local-chain", "chain.json");
    const text = await readFile(setup, "utf8");
    await writeFile(setup, text.replace(/"version": \d+/, '"version": 99'));

    await assert.rejects(local.start(), (error) => isChainError(error) && /version 99/.test(error.message));
    assert.equal(editor.asked[0]?.title, "Start a new local chain?");
    assert.match(await readFile(setup, "utf8"), /99/);

    editor.answer = "Delete and Start New Chain";
    const again = await local.start();

    assert.notDeepEqual(again.accounts, first.accounts);
    await local.prove();
  });

  it("removes the accounts that a version without stored chains left", async () => {
    const { keys, local, names } = openWindow();
    const address = keys.addressOf(RECIPIENT);
    assert.equal(address, undefined);
    const record = { chain: "old", baseUrl: "http://127.0.0.1:1", pid: 1, accounts: [] };
    await writeFile(join(folder, "local-chain.json"), JSON.stringify(record));

    await local.findRunning();

    assert.deepEqual(names(), []);
  });

  it("keeps its keys and its secret out of the record and the lock, which only their owner can read", async () => {
    const { local } = openWindow();
    await local.start();
    const files = [lockFile(), join(folder, "local-chain.json")];

    const texts = await Promise.all(files.map((it) => readFile(it, "utf8")));
    const modes = await Promise.all(
      [...files, join(folder, "local-chain")].map(async (it) => (await stat(it)).mode & 0o077),
    );

    for (const secret of secrets.kept.values()) assert.ok(!texts.join().includes(secret));
    assert.deepEqual(modes, [0, 0, 0]);
  });

  it("ends when its folder is deleted", async () => {
    const { local } = openWindow();
    await local.start();
    const { pid } = await lockOf();
    local.dispose();

    await rm(join(folder, "local-chain"), { recursive: true });
    await mkdir(join(folder, "local-chain"));

    await until(async () => !isRunning(pid));
  });
});

const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Polls until a condition holds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await condition())) {
    assert.ok(Date.now() < end, "the condition does not hold in time");
    await sleep(20);
  }
}
