import assert from "node:assert/strict";
import { editor, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

type NetworksModule = typeof import("../../../../src/host/networks/networks.ts");
const MAINNET = { name: "Mainnet", baseUrl: "https://main.test", production: true };
const SHOP = { name: "Shop", baseUrl: "https://shop.test" };

describe("Networks", () => {
  let parts: NetworksModule;
  let networks: InstanceType<NetworksModule["Networks"]>;

  before(async () => {
    parts = await loadWithEditor<NetworksModule>("src/host/networks/networks.ts");
  });

  beforeEach(() => {
    editor.reset();
    editor.settings["finality.networks"] = [MAINNET, SHOP];
    editor.settings["finality.activeNetwork"] = "Mainnet";
    networks = new parts.Networks(memento() as never);
  });

  afterEach(() => {
    networks.dispose();
    editor.reset();
  });

  const active = (): string | undefined => networks.active?.name;

  it("U2: has no active network after the active local chain stopped, until the user chooses", async () => {
    assert.equal(active(), "Mainnet");
    networks.setLocal("http://127.0.0.1:1");
    assert.equal(active(), "Mainnet");
    await networks.setActive("Local chain");
    assert.equal(active(), "Local chain");

    networks.setLocal(undefined);

    assert.equal(active(), undefined);
    assert.equal(networks.isLocalStopped, true);
    assert.throws(() => networks.get(), { code: "LOCAL_CHAIN_STOPPED" });
    networks.setLocal("http://127.0.0.1:2");
    assert.equal(active(), "Local chain");
    networks.setLocal(undefined);
    await networks.setActive("Shop");
    assert.equal(active(), "Shop");
    assert.equal(networks.isLocalStopped, false);
  });

  it("tells a disconnected local chain from a stopped one", async () => {
    networks.setLocal("http://127.0.0.1:1");
    await networks.setActive("Local chain");

    networks.setLocal(undefined, undefined, true);

    assert.deepEqual([networks.isLocalStopped, networks.isLocalDisconnected], [true, true]);
    assert.throws(() => networks.get(), /: This window is disconnected from the local chain\. Start it/);
    networks.setLocal(undefined);
    assert.deepEqual([networks.isLocalStopped, networks.isLocalDisconnected], [true, false]);
  });

  it("U2: follows an edited setting only after the local chain stopped", async () => {
    networks.setLocal("http://127.0.0.1:1");
    await networks.setActive("Local chain");
    editor.changeSetting("finality.activeNetwork", "Shop");
    assert.equal(active(), "Local chain");

    networks.setLocal(undefined);
    editor.changeSetting("finality.networks", [MAINNET, SHOP]);
    assert.equal(active(), undefined);
    editor.changeSetting("finality.activeNetwork", "Mainnet");

    assert.equal(active(), "Mainnet");
  });

  it("U25: names the local chain in the setting while it is active", async () => {
    const setting = () => editor.settings["finality.activeNetwork"];
    networks.setLocal("http://127.0.0.1:1");
    await networks.setActive("Local chain");
    assert.equal(setting(), "Local chain");

    networks.setLocal(undefined);
    assert.equal(setting(), "Local chain");
    await networks.setActive("Shop");
    assert.equal(setting(), "Shop");
  });

  it("U25: makes the local chain active although the settings cannot be written", async () => {
    networks.setLocal("http://127.0.0.1:1");
    editor.settings = Object.freeze({ ...editor.settings });

    await networks.setActive("Local chain");

    assert.equal(active(), "Local chain");
    await assert.rejects(networks.setActive("Shop"), TypeError);
  });

  it("U25: keeps the network of a window when another window makes the local chain active", async () => {
    networks.setLocal("http://127.0.0.1:1");
    editor.changeSetting("finality.activeNetwork", "Local chain");
    assert.equal(active(), "Mainnet");

    await networks.save(profileAt("https://main.test", { name: "Main 2" }), "Mainnet");
    assert.equal(active(), "Main 2");
    await networks.remove("Main 2");
    assert.equal(active(), undefined);
    assert.equal(editor.settings["finality.activeNetwork"], "Local chain");
  });

  it("U2: has no active network in the next window after the local chain", async () => {
    const state = memento();
    const before = new parts.Networks(state as never);
    before.setLocal("http://127.0.0.1:1");
    await before.setActive("Local chain");

    const after = new parts.Networks(state as never);

    assert.equal(after.active, undefined);
    assert.equal(after.isLocalStopped, false, "this window has not looked for it yet");
    after.setLocal(undefined);
    assert.equal(after.isLocalStopped, true);
    await after.setActive("Shop");
    assert.equal(before.active?.name, "Local chain", "another window changes nothing here");
    before.dispose();
    after.dispose();
  });

  it("A2: marks a network of a real-money chain once, and does not write it to the settings", async () => {
    let isKnown = false;
    let changes = 0;
    networks.setRealMoney(({ name }, all) => isKnown && name === "Shop" && all.some(({ production }) => production));
    networks.onDidChange(() => changes++);
    assert.equal(networks.get("Shop").production, false);

    isKnown = true;
    networks.followChains();
    networks.followChains();

    assert.deepEqual([networks.get("Shop").production, networks.list()[1]?.production, changes], [true, true, 1]);
    await networks.save(profileAt("https://third.test", { name: "Third" }));
    const written = editor.settings["finality.networks"] as readonly { name: string; production?: boolean }[];
    assert.equal(written.find(({ name }) => name === "Shop")?.production, undefined);
  });

  it("A2: rejects names that look like another one", async () => {
    for (const name of ["mainnet", "\u041cainnet", "Main net"]) {
      assert.equal(networks.isTaken(name), true, name);
      await assert.rejects(networks.save(profileAt("https://evil.test", { name })), { code: "NETWORK_NAME_TAKEN" });
    }
    assert.equal(networks.isTaken("Mainnet", "Mainnet"), false);
  });
});
