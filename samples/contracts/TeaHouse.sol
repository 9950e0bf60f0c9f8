// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Leaf} from "./Leaf.sol";

/// @title A tea house whose functions succeed and fail in every way that there is
/// @notice A cup costs coins or leaves. Some functions are cheap, some are dear, and most of them can be made to fail.
contract TeaHouse {
    struct Line {
        string tea;
        uint256 cups;
    }

    struct Order {
        address guest;
        Line[] lines;
        uint256 total;
    }

    uint256 public constant SEATS = 12;
    uint256 public constant LEAVES_PER_CUP = 1_000_000;

    address public immutable owner = msg.sender;
    Leaf public immutable leaf;
    /// @notice The price of a cup in sun.
    uint256 public price;
    uint256 public cupsServed;
    uint256 public seatsTaken;
    mapping(address guest => uint256 cups) public cupsOf;
    address[] public guests;

    event Served(address indexed guest, string tea, uint256 cups);
    event Steeped(bytes32 strength);
    event PriceChanged(uint256 before, uint256 now_);

    error OnlyOwner(address caller, address owner);
    error Underpaid(Order order, uint256 paid, uint256 missing);
    error NothingOrdered(Line[] lines);
    error PaymentRefused(address to, uint256 sun);

    /// @param leaf_ the token that it takes besides coins
    /// @param price_ what a cup costs in sun
    constructor(Leaf leaf_, uint256 price_) {
        leaf = leaf_;
        price = price_;
    }

    /// @notice Orders tea for coins. Send at least the price of all cups.
    /// @param lines what you would like: a tea and how many cups of it
    /// @custom:estimate {"caller": "Bob", "arguments": [[["Sencha", "2"], ["Oolong", "1"]]], "callValue": "6000000"}
    function order(Line[] calldata lines) external payable returns (uint256 cups) {
        for (uint256 i = 0; i < lines.length; i++) cups += lines[i].cups;
        if (cups == 0) revert NothingOrdered(lines);
        uint256 total = cups * price;
        if (msg.value < total) revert Underpaid(Order(msg.sender, lines, total), msg.value, total - msg.value);
        for (uint256 i = 0; i < lines.length; i++) emit Served(msg.sender, lines[i].tea, lines[i].cups);
        _count(msg.sender, cups);
    }

    /// @notice Orders tea for leaves, which the guest has approved before. One contract calls another.
    /// @custom:estimate {"caller": "Bob", "arguments": ["Matcha", "2"]}
    function orderWithLeaves(string calldata tea, uint256 cups) external {
        leaf.transferFrom(msg.sender, owner, cups * LEAVES_PER_CUP);
        emit Served(msg.sender, tea, cups);
        _count(msg.sender, cups);
    }

    /// @notice Lets tea steep: every minute is a turn of a loop and costs the same.
    /// @custom:estimate {"caller": "Carol", "arguments": ["3"]}
    function steep(uint256 minutes_) external returns (bytes32 strength) {
        for (uint256 i = 0; i < minutes_; i++) strength = keccak256(abi.encode(strength, i));
        emit Steeped(strength);
    }

    /// @notice Passes coins on. To an address that the chain does not know yet it costs 25,000 energy more.
    /// @custom:estimate {"caller": "Carol", "arguments": ["Dave"], "callValue": "1000000"}
    function tip(address payable to) external payable {
        _pay(to, msg.value);
    }

    /// @notice Changes the price of a cup. For the owner alone.
    /// @param sun the new price
    /// @custom:estimate {"caller": "Alice", "arguments": ["1800000"]}
    function setPrice(uint256 sun) external {
        if (msg.sender != owner) revert OnlyOwner(msg.sender, owner);
        emit PriceChanged(price, sun);
        price = sun;
    }

    /// @notice Takes seats for the evening. When there are too few it fails in words.
    /// @custom:estimate {"caller": "Carol", "arguments": ["4"]}
    function reserve(uint256 seats) external {
        require(seatsTaken + seats <= SEATS, "The tea house has twelve seats.");
        seatsTaken += seats;
    }

    /// @notice Brings cups back. More than the guest has had is a Panic: the subtraction would go below zero.
    /// @custom:estimate {"caller": "Bob", "arguments": ["1"]}
    function bringBack(uint256 cups) external {
        cupsOf[msg.sender] -= cups;
    }

    /// @notice What each of the people has to pay. Nobody at the table is a Panic: division by zero.
    function share(uint256 bill, uint256 people) external pure returns (uint256) {
        return bill / people;
    }

    /// @notice Hands the coins of the house to its owner.
    /// @custom:estimate {"caller": "Alice", "arguments": []}
    function close() external {
        if (msg.sender != owner) revert OnlyOwner(msg.sender, owner);
        _pay(owner, address(this).balance);
    }

    function _pay(address to, uint256 sun) private {
        (bool taken, ) = to.call{value: sun}("");
        if (!taken) revert PaymentRefused(to, sun);
    }

    function _count(address guest, uint256 cups) private {
        if (cupsOf[guest] == 0) guests.push(guest);
        cupsOf[guest] += cups;
        cupsServed += cups;
    }
}
