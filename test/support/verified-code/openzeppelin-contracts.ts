import { type AbiParameter, elementaryType } from "../../../packages/tron/src/abi/abi-type.ts";
import { type AbiInput, encodeAbi } from "../../../packages/tron/src/abi/encode-abi.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { foreignText } from "../../../packages/tron/src/primitives/plain-text.ts";
import { sourcesOf } from "./solc.ts";

/** Contract that inherits from OpenZeppelin. */
export interface OpenZeppelinContract {
  readonly name: string;
  readonly source: string;
}

const HEAD = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
const OZ = "@openzeppelin/contracts";

function contract(name: string, imports: readonly string[], body: string): OpenZeppelinContract {
  const lines = imports.map((it) => `import {${it.split("/").at(-1)}} from "${OZ}/${it}.sol";`);
  return { name, source: `${HEAD}${lines.join("\n")}\n\n${body}\n` };
}

/** Each constructor takes an address and a number. The cheap ones to compile are first. */
export const openZeppelinContracts: readonly OpenZeppelinContract[] = [
  contract(
    "Owned",
    ["access/Ownable"],
    `contract Owned is Ownable {
    uint256 private immutable _limit;
    address private immutable _first;

    constructor(address first, uint256 limit) Ownable(first) {
        _limit = limit;
        _first = first;
    }

    function limit(uint256 factor) public view returns (uint256) {
        return _limit * factor + (msg.sender == _first ? 1 : 0) + _limit;
    }
}`,
  ),
  contract(
    "Guarded",
    ["utils/Pausable", "utils/ReentrancyGuard"],
    `contract Guarded is Pausable, ReentrancyGuard {
    mapping(address => uint256) public held;

    constructor(address first, uint256 amount) {
        held[first] = amount;
    }

    function move(address to, uint256 amount) external nonReentrant whenNotPaused {
        for (uint256 at = 0; at < 2; ++at) {
            held[msg.sender] -= amount / 2;
            held[to] += amount / 2;
        }
    }
}`,
  ),
  contract(
    "Shared",
    [],
    `library Rates {
    struct Rate {
        uint256 value;
    }

    function raise(Rate storage rate, uint256 by) external returns (uint256) {
        rate.value += by;
        return rate.value;
    }
}

contract Shared {
    Rates.Rate private _rate;
    address public first;

    constructor(address owner, uint256 value) {
        first = owner;
        _rate.value = value;
    }

    function raise(uint256 by) external returns (uint256) {
        return Rates.raise(_rate, by) + Rates.raise(_rate, 1);
    }
}`,
  ),
  contract(
    "Roles",
    ["access/AccessControl"],
    `contract Roles is AccessControl {
    uint256 public rounds;

    constructor(address first, uint256 count) {
        _grantRole(DEFAULT_ADMIN_ROLE, first);
        rounds = count;
    }

    function work() external onlyRole(DEFAULT_ADMIN_ROLE) {
        ++rounds;
    }
}`,
  ),
  contract(
    "Coin",
    ["token/ERC20/ERC20"],
    `contract Coin is ERC20 {
    constructor(address first, uint256 supply) ERC20("Coin", "COIN") {
        _mint(first, supply);
    }
}`,
  ),
  contract(
    "Vesting",
    ["finance/VestingWallet"],
    `contract Vesting is VestingWallet {
    constructor(address first, uint256 start) VestingWallet(first, uint64(start), 1000) {}
}`,
  ),
  contract(
    "Admin",
    ["proxy/transparent/ProxyAdmin"],
    `contract Admin {
    ProxyAdmin public immutable admin;
    uint256 public number;

    constructor(address first, uint256 value) {
        admin = new ProxyAdmin(first);
        number = value;
    }
}`,
  ),
  contract(
    "Copies",
    ["proxy/Clones", "utils/Create2"],
    `contract Copies {
    address public immutable model;
    uint256 public count;

    constructor(address first, uint256 start) {
        model = first;
        count = start;
    }

    function copy() external returns (address) {
        return Clones.cloneDeterministic(model, keccak256(abi.encode(++count)));
    }
}`,
  ),
  contract(
    "Deed",
    ["token/ERC721/ERC721"],
    `contract Deed is ERC721 {
    constructor(address first, uint256 id) ERC721("Deed", "DEED") {
        _mint(first, id);
    }
}`,
  ),
  contract(
    "Batches",
    ["token/ERC1155/ERC1155"],
    `contract Batches is ERC1155 {
    constructor(address first, uint256 id) ERC1155("ipfs://items/{id}") {
        _mint(first, id, 100, "");
    }
}`,
  ),
  contract(
    "Signer",
    ["utils/cryptography/EIP712", "utils/cryptography/ECDSA"],
    `contract Signer is EIP712 {
    address public first;
    uint256 public number;

    constructor(address owner, uint256 value) EIP712("Signer", "1") {
        first = owner;
        number = value;
    }

    function signerOf(bytes32 hash, bytes calldata signature) external view returns (address) {
        return ECDSA.recover(_hashTypedDataV4(hash), signature);
    }
}`,
  ),
  contract(
    "Capped",
    ["token/ERC20/ERC20", "token/ERC20/extensions/ERC20Capped"],
    `contract Capped is ERC20, ERC20Capped {
    constructor(address first, uint256 cap) ERC20("Capped", "CAP") ERC20Capped(cap) {
        _mint(first, 1);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) {
        super._update(from, to, value);
    }
}`,
  ),
];

/** Returns standard JSON of a contract with these settings; the EVM version is one that its sources can have. */
export function inputOf(contract: OpenZeppelinContract, settings: JsonObject): JsonObject {
  const { name, source } = contract;
  const isOld = OLDER.includes(String(settings.evmVersion)) && needsCancun(contract);
  const fitting = isOld ? { ...settings, evmVersion: "cancun" } : settings;
  return { language: "Solidity", sources: sourcesOf(`contracts/${name}.sol`, source), settings: fitting };
}

const OLDER = ["istanbul", "berlin", "london", "paris", "shanghai"];

/** Returns whether a contract has the instruction MCOPY in its sources. */
export function needsCancun({ source }: OpenZeppelinContract): boolean {
  return JSON.stringify(sourcesOf("contracts/A.sol", source)).includes("mcopy(");
}

/** Parameters of each constructor. */
const PARAMETERS: readonly AbiParameter[] = ["address", "uint256"].map((type) => ({
  name: foreignText(""),
  type: elementaryType(type),
}));

/** Returns the encoded arguments of a constructor. */
export function argumentsOf(...values: readonly AbiInput[]): string {
  return encodeAbi(PARAMETERS, values);
}
