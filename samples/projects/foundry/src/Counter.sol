// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A counter with a step of at most 10.
contract Counter {
    uint256 public count;

    event Increased(address indexed by, uint256 count);

    error StepTooLarge(uint256 step);

    function increase(uint256 step) external {
        if (step > 10) revert StepTooLarge(step);
        count += step;
        emit Increased(msg.sender, count);
    }
}
