import {
  type CodeReport,
  causeOfBytes,
  compareCode,
  compareWithSource,
  inputWith,
  readArtifactCode,
  standardJson,
} from "@finality/client/contracts";
import { constructorOf, encodeAbi, type WorkspaceContract } from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import { type Hex, isJsonObject, nameText, parseAddress, parseJson, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { mappedFiles, readSmall } from "../../host/artifacts/source-files.ts";
import { calledByProgram, isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import { writeTable } from "../../host/prompts/write-table.ts";
import { artifactNamed } from "./code-orders.ts";
import { type ComparedSource, codeReportText, verdictOf } from "./code-report.view.ts";
import { addressesOn, fittedValues, inputsOf } from "./contract-arguments.ts";
import { addressOf, type ContractDescription, describeContract, unknownAt } from "./known-contracts.ts";
import { askContract, type CallFields } from "./prompts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";
import { type ContractSource, compileWith, sourceOfContract } from "./source-of-contract.ts";

type Arguments = CommandArguments["finality.compareWithSource"];

/** Result of a comparison, for programs. */
export interface ComparisonResult {
  /** base58. */
  readonly address: string;
  readonly contract: string;
  readonly verdict: "equal" | "equal-but-metadata" | "different";
  /** Kind of the likely cause; absent for equal code. */
  readonly cause?: string;
  /** True if a compilation with this cause led to the chain's code. */
  readonly isProven?: boolean;
  /** First byte that differs, and the code that has it. */
  readonly at?: number;
  readonly of?: "runtime" | "creation" | "arguments";
  /** The report, Markdown. */
  readonly text: string;
}

/** Contract of the chain with the artifact that it is compared with. */
interface Subject {
  readonly context: ContractContext;
  readonly contract: ContractDescription;
  readonly artifact: WorkspaceContract;
}

/** Shows a report, Markdown, under a name. */
export type ShowReport = (name: string, text: string) => Promise<void>;

/**
 * Compares the code of a contract with its source, which the compiler of the workspace compiles. Shows a report, or
 * returns it to a program. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`, `WORKSPACE_NOT_TRUSTED`
 */
export async function compareContract(
  services: ContractServices,
  fields: Arguments,
  raw: unknown,
  show: ShowReport,
): Promise<ComparisonResult | undefined> {
  const subject = await subjectOf(services, fields, t`Compare with Source`);
  if (subject === undefined) return undefined;
  const expected = expectedArguments(subject, fields);
  const compared = await whileWorking(t`Comparing with the source`, (signal) => compare(subject, expected, signal));
  const { context, contract, artifact } = subject;
  const { report } = compared;
  const place = { network: context.network.name, address: contract.address, name: artifact.name };
  const text = codeReportText({ ...compared, ...place, nameOf: context.nameOf });
  const { match, cause, isProven } = report;
  if (!isCallOfProgram(raw)) await show(artifact.name, text);
  return {
    address: toBase58(contract.address),
    contract: artifact.name,
    verdict: verdictOf(match),
    ...(cause && { cause: cause.kind, isProven }),
    ...(match.first && { at: match.first.at, of: match.first.of }),
    text,
  };
}

/**
 * Writes the compiler input of a contract, as the verification forms of explorers take it. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`, `WORKSPACE_NOT_TRUSTED`, `COMMAND_ARGUMENT_MALFORMED` for a file that exists
 */
export async function exportStandardJson(
  services: ContractServices,
  fields: CommandArguments["finality.exportStandardJson"],
  raw: unknown,
): Promise<
  { readonly contract: string; readonly compiler?: string; readonly json: string; readonly file?: string } | undefined
> {
  const title = t`Export Standard JSON`;
  const artifact =
    fields.contract !== undefined && fields.address === undefined
      ? await artifactNamed(await contextOn(services, fields.network), fields.contract)
      : (await subjectOf(services, fields, title))?.artifact;
  if (artifact === undefined) return undefined;
  const source = await sourceOfContract(artifact);
  const metadata = await whileWorking(t`Compiling ${artifact.name}`, (signal) => metadataOf(source, artifact, signal));
  const json = JSON.stringify(standardJson(source.input, metadata), undefined, 2);
  const { target, compiler } = source.build;
  const what = t`the compiler input of ${artifact.name}`;
  const file = { title, fileName: `${artifact.name}-standard-json`, what, named: fields.file };
  const written = await writeTable({ json }, file, raw);
  return written && { contract: `${target.path}:${target.name}`, ...(compiler && { compiler }), json, ...written };
}

/** Returns the metadata, which name the sources that the contract needs; undefined without a compiler. */
async function metadataOf(source: ContractSource, { path }: WorkspaceContract, signal: AbortSignal) {
  const result = await compileWith(source, path, signal)(inputWith(source.input, {}, source.build.target), undefined);
  return result?.kind === "compiled" ? result.contract.metadata : undefined;
}

async function subjectOf(services: ContractServices, fields: Arguments, title: string): Promise<Subject | undefined> {
  const context = await contextOn(services, fields.network);
  const contract = await contractOf(context, fields, title);
  if (contract === undefined) return undefined;
  if (contract.deployed === undefined) throw unknownAt(context, contract.address, undefined);
  const artifact = fields.artifact === undefined ? contract.artifact : await artifactNamed(context, fields.artifact);
  if (artifact !== undefined) return { context, contract, artifact };
  const reason = t`the workspace has no artifact of this contract; open the folder of its project and compile it`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: nameText(contract.name, toBase58(contract.address)), reason });
}

async function contractOf(
  context: ContractContext,
  { address, contract }: Arguments,
  title: string,
): Promise<ContractDescription | undefined> {
  const describe = async (text: string): Promise<ContractDescription> => {
    const found = address === undefined ? await addressOf(context, text) : readAs("address", text, parseAddress);
    return await whileWorking(t`Reading the contract`, (signal) => describeContract(context, found, signal));
  };
  const named = address ?? contract;
  if (named !== undefined) return await describe(named);
  if (calledByProgram()) throw malformedArgument("contract", t`give the address or the name of a contract`);
  const answers = await askSteps<CallFields>(title, { values: [] }, () => [askContract(context)]);
  return answers?.contract && (await describeContract(context, answers.contract.address));
}

/** Returns the encoded arguments that the deployment should have; undefined if none are given. */
function expectedArguments({ context, artifact }: Subject, fields: Arguments): Hex | undefined {
  const inputs = inputsOf(fields.arguments);
  if (inputs === undefined) return undefined;
  const fn = constructorOf(artifact.abi());
  return encodeAbi(fn.parameters, fittedValues(fn, inputs, addressesOn(context)));
}

async function compare(
  { contract, artifact }: Subject,
  expected: Hex | undefined,
  signal: AbortSignal,
): Promise<ComparedSource> {
  const { created = "", runtimeCode } = contract.deployed ?? {};
  const chain = { created, runtimeCode };
  const source = await sourceOfContract(artifact).catch(unknownMeansNone);
  if (source?.compiler === undefined) return { report: await compareArtifact(chain, artifact, expected), source };
  const { build, input, recorded, changed } = source;
  const compared = {
    chain,
    target: build.target,
    input,
    recorded: recorded && { input: recorded, changed },
    compiler: build.compiler,
    expectedArguments: expected,
  };
  const result = await compareWithSource(compared, compileWith(source, artifact.path, signal));
  if (result.kind === "report") return { report: result.report, source };
  return { report: await compareArtifact(chain, artifact, expected), source, failure: result.message };
}

/** Without a compiler, only the code of the artifact is compared. */
async function compareArtifact(
  chain: Parameters<typeof compareCode>[0],
  { name, path, source }: WorkspaceContract,
  expected: Hex | undefined,
): Promise<CodeReport> {
  const files = await mappedFiles([name]);
  const uri = files.find((it) => vscode.workspace.asRelativePath(it).replaceAll("\\", "/") === path);
  const text = uri === undefined ? undefined : await readSmall(uri);
  const json = text === undefined ? undefined : parseJson(text);
  const compiled = isJsonObject(json) ? readArtifactCode(json, { path: source ?? path, name }) : undefined;
  if (compiled === undefined) {
    const reason = t`its artifact ${path} has no code to compare with; compile it again`;
    throw new ChainError("CONTRACT_UNKNOWN", { contract: name, reason });
  }
  const match = compareCode(chain, compiled, expected);
  return { match, compiled, cause: causeOfBytes(chain, match, compiled), isProven: false, compilations: 0 };
}

function unknownMeansNone(error: unknown): undefined {
  if (isChainError(error) && error.code === "CONTRACT_UNKNOWN") return undefined;
  throw error;
}
