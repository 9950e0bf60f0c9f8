// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// @title Leaf, a small TRC-20 token that a tea house takes
/// @notice Whoever deploys it owns every leaf and may grow more.
contract Leaf {
    string public constant name = "Leaf";
    string public constant symbol = "LEAF";
    uint8 public constant decimals = 6;

    address public immutable owner = msg.sender;
    uint256 public totalSupply;
    mapping(address holder => uint256 leaves) public balanceOf;
    mapping(address holder => mapping(address spender => uint256 leaves)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error OnlyOwner(address caller, address owner);
    error NotEnoughLeaves(address holder, uint256 balance, uint256 needed);
    error NotAllowed(address spender, uint256 allowance, uint256 needed);
    error NoSuchHolder(address holder);

    /// @param supply how many leaves there are at first, with six decimals
    constructor(uint256 supply) {
        _grow(msg.sender, supply);
    }

    /// @notice Gives leaves to somebody. The first leaf of a holder costs more energy than the next ones.
    /// @param to who gets them
    /// @param value how many, with six decimals
    /// @custom:estimate {"caller": "Alice", "arguments": ["Bob", "25000000"]}
    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Lets somebody take up to so many leaves.
    /// @custom:estimate {"caller": "Bob", "arguments": ["Carol", "5000000"]}
    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @notice Takes leaves that were approved.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert NotAllowed(msg.sender, allowed, value);
        allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    /// @notice Makes new leaves. For the owner alone.
    /// @custom:estimate {"caller": "Alice", "arguments": ["Alice", "1000000"]}
    function grow(address to, uint256 value) external {
        if (msg.sender != owner) revert OnlyOwner(msg.sender, owner);
        _grow(to, value);
    }

    function _move(address from, address to, uint256 value) private {
        if (to == address(0)) revert NoSuchHolder(to);
        uint256 balance = balanceOf[from];
        if (balance < value) revert NotEnoughLeaves(from, balance, value);
        unchecked {
            balanceOf[from] = balance - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    function _grow(address to, uint256 value) private {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }
}
