import { LOG_LIBRARY } from "./logged-contracts.ts";

/**
 * Contract with each kind of variable and statement that random contracts lack, and a log after each. It needs Solidity
 * 0.8.20.
 */
export const FEATURES_CONTRACT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
${LOG_LIBRARY}
type Price is uint64;
struct Point { uint128 x; int128 y; }
struct Line { Point from; Point to; string name; uint256[] marks; }
function free(uint256 a, Point memory p) view returns (uint256 b) {
    Log.l("a", a); Log.l("p.x", uint256(p.x));
    b = a + p.x;
    Log.l("b", b);
}
library Points {
    function grow(Line storage line, uint256 by) internal returns (uint256 before) {
        Log.l("line.from.x", uint256(line.from.x)); Log.l("by", by);
        before = line.from.x;
        line.from.x += uint128(by);
        Log.l("before", before); Log.l("line.from.x", uint256(line.from.x)); Log.l("line.name", line.name);
    }
}
abstract contract Root {
    uint256 internal immutable factor;
    Line internal kept;
    mapping(bytes32 => Line) internal lines;
    mapping(bool => uint8[4]) internal table;
    uint8[2][3] internal grid;
    Price internal price;
    constructor(uint256 f) { factor = f; uint256 g = f * 2; Log.l("f", f); Log.l("g", g); kept.from.x = uint128(g); Log.l("kept.from.x", uint256(kept.from.x)); }
    modifier once(uint256 n) virtual { uint256 m = n; Log.l("m", m); _; Log.l("n", n); }
    modifier twice(bool b) { uint256 z = 5; if (b) { uint256 q = 8; Log.l("q", q); Log.l("z", z); } _; z++; Log.l("z", z); Log.l("b", b); }
    function total(uint256 s) public virtual returns (uint256 t) { t = s + 1; Log.l("s", s); Log.l("t", t); }
}
contract Main is Root {
    using Points for Line;
    constructor(uint256 start, uint8 tiny) Root(start + tiny) { uint256 local = start; Log.l("start", start); Log.l("tiny", uint256(tiny)); Log.l("local", local); tiny++; Log.l("tiny", uint256(tiny)); }
    function total(uint256 s) public override twice(true) returns (uint256 t) { t = super.total(s) + 2; uint256 u = t; Log.l("u", u); Log.l("s", s); return u; }
    function plus(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
    function useFunction(function (uint256, uint256) pure returns (uint256) f, uint256 v) internal view returns (uint256 w) { w = f(v, 3); Log.l("v", v); Log.l("w", w); }
    function deep(Line memory line, uint256[][] memory nested) internal view returns (uint256 one, uint256 two, bool three) {
        Log.l("line.to.x", uint256(line.to.x)); Log.l("line.marks[1]", line.marks[1]); Log.l("nested[1][0]", nested[1][0]); Log.l("nested.length", nested.length);
        line.to.x = 77;
        Log.l("line.to.x", uint256(line.to.x));
        (one, two, three) = (line.to.x, nested[0].length, true);
        Log.l("one", one); Log.l("two", two); Log.l("three", three);
        do { one++; if (one > 79) break; uint256 inside = one * 2; Log.l("inside", inside); if (one == 79) continue; Log.l("one", one); } while (one < 85);
        Log.l("one", one);
        while (two < 4) { uint256 k = two; two++; Log.l("k", k); Log.l("two", two); }
        return (one, two + 1, !three);
    }
    function take(Line calldata line, Point[] calldata points, bytes calldata raw, Price p, function () external f) external view returns (uint256 r) {
        Log.l("line.from.x", uint256(line.from.x)); Log.l("line.name", line.name); Log.l("line.marks[0]", line.marks[0]); Log.l("points[1].x", uint256(points[1].x)); Log.l("points.length", points.length);
        Log.l("uint256(keccak256(raw))", uint256(keccak256(raw))); Log.l("uint256(p)", uint256(Price.unwrap(p)));
        bytes calldata part = raw[1:];
        Log.l("uint256(keccak256(part))", uint256(keccak256(part)));
        Point calldata one = points[0];
        Log.l("one.x", uint256(one.x));
        r = points.length;
        f;
        Log.l("r", r);
    }
    function ask(uint256 v) external pure returns (uint256 a, string memory b) { require(v != 4); if (v == 5) { uint256[] memory none; return (none[v], ""); } return (v, "text"); }
    receive() external payable { uint256 got = msg.value; Log.l("got", got); }
    fallback(bytes calldata input) external payable returns (bytes memory output) { uint256 size = input.length; Log.l("size", size); output = "xy"; Log.l("size", size); }
    function run(uint256 x, uint8 n, bytes calldata z, uint256[] calldata xs, string memory text) external payable once(x) twice(n > 2) returns (uint256 result) {
        Log.l("factor", factor); Log.l("x", x);
        kept.name = text; kept.marks.push(4); price = Price.wrap(9);
        Log.l("kept.name", kept.name); Log.l("kept.marks[0]", kept.marks[0]); Log.l("price", uint256(Price.unwrap(price)));
        bytes32 key = keccak256("k"); lines[key].to.x = 5; table[true][2] = 6; grid[2][1] = 8;
        Log.l("uint256(key)", uint256(key)); Log.l("lines[key].to.x", uint256(lines[key].to.x)); Log.l("table[true][2]", uint256(table[true][2])); Log.l("grid[2][1]", uint256(grid[2][1]));
        { uint256 before = kept.grow(4); Log.l("before", before); Log.l("kept.from.x", uint256(kept.from.x)); }
        result = total(x); Log.l("result", result);
        result += free(result, Point(3, -4)); Log.l("result", result);
        result += useFunction(plus, n); Log.l("result", result); Log.l("n", uint256(n));
        parts(text);
        for (uint256 i = 0; i < xs.length; i++) { if (i == 1) continue; uint256 item = xs[i]; Log.l("item", item); Log.l("i", i); for (uint256 j = i; j < 2; ++j) { Log.l("j", j); Log.l("item", item); } }
        tries(x);
        Log.l("uint256(keccak256(z))", uint256(keccak256(z)));
        return result + 1;
    }
    function parts(string memory text) internal {
        uint256[][] memory nested = new uint256[][](2); nested[0] = new uint256[](3); nested[1] = new uint256[](1); nested[1][0] = 12;
        Line memory line; line.to = Point(1, 2); line.marks = new uint256[](2); line.marks[1] = 6; line.name = text;
        Log.l("line.marks.length", line.marks.length); Log.l("line.name", line.name); Log.l("nested[1][0]", nested[1][0]);
        (uint256 one, , bool three) = deep(line, nested); Log.l("one", one); Log.l("three", three); Log.l("line.to.x", uint256(line.to.x));
        Line storage slot = three ? kept : lines[keccak256("k")]; Log.l("slot.to.x", uint256(slot.to.x));
        Point[] memory points = new Point[](2); points[1].x = 9; points[0].x = 2; Log.l("points[1].x", uint256(points[1].x));
        this.take(line, points, "abc", price, this.nothing); Log.l("one", one);
        delete line; Log.l("line.to.x", uint256(line.to.x));
        int64 minus = -3; minus--; Log.l("uint256(int256(minus))", uint256(int256(minus)));
        bytes3 tag = "abc"; Log.l("uint256(uint24(tag))", uint256(uint24(tag)));
        address me = address(this); Log.l("me", me); Log.l("this", address(this));
        uint256 word; assembly { let hidden := 4 word := add(hidden, 2) } Log.l("word", word);
        unchecked { uint8 small = 250; small += 9; Log.l("small", uint256(small)); }
        (bool ok, ) = address(this).call(""); Log.l("ok", ok); (ok, ) = address(this).call("zzzzz"); Log.l("ok", ok);
    }
    function nothing() external {}
    function tries(uint256 x) internal view {
        for (uint256 v = 3; v < 6; v++) {
            try this.ask(v) returns (uint256 a, string memory b) { Log.l("a", a); Log.l("b", b); Log.l("v", v); }
            catch Panic(uint256 code) { Log.l("code", code); Log.l("v", v); }
            catch (bytes memory data) { uint256 size = data.length; Log.l("size", size); Log.l("data.length", data.length); Log.l("x", x); }
        }
    }
}
`;
