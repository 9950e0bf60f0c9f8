import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";

/** Contract of the project: its source, the steps of its setup, and its calls. */
interface ProjectContract {
  readonly source: string;
  readonly setup: readonly JsonObject[];
  readonly calls: readonly JsonObject[];
}

const root = join(import.meta.dirname, "..", "..", "..");
const OPENZEPPELIN = "@openzeppelin/contracts";

/** @param written - `transfer Bob 5`, or with another caller than Alice `Bob: transferFrom Alice Carol 1`. */
function call(contract: string, written: string): JsonObject {
  const [, caller = "Alice", method = "", inputs = ""] = /^(?:(\w+): )?(\w+) ?(.*)$/.exec(written) ?? [];
  const list = inputs.split(" ").map((it) => (it.startsWith("[") ? JSON.parse(it) : it));
  return { contract, function: method, arguments: inputs === "" ? [] : list, caller };
}

function contract(
  name: string,
  source: string,
  { setup = [], calls }: { readonly setup?: readonly string[]; readonly calls: readonly string[] },
): ProjectContract {
  const deployment = { deploy: name, arguments: ["Alice"], caller: "Alice" };
  return {
    source: `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n${source}`,
    setup: [deployment, ...setup.map((it) => call(name, it))],
    calls: calls.map((it) => call(name, it)),
  };
}

const ROLE = `0x${"11".repeat(32)}`;
const ADMIN = `0x${"00".repeat(32)}`;

/** Contracts that inherit from OpenZeppelin, by name. */
export const projectContracts: Readonly<Record<string, ProjectContract>> = {
  Coin: contract(
    "Coin",
    `import {ERC20} from "${OPENZEPPELIN}/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "${OPENZEPPELIN}/token/ERC20/extensions/ERC20Burnable.sol";
import {Pausable} from "${OPENZEPPELIN}/utils/Pausable.sol";
import {Ownable} from "${OPENZEPPELIN}/access/Ownable.sol";

contract Coin is ERC20, ERC20Burnable, Pausable, Ownable {
    /// Limits in one slot.
    struct Limits {
        uint128 daily;
        uint128 single;
    }
    Limits private _limits;

    constructor(address first) ERC20("Coin", "COIN") Ownable(first) {
        _mint(first, 1_000_000);
    }

    /** Sets both limits. */
    function setLimits(uint128 daily, uint128 single) external {
        _limits = Limits(daily, single);
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function _update(address from, address to, uint256 value) internal override whenNotPaused {
        super._update(from, to, value);
    }
}
`,
    {
      setup: ["approve Bob 100", "transfer Dave 9"],
      calls: [
        ...["transfer Bob 5", "transfer Dave 5", "approve Carol 7", "Bob: transferFrom Alice Carol 1", "burn 5"],
        ...["Bob: burnFrom Alice 2", "mint Carol 1", "pause", "setLimits 5 6", "transferOwnership Bob"],
        ...["renounceOwnership", "balanceOf Alice", "totalSupply", "allowance Alice Bob", "owner", "name"],
      ],
    },
  ),
  Deed: contract(
    "Deed",
    `import {ERC721} from "${OPENZEPPELIN}/token/ERC721/ERC721.sol";

contract Deed is ERC721 {
    constructor(address first) ERC721("Deed", "DEED") {
        _mint(first, 1);
        _mint(first, 2);
    }

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _update(address(0), id, msg.sender);
    }
}
`,
    {
      setup: ["approve Dave 2"],
      calls: [
        ...["transferFrom Alice Bob 1", "transferFrom Alice Bob 2", "approve Bob 1", "setApprovalForAll Bob true"],
        ...["safeTransferFrom Alice Bob 1", "mint Bob 3", "burn 2", "ownerOf 1"],
        ...["balanceOf Alice", "getApproved 2", "isApprovedForAll Alice Bob"],
      ],
    },
  ),
  Items: contract(
    "Items",
    `import {ERC1155} from "${OPENZEPPELIN}/token/ERC1155/ERC1155.sol";

contract Items is ERC1155 {
    constructor(address first) ERC1155("ipfs://items/{id}") {
        _mint(first, 1, 100, "");
        _mint(first, 2, 100, "");
    }

    function burn(uint256 id, uint256 value) external {
        _burn(msg.sender, id, value);
    }
}
`,
    {
      calls: [
        ...["safeTransferFrom Alice Bob 1 5 0x", 'safeBatchTransferFrom Alice Bob ["1","2"] ["3","4"] 0x'],
        ...["setApprovalForAll Bob true", "burn 1 2", "balanceOf Alice 1", 'balanceOfBatch ["Alice","Bob"] ["1","2"]'],
        "uri 1",
      ],
    },
  ),
  Roles: contract(
    "Roles",
    `import {AccessControl} from "${OPENZEPPELIN}/access/AccessControl.sol";

contract Roles is AccessControl {
    bytes32 private constant KEEPER = ${ROLE};
    uint256 private _rounds;

    constructor(address first) {
        _grantRole(DEFAULT_ADMIN_ROLE, first);
        _grantRole(KEEPER, first);
    }

    function work() external onlyRole(KEEPER) {
        ++_rounds;
    }
}
`,
    {
      setup: [`grantRole ${ROLE} Carol`],
      calls: [
        ...[`grantRole ${ROLE} Bob`, `revokeRole ${ROLE} Carol`, `renounceRole ${ADMIN} Alice`, "work"],
        ...[`hasRole ${ROLE} Alice`, `getRoleAdmin ${ROLE}`],
      ],
    },
  ),
};

/** Change of a source: the new text of each changed file, by its path. */
export type SourceChange = ReadonlyMap<string, string>;

interface CompiledContract {
  readonly abi: readonly JsonObject[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: { readonly [file: string]: { readonly [name: string]: CompiledContract } };
}

/** Returns the source of a contract of the project, or of a file of OpenZeppelin. */
export function sourceOf(path: string): string {
  const own = projectContracts[path.replace(/\.sol$/, "")];
  return own?.source ?? readFileSync(join(root, "node_modules", path), "utf8");
}

/** Compiles a contract of the project. Returns its artifact. @throws {Error} it does not compile */
export function compileContract(name: string, change: SourceChange = new Map()): string {
  const { compile } = createRequire(import.meta.url)("solc") as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  const file = `${name}.sol`;
  const read = (path: string): string => change.get(path) ?? sourceOf(path);
  const outputSelection = { [file]: { [name]: ["abi", "evm.bytecode.object"] } };
  const settings = { optimizer: { enabled: true, runs: 200 }, outputSelection };
  const input = { language: "Solidity", sources: { [file]: { content: read(file) } }, settings };
  const output = compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }) });
  const { errors = [], contracts = {} } = JSON.parse(output) as SolcOutput;
  const [failed] = errors.filter(({ severity }) => severity === "error");
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  const compiled = contracts[file]?.[name];
  if (compiled === undefined) throw new Error(`${file} has no contract ${name}.`);
  const { abi, evm } = compiled;
  return JSON.stringify({ contractName: name, sourceName: file, abi, bytecode: `0x${evm.bytecode.object}` });
}

/** Writes an artifact as the common tools do. */
export function writeArtifact(folder: string, name: string, artifact: string): void {
  mkdirSync(join(folder, "artifacts"), { recursive: true });
  writeFileSync(join(folder, "artifacts", `${name}.json`), artifact);
}

/** Writes the call file of each contract. */
export function writeCallFiles(folder: string): void {
  mkdirSync(join(folder, "calls"), { recursive: true });
  for (const [name, { setup, calls }] of Object.entries(projectContracts))
    writeFileSync(join(folder, "calls", `${name}.finality.jsonc`), JSON.stringify({ setup, calls }, undefined, 2));
}
