import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

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
export const VAULTS = {
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

/**
 * Compiles the contracts as Hardhat does, into a folder.
 *
 * @param packages - `node_modules` with the compiler and OpenZeppelin, which the folder gets a link to
 */
export function buildUpgradeProject(folder: string, packages: string): void {
  symlinkSync(packages, join(folder, "node_modules"));
  const files: { [path: string]: { content: string } } = {};
  const load = createRequire(join(packages, "solc", "package.json"));
  const solc = load("./index.js") as { compile(input: string, callbacks: object): string };
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

/** Compiled proxies that `@openzeppelin/upgrades-core` has, by the name of their artifact in the project. */
const PREBUILT = {
  TransparentV4:
    "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol/TransparentUpgradeableProxy",
  ProxyAdminV4: "@openzeppelin/contracts/proxy/transparent/ProxyAdmin.sol/ProxyAdmin",
  BeaconV5: "@openzeppelin/contracts-v5/proxy/beacon/UpgradeableBeacon.sol/UpgradeableBeacon",
  BeaconProxyV5: "@openzeppelin/contracts-v5/proxy/beacon/BeaconProxy.sol/BeaconProxy",
};

/** Adds proxies of OpenZeppelin 4 and 5 to a project. @param packages - `node_modules` */
export function addPrebuiltProxies(folder: string, packages: string): void {
  for (const [name, path] of Object.entries(PREBUILT)) {
    const text = readFileSync(join(packages, "@openzeppelin/upgrades-core/artifacts", `${path}.json`), "utf8");
    const { abi, bytecode } = JSON.parse(text) as { readonly abi: object; readonly bytecode: string };
    const artifact = { _format: "hh-sol-artifact-1", contractName: name, sourceName: `${name}.sol`, abi, bytecode };
    writeFileSync(join(folder, "artifacts", `${name}.json`), JSON.stringify(artifact));
  }
}
