import { ChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import { type Address, defined, parseAddress, toBase58 } from "@finality/tron/primitives";
import { partiesOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { KnownNames } from "../../host/addresses/address-names.ts";
import { type CommandArguments, malformedArgument, readAs, readTxId } from "../../host/commands/command-arguments.ts";
import type { Commands, RegisterCommand } from "../../host/commands/commands.ts";
import type { Log } from "../../host/log/log.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import { pickParty, pickValue, textStep } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { changedNotice, checkName, nameQuestion, programQuestion } from "./address-names.view.ts";

interface AddressNaming {
  readonly commands: Commands<"addressNames">;
  /** Reports entries that cannot be used, and names that now mean another address. Reports each once. */
  tellProblems(): void;
}

/** Creates the command. Loaded when it first runs. */
export function createAddressNames(services: NamingServices): AddressNaming {
  const reported = new Set<string>();
  return {
    commands: { "finality.nameAddress": (argument) => nameAddress(services, argument) },
    tellProblems: () => void reportProblems(services, reported),
  };
}

async function reportProblems({ knownNames }: NamingServices, reported: Set<string>): Promise<void> {
  const [accept, settings] = [t`Confirm Name`, t`Open Settings`];
  for (const entry of knownNames.list()) {
    const message = changedNotice(entry);
    if (message === undefined || reported.has(message)) continue;
    reported.add(message);
    const chosen = await notify("warning", message, settings, accept);
    if (chosen === accept) await knownNames.accept(entry);
    if (chosen === settings) await openSettings();
  }
  const fresh = knownNames.problems.map(({ message }) => message).find((it) => !reported.has(it));
  if (fresh === undefined) return;
  reported.add(fresh);
  if ((await notify("warning", fresh, settings)) !== undefined) await openSettings();
}

function openSettings(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.action.openSettingsJson");
}

/** Services that the naming of addresses needs. */
export interface NamingServices {
  readonly registerCommand: RegisterCommand;
  readonly knownNames: KnownNames;
  readonly keys: Pick<SigningKeys, "find" | "list" | "nameOf">;
  readonly transactions: Pick<TransactionService, "ready" | "get">;
  readonly log: Pick<Log, "info" | "error">;
}

/** Result of the command. */
interface NamingResult {
  /** base58. */
  readonly address: string;
  /** Undefined if the name was removed. */
  readonly name?: string;
}

type Naming = CommandArguments["finality.nameAddress"];

const STEP = { title: t`Name Address`, step: 0, totalSteps: 0 };
/** Shown in place of a name. */
const TAKE_AWAY = "";

/**
 * Names an address, or removes its name. A name given by a program needs confirmation, because names decide who is
 * paid. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
async function nameAddress(services: NamingServices, argument: Naming): Promise<NamingResult | undefined> {
  const { knownNames, keys } = services;
  const address = await addressToName(services, argument);
  if (address === undefined) return undefined;
  const account = keys.find(address);
  if (account !== undefined) {
    throw malformedArgument("address", t`${toBase58(address)} is an account here and has its label, ${account.label}`);
  }
  const before = knownNames.list().find((it) => it.address === address)?.name;
  const others = [...keys.list(), ...entries(knownNames)].filter((it) => it.address !== address);
  const name = argument.name === undefined ? await askName(address, before, others) : readName(argument.name, others);
  if (name === undefined) return undefined;
  const after = name === TAKE_AWAY ? undefined : name;
  if (argument.name !== undefined) {
    const isConfirmed = await confirmModal(
      programQuestion(address, before, after),
      after === undefined ? t`Remove Name` : t`Set Name`,
    );
    if (!isConfirmed) return undefined;
  }
  await knownNames.save(address, after);
  return { address: toBase58(address), ...defined({ name: after }) };
}

type Others = Parameters<typeof checkName>[1];

async function addressToName(services: NamingServices, { address, txId }: Naming): Promise<Address | undefined> {
  if (address !== undefined) return readAs("address", address, parseAddress);
  if (txId !== undefined) return await partyToName(services, txId);
  const { knownNames } = services;
  const picked = await pickParty(STEP, {
    placeholder: t`Which address? Paste it, or choose one that has a name`,
    accounts: entries(knownNames),
    none: t`The address book is empty. Paste an address above.`,
  });
  return picked.kind === "value" ? picked.value : undefined;
}

function entries(knownNames: NamingServices["knownNames"]) {
  return knownNames.list().map((it) => ({ address: it.address, label: it.name, watchOnly: true }));
}

/** Returns the addresses that received something in a transaction. */
async function partyToName({ transactions, keys }: NamingServices, text: string): Promise<Address | undefined> {
  await transactions.ready();
  const signed = transactions.get(readTxId("txId", text))?.signed;
  const all = signed === undefined ? [] : [...partiesOf(signed.intent), ...contractOf(signed.intent)];
  const parties = all.filter((it) => keys.find(it) === undefined);
  const [only, ...more] = parties;
  if (only === undefined) throw malformedArgument("txId", t`this transaction involves only your own accounts`);
  if (more.length === 0) return only;
  const items = parties.map((value) => ({ label: toBase58(value), description: keys.nameOf(value) ?? "", value }));
  const picked = await pickValue(STEP, { placeholder: t`Which address?`, items });
  return picked.kind === "value" ? picked.value : undefined;
}

function contractOf(intent: object): readonly Address[] {
  return "contract" in intent && typeof intent.contract === "string" ? [intent.contract as Address] : [];
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
function readName(text: string, others: Others): string {
  const checked = checkName(text, others);
  if (checked.kind === "empty") return TAKE_AWAY;
  if (checked.kind === "good") return checked.value;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", {
    argument: "name",
    reason: withoutStop(checked.message),
  });
}

async function askName(address: Address, before: string | undefined, others: Others): Promise<string | undefined> {
  const hint = before === undefined ? "" : t` Leave it empty to remove the name.`;
  const typed = await textStep(STEP, {
    prompt: nameQuestion(address, others) + hint,
    placeholder: t`Rewards`,
    value: before ?? "",
    check: (text) => {
      const checked = checkName(text, others);
      return checked.kind === "empty" && before !== undefined ? { kind: "good", value: TAKE_AWAY } : checked;
    },
  });
  return typed.kind === "value" ? typed.value : undefined;
}
