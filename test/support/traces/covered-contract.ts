import { createRequire } from "node:module";
import {
  CompiledContracts,
  type CoverageReport,
  coverageReport,
  type SourceCoverage,
  TraceSources,
} from "../../../packages/client/src/traces.ts";
import { isJsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { readCoverage } from "../../../packages/tron/src/traces.ts";
import { type ContractFixture, contractFixture } from "../chain/contract-fixture.ts";

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: { readonly evm: { readonly bytecode: { readonly object: string } } };
    };
  };
}

/** Way to compile. */
export interface CoverageSetting {
  readonly isOptimized: boolean;
  readonly isViaIr: boolean;
}

const FILE = "contracts/Covered.sol";

/** Contract on a chain that counts its instructions. */
export interface CoveredContract {
  readonly fixture: ContractFixture;
  /** Creation code by name. */
  bytecode(name: string): string;
  coverage(): Promise<CoverageReport>;
  /** Returns the coverage of the compiled file. */
  fileCoverage(): Promise<SourceCoverage>;
}

const compiled = new Map<string, { readonly input: object; readonly output: CompilerOutput }>();

/** Compiles a source once for each setting. */
function compile(source: string, { isOptimized, isViaIr }: CoverageSetting) {
  const settings = {
    optimizer: { enabled: isOptimized, runs: 200 },
    viaIR: isViaIr,
    evmVersion: "shanghai",
    outputSelection: { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode"] } },
  };
  const input = { language: "Solidity", sources: { [FILE]: { content: source } }, settings };
  const text = JSON.stringify(input);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const output = JSON.parse(solc.compile(text)) as CompilerOutput;
  const failed = (output.errors ?? []).find(({ severity }) => severity === "error");
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  compiled.set(text, { input, output });
  return { input, output };
}

/** Compiles a source with the solc of this project, and starts a chain that counts instructions. */
export async function coveredContract(source: string, setting: CoverageSetting): Promise<CoveredContract> {
  const { input, output } = compile(source, setting);
  const contracts = new CompiledContracts();
  contracts.put("build-info.json", JSON.stringify({ id: "covered", input, output }));
  const fixture = await contractFixture();
  const ask = async (method: string): Promise<unknown> => {
    const answer = await fixture.chain.ask("/tre", { jsonrpc: "2.0", id: 1, method, params: [] });
    if (isJsonObject(answer.error)) throw new Error(printJson(answer.error));
    return answer.result;
  };
  await ask("finality_startCoverage");
  const coverage = async (): Promise<CoverageReport> =>
    coverageReport(readCoverage(await ask("finality_endCoverage")), new TraceSources(contracts));
  return {
    fixture,
    bytecode: (name) => output.contracts[FILE]?.[name]?.evm.bytecode.object ?? "",
    coverage,
    fileCoverage: async () => {
      const [file] = (await coverage()).files;
      if (file === undefined) throw new Error("The file has no coverage.");
      return file;
    },
  };
}
