// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A poll in which each account has one vote.
contract Poll {
    string[] public options;
    mapping(uint256 => uint256) public votes;
    mapping(address => bool) public hasVoted;

    event Voted(address indexed voter, uint256 indexed option);

    error AlreadyVoted(address voter);

    constructor(string[] memory options_) {
        options = options_;
    }

    function vote(uint256 option) external {
        if (hasVoted[msg.sender]) revert AlreadyVoted(msg.sender);
        require(option < options.length, "There is no such option.");
        hasVoted[msg.sender] = true;
        votes[option] += 1;
        emit Voted(msg.sender, option);
    }
}
