import type { Address, Sun } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import {
  type Ask,
  askSteps,
  pickStep,
  type StepPlace,
  type StepResult,
  textStep,
} from "../../host/prompts/quick-input.ts";
import type { KnownParty } from "../../host/secrets/signing-keys.ts";
import { likenessOf } from "../../labels/reviews.ts";
import {
  checkAmount,
  checkRecipient,
  recipientItems,
  type ShownAccount,
  type ShownItem,
  senderItems,
} from "./send-coins.view.ts";

/** Fields of a payment. */
export interface Payment {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Sun;
}

/** Known fields of a payment. */
type KnownPayment = { readonly [F in keyof Payment]?: Payment[F] | undefined };

type Item = vscode.QuickPickItem & { readonly address?: Address };
type PaymentStep = (known: KnownPayment, place: StepPlace) => Promise<StepResult<KnownPayment>>;

/**
 * Prompts for the missing fields of a payment, one step each, with a way back. Returns undefined if the user cancels.
 *
 * @param parties - who has a name here, the accounts included
 */
export async function askPayment(
  known: KnownPayment,
  accounts: readonly ShownAccount[],
  parties: readonly KnownParty[],
): Promise<Payment | undefined> {
  const steps = openSteps(known, accounts, parties).map(adding);
  return (await askSteps(t`Send Coins`, known, () => steps)) as Payment | undefined;
}

/** Adds the answer of a step to the known fields. */
function adding(question: PaymentStep): Ask<KnownPayment> {
  return async (soFar, place) => mapValue(await question(soFar, place), (more) => ({ ...soFar, ...more }));
}

function openSteps(
  known: KnownPayment,
  accounts: readonly ShownAccount[],
  parties: readonly KnownParty[],
): readonly PaymentStep[] {
  return [
    ...(known.from === undefined ? [askSender(accounts)] : []),
    ...(known.to === undefined ? [askRecipient(accounts, parties)] : []),
    ...(known.amount === undefined ? [askAmount(accounts)] : []),
  ];
}

function askSender(accounts: readonly ShownAccount[]): PaymentStep {
  return async (_known, place) => {
    const items: readonly Item[] = senderItems(accounts);
    const step = { placeholder: t`From which account?`, items, mayPick: isAddressItem };
    return mapValue(await pickStep(place, step), ({ address }) => (address === undefined ? {} : { from: address }));
  };
}

function askRecipient(accounts: readonly ShownAccount[], parties: readonly KnownParty[]): PaymentStep {
  return async ({ from }, place) => {
    if (from === undefined) return { kind: "left" };
    const items: readonly Item[] = recipientItems(accounts, parties, from);
    const typed = (text: string): Item | undefined =>
      matches(items, text) ? undefined : typedRecipient(text, from, parties);
    const step = {
      placeholder: t`To whom? Choose an account or paste an address`,
      items,
      typed,
      mayPick: isAddressItem,
    };
    return mapValue(await pickStep(place, step), ({ address }) => (address === undefined ? {} : { to: address }));
  };
}

function askAmount(accounts: readonly ShownAccount[]): PaymentStep {
  return async ({ from }, place) => {
    const { balance, symbol } = accounts.find((it) => it.address === from) ?? {};
    const step = {
      prompt: t`How many coins?`,
      placeholder: "1.5",
      check: (text: string) => checkAmount(text, balance, symbol),
    };
    return mapValue(await textStep(place, step), (amount) => ({ amount }));
  };
}

function isAddressItem(item: Item): boolean {
  return item.address !== undefined;
}

/** Returns whether the typed text matches the list: then it is a search, not an address. */
function matches(items: readonly ShownItem[] | readonly Item[], text: string): boolean {
  const needle = text.trim().toLowerCase();
  return items.some(({ label, description = "" }) => `${label} ${description}`.toLowerCase().includes(needle));
}

function typedRecipient(text: string, from: Address, parties: readonly KnownParty[]): Item | undefined {
  const checked = checkRecipient(text, from);
  switch (checked.kind) {
    case "empty":
      return undefined;
    case "good":
      return {
        label: t`$(arrow-right) This address`,
        description: checked.message ?? "",
        ...likenessOf(checked.value, parties),
        address: checked.value,
        alwaysShow: true,
      };
    case "wrong":
      return { label: t`$(error) Not usable yet`, detail: checked.message, alwaysShow: true };
  }
}

function mapValue<T, U>(result: StepResult<T>, map: (value: T) => U): StepResult<U> {
  return result.kind === "value" ? { kind: "value", value: map(result.value) } : result;
}
