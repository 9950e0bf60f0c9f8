import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { CompiledContracts, type TraceSites, TraceSources, traceSites } from "../../../packages/client/src/traces.ts";
import { isJsonObject, type Json, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { readTrace } from "../../../packages/tron/src/traces.ts";
import { type ContractFixture, contractFixture } from "../chain/contract-fixture.ts";
import { ARGUMENTS, type CompilerSetting, type PlantedRevert } from "./planted-reverts.ts";

/** Result of a planted revert: the line that the product names, and the right one, from 1. */
export interface PlantResult {
  readonly plant: PlantedRevert;
  readonly setting: CompilerSetting;
  readonly named: number | undefined;
  readonly sites: TraceSites | undefined;
}

interface Compiled {
  readonly abi: readonly Json[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: { readonly [file: string]: { readonly [name: string]: Compiled } };
}

const SELECTOR = "24b912e5";
const ARGUMENT_WORDS = ARGUMENTS.map((value) => value.toString(16).padStart(64, "0")).join("");
/** Sun; enough for about 200,000 energy. */
const FEE_LIMIT = 20_000_000;
const PLACEHOLDER = /__.{38}/g;

/**
 * Compiles plants, runs them on the embedded chain, and names the line where each fails. Without its optimizer, a
 * compiler cannot compile functions with many variables; those are left out.
 */
export async function runPlanted(
  plants: readonly PlantedRevert[],
  setting: CompilerSetting,
  compiler: string,
): Promise<readonly PlantResult[]> {
  const whole = compile(plants, setting, compiler);
  const builds = whole === undefined ? plants.flatMap((it) => compile([it], setting, compiler) ?? []) : [whole];
  const fixture = await contractFixture();
  const results: PlantResult[] = [];
  for (const { plants: compiled, input, output } of builds) {
    const contracts = new CompiledContracts();
    contracts.put("build-info.json", JSON.stringify({ id: "planted", input, output }));
    const sources = new TraceSources(contracts);
    for (const [at, plant] of compiled.entries()) {
      const sites = traceSites(await tracePlant(fixture, plant, output.contracts[fileOf(at)] ?? {}), sources);
      results.push({ plant, setting, sites, named: sites?.thrown && sites.thrown.start.line + 1 });
    }
  }
  return results;
}

function fileOf(at: number): string {
  return `contracts/Planted${at}.sol`;
}

function settingsOf({ version, isOptimized, isViaIr }: CompilerSetting): object {
  return {
    optimizer: { enabled: isOptimized, runs: 200 },
    evmVersion: version.startsWith("0.6.") ? "istanbul" : "shanghai",
    outputSelection: { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode"] } },
    ...(isViaIr && { viaIR: true }),
  };
}

interface Build {
  readonly plants: readonly PlantedRevert[];
  readonly input: object;
  readonly output: CompilerOutput;
}

/** Returns undefined if the compiler has too few stack slots. */
function compile(plants: readonly PlantedRevert[], setting: CompilerSetting, compiler: string): Build | undefined {
  const sources = Object.fromEntries(plants.map(({ source }, at) => [fileOf(at), { content: source }]));
  const input = { language: "Solidity", sources, settings: settingsOf(setting) };
  const solc = createRequire(pathToFileURL(compiler))(compiler) as { compile(input: string): string };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const failed = (output.errors ?? []).find(({ severity }) => severity === "error");
  if (failed === undefined) return { plants, input, output };
  if (failed.formattedMessage.includes("too deep")) return undefined;
  throw new Error(failed.formattedMessage);
}

async function tracePlant(
  fixture: ContractFixture,
  { contract, callee, library, isCreation, call: { data, value = 0 } = {} }: PlantedRevert,
  compiled: { readonly [name: string]: Compiled },
) {
  const code = (name: string): string => compiled[name]?.evm.bytecode.object ?? "";
  if (isCreation)
    return await trace(fixture, { data: code(contract) + (data ?? ARGUMENT_WORDS), value, feeLimit: 10 * FEE_LIMIT });
  // Without its optimizer, the compiler also links libraries whose functions are internal.
  const linked = library === undefined ? "0".repeat(40) : (await fixture.deploy(code(library))).address.slice(2);
  const called = callee === undefined ? "" : (await fixture.deploy(code(callee))).address.slice(2).padStart(64, "0");
  const { address } = await fixture.deploy(code(contract).replaceAll(PLACEHOLDER, linked) + called);
  return await trace(fixture, { to: address, data: data ?? SELECTOR + ARGUMENT_WORDS, value, feeLimit: FEE_LIMIT });
}

async function trace({ chain }: ContractFixture, call: { readonly [name: string]: Json }) {
  const [account] = chain.accounts;
  const params = [{ from: account?.hex ?? "", ...call }, { steps: true }];
  const answer = await chain.ask("/tre", { jsonrpc: "2.0", id: 1, method: "finality_traceCall", params });
  if (!isJsonObject(answer.result)) throw new Error(printJson(answer));
  return readTrace(answer.result);
}
