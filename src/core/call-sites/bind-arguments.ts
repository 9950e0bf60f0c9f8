import type { AbiParameter } from "../abi/abi-type.ts";
import type { ContractFunction } from "../abi/contract-functions.ts";
import type { InputValue } from "../abi/input-value.ts";
import { inputFromText } from "../abi/typed-value.ts";
import { type Address, toBase58 } from "../primitives/address.ts";
import { nameText } from "../primitives/plain-text.ts";
import type { BindingContext, KnownContract, Missing, Part } from "./binding.ts";
import type { WantedCall, WantedValue } from "./wanted-call.ts";

interface Called {
  readonly contract: KnownContract;
  readonly called: ContractFunction;
}

/** An account that a name in the source stands for, and why. */
export interface NamedAccount {
  readonly value: Address;
  readonly assumption: string;
}

interface Filled {
  readonly value?: InputValue;
  readonly missing?: Missing;
  readonly assumption?: string;
}

/**
 * The arguments of a call: what the source says, what an account's name stands for, and what a person answered before.
 */
export function argumentsOf(wanted: WantedCall, it: Called, context: BindingContext): Part<readonly InputValue[]> {
  const { parameters } = it.called;
  const written = wanted.arguments;
  if (written !== undefined && written.length !== parameters.length)
    return {
      kind: "wrong",
      reason: `${it.called.signature} takes ${counted(parameters.length)}, and there ${written.length === 1 ? "is" : "are"} ${written.length}`,
    };
  const filled = parameters.map((parameter, index) => fill(written?.[index], { ...it, parameter, index }, context));
  const missing = filled.flatMap((one) => one.missing ?? []);
  if (missing.length > 0) return { kind: "missing", missing };
  return {
    kind: "found",
    value: filled.flatMap((one) => (one.value === undefined ? [] : [one.value])),
    assumptions: filled.flatMap((one) => one.assumption ?? []),
  };
}

interface Place extends Called {
  readonly parameter: AbiParameter;
  readonly index: number;
}

function fill(written: WantedValue | undefined, place: Place, context: BindingContext): Filled {
  if (written?.value !== undefined) return { value: written.value };
  const { contract, called, parameter, index } = place;
  const name = nameText(parameter.name, `argument ${index + 1}`);
  const text = written?.text ?? "";
  const key = `argument ${contract.name}.${called.signature} ${index} ${text}`.trim();
  const answer = context.answer(key);
  if (answer !== undefined)
    return { value: inputFromText(parameter.type, answer), assumption: `${name} is ${answer}: you said so.` };
  const account = parameter.type.kind === "address" ? accountIn(text, context) : undefined;
  if (account !== undefined) return account;
  const question = `${nameText(called.name)}: ${name} (${parameter.type.text})${text === "" ? "" : `, in the source ${text}`}`;
  return { missing: { kind: "argument", key, question, type: parameter.type.text } };
}

/** `Dave.address` and `dave` most likely mean the account Dave. */
export function accountIn(text: string, context: BindingContext): NamedAccount | undefined {
  const [, word] = /^(\w+)(?:\.(?:address|base58|hex|account))?$/.exec(text) ?? [];
  const address = word === undefined ? undefined : (context.addressOf(word) ?? context.addressOf(capital(word)));
  if (address === undefined) return undefined;
  return {
    value: address,
    assumption: `${text} is the account ${capital(word ?? "")} (${toBase58(address)}), by its name.`,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function counted(count: number): string {
  return count === 1 ? "1 argument" : `${count} arguments`;
}
