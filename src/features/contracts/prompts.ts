import { type KnownToken, parseTokenAmount, type Token } from "@finality/client/tokens";
import { type AbiInput, type AbiParameter, type ContractFunction, onlyReads } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { type Checked, formatTokenAmount, grouped } from "@finality/tron/format";
import { type Address, defined, nameText, type Sun, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
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
import { tokenAt } from "../../sending/token-at.ts";
import { addressesOn } from "./contract-arguments.ts";
import { argumentPrompt, checkArgument, checkSun, functionItem } from "./contracts.view.ts";
import { type CallableContract, contractAt, contractsOn } from "./known-contracts.ts";
import type { ContractContext, SigningContext } from "./services.ts";

/** Values of a call that are known already. */
export interface CallFields {
  readonly contract?: CallableContract;
  readonly fn?: ContractFunction;
  readonly values: readonly AbiInput[];
  readonly callValue?: Sun;
  readonly from?: Address;
}

/** Prompts for a contract of this network, or any address. */
export function askContract<A extends CallFields>(context: ContractContext): Ask<A> {
  return async (soFar, where) => {
    const items: readonly ValueItem<Address>[] = (await contractsOn(context)).map(({ address, name, origin }) => ({
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
      none: noContract(context),
    });
    if (picked.kind !== "value" || picked.value.value === undefined) return noValue(picked);
    return { kind: "value", value: { ...soFar, contract: await contractAt(context, picked.value.value) } };
  };
}

/** Prompts for a function. Lists the read-only functions or the others first. */
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
export function askArguments<A extends CallFields>(
  context: ContractContext,
  parameters: readonly AbiParameter[],
): readonly Ask<A>[] {
  const addressOf = addressesOn(context);
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
    const texts = {
      prompt: t`How many coins to send with it?`,
      placeholder: t`0, 1.5 coins, or 1500000 sun`,
      value: "0",
    };
    const typed = await textStep(where, { ...texts, check: (text) => checkSun(text) });
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
  return t`No contract of ${network.name} is known: none was deployed from here, and no artifact names one. Paste its address above.`;
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

/** Fields of a token command that are known already. */
export interface TokenFields {
  readonly token?: KnownToken;
  /** Recipient, spender, or account whose balance is read. */
  readonly party?: Address;
  /** In the smallest unit. */
  readonly amount?: bigint;
  readonly from?: Address;
}

const NONE = t`No contract is known on this network. Paste an address above.`;

type NamedAddress = { readonly address: Address; readonly label: string };
type Item = vscode.QuickPickItem & { readonly value?: Address };

/** Prompts for a token of this network, or any address. Its name is read from the chain. */
export function askToken(context: ContractContext): Ask<TokenFields> {
  return async (soFar, where) => {
    const items = (await contractsOn(context)).map(({ address, name, origin }) =>
      item("symbol-class", nameText(name), address, visibleLine(origin)),
    );
    const picked = await pickAddress(where, t`Which token? Choose a contract, or paste an address`, items);
    if (picked.kind !== "value") return picked;
    return { kind: "value", value: { ...soFar, token: await tokenAt(context, picked.value) } };
  };
}

/** Prompts for a known account or contract, or any address. */
export function askParty(context: ContractContext, placeholder: string): Ask<TokenFields> {
  return async (soFar, where) => {
    const known = context.services.keys.knownOn(context.network);
    const items = [
      ...known.map(({ address, label, note }) => item("account", label, address, note)),
      ...(await contractsOn(context)).map(({ address, name, origin }) =>
        item("symbol-class", nameText(name), address, visibleLine(origin)),
      ),
    ];
    const picked = await pickAddress(where, placeholder, items, known);
    return picked.kind === "value" ? { kind: "value", value: { ...soFar, party: picked.value } } : picked;
  };
}

/** Prompts for an amount, in the decimals of the token. */
export const askTokenAmount: Ask<TokenFields> = async (soFar, where) => {
  const { token } = soFar;
  if (token === undefined) return { kind: "left" };
  const prompt = t`How much ${nameText(token.symbol, nameText(token.name, t`of the token`))}? It has ${token.decimals} decimals, ${token.decimalsBy}`;
  const typed = await textStep(where, {
    prompt,
    placeholder: "1.5",
    check: (text: string) => checkAmount(text, token),
  });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, amount: typed.value } } : typed;
};

function checkAmount(text: string, token: Token): Checked<bigint> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    const value = parseTokenAmount(text, token);
    return {
      kind: "good",
      value,
      message: t`${formatTokenAmount(value, token)} = ${grouped(value)} smallest units`,
    };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}

async function pickAddress(
  where: Parameters<Ask<TokenFields>>[1],
  placeholder: string,
  items: readonly Item[],
  named: readonly NamedAddress[] = [],
): Promise<StepResult<Address>> {
  const mayPick = ({ value }: Item): boolean => value !== undefined;
  const picked = await pickStep<Item>(where, {
    placeholder,
    items,
    typed: (text) => typedAddress(text, named),
    mayPick,
    none: NONE,
  });
  if (picked.kind !== "value") return picked;
  return picked.value.value === undefined ? { kind: "left" } : { kind: "value", value: picked.value.value };
}

function item(icon: string, name: string, address: Address, detail?: string): Item {
  return {
    label: `$(${icon}) ${name}`,
    description: toBase58(address),
    value: address,
    ...defined({ detail }),
  };
}
