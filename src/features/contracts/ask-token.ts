import { parseTokenAmount, type Token } from "@finality/client/tokens";
import { isChainError } from "@finality/tron/errors";
import { type Checked, formatTokenAmount, grouped } from "@finality/tron/format";
import { type Address, nameText, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type Ask, pickStep, type StepResult, textStep, typedAddress } from "../../host/prompts/quick-input.ts";
import { placesOn } from "./known-contracts.ts";
import type { ContractContext } from "./services.ts";
import { type KnownToken, tokenAt } from "./token-at.ts";

/** NamedAddress fields of a token command. */
export interface TokenFields {
  readonly token?: KnownToken;
  /** The recipient, the spender, or whose balance. */
  readonly party?: Address;
  /** In the smallest part. */
  readonly amount?: bigint;
  readonly from?: Address;
}

const NONE = t`Nothing is known here on this network. Paste an address above.`;

type NamedAddress = { readonly address: Address; readonly label: string };
type Item = vscode.QuickPickItem & { readonly value?: Address };

/** Prompts for a token of this network, or any address. Its name is read from the chain. */
export function askToken(place: ContractContext): Ask<TokenFields> {
  return async (soFar, where) => {
    const items = (await placesOn(place)).map(({ address, name, origin }) =>
      item("symbol-class", nameText(name), address, visibleLine(origin)),
    );
    const picked = await pickAddress(where, t`Which token? Choose a contract, or paste an address`, items);
    if (picked.kind !== "value") return picked;
    return { kind: "value", value: { ...soFar, token: await tokenAt(place, picked.value) } };
  };
}

/** Prompts for a known account or contract, or any address. */
export function askParty(place: ContractContext, placeholder: string): Ask<TokenFields> {
  return async (soFar, where) => {
    const known = place.services.keys.knownOn(place.network);
    const items = [
      ...known.map(({ address, label, note }) => item("account", label, address, note)),
      ...(await placesOn(place)).map(({ address, name, origin }) =>
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
      message: t`${formatTokenAmount(value, token)} = ${grouped(value)} smallest parts`,
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
  known: readonly NamedAddress[] = [],
): Promise<StepResult<Address>> {
  const mayPick = ({ value }: Item): boolean => value !== undefined;
  const picked = await pickStep<Item>(where, {
    placeholder,
    items,
    typed: (text) => typedAddress(text, known),
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
    ...(detail === undefined ? {} : { detail }),
  };
}
