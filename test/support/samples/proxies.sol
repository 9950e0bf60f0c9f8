// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract TeaV1 {
    uint256 public cups;

    function brew(uint256 count) external {
        cups += count;
    }

    function version() external pure returns (uint256) {
        return 1;
    }
}

contract TeaV2 {
    uint256 public cups;

    function pour() external {
        cups += 1;
    }

    function version() external pure returns (uint256) {
        return 2;
    }
}

abstract contract Forwarding {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address implementation_ = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), implementation_, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

contract SlotProxy is Forwarding {
    bytes32 internal constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address first) {
        upgrade(first);
    }

    function upgrade(address next) public {
        bytes32 slot = SLOT;
        assembly {
            sstore(slot, next)
        }
    }

    function target() internal view override returns (address stored) {
        bytes32 slot = SLOT;
        assembly {
            stored := sload(slot)
        }
    }
}

contract OpenSlotProxy is SlotProxy {
    constructor(address first) SlotProxy(first) {}

    function implementation() external view returns (address) {
        return target();
    }
}

contract ProxiableProxy is Forwarding {
    bytes32 internal constant SLOT = keccak256("PROXIABLE");

    constructor(address first) {
        upgrade(first);
    }

    function upgrade(address next) public {
        bytes32 slot = SLOT;
        assembly {
            sstore(slot, next)
        }
    }

    function target() internal view override returns (address stored) {
        bytes32 slot = SLOT;
        assembly {
            stored := sload(slot)
        }
    }
}

contract Beacon {
    address public implementation;

    constructor(address first) {
        implementation = first;
    }

    function upgrade(address next) external {
        implementation = next;
    }
}

contract BeaconProxy is Forwarding {
    bytes32 internal constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    constructor(address beacon) {
        bytes32 slot = SLOT;
        assembly {
            sstore(slot, beacon)
        }
    }

    function target() internal view override returns (address) {
        address beacon;
        bytes32 slot = SLOT;
        assembly {
            beacon := sload(slot)
        }
        return Beacon(beacon).implementation();
    }
}
