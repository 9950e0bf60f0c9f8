import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledContracts, type TraceNames, TraceSources } from "../../../packages/client/src/traces.ts";
import { traceTransaction } from "../../../packages/local-chain/src/traces/trace-runs.ts";
import { candidateFromJson, createAbiIndex, type JsonAbiEntry } from "../../../packages/tron/src/abi.ts";
import { parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { createDebuggee, type Debuggee } from "../../../src/features/debugger/debuggee.ts";
import { contractFixture } from "../chain/contract-fixture.ts";

const samples = join(import.meta.dirname, "../../../samples");
const artifact = readFileSync(join(samples, "build/contracts/Leaf.json"), "utf8");
const source = readFileSync(join(samples, "contracts/Leaf.sol"), "utf8");
const SUPPLY = (10n ** 9n).toString(16).padStart(64, "0");
const TO = "11".repeat(20).padStart(64, "0");

/** Path of the source of the token, as the editor names it. */
export const LEAF_PATH = join(samples, "contracts/Leaf.sol");

/** Returns the line from 1 of the source that has a text. */
export function leafLine(text: string): number {
  const line = source.split("\n").findIndex((it) => it.includes(text));
  assert.ok(line >= 0, text);
  return line + 1;
}

/** Deploys the token of the samples, transfers an amount of it, and returns the run of the transfer. */
export async function debuggedTransfer(value: bigint): Promise<Debuggee> {
  const fixture = await contractFixture();
  const { bytecode, abi } = JSON.parse(artifact) as {
    readonly bytecode: string;
    readonly abi: readonly JsonAbiEntry[];
  };
  const { address } = await fixture.deploy(bytecode.replace(/^0x/, "") + SUPPLY);
  const { info } = await fixture.call(address, `a9059cbb${TO}${value.toString(16).padStart(64, "0")}`);
  const id = parseTxId(String(info.id)) ?? assert.fail();
  const all = { steps: true, stack: true, memory: true };
  const trace = traceTransaction(fixture.chain.simulation.chain, id, all);
  const contracts = new CompiledContracts();
  contracts.put("Leaf.json", artifact);
  const index = createAbiIndex(abi.flatMap((it) => candidateFromJson(it, "Leaf") ?? []));
  const names: TraceNames = {
    nameOf: () => undefined,
    abiOf: () => index,
    contractNameOf: () => "Leaf",
    variableOf: () => undefined,
  };
  const sources = new TraceSources(contracts, () => source);
  const name = sources.files()[0]?.path ?? "";
  const files = new Map([[name, { path: LEAF_PATH, text: source }]]);
  return createDebuggee({ title: "Leaf.transfer", trace, sources, names, files, differing: new Set(), notes: [] });
}
