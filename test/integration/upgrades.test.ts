import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";
import type { FinalityApi } from "../../src/public/api.ts";
import { answering, type ShownDialog } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";
import { sources } from "./product.ts";

interface Sent {
  readonly txId: string;
  readonly address: string;
}

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
`;

function vault(name: string, variables: string): string {
  return `${HEAD}contract ${name} is UUPSUpgradeable {
    ${variables}

    function setUp(uint256 first) external {
        count = first;
    }

    function _authorizeUpgrade(address) internal override {}
}
`;
}

/** Versions of a contract: the second appends a variable, the third inserts one. */
const VAULTS = {
  VaultOne: "uint256 public count;",
  VaultTwo: "uint256 public count; address public keeper;",
  VaultBad: "address public keeper; uint256 public count;",
};

/** Versions of a contract behind a transparent proxy, whose storage is in a namespace of ERC-7201. */
const BOXES = {
  BoxOne: "uint128 a; uint128 count;",
  BoxTwo: "uint128 a; uint128 count; uint256 extra;",
  BoxBad: "address keeper; uint128 count;",
};

function box(name: string, members: string): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract ${name} {
    /// @custom:storage-location erc7201:example.main
    struct Main { ${members} }

    function main() private pure returns (Main storage $) {
        assembly { $.slot := 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500 }
    }

    function setUp(uint128 first) external { main().count = first; }
    function count() external view returns (uint128) { return main().count; }
    function version() external pure returns (string memory) { return "${name}"; }
}
`;
}

const PROXIES = [
  "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol",
  "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol",
];

/** Compiles the contracts as Hardhat does, into the folder of the workspace. */
function buildProject(folder: string): void {
  const packages = join(sources("node_modules"));
  symlinkSync(packages, join(folder, "node_modules"));
  const files: { [path: string]: { content: string } } = {};
  const load = createRequire(join(packages, "solc", "package.json"));
  const solc = load("./index.js") as { compile(input: string, callbacks: object): string };
  const { readFileSync } = load("node:fs") as typeof import("node:fs");
  const read = (path: string) => {
    const contents = readFileSync(join(packages, path), "utf8");
    files[path] = { content: contents };
    return { contents };
  };
  for (const [name, variables] of Object.entries(VAULTS))
    files[`contracts/${name}.sol`] = { content: vault(name, variables) };
  for (const [name, members] of Object.entries(BOXES)) files[`contracts/${name}.sol`] = { content: box(name, members) };
  for (const path of PROXIES) files[path] = { content: read(path).contents };
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } };
  const input = { language: "Solidity", sources: files, settings: { evmVersion: "cancun", outputSelection } };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as {
    contracts: { [path: string]: { [name: string]: { abi: object; evm: { bytecode: { object: string } } } } };
  };
  const artifacts = join(folder, "artifacts");
  mkdirSync(join(artifacts, "build-info"), { recursive: true });
  mkdirSync(join(folder, "contracts"), { recursive: true });
  const build = { id: "vaults", solcVersion: "0.8.37", solcLongVersion: "0.8.37", input, output: {} };
  writeFileSync(join(artifacts, "build-info", "vaults.json"), JSON.stringify(build));
  for (const [path, contracts] of Object.entries(output.contracts)) {
    const [name = ""] = /\w+(?=\.sol$)/.exec(path) ?? [];
    const compiled = contracts[name];
    if (compiled === undefined || !(PROXIES.includes(path) || path.startsWith("contracts/"))) continue;
    if (path.startsWith("contracts/")) writeFileSync(join(folder, path), files[path]?.content ?? "");
    const artifact = {
      _format: "hh-sol-artifact-1",
      contractName: name,
      sourceName: path,
      abi: compiled.abi,
      bytecode: `0x${compiled.evm.bytecode.object}`,
    };
    writeFileSync(join(artifacts, `${name}.json`), JSON.stringify(artifact));
  }
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
    buildProject(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder"));
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
});
