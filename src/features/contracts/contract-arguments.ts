import {
  type AbiInput,
  type AddressOf,
  type ContractFunction,
  functionsNamed,
  type InputValue,
  type Misfit,
  typedValues,
} from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  type Json,
  nameText,
  parseAddress,
  parseAmount,
  rawText,
  type Sun,
  toBase58,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { exactInteger, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import type { ShareArguments } from "../../sending/export-file.ts";
import { MOST_NAMES } from "./contracts.view.ts";
import type { CallableContract } from "./known-contracts.ts";
import type { ContractContext } from "./services.ts";

/** Common arguments of the commands that send. */
export interface SendingArguments extends ShareArguments {
  readonly from?: string | undefined;
  readonly permissionId?: string | undefined;
  readonly callValue?: string | undefined;
  readonly feeLimit?: string | undefined;
  readonly label?: string | undefined;
  readonly acknowledgeUnknown?: readonly string[] | undefined;
  readonly acknowledgeFailure?: boolean | undefined;
  readonly expirySeconds?: string | undefined;
}

/**
 * Parses the values of `arguments`.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function inputsOf(json: Json | undefined): readonly InputValue[] | undefined {
  if (json === undefined) return undefined;
  if (!Array.isArray(json)) throw malformedArgument("arguments", t`it must be a list, such as ["Bob", "5"]`);
  return json.map(inputFromJson);
}

function inputFromJson(json: Json): InputValue {
  if (typeof json === "number") return exactInteger("arguments", json);
  if (json === null) throw malformedArgument("arguments", t`null is not a value of a contract`);
  if (typeof json !== "object") return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map(inputFromJson);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, inputFromJson(value ?? null)]));
}

/**
 * Converts values to the parameter types of a function.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` lists all values that do not fit
 */
export function fittedValues(
  { parameters }: ContractFunction,
  inputs: readonly InputValue[],
  addressOf: AddressOf,
): readonly AbiInput[] {
  const typed = typedValues(parameters, inputs, addressOf);
  if (typed.ok) return typed.value;
  throw malformedArgument("arguments", typed.misfits.map(misfitText).join(t`; `));
}

function misfitText({ path, reason }: Misfit): string {
  return path === "" ? reason : `${path}: ${reason}`;
}

/** @throws {ChainError} `FUNCTION_UNKNOWN` */
export function functionNamed(
  { functions, name, address, lost }: CallableContract,
  named: string,
  argumentCount?: number,
): ContractFunction {
  const found = functionsNamed(functions, named, argumentCount);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new ChainError("FUNCTION_UNKNOWN", {
    function: named,
    contract: nameText(name, toBase58(address)),
    reason: whyNot(functions, lost.map(rawText), named),
  });
}

function whyNot(functions: readonly ContractFunction[], lost: readonly string[], named: string): string {
  const alike = functions.filter(({ name }) => rawText(name) === named).map(({ signature }) => signature);
  if (alike.length > 0) return t`${alike.length} functions have this name; write one of ${alike.join(t` or `)}`;
  if (lost.includes(named))
    return t`the ABI lacks its types or the types are not supported; open the workspace with its artifact`;
  const names = functions.slice(0, MOST_NAMES).map(({ name }) => nameText(name));
  return t`it has ${(functions.length > MOST_NAMES ? [...names, "…"] : names).join(t`, `)}`;
}

/** Resolves a name of an account or of the address book; contract names are not accepted here. */
export function addressesOn({ services, network }: ContractContext): AddressOf {
  const known = services.keys.knownOn(network);
  return (name) => known.find(({ label }) => label === name)?.address;
}

/** Longest contract name; an address is longer. */
const NAME = 33;

/** Resolves names for the form, which shows the address of each: also that of a contract that was deployed from here. */
export function addressesInForm(context: ContractContext): AddressOf {
  const addressOf = addressesOn(context);
  return (name) => {
    const known = addressOf(name);
    if (known !== undefined || name.length > NAME) return known;
    const named = deploymentsHere(context.services, context.network).filter((it) => it.name === name);
    const [only, ...others] = new Set(named.map(({ address }) => address));
    return others.length === 0 ? only : undefined;
  };
}

/**
 * Returns the account that signs.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `COMMAND_ARGUMENT_MALFORMED`
 */
export function signerNamed(context: ContractContext, named: string): Address {
  const address = partyNamed(context, "from", named);
  const account = context.services.keys.listOn(context.network).find((it) => it.address === address);
  // The permissions of the account determine whether local keys may sign for it.
  if (account === undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  return address;
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function partyNamed(context: ContractContext, argument: string, text: string): Address {
  return addressesOn(context)(text.trim()) ?? readAs(argument, text, parseAddress);
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function amountOf(argument: string, text: string | undefined): Sun | undefined {
  return text === undefined ? undefined : readAs(argument, text, parseAmount);
}

/** Parses a whole number from `least` to `most`. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function integerOf(argument: string, text: string | undefined, least: bigint, most: bigint): bigint | undefined {
  if (text === undefined) return undefined;
  const value = wholeNumberIn(text);
  if (value !== undefined && value >= least && value <= most) return value;
  throw malformedArgument(argument, t`it must be a whole number from ${String(least)} to ${String(most)}`);
}
