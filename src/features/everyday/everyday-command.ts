import type { Vote } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  isJsonObject,
  type Json,
  parseAddress,
  parseCoins,
  type Sun,
  toBase58,
  wholeNumberIn,
} from "@finality/tron/primitives";
import type { StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import {
  type CommandArguments,
  exactNumber,
  malformedArgument,
  readAcknowledged,
  readAs,
  readParty,
  readPermissionId,
} from "../../host/commands/command-arguments.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import type { SystemIntent } from "../../labels/system-words.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import { accountsToSign } from "../../sending/possible-signers.ts";
import { systemContract } from "../../sending/system-contract.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { asksFor } from "./ask-everyday.ts";
import {
  type Answers,
  type EverydayKind,
  intentOf,
  isAnswered,
  readField,
  TITLES,
  type TypedField,
} from "./everyday.view.ts";
import type { EverydayPlace, EverydayServices } from "./services.ts";
import { wholeVotes } from "./votes.view.ts";

/** The fields of all commands of this feature; each has some of them. */
export type EverydayArgument = CommandArguments["finality.delegate"] &
  Pick<CommandArguments["finality.vote"], "votes"> &
  Pick<CommandArguments["finality.sendTrc10"], "tokenId"> &
  Pick<CommandArguments["finality.updateAccountName"], "name"> &
  Pick<CommandArguments["finality.setCallersShare"], "contract" | "percent"> &
  Pick<CommandArguments["finality.setEnergyLimit"], "limit">;

/**
 * Does one of the everyday things: asks for what is missing, builds, verifies, shows, signs, remembers, broadcasts.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `SIGNING_ACCOUNT_MISSING`, `SIGNING_KEY_MISSING`, and what sending
 *   throws
 */
export async function everydayCommand(
  services: EverydayServices,
  kind: EverydayKind,
  argument: EverydayArgument,
): Promise<SentTransaction | undefined> {
  const place = await placeOf(services, argument);
  const known = readAnswers(place, kind, argument);
  const isComplete = isAnswered(kind, known);
  const unattended = isUnattended(isComplete);
  const answers = isComplete ? known : await askSteps(TITLES[kind], known, asksFor(place, kind, known));
  const permissionId = readPermissionId(argument.permissionId);
  const wanted: SystemIntent | undefined = answers && intentOf(kind, answers);
  if (wanted === undefined) return undefined;
  const intent: SystemIntent = permissionId === undefined ? wanted : { ...wanted, permissionId };
  const { label, acknowledgeUnknown } = argument;
  const sender = await services.sender();
  return await sender.send(systemContract, {
    ...place,
    intent,
    label,
    expiresInMs: expirySeconds(argument.expirySeconds, services.keys.isOutside(intent.owner)) * 1000,
    unattended,
    exportOptions: exportOptionsOf(argument),
    nameOf: (address) => services.keys.nameOf(address),
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
  });
}

async function placeOf(
  services: EverydayServices,
  { network: name, share }: Pick<EverydayArgument, "network" | "share">,
): Promise<EverydayPlace> {
  const network = services.networks.get(name);
  await services.transactions.ready();
  const accounts = accountsToSign(services.keys, network, share);
  const contracts = deploymentsHere(services, network);
  return {
    network,
    accounts,
    parties: services.keys.knownOn(network),
    contracts,
    gateway: await services.gateways.for(network),
  };
}

function readAnswers(place: EverydayPlace, kind: EverydayKind, argument: EverydayArgument): Answers {
  const { from = argument.address, resource, to, amount, lockBlocks, contract, votes } = argument;
  return {
    ...(from !== undefined && { from: signerNamed(place, from) }),
    ...(resource !== undefined && { resource: purposeOf(resource) }),
    ...(to !== undefined && { to: readParty("to", to, place.parties) }),
    ...(amount !== undefined && kind !== "token-transfer" && { amount: readAs("amount", amount, positiveCoins) }),
    ...(amount !== undefined && kind === "token-transfer" && fieldOf("amount", "units", amount)),
    ...(lockBlocks !== undefined && { lockPeriod: blocksOf(lockBlocks) }),
    ...(contract !== undefined && { contract: contractNamed(place, contract) }),
    ...(votes !== undefined && { votes: readVotes(place, votes) }),
    ...typed(argument, "tokenId"),
    ...typed(argument, "name"),
    ...typed(argument, "percent"),
    ...typed(argument, "limit"),
  };
}

function typed(argument: EverydayArgument, field: Exclude<TypedField, "units">): Answers {
  const text = argument[field];
  return text === undefined ? {} : fieldOf(field, field, text);
}

function fieldOf(argument: string, field: TypedField, text: string): Answers {
  const value = readField(field, text);
  if (typeof value === "string") throw malformedArgument(argument, value.replace(/[.。]$/, ""));
  return value;
}

/** A contract may be named as it was deployed from here. */
function contractNamed({ contracts }: EverydayPlace, text: string): Address {
  return contracts.find(({ name }) => name === text.trim())?.address ?? readAs("contract", text, parseAddress);
}

function signerNamed(place: EverydayPlace, text: string): Address {
  const address = readParty("from", text, place.accounts);
  // Whether keys here may sign for it, its permissions tell.
  const isHere = place.accounts.some((it) => it.address === address);
  if (!isHere) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  return address;
}

/** Witnesses by their address or, where they have a name here, by that; with a number for each. */
function readVotes(place: EverydayPlace, json: Json): readonly Vote[] {
  if (!isJsonObject(json)) throw malformedArgument("votes", t`write { "<address of a witness>": <votes> }`);
  const votes = Object.entries(json).map(([name, number]) => {
    const count = wholeVotes(typeof number === "number" ? exactNumber("votes", number) : String(number));
    if (count === undefined) throw malformedArgument("votes", t`write a whole number of votes, at least 1`);
    return { witness: readParty("votes", name, place.parties), count };
  });
  if (new Set(votes.map(({ witness }) => witness)).size === votes.length) return votes;
  throw malformedArgument("votes", t`name each witness once`);
}

const PURPOSES: { readonly [word: string]: StakePurpose } = {
  energy: "ENERGY",
  bandwidth: "BANDWIDTH",
  votes: "TRON_POWER",
};

function purposeOf(text: string): StakePurpose {
  const purpose = PURPOSES[text.trim().toLowerCase()];
  if (purpose === undefined) throw malformedArgument("resource", t`write "energy", "bandwidth" or "votes"`);
  return purpose;
}

function positiveCoins(text: string): Sun {
  const amount = parseCoins(text);
  if (amount > 0n) return amount;
  throw new ChainError("AMOUNT_MALFORMED", { text, reason: t`write more than 0` });
}

function blocksOf(text: string): bigint {
  const blocks = wholeNumberIn(text);
  if (blocks !== undefined && blocks < 10n ** 9n) return blocks;
  throw malformedArgument("lockBlocks", t`write a whole number of blocks of 3 s`);
}
