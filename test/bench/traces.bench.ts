import { blockContext } from "../../packages/local-chain/src/chain/block.ts";
import { executeTransaction } from "../../packages/local-chain/src/chain/execution.ts";
import { Ledger } from "../../packages/local-chain/src/chain/ledger.ts";
import { traceTransaction } from "../../packages/local-chain/src/traces/trace-runs.ts";
import { parseTxId, type TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { printJson } from "../../packages/tron/src/primitives/json.ts";
import { traceToJson } from "../../packages/tron/src/traces.ts";
import { type ContractFixture, contractFixture } from "../support/chain/contract-fixture.ts";
import { inTurns, report } from "./row.ts";

// Traces of executed transactions, beside the same transactions without a record. All run on the same older state.

const ROUNDS = 9;
const PLAIN = "the same run without a record";
/** Begin and end of a loop that counts its input down to 0 on the stack. */
const [BEGIN, END] = ["5f355b60019003", "8060025700"];
const LOOPS: { readonly [name: string]: readonly [turns: number, body: (callee: string) => string] } = {
  arithmetic: [20_000, () => "80800250806007015080600a900450"],
  "memory and hashes": [5_000, () => "805f525f515060205f2050"],
  storage: [300, () => "8060ff165450805f55"],
  calls: [2_000, (callee) => `5f5f5f5f5f73${callee}5af150`],
};

const contracts = await contractFixture({ getMaxCpuTimeOfOneTx: 400 });
const callee = await contracts.install("5f5ff3");
for (const [name, [turns, body]] of Object.entries(LOOPS)) {
  const loop = await contracts.install(BEGIN + body(callee.slice(2)) + END);
  const { info, result } = await contracts.call(loop, turns.toString(16).padStart(64, "0"), {
    feeLimit: 15_000_000_000,
  });
  const id = parseTxId(String(info.id));
  if (result !== "SUCCESS" || id === undefined) throw new Error(`${name} ended with ${result}.`);
  await measure(contracts, name, id);
}

async function measure({ chain: { simulation } }: ContractFixture, name: string, id: TxId): Promise<void> {
  const { chain } = simulation;
  const all = { steps: true, stack: true, memory: true, maxSteps: 2_500_000, maxBytes: 256_000_000 };
  const times = await inTurns(
    {
      plain: () => repeat(contracts, id),
      calls: () => traceTransaction(chain, id, {}),
      steps: () => traceTransaction(chain, id, { steps: true }),
      all: () => traceTransaction(chain, id, all),
      json: () => printJson(traceToJson(traceTransaction(chain, id, { steps: true }))),
    },
    ROUNDS,
  );
  const { instructions } = traceTransaction(chain, id, {});
  const row = (what: string, ours: number, most: number): void =>
    report({
      area: "traces",
      what: `${what} of ${instructions.toLocaleString("en-US")} instructions: ${name}`,
      meaning: "Time to open a trace.",
      peer: PLAIN,
      unit: "ms",
      better: "less",
      ours,
      theirs: times.plain,
      reason: `a trace records what the run does; it may take ${most} times as long`,
    });
  row("calls, events and storage changes", times.calls, 2);
  row("the same with instructions", times.steps, 5);
  row("the same with instructions, stack and memory", times.all, 5);
  row("the same with instructions, as JSON", times.json, 5);
}

/** Executes a transaction again, as a trace does, without a recorder. */
function repeat({ chain: { simulation } }: ContractFixture, id: TxId): void {
  const { chain } = simulation;
  const found = chain.find(id);
  const before = found && chain.stateBefore(found.block.header.number);
  if (found === undefined || before === undefined) throw new Error("The transaction is not there.");
  const { header } = found.block;
  executeTransaction(new Ledger(before), found.transaction, {
    actuators: chain.actuators,
    parameters: before.parameters,
    now: chain.block(header.number - 1)?.header.timestamp ?? 0,
    context: chain.context(blockContext(header)),
  });
}
