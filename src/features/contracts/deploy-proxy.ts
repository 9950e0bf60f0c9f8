import { isUpgradeSafe } from "@finality/client/contracts";
import {
  type AbiInput,
  type ContractFunction,
  constructorOf,
  functionDataOf,
  functionsOf,
  onlyReads,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { type Address, defined, type Hex, hex, nameText, rawText, toBase58 } from "@finality/tron/primitives";
import { deployedContractAddress } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { calledByProgram, isUnattended } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, askSteps, pickStep, type ValueItem } from "../../host/prompts/quick-input.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { artifactNamed, deployOrder } from "./code-orders.ts";
import { addressesOn, fittedValues, functionNamed, inputsOf, partyNamed, signerNamed } from "./contract-arguments.ts";
import { functionItem } from "./contracts.view.ts";
import { askImplementation, deployImplementation, type ImplementationChoice } from "./deploy-implementation.ts";
import { addressOf, type ContractDescription, describeContract, unknownAt } from "./known-contracts.ts";
import { askArguments, askSigner, type CallFields } from "./prompts.ts";
import { sendCode } from "./send-code.ts";
import { type ContractServices, type SigningContext, signingContextOn } from "./services.ts";
import { checkOfUpgrade, deployedImplementation, type Implementation, refused } from "./upgrade-check.ts";
import { refusalText } from "./upgrade-check.view.ts";
import { isUups } from "./upgrade-proxy.ts";

type Arguments = CommandArguments["finality.deployProxy"];

/** Deployment of a proxy that was sent. */
interface SentProxy extends SentTransaction {
  /** base58. */
  readonly address: string;
  readonly implementation: string;
}

interface ProxyFields extends CallFields {
  readonly implementation?: ImplementationChoice;
  readonly described?: ContractDescription;
  /** Null for a proxy that runs no function at first. */
  readonly initializer?: ContractFunction | null;
}

/**
 * Deploys a proxy of EIP-1967, with the artifacts of the workspace: an ERC1967Proxy if the implementation upgrades itself
 * (UUPS), else a TransparentUpgradeableProxy. An implementation that is a contract of the workspace is deployed first.
 * Returns undefined if the user cancels.
 *
 * @throws {ChainError} `UPGRADE_REFUSED`, `CONTRACT_UNKNOWN`, and the errors of the pipeline
 */
export async function deployProxy(services: ContractServices, fields: Arguments): Promise<SentProxy | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields);
  const steps = stepsFor(context, fields, known);
  const unattended = isUnattended(steps(known).length === 0);
  const answers = await askSteps(t`Deploy Behind Proxy`, known, steps);
  const { implementation: choice, initializer, from, values = [] } = answers ?? {};
  if (choice === undefined || from === undefined) return undefined;
  const implementation = typeof choice === "string" ? choice : await deployedFirst(context, choice, from);
  if (implementation === undefined) return undefined;
  const described =
    answers?.described ??
    (await whileWorking(t`Reading the contract`, () => describeContract(context, implementation)));
  if (described.deployed === undefined) throw unknownAt(context, implementation, undefined);
  const kind = (await isUups(context, implementation)) ? "uups" : "transparent";
  await requireSafe(deployedImplementation(described, described.artifact), kind);
  const artifact = await artifactNamed(context, fields.proxy ?? NAMES[kind]);
  const data = initializer ? functionDataOf(initializer, values) : hex("");
  const owner = fields.owner === undefined ? from : partyNamed(context, "owner", fields.owner);
  const proxied = { implementation, owner, data };
  const order = await deployOrder(
    context,
    { ...fields, contract: artifact.name },
    { artifact, from, values: constructorValues(artifact, proxied) },
    unattended,
  );
  const details = [
    kind === "uups" ? t`Proxy: the implementation upgrades it (UUPS)` : t`Proxy: its admin upgrades it (transparent)`,
    t`Implementation: ${toBase58(implementation)} (${nameText(described.name, t`unnamed`)})`,
    initializer ? t`Runs first: ${nameText(initializer.name)}` : t`Runs no function at first`,
  ];
  const sent = await sendCode(context, { ...order, details: [...details, ...order.details] });
  if (sent === undefined) return undefined;
  const address = toBase58(deployedContractAddress(sent.txId, from));
  return { ...sent, address, implementation: toBase58(implementation) };
}

/** Names of OpenZeppelin. */
const NAMES = { uups: "ERC1967Proxy", transparent: "TransparentUpgradeableProxy" } as const;

async function requireSafe(after: Implementation, kind: "uups" | "transparent"): Promise<void> {
  const check = await whileWorking(t`Checking the implementation`, (signal) => checkOfUpgrade({ after, kind }, signal));
  if (!isUpgradeSafe(check)) throw refused(refusalText(check));
}

async function deployedFirst(context: SigningContext, artifact: WorkspaceContract, from: Address) {
  const isUpgrading = functionsOf(artifact.abi()).some(({ signature }) => signature === "proxiableUUID()");
  const kind = isUpgrading ? "uups" : "transparent";
  const check = (created: Hex) => requireSafe({ code: { created, runtimeCode: undefined }, artifact }, kind);
  return await deployImplementation(context, { artifact, from, check });
}

interface ProxiedContract {
  readonly implementation: Address;
  readonly owner: Address;
  readonly data: string;
}

/** Returns the arguments of a proxy: (address, bytes) or (address, address, bytes). */
function constructorValues(
  artifact: WorkspaceContract,
  { implementation, owner, data }: ProxiedContract,
): readonly AbiInput[] {
  const types = constructorOf(artifact.abi()).parameters.map(({ type }) => type.text);
  if (types.join() === "address,bytes") return [implementation, data];
  if (types.join() === "address,address,bytes") return [implementation, owner, data];
  throw refused(t`${artifact.name} does not have the constructor of an OpenZeppelin proxy`);
}

async function knownAnswers(context: SigningContext, fields: Arguments): Promise<ProxyFields> {
  const { implementation: named, initializer, from } = fields;
  const implementation = named === undefined ? undefined : await addressOf(context, named);
  if (calledByProgram() && implementation === undefined)
    throw malformedArgument("implementation", t`give the address or the name of a contract`);
  const described = implementation === undefined ? undefined : await describeContract(context, implementation);
  const inputs = inputsOf(fields.arguments);
  const fn =
    described === undefined || initializer === undefined || initializer === ""
      ? undefined
      : functionNamed(described, initializer, inputs?.length);
  return {
    values: fn === undefined || inputs === undefined ? [] : fittedValues(fn, inputs, addressesOn(context)),
    ...(implementation === undefined ? {} : { implementation }),
    ...(described === undefined ? {} : { described }),
    ...(fn === undefined ? (initializer === undefined ? {} : { initializer: null }) : { initializer: fn }),
    ...(from === undefined ? {} : { from: signerNamed(context, from) }),
  };
}

function stepsFor(context: SigningContext, fields: Arguments, known: ProxyFields) {
  const askFirst = askImplementation<ProxyFields>(context, (soFar, implementation) => ({ ...soFar, implementation }));
  return (soFar: ProxyFields): readonly Ask<ProxyFields>[] => [
    ...(known.implementation === undefined ? [askFirst] : []),
    ...(known.initializer === undefined ? [askInitializer(context)] : []),
    ...(known.initializer && fields.arguments !== undefined
      ? []
      : askArguments<ProxyFields>(context, soFar.initializer?.parameters ?? [])),
    ...(known.from === undefined ? [askSigner<ProxyFields>(context)] : []),
  ];
}

/** Prompts for the function that the proxy runs first. Lists those named like an initializer first. */
function askInitializer(context: SigningContext): Ask<ProxyFields> {
  return async (soFar, where) => {
    const { implementation } = soFar;
    if (implementation === undefined) return { kind: "left" };
    const described =
      typeof implementation === "string"
        ? await whileWorking(t`Reading the contract`, () => describeContract(context, implementation))
        : undefined;
    const functions = typeof implementation === "string" ? described?.functions : functionsOf(implementation.abi());
    const isInitializer = ({ name }: ContractFunction): boolean => rawText(name).startsWith("init");
    const writing = (functions ?? []).filter((it) => !onlyReads(it));
    const sorted = [...writing.filter(isInitializer), ...writing.filter((it) => !isInitializer(it))];
    const items: readonly ValueItem<ContractFunction | null>[] = [
      ...sorted.map((it) => ({ ...functionItem(it), value: it })),
      { label: t`None`, description: t`the proxy runs no function at first`, value: null },
    ];
    const placeholder = t`Which function sets it up?`;
    const picked = await pickStep<ValueItem<ContractFunction | null>>(where, {
      placeholder,
      items,
      mayPick: () => true,
    });
    if (picked.kind !== "value") return picked;
    return { kind: "value", value: { ...soFar, ...defined({ described }), initializer: picked.value.value ?? null } };
  };
}
