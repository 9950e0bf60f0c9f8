// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Keeps the deposits of its users until a lock time has passed.
contract Vault {
    struct Deposit {
        uint256 amount;
        uint256 unlockTime;
    }

    uint256 public immutable lockSeconds;
    mapping(address => Deposit) public deposits;

    event Deposited(address indexed owner, uint256 amount, uint256 unlockTime);
    event Withdrawn(address indexed owner, uint256 amount);

    error Locked(uint256 unlockTime);
    error NoDeposit();

    constructor(uint256 lockSeconds_) {
        lockSeconds = lockSeconds_;
    }

    function deposit() external payable {
        Deposit storage own = deposits[msg.sender];
        own.amount += msg.value;
        own.unlockTime = block.timestamp + lockSeconds;
        emit Deposited(msg.sender, msg.value, own.unlockTime);
    }

    function withdraw() external {
        Deposit memory own = deposits[msg.sender];
        if (own.amount == 0) revert NoDeposit();
        if (block.timestamp < own.unlockTime) revert Locked(own.unlockTime);
        delete deposits[msg.sender];
        payable(msg.sender).transfer(own.amount);
        emit Withdrawn(msg.sender, own.amount);
    }
}
