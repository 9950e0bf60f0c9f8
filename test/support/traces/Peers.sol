// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import "@openzeppelin/contracts/access/AccessControl.sol";
import "@openzeppelin/contracts/access/Ownable2Step.sol";
import "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Supply.sol";
import "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import "@openzeppelin/contracts/utils/Multicall.sol";
import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

contract Coin is ERC20Burnable, ERC20Capped, ERC20Pausable, Ownable2Step {
    constructor(address owner) ERC20("Coin", "CN") ERC20Capped(1e24) Ownable(owner) {
        _mint(owner, 1e21);
    }
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped, ERC20Pausable) {
        super._update(from, to, value);
    }
}

contract Vault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Vault", "VT") ERC4626(asset_) {}
}

contract Items is ERC721Enumerable, ERC721URIStorage, AccessControl {
    bytes32 public constant MINTER = keccak256("MINTER");
    constructor(address owner) ERC721("Items", "IT") { _grantRole(DEFAULT_ADMIN_ROLE, owner); _grantRole(MINTER, owner); }
    function mint(address to, uint256 id, string calldata uri) external onlyRole(MINTER) { _safeMint(to, id); _setTokenURI(id, uri); }
    function _update(address to, uint256 id, address auth) internal override(ERC721, ERC721Enumerable) returns (address) { return super._update(to, id, auth); }
    function _increaseBalance(address account, uint128 value) internal override(ERC721, ERC721Enumerable) { super._increaseBalance(account, value); }
    function tokenURI(uint256 id) public view override(ERC721, ERC721URIStorage) returns (string memory) { return super.tokenURI(id); }
    function supportsInterface(bytes4 i) public view override(ERC721Enumerable, ERC721URIStorage, AccessControl) returns (bool) { return super.supportsInterface(i); }
}

contract Goods is ERC1155Supply {
    constructor() ERC1155("uri") {}
    function mintBatch(address to, uint256[] memory ids, uint256[] memory amounts) external { _mintBatch(to, ids, amounts, ""); }
}

contract Holder is ERC721Holder, ERC1155Holder {}

contract Desk is Multicall, ReentrancyGuard {
    using EnumerableSet for EnumerableSet.UintSet;
    EnumerableSet.UintSet private _set;
    mapping(address => uint256) public deposits;
    error Refused(uint256 code, address by);
    event Moved(address indexed by, uint256 amount);
    function add(uint256 value) external { require(_set.add(value), "known"); }
    function remove(uint256 value) external { if (!_set.remove(value)) revert Refused(value, msg.sender); }
    function deposit() external payable { deposits[msg.sender] += msg.value; emit Moved(msg.sender, msg.value); }
    function withdraw(uint256 amount) external nonReentrant {
        deposits[msg.sender] -= amount;
        (bool done, ) = msg.sender.call{value: amount}("");
        require(done);
        emit Moved(msg.sender, amount);
    }
    function recover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) external { emit Moved(ECDSA.recover(hash, v, r, s), v); }
    function tryAdd(uint256 value) external { try this.add(value) {} catch Error(string memory reason) { emit Moved(msg.sender, bytes(reason).length); } }
    function panic(uint256 kind) external { uint256[] memory list = new uint256[](2); if (kind == 0) assert(false); if (kind == 1) list[kind + 1] = 1; deposits[address(1)] = 1 / (kind - 2); }
}

contract Counter {
    uint256 public count;
    event Counted(uint256 count);
    function increase(uint256 by) external payable { require(by > 0, "zero"); count += by; emit Counted(count); }
}
