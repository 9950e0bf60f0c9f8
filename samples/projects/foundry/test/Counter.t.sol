// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Counter} from "../src/Counter.sol";

/// Runs in the EVM of forge, without a chain.
contract CounterTest {
    Counter private counter;

    function setUp() public {
        counter = new Counter();
    }

    function test_AddsTheStep() public {
        counter.increase(3);
        counter.increase(4);
        require(counter.count() == 7, "The count is not 7.");
    }

    function testFuzz_RefusesLargeSteps(uint256 step) public {
        if (step <= 10) return;
        try counter.increase(step) {
            revert("The step was accepted.");
        } catch (bytes memory reason) {
            require(bytes4(reason) == Counter.StepTooLarge.selector, "Another error.");
        }
    }
}
