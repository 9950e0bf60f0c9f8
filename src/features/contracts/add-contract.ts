import { type JsonAbiEntry, readArtifact } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import {
  type Address,
  cleanLabel,
  freeLabel,
  type Json,
  labelFault,
  nameProblem,
  nameText,
  parseAddress,
  textOfBytes,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  askSteps,
  folderAtHand,
  pickValue,
  textStep,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import { type ContractDescription, describeContract, indexOf, unknownAt } from "./known-contracts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

type Arguments = CommandArguments["finality.addContract"];

/** Result of the command. */
export interface AddResult {
  readonly network: string;
  /** base58. */
  readonly address: string;
  /** Undefined if it has no name. */
  readonly name: string | undefined;
  /** Number of functions that can be called. */
  readonly functions: number;
}

/** ABI that is stored with the contract; without entries it is read from the chain each time. */
interface ChosenAbi {
  readonly entries: readonly JsonAbiEntry[] | undefined;
  readonly file?: string;
  readonly name?: string;
}

interface AddFields {
  readonly contract?: ContractDescription;
  readonly abi?: ChosenAbi;
  /** Empty for none. */
  readonly name?: string;
}

const MAXIMUM_BYTES = 32 * 1024 * 1024;

/**
 * Adds a contract to the list of its chain: prompts for missing values. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`, `COMMAND_ARGUMENT_MALFORMED`, `CONTRACTS_UNWRITABLE`
 */
export async function addContract(services: ContractServices, fields: Arguments): Promise<AddResult | undefined> {
  const context = await contextOn(services, fields.network);
  const known = await knownFields(context, fields);
  const answers = await askSteps(t`Add Contract`, known, (soFar) => stepsFor(context, fields, known, soFar));
  const { contract, abi } = answers ?? {};
  if (answers === undefined || contract === undefined) return undefined;
  const { address } = contract;
  const name = answers.name === "" ? undefined : answers.name;
  const book = await services.contractBook();
  const chain = await chainOf(context);
  await book.add({ chain, address, abi: abi?.entries, abiFile: abi?.file });
  if (name !== undefined) await services.knownNames.save(address, name);
  const { functions } = await describeContract(context, address);
  return { network: context.network.name, address: toBase58(address), name, functions: functions.length };
}

/** Removes a contract from the list of its chain. Returns undefined if the user cancels. */
export async function removeContract(
  services: ContractServices,
  { network, address: text }: CommandArguments["finality.removeContract"],
): Promise<{ readonly network: string; readonly address: string } | undefined> {
  const context = await contextOn(services, network);
  const address = text === undefined ? await chooseListed(context) : readAs("address", text, parseAddress);
  if (address === undefined) return undefined;
  await (await services.contractBook()).remove(await chainOf(context), address);
  return { network: context.network.name, address: toBase58(address) };
}

async function chooseListed(context: ContractContext): Promise<Address | undefined> {
  const { contractsOn } = await import("./known-contracts.ts");
  const items = (await contractsOn(context)).map(({ address, name, origin }) => ({
    label: `$(symbol-class) ${nameText(name, toBase58(address))}`,
    description: toBase58(address),
    detail: visibleLine(origin),
    value: address,
  }));
  const step = { title: t`Remove Contract`, step: 0, totalSteps: 0 };
  const none = t`No contract of ${context.network.name} is listed.`;
  const picked = await pickValue(step, { placeholder: t`Which contract?`, items, none });
  return picked.kind === "value" ? picked.value : undefined;
}

/** Returns the chain of a network. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if it does not report one */
export async function chainOf({ services, network }: ContractContext) {
  const { chain } = await services.chains.networkRefOf(network);
  if (chain !== undefined) return chain;
  throw malformedArgument(
    "network",
    t`the genesis block of ${network.name}, which identifies its chain, cannot be read`,
  );
}

async function knownFields(context: ContractContext, fields: Arguments): Promise<AddFields> {
  const { address, abi, abiFile, name } = fields;
  if (name !== undefined) requireName(context, name);
  const contract =
    address === undefined ? undefined : await readContractAt(context, readAs("address", address, parseAddress));
  const given =
    abi === undefined
      ? abiFile === undefined
        ? undefined
        : await abiInFile(vscode.Uri.file(abiFile))
      : abiInJson(abi);
  return {
    ...(contract === undefined ? {} : { contract }),
    ...(given === undefined ? {} : { abi: given }),
    ...(name === undefined ? {} : { name: cleanLabel(name) }),
  };
}

/** A call that names the address gets the ABI of the chain or of an artifact, and no name, unless it gives them. */
function stepsFor(
  context: ContractContext,
  fields: Arguments,
  known: AddFields,
  soFar: AddFields,
): readonly Ask<AddFields>[] {
  if (fields.address !== undefined) return [];
  const isNamed = soFar.contract !== undefined && ownNameOf(context, soFar.contract.address) !== undefined;
  return [
    askAddress(context),
    ...(known.abi === undefined ? [askAbi(context)] : []),
    ...(known.name === undefined && !isNamed ? [askName(context)] : []),
  ];
}

function askAddress(context: ContractContext): Ask<AddFields> {
  return async (soFar, where) => {
    const prompt = t`Address of a contract on ${context.network.name}`;
    const typed = await textStep(where, { prompt, placeholder: "T…", check: checkAddress });
    if (typed.kind !== "value") return typed;
    return { kind: "value", value: { ...soFar, contract: await readContractAt(context, typed.value) } };
  };
}

function checkAddress(text: string): Checked<Address> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    return { kind: "good", value: parseAddress(text.trim()) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}

/** @throws {ChainError} `CONTRACT_UNKNOWN` */
async function readContractAt(context: ContractContext, address: Address): Promise<ContractDescription> {
  const title = t`Reading the contract`;
  const contract = await whileWorking(
    title,
    (signal) => describeContract(context, address, signal),
    "finality.contracts",
  );
  if (contract.deployed === undefined) throw unknownAt(context, address, undefined);
  return contract;
}

/** Prompts for the source of the ABI: as found, an artifact of the workspace, or a file. */
function askAbi(context: ContractContext): Ask<AddFields> {
  return async (soFar, where) => {
    const { contracts } = await indexOf(context.services.artifacts);
    const found = soFar.contract?.functions.length ?? 0;
    const origin = visibleLine(soFar.contract?.origin ?? "");
    const asFound: ValueItem<() => Promise<ChosenAbi | undefined>> = {
      label: found === 0 ? t`$(circle-slash) No ABI` : t`$(check) As found: ${found} functions`,
      description: found === 0 ? t`its owner published none on the chain` : origin,
      value: async () => ({ entries: undefined }),
    };
    const file = { label: t`$(folder-opened) From a file…`, description: "JSON", value: chooseAbiFile };
    const artifacts = contracts.map((artifact) => ({
      label: `$(symbol-class) ${artifact.name}`,
      description: artifact.path,
      value: async () => ({ entries: artifact.abi(), file: artifact.origin, name: artifact.name }),
    }));
    const items = found === 0 ? [file, ...artifacts, asFound] : [asFound, file, ...artifacts];
    const picked = await pickValue(where, { placeholder: t`Which ABI?`, items });
    if (picked.kind !== "value") return picked;
    const abi = await picked.value();
    return abi === undefined ? { kind: "left" } : { kind: "value", value: { ...soFar, abi } };
  };
}

async function chooseAbiFile(): Promise<ChosenAbi | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t`ABI or Artifact`,
      defaultUri: folderAtHand(),
      filters: { JSON: ["json", "abi"] },
    })) ?? [];
  return uri && (await abiInFile(uri));
}

/** Refuses larger files, folders and devices. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function abiInFile(uri: vscode.Uri): Promise<ChosenAbi> {
  const file = uri.fsPath;
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) throw malformedArgument("abiFile", t`${file} is not a file`);
    if (size > MAXIMUM_BYTES)
      throw malformedArgument("abiFile", t`${file} has ${size} bytes, more than ${MAXIMUM_BYTES}`);
    const text = textOfBytes(await vscode.workspace.fs.readFile(uri));
    return { ...abiIn(text, uri.path, "abiFile"), file };
  } catch (error) {
    if (isChainError(error)) throw error;
    throw malformedArgument("abiFile", t`${file} cannot be read`);
  }
}

function abiInJson(abi: Json): ChosenAbi {
  return abiIn(typeof abi === "string" ? abi : JSON.stringify(abi), "abi.json", "abi");
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
function abiIn(text: string, path: string, argument: string): ChosenAbi {
  const read = readArtifact(text, path);
  const contracts = read.kind === "artifact" ? read.contents.contracts : [];
  const [only] = contracts;
  if (only !== undefined && contracts.length === 1) return { entries: only.abi, name: only.name };
  if (contracts.length > 1)
    throw malformedArgument(argument, t`it has the ABIs of ${contracts.length} contracts; give one of them`);
  throw malformedArgument(argument, read.kind === "broken" ? read.reason : t`it has no ABI`);
}

function askName(context: ContractContext): Ask<AddFields> {
  return async (soFar, where) => {
    const { keys } = context.services;
    const address = soFar.contract?.address;
    const suggested = soFar.abi?.name ?? nameText(soFar.contract?.name ?? ("" as never));
    const taken = keys.takenNames(address);
    const isUsable = suggested !== "" && nameProblem(suggested) === undefined;
    const typed = await textStep(where, {
      prompt: t`Name of the contract. Empty for none`,
      placeholder: t`such as Tea House`,
      value: isUsable ? freeLabel(suggested, taken) : "",
      check: (text) => checkName(text, taken),
    });
    return typed.kind === "value" ? { kind: "value", value: { ...soFar, name: typed.value } } : typed;
  };
}

function checkName(text: string, taken: readonly string[]): Checked<string> {
  if (text.trim() === "") return { kind: "good", value: "" };
  const problem = nameProblem(text);
  if (problem !== undefined) return { kind: "wrong", message: t`This name cannot be used: ${problem}.` };
  if (labelFault(text, taken) === undefined) return { kind: "good", value: cleanLabel(text) };
  return { kind: "wrong", message: t`Another address has this name, or one that looks like it.` };
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
function requireName({ services }: ContractContext, name: string): void {
  const checked = checkName(name, services.keys.takenNames());
  if (checked.kind === "wrong") throw malformedArgument("name", checked.message.replace(/\.$/, ""));
}

/** Returns the user's name of an address: of an account, of the address book, or of a deployment. */
function ownNameOf({ services }: ContractContext, address: Address): string | undefined {
  const { keys, knownNames } = services;
  return keys.find(address)?.label ?? knownNames.list().find((it) => it.address === address)?.name;
}
