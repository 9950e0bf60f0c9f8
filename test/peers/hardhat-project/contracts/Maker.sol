// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Child {
    address public immutable maker = msg.sender;
}

contract Maker {
    error Refused(uint256 code);
    event Made(Child child);
    event Received(address from, uint256 value);

    Child public immutable first = new Child();

    constructor(address owner) payable {
        emit Received(owner, msg.value);
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function make() external returns (Child child) {
        child = new Child();
        emit Made(child);
    }

    function caller() external view returns (address) {
        return msg.sender;
    }

    function refuse(uint256 code) external {
        if (code > 0) revert Refused(code);
        emit Received(msg.sender, 0);
    }

    function refuseWithText() external {
        require(first.maker() == msg.sender, "made by another");
        emit Received(msg.sender, 0);
    }

    function burnEnergy() external {
        while (gasleft() > 0) emit Received(msg.sender, 0);
    }
}
