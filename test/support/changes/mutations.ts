import { type SourceChange, sourceOf } from "./openzeppelin-project.ts";

/** Change of OpenZeppelin's code that makes functions more expensive. */
export interface Mutation {
  readonly title: string;
  /** Contract of the project that has the code. */
  readonly contract: string;
  readonly change: SourceChange;
  /** Functions that it is about. Others of the contract may need more energy too. */
  readonly functions: readonly string[];
}

const paths: Readonly<Record<string, string>> = {
  Coin: "Coin.sol",
  ERC20: "@openzeppelin/contracts/token/ERC20/ERC20.sol",
  Pausable: "@openzeppelin/contracts/utils/Pausable.sol",
  Ownable: "@openzeppelin/contracts/access/Ownable.sol",
  Context: "@openzeppelin/contracts/utils/Context.sol",
  ERC721: "@openzeppelin/contracts/token/ERC721/ERC721.sol",
  ERC1155: "@openzeppelin/contracts/token/ERC1155/ERC1155.sol",
  AccessControl: "@openzeppelin/contracts/access/AccessControl.sol",
};

/** @param edits - Text to find, which the source has once, and its replacement. */
function mutation(
  title: string,
  [contract, file]: readonly [string, string],
  edits: readonly (readonly [string, string])[],
  functions: readonly string[],
): Mutation {
  const path = paths[file] ?? file;
  let source = sourceOf(path);
  for (const [found, replacement] of edits) {
    if (source.split(found).length !== 2) throw new Error(`${title}: ${file} does not have this text once: ${found}`);
    source = source.replace(found, () => replacement);
  }
  return { title, contract, change: new Map([[path, source]]), functions };
}

const MOVES = ["transfer", "transferFrom", "burn", "mint"];

/** Returns all mutations. */
export function mutations(): readonly Mutation[] {
  return [
    mutation(
      "check the subtraction of a balance",
      ["Coin", "ERC20"],
      [
        [
          "_balances[from] = fromBalance - value;\n            }",
          "}\n            _balances[from] = fromBalance - value;",
        ],
      ],
      ["transfer", "transferFrom", "burn"],
    ),
    mutation(
      "check the addition to a balance",
      ["Coin", "ERC20"],
      [["_balances[to] += value;\n            }", "}\n            _balances[to] += value;"]],
      ["transfer", "transferFrom", "mint"],
    ),
    mutation(
      "check the subtraction of the supply",
      ["Coin", "ERC20"],
      [["_totalSupply -= value;\n            }", "}\n            _totalSupply -= value;"]],
      ["burn"],
    ),
    mutation(
      "check the subtraction of an allowance",
      ["Coin", "ERC20"],
      [
        [
          "_approve(owner, spender, currentAllowance - value, false);\n            }",
          "}\n            _approve(owner, spender, currentAllowance - value, false);",
        ],
      ],
      ["transferFrom", "burnFrom"],
    ),
    mutation(
      "store the number of transfers",
      ["Coin", "ERC20"],
      [
        ["    uint256 private _totalSupply;", "    uint256 private _totalSupply;\n    uint256 private _moves;"],
        ["        emit Transfer(from, to, value);", "        _moves += 1;\n        emit Transfer(from, to, value);"],
      ],
      MOVES,
    ),
    mutation(
      "store the last spender",
      ["Coin", "ERC20"],
      [
        ["    uint256 private _totalSupply;", "    uint256 private _totalSupply;\n    address private _last;"],
        [
          "        _allowances[owner][spender] = value;",
          "        _allowances[owner][spender] = value;\n        _last = spender;",
        ],
      ],
      ["approve", "transferFrom", "burnFrom"],
    ),
    mutation(
      "loop over bytes of an amount in _transfer",
      ["Coin", "ERC20"],
      [
        [
          "        _update(from, to, value);\n    }",
          "        for (uint256 i = 0; i < 4; ++i) require(value >> i != type(uint256).max);\n        _update(from, to, value);\n    }",
        ],
      ],
      ["transfer", "transferFrom"],
    ),
    mutation(
      "require an amount above zero, with a text",
      ["Coin", "ERC20"],
      [
        [
          "    function _mint(address account, uint256 value) internal {",
          '    function _mint(address account, uint256 value) internal {\n        require(value > 0, "ERC20: nothing to mint");',
        ],
      ],
      ["mint"],
    ),
    mutation(
      "emit an approval for each spent allowance",
      ["Coin", "ERC20"],
      [["currentAllowance - value, false);", "currentAllowance - value, true);"]],
      ["transferFrom", "burnFrom"],
    ),
    mutation(
      "emit a second event in _burn",
      ["Coin", "ERC20"],
      [
        [
          "        _update(account, address(0), value);",
          "        _update(account, address(0), value);\n        emit Approval(account, account, value);",
        ],
      ],
      ["burn", "burnFrom"],
    ),
    mutation(
      "read the balance twice",
      ["Coin", "ERC20"],
      [
        [
          "            uint256 fromBalance = _balances[from];",
          "            require(_balances[from] <= _totalSupply);\n            uint256 fromBalance = _balances[from];",
        ],
      ],
      ["transfer", "transferFrom", "burn"],
    ),
    mutation(
      "compare the allowance in a view function",
      ["Coin", "ERC20"],
      [
        [
          "        return _allowances[owner][spender];",
          "        require(owner != spender || _allowances[owner][spender] == 0);\n        return _allowances[owner][spender];",
        ],
      ],
      ["allowance", "transferFrom"],
    ),
    mutation(
      "read the supply in balanceOf",
      ["Coin", "ERC20"],
      [
        [
          "        return _balances[account];",
          "        return _balances[account] > _totalSupply ? 0 : _balances[account];",
        ],
      ],
      ["balanceOf"],
    ),
    mutation(
      "use a slot for each limit",
      ["Coin", "Coin"],
      [["        uint128 daily;\n        uint128 single;", "        uint256 daily;\n        uint256 single;"]],
      ["setLimits"],
    ),
    mutation(
      "use a slot for the pause flag",
      ["Coin", "Pausable"],
      [
        [
          "    bool private _paused;",
          "    uint256 private _before;\n    bool private _paused;\n    uint256 private _after;",
        ],
      ],
      ["pause"],
    ),
    mutation(
      "emit a second event when paused",
      ["Coin", "Pausable"],
      [
        [
          "        emit Paused(_msgSender());",
          "        emit Paused(_msgSender());\n        emit Paused(address(this));",
        ],
      ],
      ["pause"],
    ),
    mutation(
      "check twice that it is not paused",
      ["Coin", "Pausable"],
      [
        [
          "        _requireNotPaused();\n        _;",
          "        _requireNotPaused();\n        _requireNotPaused();\n        _;",
        ],
      ],
      MOVES,
    ),
    mutation(
      "store the previous owner",
      ["Coin", "Ownable"],
      [
        ["    address private _owner;", "    address private _owner;\n    address private _previous;"],
        ["        _owner = newOwner;", "        _owner = newOwner;\n        _previous = oldOwner;"],
      ],
      ["transferOwnership", "renounceOwnership"],
    ),
    mutation(
      "emit the change of the owner twice",
      ["Coin", "Ownable"],
      [
        [
          "        emit OwnershipTransferred(oldOwner, newOwner);",
          "        emit OwnershipTransferred(oldOwner, newOwner);\n        emit OwnershipTransferred(newOwner, oldOwner);",
        ],
      ],
      ["transferOwnership", "renounceOwnership"],
    ),
    mutation(
      "count the balance of an NFT with checks",
      ["Deed", "ERC721"],
      [["                _balances[from] -= 1;\n            }", "            }\n            _balances[from] -= 1;"]],
      ["transferFrom", "burn"],
    ),
    mutation(
      "emit an approval for each transfer of an NFT",
      ["Deed", "ERC721"],
      [["_approve(address(0), tokenId, address(0), false);", "_approve(address(0), tokenId, address(0), true);"]],
      ["transferFrom", "burn"],
    ),
    mutation(
      "store the block of each transfer of an NFT",
      ["Deed", "ERC721"],
      [
        ["    string private _name;", "    mapping(uint256 => uint256) private _since;\n    string private _name;"],
        ["        _owners[tokenId] = to;", "        _owners[tokenId] = to;\n        _since[tokenId] = block.number;"],
      ],
      ["transferFrom", "mint", "burn"],
    ),
    mutation(
      "look up the owner of an NFT twice",
      ["Deed", "ERC721"],
      [
        [
          "        return _requireOwned(tokenId);",
          "        _requireOwned(tokenId);\n        return _requireOwned(tokenId);",
        ],
      ],
      ["ownerOf"],
    ),
    mutation(
      "forbid an operator that is the contract, with a text",
      ["Deed", "ERC721"],
      [
        [
          "        _operatorApprovals[owner][operator] = approved;",
          '        require(operator != address(this), "ERC721: own address");\n        _operatorApprovals[owner][operator] = approved;',
        ],
      ],
      ["setApprovalForAll"],
    ),
    mutation(
      "check the balance of an item with overflow checks",
      ["Items", "ERC1155"],
      [
        [
          "                    _balances[id][from] = fromBalance - value;\n                }",
          "                }\n                _balances[id][from] = fromBalance - value;",
        ],
      ],
      ["safeTransferFrom", "safeBatchTransferFrom", "burn"],
    ),
    mutation(
      "use checked access to memory",
      ["Items", "ERC1155"],
      [
        [
          "            uint256 value = values.unsafeMemoryAccess(i);\n\n            if",
          "            uint256 value = values[i];\n\n            if",
        ],
      ],
      ["safeTransferFrom", "safeBatchTransferFrom"],
    ),
    mutation(
      "emit an event for each item of a batch",
      ["Items", "ERC1155"],
      [
        [
          "                _balances[id][to] += value;\n            }",
          "                _balances[id][to] += value;\n            }\n            emit TransferSingle(operator, from, to, id, value);",
        ],
      ],
      ["safeTransferFrom", "safeBatchTransferFrom", "burn"],
    ),
    mutation(
      "check the role again before it is granted",
      ["Roles", "AccessControl"],
      [
        [
          "            _roles[role].hasRole[account] = true;",
          "            require(!_roles[role].hasRole[account]);\n            _roles[role].hasRole[account] = true;",
        ],
      ],
      ["grantRole"],
    ),
    mutation(
      "store the number of members of a role",
      ["Roles", "AccessControl"],
      [
        ["        bytes32 adminRole;\n    }", "        bytes32 adminRole;\n        uint256 members;\n    }"],
        [
          "            _roles[role].hasRole[account] = false;",
          "            _roles[role].hasRole[account] = false;\n            _roles[role].members += 1;",
        ],
      ],
      ["revokeRole", "renounceRole"],
    ),
    mutation(
      "read the admin role in each check",
      ["Roles", "AccessControl"],
      [
        [
          "        if (!hasRole(role, account)) {\n            revert AccessControlUnauthorizedAccount",
          '        if (!hasRole(role, account) && !hasRole(_roles[role].adminRole, account) || _roles[role].adminRole == keccak256("")) {\n            revert AccessControlUnauthorizedAccount',
        ],
      ],
      ["work", "grantRole", "revokeRole"],
    ),
  ];
}
