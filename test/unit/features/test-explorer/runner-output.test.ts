import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readForgeOutput } from "../../../../src/features/test-explorer/forge-output.ts";
import { readMochaOutput } from "../../../../src/features/test-explorer/mocha-output.ts";

/** Output of a real runner on a project of `samples/projects` with further tests that fail. */
const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../../fixtures/test-runners", name), "utf8");

describe("readMochaOutput", () => {
  const hardhat = readMochaOutput(recorded("hardhat.txt"), "vault.test.cjs");

  it("reads the tests of Hardhat with their suites, states and durations", () => {
    assert.deepEqual(
      hardhat.map(({ path, state }) => `${state}: ${path.join(" > ")}`),
      [
        "passed: Vault > stores a deposit and its unlock time",
        "passed: Vault > emits an event for another deposit",
        "passed: Vault > refuses a withdrawal before the unlock time",
        "passed: Vault > pays out once the unlock time has passed",
        "failed: Vault > expects another amount",
        "passed: Vault > reverts unexpectedly",
        "skipped: Vault > is pending",
        "failed: Vault > inner > nested strings",
      ],
    );
    assert.equal(hardhat[0]?.durationMs, 287);
    assert.equal(hardhat[1]?.durationMs, undefined);
  });

  it("reads message, values and line of each failure", () => {
    assert.deepEqual(hardhat[4]?.failure, {
      message: "AssertionError: expected 5000000 to equal 1.",
      expected: "1",
      actual: "5000000",
      location: { line: 46, column: 61 },
    });
    assert.deepEqual(hardhat[7]?.failure, {
      message: "AssertionError: expected 'a\\nb' to equal 'a\\nc'",
      expected: "a\nc",
      actual: "a\nb",
      location: { line: 53, column: 76 },
    });
  });

  it("reads the tests of TronBox", () => {
    const tests = readMochaOutput(recorded("tronbox.txt"), "token.test.js");

    assert.deepEqual(
      tests.map(({ path, state }) => `${state}: ${path.join(" > ")}`),
      [
        "passed: Contract: Token > gives the supply to its owner",
        "passed: Contract: Token > moves an amount to an address without an account",
        "passed: Contract: Token > stores an allowance",
        "passed: Contract: Token > reverts if the balance is too low",
        "failed: Contract: Token > expects another balance",
      ],
    );
    assert.deepEqual(tests[4]?.failure?.location, { line: 48, column: 12 });
  });

  it("ignores colours and output of the tests", () => {
    const output = [
      "\u001b[0mdeployed at 0x1",
      "  Vault",
      "balance: 5",
      "    \u001b[32m  ✔\u001b[0m\u001b[90m works\u001b[0m".replace("    ", "  "),
      "  1 passing (1s)",
    ].join("\r\n");

    assert.deepEqual(readMochaOutput(output, "a.js"), [{ path: ["Vault", "works"], state: "passed" }]);
  });

  it("reports a failed hook as a failed test", () => {
    const output = [
      "  Vault",
      '    1) "before all" hook for "works"',
      "  0 passing (1s)",
      "  1 failing",
      "",
      "  1) Vault",
      '       "before all" hook for "works":',
      "     Error: the node does not answer: http://127.0.0.1",
      "      at connect (node_modules/x/index.js:1:2)",
      "      at Context.<anonymous> (file:///project/test/a.js:7:3)",
    ].join("\n");

    const [hook] = readMochaOutput(output, "a.js");

    assert.equal(hook?.state, "failed");
    assert.deepEqual(hook?.failure, {
      message: "Error: the node does not answer: http://127.0.0.1",
      location: { line: 7, column: 3 },
    });
  });

  for (const output of ["", "Error HH8: There's one or more errors in your config file", "\u0000".repeat(9)])
    it(`returns no test for ${JSON.stringify(output.slice(0, 12))}`, () => {
      assert.deepEqual(readMochaOutput(output, "a.js"), []);
    });
});

describe("readForgeOutput", () => {
  it("reads the tests of forge with the reason of a failure", () => {
    const tests = readForgeOutput(`Compiling 2 files\n${recorded("forge.json")}`);

    assert.deepEqual(
      tests.map(({ path, state, failure }) => [path.join("."), state, failure?.message]),
      [
        ["CounterTest.testFuzz_RefusesLargeSteps(uint256)", "passed", undefined],
        ["CounterTest.test_AddsTheStep()", "passed", undefined],
        ["CounterTest.test_Fails()", "failed", "The count is not 4."],
        ["CounterTest.test_FailsByCustomError()", "failed", "StepTooLarge(30)"],
      ],
    );
    assert.equal(tests[0]?.durationMs?.toFixed(6), "1.604911");
  });

  for (const output of ["", "{", '{"a":1}', '{"a:B":{"test_results":{"f()":{"status":"Unheard"}}}}', "[]"])
    it(`returns no test for ${output}`, () => {
      assert.deepEqual(readForgeOutput(output), []);
    });
});
