import assert from "node:assert/strict";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { checkAgainstReceipt, checkTrace } from "../../../../test/support/traces/check-trace.ts";
import { parseTxId } from "../../../tron/src/primitives/bytes.ts";
import { eachStack, energyBefore, readTrace, type Trace, type TraceOptions } from "../../../tron/src/traces.ts";
import { word } from "../vm/bytecode.ts";

/** Adds its input to slot 0, logs it, and reverts with it if it is 7. */
const COUNTER = "5f35805f54015f555f5260205fa05f35600714601757005b60205ffd";
/** Calls the contract in its input with the word after it, and stores whether that succeeded in slot 1. */
const CALLER = "6020355f525f5f60205f5f5f355af1600155";

describe("traceTransaction", () => {
  let contracts: ContractFixture;
  let counter: string;
  let caller: string;

  before(async () => {
    contracts = await contractFixture();
    counter = await contracts.install(COUNTER);
    caller = await contracts.install(CALLER);
  });

  async function trace(id: unknown, options: TraceOptions = {}): Promise<Trace> {
    const body = { jsonrpc: "2.0", id: 1, method: "finality_traceTransaction", params: [String(id), { ...options }] };
    const { result, error } = await contracts.chain.ask("/tre", body);
    assert.equal(error, undefined);
    const read = readTrace(result);
    const { info } = contracts.chain.simulation.chain.find(parseTxId(String(id)) ?? assert.fail()) ?? {};
    checkTrace(read, "transaction");
    if (info !== undefined) checkAgainstReceipt(read, info, "transaction");
    return read;
  }

  it("records the calls, storage changes and events of a transaction", async () => {
    const { info } = await contracts.call(caller as never, word(counter.slice(2)) + word(5));
    const { frames, writes, logs, result } = await trace(info.id);
    assert.equal(result, "SUCCESS");
    assert.deepEqual(
      frames.map(({ kind, to, input, outcome, depth }) => ({ kind, to, input, outcome, depth })),
      [
        { kind: "call", to: caller, input: word(counter.slice(2)) + word(5), outcome: "returned", depth: 0 },
        { kind: "call", to: counter, input: word(5), outcome: "returned", depth: 1 },
      ],
    );
    assert.deepEqual(
      writes.map(({ address, slot, before, after }) => [address, slot, before, after]),
      [
        [counter, word(0), word(0), word(5)],
        [caller, word(1), word(0), word(1)],
      ],
    );
    assert.deepEqual(
      logs.map(({ address, data }) => [address, data]),
      [[counter, word(5)]],
    );
  });

  it("records where a frame failed, and what it did before", async () => {
    const { info } = await contracts.call(caller as never, word(counter.slice(2)) + word(7));
    const { frames, writes } = await trace(info.id, { steps: true });
    assert.deepEqual(
      frames.map(({ outcome, output, lastPc }) => [outcome, output, lastPc]),
      [
        ["returned", "", CALLER.length / 2 - 1],
        ["reverted", word(7), COUNTER.length / 2 - 1],
      ],
    );
    assert.equal(writes.length, 2);
  });

  it("records the internal transaction of a vote that ends the run", async () => {
    const votes = await contracts.install("5f5f5f6001d8");
    const { info } = await contracts.call(votes as never);
    const { internals, frames } = await trace(info.id);
    assert.deepEqual(
      internals.map(({ note, isRejected }) => [note, isRejected]),
      [["voteWitness", true]],
    );
    assert.equal(frames[0]?.outcome, "halted");
  });

  it("lists the instructions with the energy left, stack and memory", async () => {
    const { info } = await contracts.call(counter as never, word(1));
    const read = await trace(info.id, { steps: true, stack: true, memory: true });
    const { steps, opcodes, frames } = read;
    const names = [...(steps?.opcode ?? [])].map((it) => opcodes[it]);
    assert.deepEqual(names.slice(0, 6), ["PUSH0", "CALLDATALOAD", "DUP1", "PUSH0", "SLOAD", "ADD"]);
    const left = energyBefore(read);
    assert.equal(left[0], frames[0]?.energyGiven);
    assert.equal((left[0] ?? 0) - (left.at(-1) ?? 0), frames[0]?.energyUsed);
    const stacks: string[][] = [];
    eachStack(read, (_step, stack) => stacks.push([...stack]));
    assert.deepEqual(stacks.slice(0, 4), [[], ["0"], ["1"], ["1", "1"]]);
    assert.deepEqual(
      steps?.memory?.map(({ offset, data }) => [offset, data]),
      [[0, word(1)]],
    );
  });
});
