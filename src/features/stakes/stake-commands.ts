import { ChainError } from "../../core/errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "../../core/primitives/address.ts";
import { parseCoins, type Sun } from "../../core/primitives/amount.ts";
import type { StakePurpose } from "../../core/transaction/intent.ts";
import { malformedArgument, readAcknowledged, readAs } from "../../host/commands/command-arguments.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { askSteps } from "../../host/prompts/ask-steps.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import { sendSystem } from "../../host/sending/send-system.ts";
import type { SystemIntent } from "../../words/sentences/system-review.ts";
import { asksFor } from "./ask-stake.ts";
import type { StakePlace, StakeServices } from "./services.ts";
import { intentOf, isAnswered, type StakeAnswers, type StakeKind, TITLES } from "./stakes.view.ts";

/** The fields of all commands of this feature; each has some of them. */
export type StakeArgument = CommandArguments["finality.delegate"];

/**
 * Stakes, lends or takes back: asks for what is missing, builds, verifies, shows, signs, remembers, broadcasts.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `SIGNING_ACCOUNT_MISSING`, `SIGNING_KEY_MISSING`, and what sending
 *   throws
 */
export async function stakeCommand(
  services: StakeServices,
  kind: StakeKind,
  argument: StakeArgument,
): Promise<SentTransaction | undefined> {
  const place = await placeOf(services, argument.network);
  const known = readAnswers(place, argument);
  const unattended = isAnswered(kind, known);
  const answers = unattended ? known : await askSteps(TITLES[kind], known, asksFor(place, kind, known));
  const intent: SystemIntent | undefined = answers && intentOf(kind, answers);
  if (intent === undefined) return undefined;
  const { label, acknowledgeUnknown, expirySeconds } = argument;
  return await sendSystem(services, {
    ...place,
    intent,
    label,
    expirySeconds,
    unattended,
    nameOf: (address) => services.keys.nameOf(address),
    acknowledgeUnknown: acknowledgeUnknown && readAcknowledged(acknowledgeUnknown),
  });
}

async function placeOf(services: StakeServices, name: string | undefined): Promise<StakePlace> {
  const network = services.networks.get(name);
  await services.transactions.ready();
  const accounts = services.keys.listOn(network);
  if (accounts.every(({ watchOnly }) => watchOnly)) {
    throw new ChainError("SIGNING_ACCOUNT_MISSING", { network: network.name });
  }
  return { network, accounts, gateway: await services.gateways.for(network) };
}

function readAnswers(place: StakePlace, argument: StakeArgument): StakeAnswers {
  const { from = argument.address, resource, to, amount, lockBlocks } = argument;
  return {
    ...(from !== undefined && { from: signerNamed(place, from) }),
    ...(resource !== undefined && { resource: purposeOf(resource) }),
    ...(to !== undefined && { to: partyNamed(place, "to", to) }),
    ...(amount !== undefined && { amount: readAs("amount", amount, positiveCoins) }),
    ...(lockBlocks !== undefined && { lockPeriod: blocksOf(lockBlocks) }),
  };
}

function signerNamed(place: StakePlace, text: string): Address {
  const address = partyNamed(place, "from", text);
  const canSign = place.accounts.some((it) => it.address === address && !it.watchOnly);
  if (!canSign) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  return address;
}

function partyNamed({ accounts }: StakePlace, argument: string, text: string): Address {
  const named = accounts.find(({ label }) => label === text.trim())?.address;
  return named ?? readAs(argument, text, parseAddress);
}

const PURPOSES: { readonly [word: string]: StakePurpose } = {
  energy: "ENERGY",
  bandwidth: "BANDWIDTH",
  votes: "TRON_POWER",
};

function purposeOf(text: string): StakePurpose {
  const purpose = PURPOSES[text.trim().toLowerCase()];
  if (purpose === undefined) throw malformedArgument("resource", 'write "energy", "bandwidth" or "votes"');
  return purpose;
}

function positiveCoins(text: string): Sun {
  const amount = parseCoins(text);
  if (amount > 0n) return amount;
  throw new ChainError("AMOUNT_MALFORMED", { text, reason: "write more than 0" });
}

function blocksOf(text: string): bigint {
  if (/^\d{1,9}$/.test(text.trim())) return BigInt(text.trim());
  throw malformedArgument("lockBlocks", "write a whole number of blocks of 3 s");
}
