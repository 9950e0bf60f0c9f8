import { join } from "node:path";
import type { ChainCode, CodeReport, DifferenceCause } from "../../../packages/client/src/contracts.ts";
import {
  type CompiledContract,
  causeOfBytes,
  compareCode,
  compareWithSource,
  inputWith,
} from "../../../packages/client/src/contracts.ts";
import { type Hex, hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type ContractFixture, contractFixture } from "../chain/contract-fixture.ts";
import {
  argumentsOf,
  inputOf,
  needsCancun,
  type OpenZeppelinContract,
  openZeppelinContracts,
} from "./openzeppelin-contracts.ts";
import { compileTarget } from "./solc.ts";

/** Contract with the settings that it is compiled and deployed with. */
export interface Deployment {
  readonly contract: OpenZeppelinContract;
  readonly settings: JsonObject;
}

/** Deployment that differs from what the workspace compiles, and the cause. */
export interface PlantedMismatch extends Deployment {
  readonly title: string;
  readonly cause: DifferenceCause["kind"];
  /** Contract and settings of the workspace, if they are not those of the deployment. */
  readonly workspace?: Partial<Deployment>;
  /** Arguments that the workspace expects. */
  readonly expected?: Hex;
  /** Appended to the arguments of the deployment. */
  readonly extra?: string;
  /** Path of the package `solc` that compiled the deployment. */
  readonly solc?: string;
  /** The workspace has no compiler, and its artifact does not tell where its immutable variables are. */
  readonly isArtifactOnly?: true;
}

const COMPILERS = join(import.meta.dirname, "../../../scripts/compilers/node_modules");
const LIBRARY = "ab".repeat(20);
const FIRST = `41${"11".repeat(20)}`;
export const ARGUMENTS = argumentsOf(FIRST as Hex, 7n);
export const OTHER_ARGUMENTS = hex(argumentsOf(FIRST as Hex, 8n));

const FROM_ONE_CHAIN = 5;
/** Sun. */
const FEE_LIMIT = 3_000_000_000;

/** Compiles contracts, deploys them on the embedded chain, and reads their code there. */
export class CodeOnChain {
  #fixture: ContractFixture | undefined;
  #deployments = 0;

  async deploy({ contract, settings, extra = "", solc }: Deployment & Partial<PlantedMismatch>): Promise<ChainCode> {
    const compiled = compileOf({ contract, settings }, solc);
    const code = linked(compiled) + ARGUMENTS + extra;
    // The accounts of a chain have coins for a few deployments.
    if (this.#deployments++ % FROM_ONE_CHAIN === 0) this.#fixture = undefined;
    this.#fixture ??= await contractFixture();
    const { address, result, message } = await this.#fixture.deploy(code, { feeLimit: FEE_LIMIT });
    if (result !== "SUCCESS") throw new Error(`${contract.name}: ${result} ${message}`);
    const { smart_contract: created, runtimecode } = await this.#fixture.ask("getcontractinfo", { value: address });
    const { bytecode } = created as JsonObject;
    return { created: String(bytecode), runtimeCode: String(runtimecode) };
  }
}

/** Compiles with the output that a comparison needs. @throws {Error} it does not compile */
export function compileOf({ contract, settings }: Deployment, solc?: string): CompiledContract {
  const target = targetOf(contract);
  const result = compileTarget(inputWith(inputOf(contract, settings), {}, target), target, solc);
  if (result.kind === "failed") throw new Error(result.message);
  return result.contract;
}

/** Compares a deployment with what the workspace compiles. @throws {Error} it does not compile */
export async function compared(chain: ChainCode, plant: Deployment & Partial<PlantedMismatch>): Promise<CodeReport> {
  const { contract, settings, workspace, expected, solc, isArtifactOnly } = plant;
  const own = { contract, settings, ...workspace };
  if (isArtifactOnly === true) return comparedWithArtifact(chain, own);
  const target = targetOf(own.contract);
  const result = await compareWithSource(
    { chain, target, input: inputOf(own.contract, own.settings), compiler: undefined, expectedArguments: expected },
    async (input, release) => compileTarget(input, target, release === undefined ? undefined : solc),
  );
  if (result.kind === "failed") throw new Error(result.message);
  return result.report;
}

function comparedWithArtifact(chain: ChainCode, deployment: Deployment): CodeReport {
  const whole = compileOf(deployment);
  const compiled = { ...whole, runtime: whole.runtime && { ...whole.runtime, immutables: undefined } };
  const match = compareCode(chain, compiled);
  return { match, compiled, cause: causeOfBytes(chain, match, compiled), isProven: false, compilations: 0 };
}

function targetOf({ name }: OpenZeppelinContract): { readonly path: string; readonly name: string } {
  return { path: `contracts/${name}.sol`, name };
}

function linked({ creation: { code, libraries } }: CompiledContract): string {
  let text = code;
  for (const { start, length } of libraries.flatMap(({ ranges }) => ranges))
    text = text.slice(0, 2 * start) + LIBRARY + text.slice(2 * (start + length));
  return text;
}

const OPTIMIZED = { optimizer: { enabled: true, runs: 200 } };
const VERSIONS = ["london", "paris", "shanghai", "cancun"];

/** Settings of projects, the cheap ones to compile first. */
export const SETTINGS: readonly JsonObject[] = [
  { evmVersion: "shanghai" },
  { ...OPTIMIZED, evmVersion: "paris" },
  { optimizer: { enabled: true, runs: 1 }, evmVersion: "cancun" },
  { evmVersion: "london", metadata: { bytecodeHash: "none" } },
  { optimizer: { enabled: true, runs: 10_000 }, evmVersion: "shanghai", metadata: { useLiteralContent: true } },
  { ...OPTIMIZED, evmVersion: "cancun", viaIR: true },
  { ...OPTIMIZED, evmVersion: "istanbul", metadata: { appendCBOR: false } },
  { optimizer: { enabled: false, runs: 200, details: { yul: true } }, evmVersion: "berlin" },
  { evmVersion: "shanghai", debug: { revertStrings: "strip" }, metadata: { bytecodeHash: "bzzr1" } },
];

/** Returns the mismatches of contract number `at`: one of each kind in turn, with settings in turn. */
export function plantedMismatch(contracts: readonly OpenZeppelinContract[], at: number): PlantedMismatch {
  const round = Math.floor(at / KINDS.length);
  const kind = KINDS[at % KINDS.length];
  const contract = contracts[(at + round) % contracts.length];
  if (kind === undefined || contract === undefined) throw new RangeError(`There is no mismatch ${at}.`);
  const evmVersion = VERSIONS[at % VERSIONS.length] ?? "shanghai";
  const { name } = contract;
  return { ...kind({ contract, evmVersion, round }), title: `${name} ${at}` };
}

interface Turn {
  readonly contract: OpenZeppelinContract;
  readonly evmVersion: string;
  readonly round: number;
}

const RUNS = [1, 1000, 10_000, 800, 999_999];

const OTHER_LIBRARY = `0x${"cd".repeat(20)}`;

const KINDS: readonly ((turn: Turn) => Omit<PlantedMismatch, "title">)[] = [
  ({ contract, evmVersion }) => ({
    ...{ contract, settings: { evmVersion } },
    cause: "metadata",
    workspace: { contract: { ...contract, source: `${contract.source}// Reviewed.\n` } },
  }),
  ({ contract, evmVersion, round }) => ({
    contract,
    settings: { evmVersion },
    cause: "constructor-arguments",
    ...(round % 2 === 0 ? { expected: OTHER_ARGUMENTS } : { extra: "00".repeat(32) }),
  }),
  ({ contract, evmVersion, round }) => ({
    contract: { ...contract, source: changed(contract.source, round) },
    settings: { evmVersion },
    cause: "source",
    workspace: { contract },
  }),
  ({ evmVersion, round }) => ({
    contract: withImmutables[round % withImmutables.length] ?? withLibrary,
    settings: { evmVersion },
    cause: "immutables",
    isArtifactOnly: true,
  }),
  ({ contract, evmVersion, round }) => ({
    contract,
    settings: { evmVersion, ...OPTIMIZED },
    cause: "optimizer",
    workspace: { settings: { evmVersion, optimizer: optimizerIn(round) } },
  }),
  ({ evmVersion, round }) => ({
    contract: withoutCancun[round % withoutCancun.length] ?? withLibrary,
    settings: { evmVersion },
    cause: "evm-version",
    workspace: { settings: { evmVersion: OLD_VERSIONS.includes(evmVersion) ? "cancun" : "paris" } },
  }),
  ({ evmVersion }) => ({
    contract: withLibrary,
    settings: { evmVersion },
    cause: "libraries",
    workspace: { settings: { evmVersion, libraries: { "contracts/Shared.sol": { Rates: OTHER_LIBRARY } } } },
  }),
  ({ contract, evmVersion, round }) => ({
    contract,
    settings: { evmVersion, metadata: round % 2 === 0 ? { bytecodeHash: "none" } : { appendCBOR: false } },
    cause: "metadata",
    workspace: { settings: { evmVersion } },
  }),
  ({ contract, evmVersion }) => ({
    contract,
    settings: { evmVersion, ...OPTIMIZED, viaIR: true },
    cause: "via-ir",
    workspace: { settings: { evmVersion, ...OPTIMIZED } },
  }),
  ({ round }) => ({
    contract: forOlder[round % forOlder.length] ?? withLibrary,
    settings: { evmVersion: "shanghai" },
    cause: "compiler-version",
    solc: OLDER[round % OLDER.length] ?? "",
  }),
];

const OLD_VERSIONS: readonly string[] = ["london", "paris"];
const OLDER = ["0.8.35", "0.8.20"].map((version) => join(COMPILERS, `solc-${version}`, "index.js"));

function contractNamed(name: string): OpenZeppelinContract {
  const found = openZeppelinContracts.find((it) => it.name === name);
  if (found === undefined) throw new RangeError(`There is no contract ${name}.`);
  return found;
}

const withoutCancun = openZeppelinContracts.filter((it) => !needsCancun(it));
const withLibrary = contractNamed("Shared");
const forOlder = ["Owned", "Guarded", "Shared"].map(contractNamed);
const withImmutables = ["Owned", "Copies", "Admin", "Vesting"].map(contractNamed);

/** Optimizer of the workspace where the deployment has 200 runs. */
function optimizerIn(round: number): { readonly enabled: boolean; readonly runs: number } {
  return { enabled: round % 2 === 1, runs: round % 2 === 1 ? (RUNS[round % RUNS.length] ?? 1) : 200 };
}

/** Changes what a contract does: another function, or another statement in its constructor. */
function changed(source: string, round: number): string {
  const added = "    function added() external view returns (uint256) {\n        return block.number;\n    }\n}\n";
  if (round % 2 === 0) return source.replace(/\}\n$/, added);
  return source.replace(/(constructor\([^)]*\)[^{]*\{)/, "$1\n        assert(block.timestamp > 0);\n    ");
}
