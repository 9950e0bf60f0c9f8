import {
  type ContractProxy,
  isUpgradeSafe,
  proxyAdmin,
  resolveProxy,
  type UpgradeCheck,
} from "@finality/client/contracts";
import { functionsOf, type JsonAbiEntry } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import {
  type Address,
  type Hex,
  hex,
  isHexPairs,
  nameText,
  rawText,
  stripHexPrefix,
  sun,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { calledByProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, askSteps, pickStep, typedAddress, type ValueItem } from "../../host/prompts/quick-input.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { untilTracked } from "../../sending/until-tracked.ts";
import { artifactNamed, callOrder } from "./code-orders.ts";
import { signerNamed } from "./contract-arguments.ts";
import { askImplementation, deployImplementation, type ImplementationChoice } from "./deploy-implementation.ts";
import { addressOf, type ContractDescription, contractsOn, describeContract, unknownAt } from "./known-contracts.ts";
import { askSigner } from "./prompts.ts";
import { type CodeOrder, chooseFeeLimit, sendCode } from "./send-code.ts";
import { type ContractContext, type ContractServices, type SigningContext, signingContextOn } from "./services.ts";
import { checkOfUpgrade, deployedImplementation, type Implementation, refused } from "./upgrade-check.ts";
import { refusalText, upgradeLines } from "./upgrade-check.view.ts";

type Arguments = CommandArguments["finality.upgradeProxy"];

/** Upgrade that was sent. */
export interface SentUpgrade extends SentTransaction {
  /** base58. */
  readonly proxy: string;
  readonly from: string;
  readonly to: string;
}

interface UpgradeFields {
  readonly proxy?: Address;
  readonly implementation?: ImplementationChoice;
  readonly from?: Address;
}

/** Proxy with its implementation at the moment of the review. */
interface ReadProxy {
  readonly contract: ContractDescription;
  readonly implementation: Address;
  /** Contract or account that may upgrade a transparent proxy; undefined for a proxy that upgrades itself (UUPS). */
  readonly admin: Address | undefined;
  /** True if the admin is a contract (ProxyAdmin), which then upgrades the proxy. */
  readonly hasAdminContract: boolean;
}

const TITLE = t`Upgrade Proxy`;

/**
 * Upgrades a proxy to an implementation, which is deployed first if it is a contract of the workspace. The storage of
 * both implementations is compared, and the address in the proxy is read before the review, before the signature and
 * after the upgrade is solidified. Every caller gets the review. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `UPGRADE_REFUSED`, `CONTRACT_UNKNOWN`, and the errors of the pipeline
 */
export async function upgradeProxy(services: ContractServices, fields: Arguments): Promise<SentUpgrade | undefined> {
  const context = await signingContextOn(services, fields);
  const answers = await answersOf(context, fields);
  const { proxy: address, implementation: choice, from } = answers ?? {};
  if (address === undefined || choice === undefined || from === undefined) return undefined;
  const proxy = await whileWorking(t`Reading the proxy`, (signal) => readProxy(context, address, signal));
  const data = dataOf(fields);
  if (typeof choice === "string") return await upgradeTo(context, fields, { proxy, to: choice, from, data });
  const to = await deployImplementation(context, {
    artifact: choice,
    from,
    check: async (created) => {
      await safeUpgrade(context, {
        proxy,
        next: { code: { created, runtimeCode: undefined }, artifact: choice },
        fields,
      });
    },
  });
  if (to === undefined) return undefined;
  const sent = await upgradeTo(context, { ...fields, artifact: choice.path }, { proxy, to, from, data });
  if (sent === undefined && !calledByProgram())
    void notify("information", t`${choice.name} is deployed at ${toBase58(to)}. The proxy was not upgraded.`);
  return sent;
}

/** Upgrades a proxy to a deployed implementation. */
async function upgradeTo(context: SigningContext, fields: Arguments, call: UpgradeCall) {
  const { proxy, to } = call;
  const { address } = proxy.contract;
  const next = await whileWorking(t`Reading the contract`, (signal) => describeContract(context, to, signal));
  if (next.deployed === undefined) throw unknownAt(context, to, undefined);
  if (to === proxy.implementation) throw refused(t`the proxy has this implementation already`);
  const artifact = fields.artifact === undefined ? next.artifact : await artifactNamed(context, fields.artifact);
  const check = await safeUpgrade(context, { proxy, next: deployedImplementation(next, artifact), fields });
  const order = await upgradeOrder(context, fields, call);
  const named = (it: Address, unnamed = ""): string =>
    [context.nameOf(it) ?? unnamed, toBase58(it)].filter((part) => part !== "").join(" · ");
  const details = [
    t`Proxy: ${named(address)}`,
    t`Implementation now: ${named(proxy.implementation)}`,
    t`Implementation after: ${named(to, nameText(next.name))}`,
    ...upgradeLines(check),
  ];
  const sent = await sendCode(context, {
    ...order,
    details: [...details, ...order.details],
    beforeSigning: () => requireUnchanged(context, proxy),
  });
  if (sent === undefined) return undefined;
  void confirmAfterwards(context, { proxy, to, sent });
  return { ...sent, proxy: toBase58(address), from: toBase58(proxy.implementation), to: toBase58(to) };
}

async function answersOf(context: SigningContext, fields: Arguments): Promise<UpgradeFields | undefined> {
  const named = fields.address ?? fields.contract;
  const implementation = await namedImplementation(context, fields);
  const known: UpgradeFields = {
    ...(named === undefined ? {} : { proxy: await addressOf(context, named) }),
    ...(implementation === undefined ? {} : { implementation }),
    ...(fields.from === undefined ? {} : { from: signerNamed(context, fields.from) }),
  };
  if (calledByProgram() && (known.proxy === undefined || known.implementation === undefined))
    throw malformedArgument(
      "implementation",
      t`give the proxy as contract, and its new implementation, or its artifact to deploy it`,
    );
  const askNext = askImplementation<UpgradeFields>(context, (soFar, it) => ({ ...soFar, implementation: it }));
  return await askSteps(TITLE, known, () => [
    ...(known.proxy === undefined ? [askProxy(context)] : []),
    ...(known.implementation === undefined ? [askNext] : []),
    ...(known.from === undefined ? [askSigner<UpgradeFields>(context)] : []),
  ]);
}

async function namedImplementation(
  context: ContractContext,
  { implementation, artifact }: Arguments,
): Promise<ImplementationChoice | undefined> {
  if (implementation !== undefined) return await addressOf(context, implementation);
  return artifact === undefined ? undefined : await artifactNamed(context, artifact);
}

function askProxy(context: ContractContext): Ask<UpgradeFields> {
  return async (soFar, where) => {
    const items: readonly ValueItem<Address>[] = (await contractsOn(context)).map(({ address, name, origin }) => ({
      label: `$(symbol-class) ${nameText(name)}`,
      description: toBase58(address),
      detail: visibleLine(origin),
      value: address,
    }));
    const none = t`No contract is known on this network. Paste an address above.`;
    const mayPick = ({ value }: ValueItem<Address>): boolean => value !== undefined;
    const picked = await pickStep<ValueItem<Address>>(where, {
      placeholder: t`Which proxy? Choose a contract, or paste an address`,
      items,
      typed: typedAddress,
      mayPick,
      none,
    });
    if (picked.kind !== "value") return picked;
    return picked.value.value === undefined
      ? { kind: "left" }
      : { kind: "value", value: { ...soFar, proxy: picked.value.value } };
  };
}

/** @throws {ChainError} `UPGRADE_REFUSED` for anything but a proxy of EIP-1967 whose storage can be read */
async function readProxy(context: ContractContext, address: Address, signal: AbortSignal): Promise<ReadProxy> {
  const contract = await describeContract(context, address, signal);
  if (contract.deployed === undefined) throw unknownAt(context, address, undefined);
  const { proxy } = contract;
  if (proxy?.kind === "eip-1967-beacon") throw refused(t`it is a proxy of a beacon; upgrade the beacon`);
  if (proxy?.kind !== "eip-1967" || proxy.implementation === undefined)
    throw refused(t`${toBase58(address)} is not an EIP-1967 proxy`);
  if (proxy.source !== "storage") throw refused(t`this gateway does not serve the storage of contracts`);
  const admin = await proxyAdmin(context.gateway, address, signal);
  const adminContract = admin && (await describeContract(context, admin, signal)).deployed;
  return { contract, implementation: proxy.implementation, admin, hasAdminContract: adminContract !== undefined };
}

/**
 * Called after the consent, before a key is used.
 *
 * @throws {ChainError} `UPGRADE_REFUSED` if the proxy has another implementation than in the review
 */
async function requireUnchanged({ gateway }: ContractContext, { contract, implementation }: ReadProxy): Promise<void> {
  const now = await implementationNow(gateway, contract);
  if (now?.implementation === implementation) return;
  const other = now?.implementation === undefined ? t`none` : toBase58(now.implementation);
  throw refused(
    t`the implementation of the proxy changed since the review: it was ${toBase58(implementation)} and is ${other} now. Review the upgrade again`,
  );
}

async function implementationNow(
  gateway: ContractContext["gateway"],
  { address, deployed }: ContractDescription,
): Promise<ContractProxy | undefined> {
  return await resolveProxy(gateway, { address, runtimeCode: deployed?.runtimeCode });
}

interface StorageToCheck {
  readonly proxy: ReadProxy;
  readonly next: Implementation;
  readonly fields: Arguments;
}

/** @throws {ChainError} `UPGRADE_REFUSED` if the upgrade is not safe */
async function safeUpgrade(context: ContractContext, { proxy, next, fields }: StorageToCheck): Promise<UpgradeCheck> {
  const check = await whileWorking(t`Comparing the storage`, async (signal) => {
    const old = await describeContract(context, proxy.implementation, signal);
    const artifact = fields.reference === undefined ? old.artifact : await artifactNamed(context, fields.reference);
    const kind = proxy.admin === undefined ? "uups" : "transparent";
    return await checkOfUpgrade({ before: deployedImplementation(old, artifact), after: next, kind }, signal);
  });
  if (!isUpgradeSafe(check)) throw refused(refusalText(check));
  return check;
}

/** Call that the new implementation runs first; empty for none. */
function dataOf({ data }: Arguments): Hex {
  const digits = stripHexPrefix(data ?? "");
  if (digits !== "" && !isHexPairs(digits)) throw malformedArgument("data", t`write bytes in hex, such as 0x00ff`);
  return hex(digits);
}

const address = (name: string) => ({ name, type: "address" });
const BYTES = { name: "data", type: "bytes" };
const fn = (name: string, inputs: readonly { readonly name: string; readonly type: string }[]): JsonAbiEntry => ({
  type: "function",
  name,
  inputs,
  outputs: [],
  stateMutability: "payable",
});

/** Functions that upgrade a proxy: of itself, and of the admin of a transparent proxy. */
const UPGRADES = functionsOf([
  fn("upgradeTo", [address("newImplementation")]),
  fn("upgradeToAndCall", [address("newImplementation"), BYTES]),
  fn("upgrade", [address("proxy"), address("implementation")]),
  fn("upgradeAndCall", [address("proxy"), address("implementation"), BYTES]),
]);

interface UpgradeCall {
  readonly proxy: ReadProxy;
  readonly to: Address;
  readonly from: Address;
  readonly data: Hex;
}

/** Returns the call that upgrades, with a fee limit. */
async function upgradeOrder(context: SigningContext, fields: Arguments, call: UpgradeCall): Promise<CodeOrder> {
  const { proxy, to, from, data } = call;
  const { admin, hasAdminContract } = proxy;
  const isOwnAdmin = admin !== undefined && !hasAdminContract;
  if (isOwnAdmin && admin !== from) throw refused(t`only its admin ${toBase58(admin)} can upgrade it`);
  const target = admin !== undefined && hasAdminContract ? admin : proxy.contract.address;
  // Proxies of OpenZeppelin 5 always have an admin contract.
  const isNew = !isOwnAdmin && (await hasVersionFive(context, target));
  if (admin === undefined) await requireUups(context, to);
  const isWithCall = isNew || data !== "";
  const name = hasAdminContract ? "upgrade" : "upgradeTo";
  const called = UPGRADES.find((it) => rawText(it.name) === `${name}${isWithCall ? "AndCall" : ""}`);
  if (called === undefined) throw refused(t`its interface is not known`);
  const values = [...(hasAdminContract ? [proxy.contract.address] : []), to, ...(isWithCall ? [data] : [])];
  const contract = target === proxy.contract.address ? proxy.contract : await describeContract(context, target);
  const order = callOrder(context, fields, { contract, fn: called, from, values, callValue: sun(0n) }, false);
  if (fields.feeLimit !== undefined || !calledByProgram()) return order;
  const feeLimit = await chooseFeeLimit(context, { ...order, unattended: true });
  return feeLimit === undefined ? order : { ...order, fields: { ...fields, feeLimit: String(feeLimit) } };
}

/** `UPGRADE_INTERFACE_VERSION()`, which OpenZeppelin 5 has. */
const INTERFACE_VERSION = hex("ad3cb1cc");
/** `proxiableUUID()` */
const PROXIABLE = hex("52d1902d");
const IMPLEMENTATION_SLOT = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** `5.0.0` as the contract encodes it: offset, length and text. */
const VERSION_FIVE = `${"20".padStart(64, "0")}${"5".padStart(64, "0")}352e302e30`.padEnd(192, "0");

async function hasVersionFive(context: ContractContext, contract: Address): Promise<boolean> {
  return (await readConstant(context, contract, INTERFACE_VERSION)) === VERSION_FIVE;
}

/** A proxy that upgrades itself would be stuck with an implementation that cannot upgrade. */
async function requireUups(context: ContractContext, implementation: Address): Promise<void> {
  if (await isUups(context, implementation)) return;
  throw refused(t`the new implementation has no proxiableUUID() of EIP-1822: the proxy could never be upgraded again`);
}

/** Returns whether an implementation upgrades its proxy itself. */
export async function isUups(context: ContractContext, implementation: Address): Promise<boolean> {
  return (await readConstant(context, implementation, PROXIABLE)) === IMPLEMENTATION_SLOT;
}

async function readConstant({ gateway }: ContractContext, contract: Address, data: Hex): Promise<Hex | undefined> {
  try {
    const { reverted, returned } = await gateway.constantCall({ owner: contract, contract, data, callValue: sun(0n) });
    return reverted ? undefined : returned;
  } catch (error) {
    if (isChainError(error) && error.code === "NODE_REFUSED") return undefined;
    throw error;
  }
}

interface SentCall {
  readonly proxy: ReadProxy;
  readonly to: Address;
  readonly sent: SentTransaction;
}

/** States in which the outcome of an upgrade is known. */
const KNOWN_OUTCOMES: ReadonlySet<string> = new Set(["solidified", "rejected", "proven-absent", "replaced"]);

/** Reads the proxy again when its upgrade is solidified, and reports what it has then. */
async function confirmAfterwards(context: ContractContext, { proxy, to, sent }: SentCall): Promise<void> {
  const { services, gateway, network } = context;
  const { transactions, log } = services;
  const upgraded = await untilTracked(transactions, sent.txId, ({ state }) => KNOWN_OUTCOMES.has(state.kind));
  if (upgraded?.state.kind !== "solidified") return;
  try {
    const now = (await implementationNow(gateway, proxy.contract))?.implementation;
    const address = toBase58(proxy.contract.address);
    if (now === to)
      void notify("information", t`${address} on ${network.name} has the new implementation ${toBase58(to)}.`);
    else
      void notify(
        "warning",
        t`${address} on ${network.name} has the implementation ${now === undefined ? t`none` : toBase58(now)}, not ${toBase58(to)}.`,
      );
  } catch (error) {
    log.error("The proxy could not be read after its upgrade.", error);
  }
}
