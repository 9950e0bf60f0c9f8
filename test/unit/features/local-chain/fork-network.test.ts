import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain as EmbeddedChain, startLocalChain } from "../../../../packages/local-chain/src/main.ts";
import { askLocalChain } from "../../../../src/host/local-chain/local-chain-process.ts";
import { EventEmitter, editor, FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type ChainCommands = typeof import("../../../../src/features/local-chain/commands.ts");
type Keys = typeof import("../../../../src/host/secrets/signing-keys.ts");
type Credentials = typeof import("../../../../src/host/secrets/network-credentials.ts");
type NetworksPart = typeof import("../../../../src/host/networks/networks.ts");

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const program = new URL("../../../../packages/local-chain/src/main.ts", import.meta.url).pathname;

describe("forkNetwork", () => {
  let parts: ChainCommands & Keys & NetworksPart & Credentials;
  let folder: string;
  let network: EmbeddedChain;

  before(async () => {
    const [commands, keys, networks, credentials] = await Promise.all([
      loadWithEditor<ChainCommands>("src/features/local-chain/commands.ts"),
      loadWithEditor<Keys>("src/host/secrets/signing-keys.ts"),
      loadWithEditor<NetworksPart>("src/host/networks/networks.ts"),
      loadWithEditor<Credentials>("src/host/secrets/network-credentials.ts"),
    ]);
    parts = { ...commands, ...keys, ...networks, ...credentials };
    folder = await mkdtemp(join(tmpdir(), "finality-fork-network-"));
    network = await startLocalChain({ blockTimeMs: 0, accounts: 1 });
  });

  after(async () => {
    await network.close();
    await rm(folder, { recursive: true });
  });

  it("puts a fork in place of the stored chain, continues it, and brings the stored chain back", async () => {
    editor.reset();
    editor.settings["finality.networks"] = [{ name: "Shop", baseUrl: network.baseUrl }];
    const secrets = new FakeSecrets();
    const keys = new parts.SigningKeys(memento() as never, secrets as never);
    const networks = new parts.Networks(memento() as never);
    const credentials = new parts.NetworkCredentials({ store: secrets as never, state: memento(), now: Date.now });
    const transactions = { ready: async () => {}, list: () => [], hide: async () => {}, startOver: () => {} };
    const services = { keys, networks, credentials, folder, secrets, transactions, log: silent, program };
    const view = { visible: false, changed: new EventEmitter() };
    const { chain, commands, dispose } = parts.openChain({ ...services, readyLine: undefined } as never, view as never);
    const origin = async () => (await askLocalChain(chain.baseUrl ?? "", "status")).origin;
    const addresses = () => keys.list().map(({ address }) => address);
    try {
      await chain.start();
      const before = addresses();

      editor.answer = undefined;
      assert.equal(await commands["finality.forkNetwork"]({ network: "Shop" }, undefined), undefined);
      assert.equal(await origin(), undefined, "nothing happens without the answer");

      const ofItself = async () => commands["finality.forkNetwork"]({ network: "Local chain" }, undefined);
      await assert.rejects(ofItself, { code: "COMMAND_ARGUMENT_MALFORMED" });

      editor.answer = "Fork Network";
      await commands["finality.forkNetwork"]({ network: "Shop" }, undefined);
      const fork = addresses();
      assert.equal(((await origin()) as { url?: string }).url, network.baseUrl);
      assert.notDeepEqual(fork, before);

      await chain.stop();
      await chain.start();
      assert.equal(((await origin()) as { url?: string }).url, network.baseUrl, "the next start continues the fork");
      assert.deepEqual(addresses(), fork);

      await chain.fork(undefined);
      assert.equal(await origin(), undefined);
      assert.deepEqual(addresses(), before);

      await assert.rejects(chain.fork("http://127.0.0.1:1"));
      await chain.start();
      assert.deepEqual(addresses(), before, "a fork that does not start changes nothing");
    } finally {
      await chain.stop();
      dispose();
    }
  }).timeout(600_000);
});
