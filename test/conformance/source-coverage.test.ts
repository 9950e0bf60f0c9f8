import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { branchesOf, lcovText, lineCounts, type SourceCoverage } from "../../packages/client/src/traces.ts";
import { bytesToHex } from "../../packages/tron/src/primitives/bytes.ts";
import { type CoverageSetting, type CoveredContract, coveredContract } from "../support/traces/covered-contract.ts";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

error Refused(uint256 x);

function free(uint256 x) pure returns (uint256) {
  return x + 1;
}

contract Covered {
  uint256 public total;
  address immutable owner;

  constructor() {
    owner = msg.sender;
  }

  modifier onlySmall(uint256 x) {
    require(x < 100, "too large");
    _;
  }

  modifier counted() {
    _before();
    _;
    total += 1000;
  }

  function _before() internal {
    total += 1;
  }

  function choose(uint256 x) external onlySmall(x) counted returns (uint256) {
    uint256 y;
    if (x == 1) {
      y = 10;
    } else if (x == 2) {
      y = 20;
    } else {
      y = 30;
    }
    if (x > 50) revert Refused(x);
    if (x == 3 || x == 4) {
      y = x == 3 ? 33 : 44;
    }
    if (x == 4 || x == 3) {
      y += 1;
    }
    for (uint256 i = 0; i < x; i++) {
      unchecked {
        y += i;
      }
      if (i == 4) {
        break;
      }
    }
    require(y != 12345);
    y = free(y);
    return y;
  }

  function call(uint256 x) external returns (uint256 z) {
    try this.choose(x) returns (uint256 y) {
      z = y;
    } catch {
      z = 7;
    }
    while (z > 100) {
      z -= 100;
    }
    assembly {
      z := add(z, 1)
    }
  }

  function never() external pure returns (uint256) {
    return 5;
  }
}
`;

/** The pool tries a transaction at time 0. */
const LATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Late {
  uint256 total;

  function check() external {
    require(block.timestamp > 100);
    total += 1;
  }
}
`;

function lineOf(text: string, source = SOURCE): number {
  return source.split("\n").findIndex((line) => line.includes(text)) + 1;
}

/** Returns the branches that begin in a line, and which of their outcomes happened. */
function outcomesAt(coverage: SourceCoverage, text: string, source = SOURCE) {
  return branchesOf(coverage)
    .filter(({ outcomes: [{ start }] }) => start.line + 1 === lineOf(text, source))
    .map(({ kind, outcomes: [one, other] }) => [kind, one.count > 0, other.count > 0]);
}

const word = (value: number): string => value.toString(16).padStart(64, "0");

function selector(signature: string): string {
  return bytesToHex(keccak_256(Buffer.from(signature)).subarray(0, 4));
}

async function run(
  { fixture, bytecode }: CoveredContract,
  calls: readonly (readonly [string, number])[],
): Promise<void> {
  const { address } = await fixture.deploy(bytecode("Covered"));
  for (const [name, x] of calls) await fixture.call(address, selector(`${name}(uint256)`) + word(x));
}

const PLAIN: CoverageSetting = { isOptimized: false, isViaIr: false };

const CALLS = [
  ["choose", 3],
  ["call", 2],
  ["choose", 60],
  ["choose", 200],
] as const;

/** Parts of the lines that these calls do not execute. */
const MISSING = ["y = 10;", "break;", "z = 7;", "z -= 100;", "return 5;"];

describe("coverage of Solidity sources", () => {
  for (const isOptimized of [false, true])
    it(`counts lines and both outcomes of branches, ${isOptimized ? "optimized" : "not optimized"}`, async () => {
      const covered = await coveredContract(SOURCE, { isOptimized, isViaIr: false });
      await run(covered, CALLS);

      const coverage = await covered.fileCoverage();

      const lines = lineCounts(coverage);
      assert.equal(lines.size, 34);
      assert.deepEqual(
        [...lines].filter(([, count]) => count === 0).map(([line]) => line),
        MISSING.map((text) => lineOf(text)),
      );
      assert.deepEqual(outcomesAt(coverage, "function choose"), [
        ["modifier", true, true],
        ["modifier", true, false],
      ]);
      assert.deepEqual(outcomesAt(coverage, "require(x < 100"), [["require", true, true]]);
      assert.deepEqual(outcomesAt(coverage, "if (x == 1)"), [["if", false, true]]);
      assert.deepEqual(outcomesAt(coverage, "else if (x == 2)"), [["if", true, true]]);
      assert.deepEqual(outcomesAt(coverage, "x == 3 || x == 4"), [
        ["or", true, false],
        ["if", true, true],
      ]);
      assert.deepEqual(outcomesAt(coverage, "x == 4 || x == 3"), [
        ["or", false, true],
        ["if", true, true],
      ]);
      assert.deepEqual(outcomesAt(coverage, "x == 3 ? 33"), [["ternary", true, false]]);
      assert.deepEqual(outcomesAt(coverage, "if (i == 4)"), [["if", false, true]]);
      assert.deepEqual(outcomesAt(coverage, "require(y != 12345)"), [["require", true, false]]);
    }).timeout(60_000);

  it("lists the executions of functions, branches and lines in the format of lcov", async () => {
    const covered = await coveredContract(SOURCE, PLAIN);
    await run(covered, CALLS);

    const text = lcovText([await covered.fileCoverage()]);

    assert.match(text, /^TN:\nSF:contracts\/Covered\.sol\n/);
    for (const line of ["FNDA:2,free", "FNDA:3,Covered._before", "FNDA:0,Covered.never", "LF:34", "LH:29", "DA:19,4"])
      assert.ok(text.includes(`\n${line}\n`), line);
  }).timeout(60_000);

  // Such a compilation takes seconds.
  for (const isOptimized of process.env.FINALITY_RANDOM === "full" ? [false, true] : [])
    it(`counts no line that was not executed, through IR, ${isOptimized ? "optimized" : "not optimized"}`, async () => {
      const covered = await coveredContract(SOURCE, { isOptimized, isViaIr: true });
      await run(covered, CALLS);

      const lines = lineCounts(await covered.fileCoverage());

      const executed = MISSING.filter((text) => (lines.get(lineOf(text)) ?? 0) > 0);
      assert.deepEqual(executed, []);
    }).timeout(120_000);

  it("lists a file that no call executed", async () => {
    const covered = await coveredContract(SOURCE, PLAIN);

    const coverage = await covered.fileCoverage();

    const lines = [...lineCounts(coverage).values()];
    assert.deepEqual([lines.length, lines.filter((count) => count > 0)], [34, []]);
  }).timeout(60_000);

  it("does not count the trial of a transaction that its block runs again", async () => {
    const covered = await coveredContract(LATE, PLAIN);
    const { address } = await covered.fixture.deploy(covered.bytecode("Late"));
    await covered.fixture.call(address, selector("check()"));

    const coverage = await covered.fileCoverage();

    assert.deepEqual([...lineCounts(coverage).values()], [1, 1]);
    assert.deepEqual(outcomesAt(coverage, "require", LATE), [["require", true, false]]);
  }).timeout(60_000);
});
