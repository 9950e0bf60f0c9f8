import { isChainError } from "@finality/tron/errors";
import { type Address, parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { likenessOf } from "../../labels/reviews.ts";
import { pickStep, type StepPlace, type StepResult } from "./step-input.ts";

/** An account as it can be chosen. */
export interface ChoosableAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** Its key is in a wallet outside. */
  readonly signer?: "outside";
  /** Stands before the address. */
  readonly note?: string;
}

/** A row of a list; one without a value only says something. */
export type ValueItem<T> = vscode.QuickPickItem & { readonly value?: T };

/** Whose key is not here: others that have a part in its permissions may be. */
const WATCHED = t`if keys of its permissions are here`;
const OUTSIDE = t`signs in the browser`;

function withNote(account: ChoosableAccount, note: string): ChoosableAccount {
  return { ...account, note: account.note ?? note };
}

/** Who pays: one of the accounts with a key, or a watched one for which others may sign. */
export function pickSigner(where: StepPlace, accounts: readonly ChoosableAccount[]): Promise<StepResult<Address>> {
  const own = accounts
    .filter(({ watchOnly }) => !watchOnly)
    .map((it) => (it.signer === "outside" ? accountItem("browser", withNote(it, OUTSIDE)) : accountItem("key", it)));
  const watched = accounts.filter(({ watchOnly }) => watchOnly);
  const others = watched.map((it) => accountItem("eye", withNote(it, WATCHED)));
  return pickValue(where, { placeholder: t`From which account?`, items: [...own, ...others] });
}

interface PartyStep {
  readonly placeholder: string;
  readonly accounts: readonly ChoosableAccount[];
  /** Why there is none, where there is none. */
  readonly none: string;
}

/** One of the accounts, or any address that is pasted. */
export function pickParty(where: StepPlace, { placeholder, accounts, none }: PartyStep): Promise<StepResult<Address>> {
  return pickValue(where, {
    placeholder,
    items: accounts.map((it) => accountItem("account", it)),
    none,
    typed: (text) => typedAddress(text, accounts),
  });
}

/** One of the rows that have a value. */
export async function pickValue<T>(
  where: StepPlace,
  step: {
    readonly placeholder: string;
    readonly items: readonly ValueItem<T>[];
    readonly typed?: (text: string) => ValueItem<T> | undefined;
    readonly none?: string;
  },
): Promise<StepResult<T>> {
  const picked = await pickStep<ValueItem<T>>(where, { ...step, mayPick: ({ value }) => value !== undefined });
  if (picked.kind !== "value") return picked;
  return picked.value.value === undefined ? { kind: "left" } : { kind: "value", value: picked.value.value };
}

/**
 * What was typed, as an item that can be chosen once it is an address.
 *
 * @param known - addresses with names: one that only looks like one of them is said to
 */
export function typedAddress(
  text: string,
  known: readonly Pick<ChoosableAccount, "address" | "label">[] = [],
): ValueItem<Address> | undefined {
  if (!/^(T|41|0x)\w{10,}$/.test(text.trim())) return undefined;
  try {
    const value = parseAddress(text.trim());
    return {
      label: t`$(arrow-right) This address`,
      description: `${toBase58(value)} = ${value}`,
      ...likenessOf(value, known),
      value,
      alwaysShow: true,
    };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { label: t`$(error) Not usable yet`, detail: error.message, alwaysShow: true };
  }
}

function accountItem(icon: string, { address, label, note }: ChoosableAccount): ValueItem<Address> {
  const description = [...(note === undefined ? [] : [note]), toBase58(address)].join(" · ");
  return { label: `$(${icon}) ${label}`, description, value: address };
}
