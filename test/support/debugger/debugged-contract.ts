import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { DebugFrame } from "../../../packages/client/src/debugger/values.ts";
import { sourcesOfFrame } from "../../../packages/client/src/traces/trace-sites.ts";
import { CompiledContracts, TraceSources } from "../../../packages/client/src/traces.ts";
import { isJsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { readTrace, type Trace } from "../../../packages/tron/src/traces.ts";
import type { ContractFixture } from "../chain/contract-fixture.ts";

/** Way to compile. */
export interface DebugSetting {
  readonly version: string;
  readonly isOptimized: boolean;
  readonly isViaIr: boolean;
  /** True for the output of ETHDebug in place of source maps, which needs the optimizer to be off. */
  readonly hasEthdebug?: boolean;
  /** True for random contracts with a third of the statements. */
  readonly isShort?: boolean;
}

interface Compiled {
  readonly evm: { readonly bytecode: { readonly object: string } };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: { readonly [file: string]: { readonly [name: string]: Compiled } };
}

/** Build of a compiler, with the sources that traces of its contracts need. */
export interface DebugBuild {
  readonly sources: TraceSources;
  bytecode(path: string, name: string): string;
}

/** Compiles sources; undefined if the compiler has too few stack slots. @throws {Error} they do not compile */
export function compileForDebugger(
  texts: { readonly [path: string]: string },
  { version, isOptimized, isViaIr, hasEthdebug = false }: DebugSetting,
  compiler: string,
): DebugBuild | undefined {
  const settings = {
    optimizer: { enabled: isOptimized, runs: 200 },
    evmVersion: version.startsWith("0.6.") ? "istanbul" : version === "0.8.20" ? "shanghai" : "cancun",
    outputSelection: {
      "*": {
        "": ["ast"],
        "*": [
          ...["abi", "metadata", "evm.bytecode.object", "evm.deployedBytecode.object", "storageLayout"],
          ...["evm.deployedBytecode.immutableReferences", "evm.deployedBytecode.generatedSources"],
          ...(hasEthdebug
            ? ["evm.bytecode.ethdebug", "evm.deployedBytecode.ethdebug"]
            : ["evm.bytecode.sourceMap", "evm.deployedBytecode.sourceMap"]),
        ],
      },
    },
    ...(isViaIr && { viaIR: true }),
    ...(hasEthdebug && { debug: { debugInfo: ["ethdebug"] }, experimental: true }),
  };
  const sources = Object.fromEntries(Object.entries(texts).map(([path, content]) => [path, { content }]));
  const input = { language: "Solidity", sources, settings };
  const solc = createRequire(pathToFileURL(compiler))(compiler) as { compile(input: string): string };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const failed = (output.errors ?? []).find(({ severity }) => severity === "error");
  if (failed?.formattedMessage.includes("too deep") === true) return undefined;
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  const contracts = new CompiledContracts();
  contracts.put("build-info.json", JSON.stringify({ id: "debugged", input, output }));
  return {
    sources: new TraceSources(contracts),
    bytecode: (path, name) => output.contracts[path]?.[name]?.evm.bytecode.object ?? "",
  };
}

/** Runs a constant call with instructions. */
export async function traceWithValues(
  { chain }: ContractFixture,
  call: { readonly to?: string; readonly data: string; readonly value?: number },
): Promise<Trace> {
  const [account] = chain.accounts;
  const params = [
    { from: account?.hex ?? "", feeLimit: 1_000_000_000, ...call },
    { steps: true, stack: true, memory: true },
  ];
  const answer = await chain.ask("/tre", { jsonrpc: "2.0", id: 1, method: "finality_traceCall", params });
  if (!isJsonObject(answer.result)) throw new Error(printJson(answer));
  return readTrace(answer.result);
}

/** Returns a frame of a trace for the debugger. */
export function debugFrame(trace: Trace, frame: number, sources: TraceSources): DebugFrame {
  const found = trace.frames[frame];
  return { trace, frame, code: found && sourcesOfFrame(trace, found, sources) };
}
