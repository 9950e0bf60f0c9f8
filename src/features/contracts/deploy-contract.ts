import {
  candidateFromJson,
  constructorOf,
  createAbiIndex,
  encodeAbi,
  libraryName,
  linkCode,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { grouped, percent } from "@finality/tron/format";
import {
  type Address,
  defined,
  foreignText,
  hex,
  isHexPairs,
  sun,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { deployedContractAddress, USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { type Ask, askSteps, pickStep, textStep } from "../../host/prompts/quick-input.ts";
import { quoted } from "../../labels/reviews.ts";
import { argumentLines } from "../../sending/code-review.view.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { addressesOn, amountOf, fittedValues, inputsOf, integerOf, signerNamed } from "./contract-arguments.ts";
import { checkInteger } from "./contracts.view.ts";
import { deployableContracts } from "./known-contracts.ts";
import { deployedLibraries, type LinkedLibrary } from "./link-libraries.ts";
import { askArguments, askCallValue, askSigner, type CallFields } from "./prompts.ts";
import { sendCode } from "./send-code.ts";
import { type ContractContext, type ContractServices, type SigningContext, signingContextOn } from "./services.ts";

type Arguments = CommandArguments["finality.deployContract"];

interface DeployFields extends CallFields {
  readonly artifact?: WorkspaceContract;
  readonly libraries?: readonly LinkedLibrary[];
  readonly userPercent?: bigint;
  readonly originEnergyLimit?: bigint;
}

/** Deployment that was sent, with the address of its contract. */
export interface SentDeployment extends SentTransaction {
  /** base58. */
  readonly address: string;
}

const WHOLE = 100n;
const MOST = 2n ** 63n - 1n;

/**
 * Deploys a contract of the workspace: prompts for missing values, then runs the send pipeline. Returns undefined if
 * the user cancels.
 */
export async function deployContract(
  services: ContractServices,
  fields: Arguments,
): Promise<SentDeployment | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields);
  const steps = stepsFor(context, fields, known);
  const unattended = isUnattended(steps(known).length === 0);
  const answers = await askSteps(t`Deploy Contract`, known, steps);
  const { artifact, from } = answers ?? {};
  if (answers === undefined || artifact === undefined || from === undefined) return undefined;
  const sent = await send(context, fields, { ...answers, artifact, from }, unattended);
  return sent && { ...sent, address: toBase58(deployedContractAddress(sent.txId, from)) };
}

async function knownAnswers(context: ContractContext, fields: Arguments): Promise<DeployFields> {
  const artifact = fields.contract === undefined ? undefined : await artifactNamed(context, fields.contract);
  const libraries = artifact === undefined ? undefined : await deployedLibraries(context, artifact);
  const inputs = inputsOf(fields.arguments);
  const fn = artifact === undefined ? undefined : constructorOf(artifact.abi());
  const callValue = amountOf("callValue", fields.callValue);
  return {
    values: fn === undefined || inputs === undefined ? [] : fittedValues(fn, inputs, addressesOn(context)),
    ...defined({ artifact, libraries, fn, callValue }),
    ...(fields.from === undefined ? {} : { from: signerNamed(context, fields.from) }),
  };
}

/** The numbers have defaults if the artifact and the account are given. */
function stepsFor(context: SigningContext, fields: Arguments, known: DeployFields) {
  const asksNumbers = fields.contract === undefined || fields.from === undefined;
  return (soFar: DeployFields): readonly Ask<DeployFields>[] => [
    ...(known.artifact === undefined ? [askArtifact(context)] : []),
    ...(known.fn !== undefined && fields.arguments !== undefined
      ? []
      : askArguments<DeployFields>(context, soFar.fn?.parameters ?? [])),
    ...(soFar.fn?.mutability === "payable" && fields.callValue === undefined && asksNumbers
      ? [askCallValue<DeployFields>()]
      : []),
    ...(known.from === undefined ? [askSigner<DeployFields>(context)] : []),
    ...(asksNumbers && fields.userPercent === undefined ? [askPercent] : []),
    ...(asksNumbers && fields.originEnergyLimit === undefined ? [askOriginLimit] : []),
  ];
}

/** @throws {ChainError} `CONTRACT_UNKNOWN` */
async function artifactNamed(context: ContractContext, named: string): Promise<WorkspaceContract> {
  const contracts = await deployableContracts(context);
  const found = contracts.filter(({ name, path, source }) => [name, path, source].includes(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const reason =
    found.length > 1
      ? t`${found.length} contracts have this name; write the path of its artifact: ${found.map(({ path }) => path).join(t` or `)}`
      : t`the workspace has no artifact of it with bytecode; compile it, or add its folder to finality.abi.globs`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: named, reason });
}

const NO_ARTIFACT = t`this window has no artifact with bytecode. Open the folder of the project and compile it, or add the folder of its artifacts to finality.abi.globs`;

function askArtifact(context: ContractContext): Ask<DeployFields> {
  return async (soFar, where) => {
    const contracts = await deployableContracts(context);
    const [first] = contracts;
    if (first === undefined) throw malformedArgument("contract", NO_ARTIFACT);
    const items = contracts.map((artifact) => ({
      label: `$(symbol-class) ${artifact.name}`,
      description:
        artifact.libraries.length === 0
          ? artifact.path
          : t`${artifact.path}, uses ${artifact.libraries.map(libraryName).join(t`, `)}`,
      artifact,
    }));
    const picked = await pickStep(where, { placeholder: t`Which contract?`, items, mayPick: () => true });
    if (picked.kind !== "value") return picked;
    const { artifact } = picked.value;
    const libraries = await deployedLibraries(context, artifact);
    return { kind: "value", value: { ...soFar, artifact, libraries, fn: constructorOf(artifact.abi()) } };
  };
}

const askPercent: Ask<DeployFields> = async (soFar, where) => {
  const prompt = t`Percentage of the energy that the caller pays? The rest comes from your stake`;
  const check = (text: string) => checkInteger(text, 0n, WHOLE);
  const typed = await textStep(where, { prompt, placeholder: "100", value: "100", check });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, userPercent: typed.value } } : typed;
};

const askOriginLimit: Ask<DeployFields> = async (soFar, where) => {
  const prompt = t`Maximum energy you pay per caller's transaction?`;
  const check = (text: string) => checkInteger(text, 1n, MOST);
  const typed = await textStep(where, {
    prompt,
    placeholder: "10000000",
    value: String(USUAL_OWNER_ENERGY_LIMIT),
    check,
  });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, originEnergyLimit: typed.value } } : typed;
};

async function send(
  context: ContractContext,
  fields: Arguments,
  answers: DeployFields & { readonly artifact: WorkspaceContract; readonly from: Address },
  unattended: boolean,
): Promise<SentTransaction | undefined> {
  const { artifact, from, values, libraries = [], callValue = sun(0n) } = answers;
  const abi = artifact.abi();
  const { parameters, mutability } = constructorOf(abi);
  const userPercent = answers.userPercent ?? integerOf("userPercent", fields.userPercent, 0n, WHOLE) ?? WHOLE;
  const originEnergyLimit =
    answers.originEnergyLimit ??
    integerOf("originEnergyLimit", fields.originEnergyLimit, 1n, MOST) ??
    USUAL_OWNER_ENERGY_LIMIT;
  const [{ serialisedAbi }, code] = await Promise.all([
    import("../../host/secrets/lazy-signing.ts"),
    codeOf(context, artifact, libraries),
  ]);
  return await sendCode(context, {
    action: t`Deploy ${quoted(foreignText(artifact.name))}`,
    intent: {
      kind: "contract-creation",
      owner: from,
      name: artifact.name,
      abi: serialisedAbi(abi),
      bytecode: hex(code + encodeAbi(parameters, values)),
      callValue,
      feeLimit: sun(0n),
      userPercent,
      originEnergyLimit,
    },
    abi: createAbiIndex(abi.flatMap((entry) => candidateFromJson(entry, artifact.origin) ?? [])),
    mutability,
    money: [],
    details: [
      t`Artifact: ${visibleLine(artifact.path)}`,
      ...libraries.map(({ name, address }) => t`Library: ${visibleLine(name)} at ${toBase58(address)}`),
      ...argumentLines(parameters, values),
      t`The caller pays ${percent(userPercent)} of the energy; you pay at most ${grouped(originEnergyLimit)} per call`,
    ],
    fields,
    unattended,
  });
}

async function codeOf(
  { services }: ContractContext,
  artifact: WorkspaceContract,
  libraries: readonly LinkedLibrary[],
): Promise<string> {
  const code = await (await services.artifacts.get()).bytecodeOf(artifact);
  const addresses = new Map(libraries.map(({ placeholder, address }) => [placeholder, address]));
  const linked = code === undefined ? undefined : linkCode(code, addresses);
  if (linked !== undefined && isHexPairs(linked)) return linked;
  const reason = t`${artifact.path} no longer has bytecode; compile it again`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: artifact.name, reason });
}
