import { type AbiInput, type AbiParameter, type ContractFunction, onlyReads } from "@finality/tron/abi";
import { type Address, nameText, type Sun, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  pickSigner,
  pickStep,
  type StepResult,
  textStep,
  typedAddress,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import { possibleSigners } from "../../sending/possible-signers.ts";
import { addressesOn } from "./contract-arguments.ts";
import { argumentPrompt, checkArgument, checkSun, functionItem } from "./contracts.view.ts";
import { type CallableContract, contractAt, placesOn } from "./known-contracts.ts";
import type { ContractContext, SigningContext } from "./services.ts";

/** Known fields of a call. */
export interface CallFields {
  readonly contract?: CallableContract;
  readonly fn?: Pick<ContractFunction, "name" | "parameters" | "mutability">;
  readonly values: readonly AbiInput[];
  readonly callValue?: Sun;
  readonly from?: Address;
}

/** Prompts for a contract of this network, or any address. */
export function askContract<A extends CallFields>(place: ContractContext): Ask<A> {
  return async (soFar, where) => {
    const items: readonly ValueItem<Address>[] = (await placesOn(place)).map(({ address, name, origin }) => ({
      label: `$(symbol-class) ${nameText(name)}`,
      description: toBase58(address),
      detail: visibleLine(origin),
      value: address,
    }));
    const placeholder = t`Which contract? Choose one, or paste an address`;
    const picked = await pickStep<ValueItem<Address>>(where, {
      placeholder,
      items,
      typed: typedAddress,
      mayPick: hasValue,
      none: noContract(place),
    });
    if (picked.kind !== "value" || picked.value.value === undefined) return noValue(picked);
    return { kind: "value", value: { ...soFar, contract: await contractAt(place, picked.value.value) } };
  };
}

/** Prompts for a function: reading or writing ones first. */
export function askFunction<A extends CallFields>(readsFirst: boolean): Ask<A> {
  return async (soFar, where) => {
    const functions = soFar.contract?.functions ?? [];
    const sorted = [...functions].sort((left, right) => rank(left, readsFirst) - rank(right, readsFirst));
    const items: readonly ValueItem<ContractFunction>[] = sorted.map((fn) => ({ ...functionItem(fn), value: fn }));
    const placeholder = t`Which function of ${soFar.contract === undefined ? t`it` : nameText(soFar.contract.name, t`it`)}?`;
    const picked = await pickStep<ValueItem<ContractFunction>>(where, {
      placeholder,
      items,
      mayPick: hasValue,
      none: t`Its ABI has no function that can be called.`,
    });
    if (picked.kind !== "value" || picked.value.value === undefined) return noValue(picked);
    return { kind: "value", value: { ...soFar, fn: picked.value.value } };
  };
}

/** Returns a prompt for each argument, which checks while the user types. */
export function askArguments<A extends CallFields>(place: ContractContext, parameters: readonly AbiParameter[]): readonly Ask<A>[] {
  const addressOf = addressesOn(place);
  return parameters.map(
    (parameter, at): Ask<A> =>
      async (soFar, where) => {
        const check = (text: string) => checkArgument(parameter, text, addressOf);
        const typed = await textStep(where, { ...argumentPrompt(parameter, at), check });
        return withAnswer(typed, (value) => ({ ...soFar, values: [...soFar.values, value] }));
      },
  );
}

/** Prompts for the call value. */
export function askCallValue<A extends CallFields>(): Ask<A> {
  return async (soFar, where) => {
    const words = { prompt: t`How many coins go with it?`, placeholder: t`0, 1.5 coins, or 1500000 sun`, value: "0" };
    const typed = await textStep(where, { ...words, check: (text) => checkSun(text) });
    return withAnswer(typed, (callValue) => ({ ...soFar, callValue }));
  };
}

/** Prompts for the signing account. */
export function askSigner<A extends { readonly from?: Address }>({ gateway, accounts }: SigningContext): Ask<A> {
  return async (soFar, where) => {
    const signers = await whileWorking(t`Reading the accounts`, (signal) => possibleSigners(gateway, accounts, signal));
    return withAnswer(await pickSigner(where, signers), (from) => ({ ...soFar, from }));
  };
}

function noContract({ network }: ContractContext): string {
  return t`No contract of ${network.name} is known here: none was deployed from here, and no artifact tells of one. Paste its address above.`;
}

function rank(fn: ContractFunction, readsFirst: boolean): number {
  return onlyReads(fn) === readsFirst ? 0 : 1;
}

function hasValue(item: ValueItem<unknown>): boolean {
  return item.value !== undefined;
}

function withAnswer<T, A>(result: StepResult<T>, add: (value: T) => A): StepResult<A> {
  return result.kind === "value" ? { kind: "value", value: add(result.value) } : result;
}

function noValue<A>(result: StepResult<unknown>): StepResult<A> {
  return result.kind === "back" ? { kind: "back" } : { kind: "left" };
}
