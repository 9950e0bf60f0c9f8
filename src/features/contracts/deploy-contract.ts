import { constructorOf, libraryName, type WorkspaceContract } from "@finality/tron/abi";
import { defined, toBase58 } from "@finality/tron/primitives";
import { deployedContractAddress, USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { calledByProgram, isUnattended } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { type Ask, askSteps, pickStep, textStep } from "../../host/prompts/quick-input.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import type { ArgumentPanels } from "./argument-panels.ts";
import { artifactNamed, deployOrder } from "./code-orders.ts";
import { addressesOn, amountOf, fittedValues, inputsOf, signerNamed } from "./contract-arguments.ts";
import { checkInteger } from "./contracts.view.ts";
import { deployableContracts } from "./known-contracts.ts";
import { deployedLibraries, type LinkedLibrary } from "./link-libraries.ts";
import { openDeployForm } from "./open-form.ts";
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
 * Deploys a contract of the workspace. For missing values it opens the form, or prompts if a program called; then it
 * runs the send pipeline. Returns undefined if the form was opened or the user cancels.
 */
export async function deployContract(
  services: ContractServices,
  forms: ArgumentPanels,
  fields: Arguments,
): Promise<SentDeployment | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields);
  const steps = stepsFor(context, fields, known);
  if (!calledByProgram() && steps(known).length > 0) {
    const chosen =
      known.artifact === undefined ? await askSteps(t`Deploy Contract`, known, [askArtifact(context)]) : known;
    if (chosen?.artifact !== undefined)
      openDeployForm(context, forms, { ...chosen, artifact: chosen.artifact, fields });
    return undefined;
  }
  const unattended = isUnattended(steps(known).length === 0);
  const answers = await askSteps(t`Deploy Contract`, known, steps);
  const { artifact, from } = answers ?? {};
  if (answers === undefined || artifact === undefined || from === undefined) return undefined;
  const order = await deployOrder(context, fields, { ...answers, artifact, from }, unattended);
  const sent = await sendCode(context, order);
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
