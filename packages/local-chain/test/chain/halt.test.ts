import assert from "node:assert/strict";
import {
  type ContractFixture,
  contractFixture,
  resultText,
  returning,
} from "../../../../test/support/chain/contract-fixture.ts";

/** 10 coins, which pay for LIMIT energy at 210 sun. */
const FEE_LIMIT = 10_000_000;
const LIMIT = 47_619;

describe("result of a contract execution", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  const run = async (runtime: string): Promise<readonly [string, string, number]> => {
    const address = await contracts.install(runtime);
    const { result, message, energy } = await contracts.call(address, "", { feeLimit: FEE_LIMIT });
    return [result, message, energy];
  };

  it("S49 is SUCCESS at a normal end, and charges the used energy", async () => {
    assert.deepEqual(await run("602a60005260206000f3"), ["SUCCESS", "", 3 + 3 + 4 + 3 + 3]);
  });

  it("S50 is REVERT at that opcode, charges the used energy and keeps the data", async () => {
    const address = await contracts.install("60aa60005260206000fd");
    const receipt = await contracts.call(address, "", { feeLimit: FEE_LIMIT });
    assert.equal(receipt.result, "REVERT");
    assert.equal(receipt.message, "REVERT opcode executed");
    assert.equal(receipt.returned, "aa".padStart(64, "0"));
    assert.equal(receipt.energy, 16);
    assert.equal(receipt.info.result, "FAILED");
  });

  it("S51 is BAD_JUMP_DESTINATION at an invalid jump or one into the data of a push, and charges the limit", async () => {
    const messageAt = (pc: number): string => `Operation with pc isn't 'JUMPDEST': PC[${pc}];`;
    assert.deepEqual(await run("600056"), ["BAD_JUMP_DESTINATION", messageAt(0), LIMIT]);
    assert.deepEqual(await run("600456605b00"), ["BAD_JUMP_DESTINATION", messageAt(4), LIMIT]);
  });

  it("S52 is OUT_OF_MEMORY above 3 MiB with any limit", async () => {
    const message = "Out of Memory when 'MSTORE' operation executing";
    assert.deepEqual(await run("6001624000005200"), ["OUT_OF_MEMORY", message, LIMIT]);
  });

  it("S54 is STACK_TOO_SMALL at a pop of an empty stack", async () => {
    assert.deepEqual(await run("50"), ["STACK_TOO_SMALL", "Expected stack size 1 but actual 0;", LIMIT]);
  });

  it("S55 S149 is STACK_TOO_LARGE at the 1025th push, but not at the 1024th", async () => {
    const message = "Expected: overflow 1024 elements stack limit";
    assert.deepEqual(await run("6001".repeat(1024)), ["SUCCESS", "", 3072]);
    assert.deepEqual(await run("6001".repeat(1025)), ["STACK_TOO_LARGE", message, LIMIT]);
  });

  it("S56 is ILLEGAL_OPERATION at an undefined opcode", async () => {
    assert.deepEqual(await run("fe"), ["ILLEGAL_OPERATION", "Invalid operation code: opCode[fe];", LIMIT]);
    assert.deepEqual(await run("1e"), ["ILLEGAL_OPERATION", "Invalid operation code: opCode[1e];", LIMIT]);
  });

  it("S58 S132 is OUT_OF_ENERGY in an endless loop, with the limit in its message", async () => {
    const amounts = "curInvokeEnergyLimit[47619], curOpEnergy[3], usedEnergy[47617]";
    const message = `Not enough energy for 'PUSH1' operation executing: ${amounts}`;
    assert.deepEqual(await run("5b600056"), ["OUT_OF_ENERGY", message, LIMIT]);
  });

  it("S58 S132 is OUT_OF_ENERGY without any energy when there is no fee limit", async () => {
    const address = await contracts.install("5b600056");
    const { result, energy, info } = await contracts.call(address, "", { feeLimit: 0 });
    assert.deepEqual([result, energy], ["OUT_OF_ENERGY", 0]);
    assert.equal("energy_usage_total" in (info.receipt as object), false);
  });

  it("S59 S133 is OUT_OF_TIME when code runs too long, with the block producer's message", async () => {
    const address = await contracts.install("5b600056");
    const { result, message, energy } = await contracts.call(address, "", { feeLimit: 1_400_000_000 });
    assert.deepEqual([result, energy], ["OUT_OF_ENERGY", 6_666_666]);
    const long = await contracts.call(address, "", { feeLimit: 5_000_000_000 });
    assert.deepEqual([long.result, long.message, long.energy], ["OUT_OF_TIME", "Already Time Out", 23_809_523]);
    assert.match(message, /^Not enough energy/);
  });

  it("S61 is UNKNOWN for errors without a value of their own", async () => {
    const word = (value: number): string => value.toString(16).padStart(64, "0");
    const message = `Illegal RETURNDATACOPY arguments: offset (${word(0)}) + size (${word(32)}) > RETURNDATASIZE (0)`;
    assert.deepEqual(await run("6020600060003e"), ["UNKNOWN", message, LIMIT]);
  });

  it("fails only the frame at a write inside a static call, with all its energy", async () => {
    const changer = await contracts.install("600160005500");
    const caller = await contracts.install(`600060006000600073${changer.slice(2)}612710fa60005260206000f3`);
    const { result, returned, energy } = await contracts.call(caller);
    assert.deepEqual([result, returned], ["SUCCESS", "0".repeat(64)]);
    assert.ok(energy > 10_000 && energy < 10_100);
  });

  it("S62 is TRANSFER_FAILED when a contract pays itself, and charges the used energy", async () => {
    const address = await contracts.install("6000600060006000600130612710f1");
    const { result, message, energy } = await contracts.call(address, "", { feeLimit: FEE_LIMIT, value: 10 });
    assert.equal(result, "TRANSFER_FAILED");
    assert.equal(message, "transfer trx failed: Cannot transfer TRX to yourself.");
    assert.ok(energy < LIMIT);
  });

  it("S63 is INVALID_CODE for new code that begins with ef, and returns that code", async () => {
    const receipt = await contracts.deploy(returning("ef00"), { feeLimit: FEE_LIMIT });
    assert.deepEqual([receipt.result, receipt.message], ["INVALID_CODE", "invalid code: must not begin with 0xef"]);
    assert.deepEqual([receipt.returned, receipt.energy], ["ef00", LIMIT]);
  });

  it("S130 returns the code of a deployment that cannot be paid", async () => {
    const receipt = await contracts.deploy(returning("00".repeat(300)), { feeLimit: FEE_LIMIT });
    assert.match(
      receipt.message,
      /^Not enough energy for 'save just created contract code' executing: needEnergy\[60000\]/,
    );
    assert.deepEqual([receipt.result, receipt.returned], ["OUT_OF_ENERGY", "00".repeat(300)]);
    assert.deepEqual(await contracts.ask("getcontract", { value: receipt.address }), {});
  });

  const forced: readonly (readonly [result: string, message: string])[] = [
    ["OUT_OF_TIME", "Already Time Out"],
    ["JVM_STACK_OVER_FLOW", "StackOverflowError:  exceed default JVM stack size!"],
    ["UNKNOWN", "Unknown Throwable"],
    ["PRECOMPILED_CONTRACT", ""],
    ["STACK_OVERFLOW", ""],
  ];
  for (const [result, message] of forced) {
    it(`S53 S57 S59 S60 is ${result} once with the fault code-ended, and charges the limit`, async () => {
      const address = await contracts.install("600160005500");
      const { energy: usual } = await contracts.call(address);
      await contracts.chain.ask("/local/faults", [{ name: "code-ended", result, count: 1 }]);
      const ended = await contracts.call(address, "", { feeLimit: FEE_LIMIT });
      assert.deepEqual([ended.result, ended.message, ended.energy], [result, message, LIMIT]);
      assert.equal(ended.info.result, "FAILED");
      const after = await contracts.call(address);
      assert.deepEqual([after.result, after.energy < usual], ["SUCCESS", true]);
      await contracts.chain.ask("/local/faults", []);
    });
  }

  it("S72 S129 accepts failing code at broadcast, and reports its Java class in a constant call", async () => {
    const answer = await contracts.constant("600056");
    const detail = "BadJumpDestinationException : Operation with pc isn't 'JUMPDEST': PC[0];";
    assert.equal(resultText(answer), `class org.tron.core.vm.program.Program$${detail}`);
    assert.equal("energy_used" in answer, false);
  });
});
