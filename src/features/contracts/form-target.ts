import type { CodeIntent } from "@finality/client/estimates";
import {
  type AbiInput,
  type ContractFunction,
  constructorOf,
  functionsOf,
  readAbi,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import {
  defined,
  type ForeignText,
  foreignText,
  type Json,
  nameText,
  parseAddress,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { argumentsOf, type CommandArguments } from "../../host/commands/command-arguments.ts";
import type { ArgumentForm } from "../../webview-messages/arguments.ts";
import type { Extras } from "./argument-form.view.ts";
import { artifactNamed, callOrder, deployOrder } from "./code-orders.ts";
import { type ReadResult, runConstantCall } from "./constant-call.ts";
import { amountOf, integerOf, partyNamed } from "./contract-arguments.ts";
import type { FormCommand, StoredDraft } from "./form-storage.ts";
import { type CallableContract, contractAt } from "./known-contracts.ts";
import { deployedLibraries, type LinkedLibrary } from "./link-libraries.ts";
import type { CodeOrder } from "./send-code.ts";
import type { ContractContext } from "./services.ts";

/** Argument object of the command that opened the form. */
export type FormOptions = CommandArguments["finality.callContract"] & CommandArguments["finality.deployContract"];

/** Contract that a form is about: a deployed one with its functions, or an artifact with its constructor. */
export type FormTarget =
  | {
      readonly kind: "contract";
      readonly contract: Pick<CallableContract, "address" | "name" | "origin" | "functions">;
    }
  | {
      readonly kind: "artifact";
      readonly artifact: WorkspaceContract;
      readonly libraries: readonly LinkedLibrary[];
      readonly deploys: ContractFunction;
    };

/** Returns the address or the path that identifies the target. */
export function targetText(target: FormTarget): string {
  return target.kind === "contract" ? toBase58(target.contract.address) : target.artifact.path;
}

export function targetName(target: FormTarget): ForeignText {
  return target.kind === "contract" ? target.contract.name : foreignText(target.artifact.name);
}

export function targetFunctions(target: FormTarget): readonly ContractFunction[] {
  return target.kind === "contract" ? target.contract.functions : [target.deploys];
}

/** Returns the facts that the page shows below its title. */
export function targetFacts(target: FormTarget): ArgumentForm["facts"] {
  if (target.kind === "contract") {
    const { address, origin } = target.contract;
    return [
      { name: t`Contract`, value: toBase58(address) },
      { name: t`ABI`, value: visibleLine(origin) },
    ];
  }
  const libraries = target.libraries.map(({ name, address }) => {
    return { name: t`Library`, value: `${visibleLine(name)} ${toBase58(address)}` };
  });
  return [{ name: t`Artifact`, value: visibleLine(target.artifact.path) }, ...libraries];
}

/**
 * Returns the artifact of a deployment as a target.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`, `ABI_MALFORMED`
 */
async function artifactTarget(context: ContractContext, path: string): Promise<FormTarget> {
  const artifact = await artifactNamed(context, path);
  const libraries = await deployedLibraries(context, artifact);
  return { kind: "artifact", artifact, libraries, deploys: constructorOf(artifact.abi()) };
}

/**
 * Returns the target of a stored draft. It sends no request: of a contract, only the chosen function is known.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN` if the artifact is gone
 */
export async function targetOfDraft(context: ContractContext, draft: StoredDraft): Promise<FormTarget> {
  if (draft.command === "deploy") return await artifactTarget(context, draft.target);
  const functions = functionsOf(readAbi([draft.entry as Json]) ?? []);
  const contract = {
    address: parseAddress(draft.target),
    name: foreignText(draft.name),
    origin: foreignText(draft.origin),
    functions,
  };
  return { kind: "contract", contract };
}

/** Returns the argument object of a stored draft. */
export function optionsOfDraft({ command, options }: StoredDraft): FormOptions {
  const id = command === "deploy" ? "finality.deployContract" : "finality.callContract";
  return argumentsOf(id, options);
}

/** Values of a form that is complete. */
export interface CompleteForm {
  readonly command: FormCommand;
  readonly options: FormOptions;
  readonly target: FormTarget;
  readonly fn: ContractFunction;
  readonly values: readonly AbiInput[];
  readonly extras: Extras;
}

/**
 * Returns the order of a call or a deployment. The ABI of a contract is read again, so that a form that was open for
 * long has no outdated function.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN`, `FUNCTION_UNKNOWN`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function orderOf(context: ContractContext, form: CompleteForm): Promise<CodeOrder> {
  const { target, extras, values, options } = form;
  const from = partyNamed(context, "from", extras.from ?? "");
  const callValue = form.fn.mutability === "payable" ? amountOf("callValue", written(extras.callValue)) : undefined;
  const common = { values, from, ...defined({ callValue }) };
  const feeLimit = defined({ feeLimit: written(extras.feeLimit) });
  if (target.kind === "artifact") {
    const userPercent = integerOf("userPercent", written(extras.userPercent), 0n, 100n);
    const originEnergyLimit = integerOf("originEnergyLimit", written(extras.originEnergyLimit), 1n, 2n ** 63n - 1n);
    const { artifact, libraries } = target;
    const numbers = defined({ userPercent, originEnergyLimit });
    return await deployOrder(
      context,
      { ...options, ...feeLimit },
      { ...common, artifact, libraries, ...numbers },
      false,
    );
  }
  const { contract, fn } = await currentFunction(context, target.contract, form.fn);
  const { tokenId: _id, tokenValue: _value, ...others } = options;
  const tokens = defined({ tokenId: written(extras.tokenId), tokenValue: written(extras.tokenValue) });
  const fields = { ...others, ...feeLimit, ...(fn.mutability === "payable" ? tokens : {}) };
  return callOrder(context, fields, { ...common, contract, fn }, false);
}

/**
 * Runs the constant call of a form.
 *
 * @throws {ChainError} `CALL_REVERTED`, `CONTRACT_UNKNOWN`, `FUNCTION_UNKNOWN`, `ABI_MALFORMED`
 */
export async function readForm(
  context: ContractContext,
  { target, options, fn: chosen, values, extras }: CompleteForm,
  signal: AbortSignal,
): Promise<{ readonly result: ReadResult; readonly fn: ContractFunction }> {
  if (target.kind !== "contract") throw new Error("only a deployed contract can be read");
  const { contract, fn } = await currentFunction(context, target.contract, chosen);
  const fields = { ...options, ...defined({ from: written(extras.from) }) };
  return { result: await runConstantCall(context, fields, { contract, fn, values }, signal), fn };
}

async function currentFunction(
  context: ContractContext,
  { address }: Pick<CallableContract, "address">,
  { name, signature }: ContractFunction,
): Promise<{ readonly contract: CallableContract; readonly fn: ContractFunction }> {
  const contract = await contractAt(context, address);
  const fn = contract.functions.find((it) => it.signature === signature);
  if (fn !== undefined) return { contract, fn };
  throw new ChainError("FUNCTION_UNKNOWN", {
    function: nameText(name),
    contract: nameText(contract.name, toBase58(address)),
    reason: t`its ABI has changed since this form was opened; open the form again`,
  });
}

function written(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

/** Last digits of creation code in a digest: they hold the arguments. */
const LAST_DIGITS = 4_000;

/** Identifies what an intent does, so that its transaction is found in the journal. */
export function digestOf(intent: CodeIntent): string {
  const { kind, owner, callValue } = intent;
  const rest =
    intent.kind === "contract-call"
      ? [intent.contract, intent.data, intent.tokenId ?? 0n, intent.tokenValue ?? 0n]
      : [intent.name, intent.bytecode.length, intent.bytecode.slice(-LAST_DIGITS)];
  return [kind, owner, callValue, ...rest].join(" ");
}
