import type { Vote } from "@finality/client/gateway";
import type { SystemIntent } from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
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
import type { Commands } from "../../host/commands/commands.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import { accountsToSign } from "../../sending/possible-signers.ts";
import { systemContract } from "../../sending/system-contract.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { promptsFor } from "./prompts.ts";
import type { SystemCommandContext, SystemContractServices } from "./services.ts";
import {
  intentOf,
  isComplete,
  readField,
  type SystemCommandKind,
  type SystemFields,
  TITLES,
  type TypedField,
} from "./system-fields.view.ts";
import { wholeVotes } from "./votes.view.ts";

/** Implements the commands of this feature. Loaded with the first of them. */
export function createSystemContracts(services: SystemContractServices): {
  readonly commands: Commands<"systemContracts">;
} {
  return {
    commands: {
      "finality.stake": (argument) => sendSystemContract(services, "stake", argument),
      "finality.unstake": (argument) => sendSystemContract(services, "unstake", argument),
      "finality.withdrawUnstaked": (argument) => sendSystemContract(services, "withdraw", argument),
      "finality.cancelUnstakes": (argument) => sendSystemContract(services, "cancel-unstakes", argument),
      "finality.delegate": (argument) => sendSystemContract(services, "delegate", argument),
      "finality.undelegate": (argument) => sendSystemContract(services, "undelegate", argument),
      "finality.vote": (argument) => sendSystemContract(services, "vote", argument),
      "finality.withdrawReward": (argument) => sendSystemContract(services, "claim-reward", argument),
      "finality.sendTrc10": (argument) => sendSystemContract(services, "token-transfer", argument),
      "finality.createAccount": (argument) => sendSystemContract(services, "account-creation", argument),
      "finality.updateAccountName": (argument) => sendSystemContract(services, "account-name", argument),
      "finality.setCallersShare": (argument) => sendSystemContract(services, "contract-share", argument),
      "finality.setEnergyLimit": (argument) => sendSystemContract(services, "contract-limit", argument),
      "finality.clearAbi": (argument) => sendSystemContract(services, "contract-abi-removal", argument),
    },
  };
}

/** Arguments of all commands of this feature; each command uses some of them. */
export type SystemCommandArgument = CommandArguments["finality.delegate"] &
  Pick<CommandArguments["finality.vote"], "votes"> &
  Pick<CommandArguments["finality.sendTrc10"], "tokenId"> &
  Pick<CommandArguments["finality.updateAccountName"], "name"> &
  Pick<CommandArguments["finality.setCallersShare"], "contract" | "percent"> &
  Pick<CommandArguments["finality.setEnergyLimit"], "limit">;

/**
 * Sends a system contract: prompts for missing values, then runs the send pipeline. Returns undefined if the user
 * cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `SIGNING_ACCOUNT_MISSING`, `SIGNING_KEY_MISSING`, and what sending
 *   throws
 */
export async function sendSystemContract(
  services: SystemContractServices,
  kind: SystemCommandKind,
  argument: SystemCommandArgument,
): Promise<SentTransaction | undefined> {
  const context = await contextFor(services, argument);
  const known = readFields(context, kind, argument);
  const hasAll = isComplete(kind, known);
  const unattended = isUnattended(hasAll);
  const fields = hasAll ? known : await askSteps(TITLES[kind], known, promptsFor(context, kind, known));
  const permissionId = readPermissionId(argument.permissionId);
  const request: SystemIntent | undefined = fields && intentOf(kind, fields);
  if (request === undefined) return undefined;
  const intent: SystemIntent = permissionId === undefined ? request : { ...request, permissionId };
  const { label, acknowledgeUnknown } = argument;
  const sender = await services.sender();
  return await sender.send(systemContract, {
    ...context,
    intent,
    label,
    expiresInMs: expirySeconds(argument.expirySeconds, services.keys.isOutside(intent.owner)) * 1000,
    unattended,
    exportOptions: exportOptionsOf(argument),
    nameOf: (address) => services.keys.nameOf(address),
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
  });
}

async function contextFor(
  services: SystemContractServices,
  { network: name, share }: SystemCommandArgument,
): Promise<SystemCommandContext> {
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

function readFields(
  context: SystemCommandContext,
  kind: SystemCommandKind,
  argument: SystemCommandArgument,
): SystemFields {
  const { from = argument.address, resource, to, amount, lockBlocks, contract, votes } = argument;
  return {
    ...(from !== undefined && { from: signerNamed(context, from) }),
    ...(resource !== undefined && { resource: purposeOf(resource) }),
    ...(to !== undefined && { to: readParty("to", to, context.parties) }),
    ...(amount !== undefined && kind !== "token-transfer" && { amount: readAs("amount", amount, positiveCoins) }),
    ...(amount !== undefined && kind === "token-transfer" && fieldOf("amount", "units", amount)),
    ...(lockBlocks !== undefined && { lockPeriod: blocksOf(lockBlocks) }),
    ...(contract !== undefined && { contract: contractNamed(context, contract) }),
    ...(votes !== undefined && { votes: readVotes(context, votes) }),
    ...typed(argument, "tokenId"),
    ...typed(argument, "name"),
    ...typed(argument, "percent"),
    ...typed(argument, "limit"),
  };
}

function typed(argument: SystemCommandArgument, field: Exclude<TypedField, "units">): SystemFields {
  const text = argument[field];
  return text === undefined ? {} : fieldOf(field, field, text);
}

function fieldOf(argument: string, field: TypedField, text: string): SystemFields {
  const value = readField(field, text);
  if (typeof value === "string") throw malformedArgument(argument, withoutStop(value));
  return value;
}

/** Contracts that were deployed from here may be given by name. */
function contractNamed({ contracts }: SystemCommandContext, text: string): Address {
  return contracts.find(({ name }) => name === text.trim())?.address ?? readAs("contract", text, parseAddress);
}

function signerNamed(context: SystemCommandContext, text: string): Address {
  const address = readParty("from", text, context.accounts);
  // The permissions of the account determine whether local keys may sign for it.
  const isHere = context.accounts.some((it) => it.address === address);
  if (!isHere) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  return address;
}

/** Lists witnesses by name or address, with their number of votes. */
function readVotes(context: SystemCommandContext, json: Json): readonly Vote[] {
  if (!isJsonObject(json)) throw malformedArgument("votes", t`write { "<address of a witness>": <votes> }`);
  const votes = Object.entries(json).map(([name, number]) => {
    const count = wholeVotes(typeof number === "number" ? exactNumber("votes", number) : String(number));
    if (count === undefined) throw malformedArgument("votes", t`write a whole number of votes, at least 1`);
    return { witness: readParty("votes", name, context.parties), count };
  });
  if (new Set(votes.map(({ witness }) => witness)).size === votes.length) return votes;
  throw malformedArgument("votes", t`name each witness once`);
}

const PURPOSES: { readonly [text: string]: StakePurpose } = {
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
