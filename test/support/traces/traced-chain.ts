import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import { traceTransaction } from "../../../packages/local-chain/src/traces/trace-runs.ts";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { readTrace, type Trace } from "../../../packages/tron/src/traces.ts";
import type { TestChain } from "../chain/test-chain.ts";
import { checkAgainstReceipt, checkTrace } from "./check-trace.ts";

const ALL = { steps: true, stack: true, memory: true };
/** Of a run of more instructions, stack and memory are not recorded: the record is bounded. */
const MANY_STEPS = 200_000;
const WITHOUT_VALUES = { steps: true, maxSteps: 2_500_000 };

/** Checks the traces of all transactions of a chain that ran code, with and without instructions. @returns their number */
export function checkTracesOf(chain: Blockchain, name: string): number {
  let count = 0;
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    count += checkTracesOfBlock(chain, height, name);
  }
  return count;
}

/** Checks the traces of the transactions of a block that ran code. @returns their number */
export function checkTracesOfBlock(chain: Blockchain, height: number, name: string): number {
  let count = 0;
  for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
    if (info?.outcome === undefined) continue;
    const label = `${name}, block ${height}, ${transaction.id}`;
    const calls = traceTransaction(chain, transaction.id, {});
    const options = calls.instructions > MANY_STEPS ? WITHOUT_VALUES : ALL;
    const full = traceTransaction(chain, transaction.id, options);
    for (const trace of [calls, full]) {
      checkTrace(trace, label);
      checkAgainstReceipt(trace, info, label);
    }
    assert.deepEqual(callsIn(full), callsIn(calls), label);
    count += 1;
  }
  return count;
}

function callsIn({ steps, opcodes, ...rest }: Trace): Omit<Trace, "steps" | "opcodes"> {
  return rest;
}

/** Checks the trace of a constant call or an estimate against its answer. @returns false if the node refused it */
export async function checkTracedCall(call: JsonObject, answer: JsonObject, chain: TestChain): Promise<boolean> {
  const { result = {}, energy_used, energy_required, energy_penalty = 0, constant_result } = answer;
  if ((result as JsonObject).result !== true) return false;
  const kind = energy_required === undefined ? "call" : "estimate";
  const { owner_address: from, contract_address: to, call_value: value } = call;
  const request = { from, to, value, kind, data: dataOf(call) };
  const params = [request, ALL] as const;
  const reply = await chain.ask("/tre", { jsonrpc: "2.0", id: 1, method: "finality_traceCall", params });
  assert.equal(reply.error, undefined);
  const trace = readTrace(reply.result);
  checkTrace(trace, "call");
  if (kind === "estimate") {
    assert.ok(trace.energy <= Number(energy_required));
    return true;
  }
  assert.equal(trace.energy, energy_used ?? 0);
  assert.equal(trace.penalty, energy_penalty);
  assert.deepEqual([trace.frames[0]?.output ?? ""], constant_result);
  return true;
}

function dataOf({ data, function_selector: selector, parameter = "" }: JsonObject): string {
  if (selector === undefined) return String(data ?? "");
  return bytesToHex(keccak_256(Buffer.from(String(selector))).subarray(0, 4)) + String(parameter);
}
