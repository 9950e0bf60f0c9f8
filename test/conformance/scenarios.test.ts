import assert from "node:assert/strict";
import type { CodeIntent } from "../../packages/client/src/estimates/call-estimate.ts";
import { estimateCall } from "../../packages/client/src/estimates/estimate-call.ts";
import { LOOPBACK, listen } from "../../packages/local-chain/src/node-server.ts";
import { systemClock } from "../../packages/node/src/system-clock.ts";
import { hexToBytes } from "../../packages/tron/src/primitives/bytes.ts";
import { intentFromRawData } from "../../packages/tron/src/transaction/intent-contract.ts";
import { decodeRawData } from "../../packages/tron/src/transaction/raw-data-codec.ts";
import { gatewayAt } from "../support/fakes/gateway-fixtures.ts";
import { readScenario, type Step } from "../support/recorded/scenario.ts";
import { type AfterCalling, type BeforeSending, replayScenario } from "../support/recorded/scenario-replay.ts";
import { checkTracedCall, checkTracesOf } from "../support/traces/traced-chain.ts";

const NAMES = [
  "bandwidth",
  "calls",
  "deploys",
  "limits",
  "memory-events",
  "opcodes",
  "results",
  "reverts-panics",
  "stake-share",
  "storage",
  "t-contract",
];

/** Receipt that the real node recorded for a step. */
interface RecordedReceipt {
  readonly result?: string;
  readonly energy_usage_total?: number;
}

function recordedReceipt({ expect }: Step): RecordedReceipt {
  return Object(Object(expect).receipt);
}

describe("recorded scenarios", () => {
  const total = { matched: 0, steps: 0 };
  const estimates = { equal: 0, others: new Map<string, string>() };

  /** Estimates each successful call and deployment before it is sent, and compares it with the receipt of the real node. */
  const compare =
    (scenario: string): BeforeSending =>
    async (rawDataHex, step, { simulation }) => {
      const { result, energy_usage_total: energy = 0 } = recordedReceipt(step);
      if (result !== "SUCCESS") return;
      const intent = intentFromRawData(decodeRawData(hexToBytes(rawDataHex))) as CodeIntent;
      const server = await listen(simulation, { port: 0, host: LOOPBACK, allowRemote: false, log: undefined });
      const client = gatewayAt(server.baseUrl, {}, { clock: systemClock });
      const estimate = await estimateCall(client.gateway, intent);
      await client[Symbol.asyncDispose]();
      await server.close();
      if (estimate.kind === "estimated" && estimate.limitEffect !== "seen") {
        assert.equal(estimate.energy, BigInt(energy), `${scenario}/${step.id}`);
        estimates.equal += 1;
      } else estimates.others.set(`${scenario}/${step.id}`, estimate.kind);
    };

  const traced = { transactions: 0, calls: 0 };
  const traceCall: AfterCalling = async (call, answer, chain) => {
    if (await checkTracedCall(call, answer, chain)) traced.calls += 1;
  };

  for (const name of NAMES) {
    it(`S28 match ${name}: energy, fees, receipts, messages, and traces of each step`, async function () {
      this.timeout(60_000);
      const hooks = { beforeSending: compare(name), afterCalling: traceCall };
      const { steps, matched, differences, chain } = await replayScenario(readScenario(name), hooks);
      traced.transactions += checkTracesOf(chain.simulation.chain, name);
      total.matched += matched;
      total.steps += steps;
      assert.deepEqual(differences, []);
      assert.equal(matched, steps);
    });
  }

  it("have estimates that equal the receipts of the real node, except for code that burns or reads its energy", () => {
    assert.ok(estimates.equal > 140, `${estimates.equal}`);
    const others = {
      "calls/burn-all": "halted",
      "deploys/empty-code": "unavailable",
      "results/r-StaticWrite": "estimated",
    };
    assert.deepEqual(Object.fromEntries(estimates.others), others);
  });

  after(() => {
    process.stdout.write(`      scenarios: ${total.matched} / ${total.steps}\n`);
    process.stdout.write(`      traces: ${traced.transactions} transactions, ${traced.calls} calls\n`);
    process.stdout.write(`      estimates equal to the receipts of the real node: ${estimates.equal}\n`);
  });
});
