import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { howOften } from "../support/random/how-often.ts";
import { addPrebuiltProxies, buildUpgradeProject, VAULTS } from "../support/verified-code/upgrade-project.ts";
import { answering, type ShownDialog } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";
import { sources } from "./product.ts";

interface Upgraded extends Sent {
  readonly from: string;
  readonly to: string;
}

interface Sent {
  readonly txId: string;
  readonly address: string;
}

/** Button that signs: the others change nothing. */
function signButton(buttons: readonly string[]): string | undefined {
  return buttons.find((it) => !it.startsWith("Do "));
}

describe("commands for sources and upgrades", () => {
  let api: FinalityApi;
  const vaults: { [name: string]: Sent } = {};
  let proxy: Sent;

  const run = <T>(command: string, argument: Record<string, unknown>): Thenable<T> =>
    vscode.commands.executeCommand(`finality.${command}`, argument);
  const solidified = (txId: string) => until(api, txId, (it) => it.state.kind === "solidified");
  const addressOf = (name: string): string => vaults[name]?.address ?? assert.fail(name);
  const implementation = async (): Promise<unknown> => {
    const read = await run<{ values: unknown }>("readContract", { contract: proxy.address, function: "count" });
    return read.values;
  };

  before(async () => {
    buildUpgradeProject(
      vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder"),
      sources("node_modules"),
    );
    api = await finality();
    await startFastChain();
    for (const name of [...Object.keys(VAULTS), "BoxOne"])
      vaults[name] = await run<Sent>("deployContract", { contract: name, arguments: [], from: "Alice" });
    for (const { txId } of Object.values(vaults)) await solidified(txId);
  });

  after(async () => {
    await endLocalChain();
  });

  it("compare a contract with its source, which the compiler of the workspace compiles", async () => {
    const equal = await run<{ verdict: string; text: string }>("compareWithSource", { contract: "VaultOne" });
    assert.equal(equal.verdict, "equal", equal.text);
    const other = await run<{ verdict: string; cause: string }>("compareWithSource", {
      contract: "VaultOne",
      artifact: "VaultTwo",
    });
    assert.deepEqual([other.verdict, other.cause], ["different", "source"]);
  });

  it("export the compiler input of a contract with the sources that it needs", async () => {
    const { json, contract } = await run<{ json: string; contract: string }>("exportStandardJson", {
      contract: "VaultOne",
    });
    assert.equal(contract, "contracts/VaultOne.sol:VaultOne");
    const { sources: needed, settings } = JSON.parse(json) as { sources: object; settings: { evmVersion: string } };
    assert.ok(Object.keys(needed).includes("contracts/VaultOne.sol"));
    assert.ok(!Object.keys(needed).includes("contracts/VaultTwo.sol"));
    assert.equal(settings.evmVersion, "cancun");
  });

  it("deploy a contract behind a proxy, and run the function that sets it up", async () => {
    proxy = await run<Sent>("deployProxy", {
      implementation: addressOf("VaultOne"),
      initializer: "setUp",
      arguments: ["7"],
      from: "Alice",
    });
    await solidified(proxy.txId);
    assert.deepEqual(await implementation(), ["7"]);
  });

  it("refuse a collision with its slot and both variables, before any dialog", async () => {
    const upgrade = { contract: proxy.address, implementation: addressOf("VaultBad"), from: "Alice" };
    const dialogs = await answering(undefined, () =>
      assert.rejects(
        async () => run("upgradeProxy", upgrade),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, "UPGRADE_REFUSED");
          assert.match(error.message, /slot 0 has count \(uint256, slot 0\) and would have keeper \(address, slot 0\)/);
          return true;
        },
      ),
    );
    assert.deepEqual(dialogs, []);
  });

  it("sign no upgrade without the dialog, nor if the implementation changed while it was open", async () => {
    const upgrade = { contract: proxy.address, implementation: addressOf("VaultTwo"), from: "Alice" };
    const dialogs = await answering(undefined, async () => assert.equal(await run("upgradeProxy", upgrade), undefined));
    assert.equal(dialogs.length, 1);
    assert.match(dialogs[0]?.detail ?? "", /Implementation now: .*\n.*Implementation after: .*VaultTwo/s);
    assert.match(dialogs[0]?.detail ?? "", /New variables: keeper \(address, slot 1\)/);

    const changed = async ({ buttons }: ShownDialog): Promise<string | undefined> => {
      const other = await run<Sent>("callContract", {
        contract: proxy.address,
        function: "upgradeToAndCall",
        arguments: [addressOf("VaultBad"), "0x"],
        from: "Bob",
      });
      await solidified(other.txId);
      return signButton(buttons);
    };
    await answering(changed, () =>
      assert.rejects(async () => run("upgradeProxy", upgrade), { code: "UPGRADE_REFUSED" }),
    );
  });

  it("upgrade a proxy after the review", async () => {
    const target = await run<Sent>("deployProxy", {
      implementation: addressOf("VaultOne"),
      initializer: "setUp",
      arguments: ["7"],
      from: "Alice",
    });
    await solidified(target.txId);
    const upgrade = { contract: target.address, implementation: addressOf("VaultTwo"), from: "Alice" };
    let sent: (Sent & { readonly to: string }) | undefined;
    await answering(
      ({ buttons }) => signButton(buttons),
      async () => {
        sent = await run("upgradeProxy", upgrade);
      },
    );
    assert.equal(sent?.to, addressOf("VaultTwo"));
    await solidified(sent?.txId ?? "");
    const { values } = await run<{ values: unknown }>("readContract", { contract: target.address, function: "keeper" });
    assert.equal((values as readonly unknown[]).length, 1);
  });

  it("deploy a contract of the workspace and upgrade a transparent proxy to it, and never deploy it twice", async () => {
    const target = await run<Sent>("deployProxy", {
      implementation: addressOf("BoxOne"),
      initializer: "setUp",
      arguments: ["7"],
      from: "Alice",
    });
    await solidified(target.txId);
    const deployments = () =>
      api.transactions.list().filter(({ intent }) => intent?.kind === "contract-creation").length;
    const before = deployments();
    const upgradeTo = (artifact: string) =>
      run<(Sent & { readonly to: string }) | undefined>("upgradeProxy", {
        contract: target.address,
        artifact,
        from: "Alice",
      });
    const read = async (name: string) =>
      (await run<{ values: unknown }>("readContract", { contract: target.address, function: name })).values;

    await assert.rejects(async () => upgradeTo("BoxBad"), {
      code: "UPGRADE_REFUSED",
      message: /slot 0x183a6125…00eab500 has erc7201:example\.main:a \(uint128.* and would have .*:keeper \(address/,
    });
    assert.equal(deployments(), before);

    const dialogs = await answering(undefined, async () => assert.equal(await upgradeTo("BoxTwo"), undefined));
    assert.match(dialogs.at(-1)?.detail ?? "", /New variables: erc7201:example\.main:extra/);
    assert.deepEqual(await read("version"), ["BoxOne"]);
    let sent: (Sent & { readonly to: string }) | undefined;
    await answering(
      ({ buttons }) => signButton(buttons),
      async () => {
        sent = await upgradeTo("BoxTwo");
      },
    );
    await solidified(sent?.txId ?? "");
    assert.equal(deployments(), before + 1);
    assert.deepEqual([await read("version"), await read("count")], [["BoxTwo"], ["7"]]);
  });

  if (howOften(0, 1) === 1) {
    const versionOf = async (address: string) =>
      (await run<{ values: unknown }>("readContract", { contract: address, function: "version", from: "Bob" })).values;

    it("upgrade transparent proxies of OpenZeppelin 4, with an admin contract and without, and refuse beacons", async () => {
      addPrebuiltProxies(
        vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder"),
        sources("node_modules"),
      );
      const deploy = async (contract: string, values: readonly string[]) => {
        const sent = await run<Sent>("deployContract", { contract, arguments: values, from: "Alice" });
        await solidified(sent.txId);
        return sent.address;
      };
      const next = await deploy("BoxTwo", []);
      for (const owner of [await deploy("ProxyAdminV4", []), "Alice"]) {
        const implementation = addressOf("BoxOne");
        const proxied = { implementation, initializer: "setUp", arguments: ["7"], proxy: "TransparentV4" };
        const target = await run<Sent>("deployProxy", { ...proxied, owner, from: "Alice" });
        await solidified(target.txId);
        assert.deepEqual(await versionOf(target.address), ["BoxOne"]);
        const upgrade = { contract: target.address, implementation: next };
        if (owner === "Alice")
          await assert.rejects(async () => run("upgradeProxy", { ...upgrade, from: "Bob" }), {
            code: "UPGRADE_REFUSED",
          });
        let sent: Upgraded | undefined;
        await answering(
          ({ buttons }) => signButton(buttons),
          async () => {
            sent = await run<Upgraded>("upgradeProxy", { ...upgrade, from: "Alice" });
          },
        );
        await solidified(sent?.txId ?? "");
        assert.deepEqual([sent?.from, sent?.to], [implementation, next]);
        assert.deepEqual(await versionOf(target.address), ["BoxTwo"]);
      }
      const beacon = await deploy("BeaconV5", [addressOf("BoxOne"), "Alice"]);
      const proxied = await deploy("BeaconProxyV5", [beacon, "0x"]);
      await assert.rejects(
        async () => run("upgradeProxy", { contract: proxied, implementation: next, from: "Alice" }),
        {
          code: "UPGRADE_REFUSED",
          message: /proxy of a beacon/,
        },
      );
    });
  }
});
