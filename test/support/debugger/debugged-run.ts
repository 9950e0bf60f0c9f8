import {
  CompiledContracts,
  compiledContracts,
  contractText,
  type TraceNames,
  TraceSources,
} from "../../../packages/client/src/traces.ts";
import { traceTransaction } from "../../../packages/local-chain/src/traces/trace-runs.ts";
import { createAbiIndex } from "../../../packages/tron/src/abi.ts";
import { parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { Trace } from "../../../packages/tron/src/traces.ts";
import { createDebuggee, type Debuggee } from "../../../src/features/debugger/debuggee.ts";
import type { ContractFixture, Receipt } from "../chain/contract-fixture.ts";

const WITH_VALUES = { steps: true, stack: true, memory: true };

/** Returns the record of a transaction of a chain, with all values. */
export function recordOf({ chain }: ContractFixture, { info }: Receipt): Trace {
  const id = parseTxId(String(info.id));
  if (id === undefined) throw new Error("The receipt has no transaction.");
  return traceTransaction(chain.simulation.chain, id, WITH_VALUES);
}

/** Returns what the adapter debugs, with the files at the paths of the compiler below a folder. */
export function debuggeeOf(trace: Trace, sources: TraceSources, folder: string): Debuggee {
  const compiled = compiledContracts(trace, sources);
  const none = createAbiIndex([]);
  const names: TraceNames = {
    nameOf: () => undefined,
    abiOf: (address) => compiled.get(address)?.abi ?? none,
    contractNameOf: (address) => compiled.get(address)?.name,
    variableOf: () => undefined,
  };
  const files = sources
    .files()
    .map(({ path, source }) => [path, { path: `${folder}/${path}`, text: source.text }] as const);
  const title = trace.frames[0] === undefined ? "" : contractText(trace.frames[0].codeAddress, names);
  return createDebuggee({ title, trace, sources, names, files: new Map(files), differing: new Set(), notes: [] });
}

/** Returns the sources of a file with source maps. @param source - text that only the disk has */
export function sourcesIn(artifact: string, source?: string): TraceSources {
  const contracts = new CompiledContracts();
  contracts.put("build.json", artifact);
  return new TraceSources(contracts, () => source);
}
