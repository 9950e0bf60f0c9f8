import { type Address, cleanLabel, labelFault, parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { passProgram, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { askWatch, type WatchAnswers } from "./ask-watch.ts";
import { watchTitle } from "./incoming.view.ts";
import type { IncomingServices } from "./services.ts";
import { readExpected, readToken } from "./watch-fields.view.ts";

/** A watch as programs get it. */
export interface BegunWatch {
  readonly id: string;
  readonly network: string;
  /** base58. */
  readonly address: string;
  /** Payments in blocks above this one count. */
  readonly afterBlock: number;
}

/**
 * Begins to wait for payments to an address, from the newest solidified block on.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `CHAIN_CHANGED`, `INCOMING_UNWRITABLE`, and what the gateway throws
 */
export async function watchIncoming(
  services: IncomingServices,
  argument: CommandArguments["finality.watchIncoming"],
): Promise<BegunWatch | undefined> {
  const network = services.networks.get(argument.network);
  const known = readAnswers(services, argument);
  const isComplete = known.address !== undefined;
  const answers = isComplete
    ? { token: { kind: "coins" } as const, expected: "all" as const, ...known, address: known.address }
    : await askWatch(known, services.keys.knownOn(network), await vscode.env.clipboard.readText());
  if (answers === undefined) return undefined;
  const { address, token, expected } = answers;
  const incoming = await services.incoming.ready();
  const [place, { number, id, timestamp }] = await whileWorking(t`Reading the newest block`, async (signal) => {
    const [place, gateway] = [await services.chains.placeOn(network), await services.gateways.for(network)];
    return [place, await gateway.solidBlock(signal)];
  });
  const watch = await incoming.begin({
    ...place,
    address,
    token,
    after: { number, id, timestamp },
    at: services.now(),
    ...(expected === "all" ? {} : { expected }),
    ...(argument.label === undefined ? {} : { label: labelOf(argument.label) }),
  });
  return { id: watch.id, network: network.name, address: toBase58(address), afterBlock: number };
}

function readAnswers(
  { keys }: IncomingServices,
  { address, token, amount }: CommandArguments["finality.watchIncoming"],
): WatchAnswers {
  const paidIn = token === undefined ? undefined : readAs("token", token, readToken);
  const inUnit = paidIn ?? { kind: "coins" };
  const partyNamed = (text: string): Address => keys.addressOf(text) ?? parseAddress(text);
  return {
    ...(address === undefined ? {} : { address: readAs("address", address, partyNamed) }),
    ...(paidIn === undefined ? {} : { token: paidIn }),
    ...(amount === undefined ? {} : { expected: readAs("amount", amount, (text) => readExpected(text, inUnit)) }),
  };
}

function labelOf(text: string): string {
  if (labelFault(text, []) !== undefined)
    throw malformedArgument("label", t`it is empty, or has characters nobody sees`);
  return cleanLabel(text);
}

const WATCH: readonly NextStep[] = [{ title: t`Watch Incoming…`, command: "finality.watchIncoming" }];

/**
 * Stops waiting, or takes a watch out of the list as well. What came in stays in the file.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `INCOMING_UNWRITABLE`
 */
export async function endWatch(
  { incoming, nameOf, now, networks }: IncomingServices,
  kind: "stopped" | "hidden",
  id: string | undefined,
): Promise<{ readonly id: string } | undefined> {
  const payments = await incoming.ready();
  const shown = payments.ledger.list().filter(({ hiddenAt }) => hiddenAt === undefined);
  const fitting = kind === "hidden" ? shown : shown.filter(({ stoppedAt }) => stoppedAt === undefined);
  const all = fitting.map(({ watch }) => watch);
  const items = all.map((watch) => ({ label: watchTitle(watch, nameOf), description: toBase58(watch.address), watch }));
  if (id === undefined && items.length === 0) {
    void notifyWithSteps("information", t`Nobody is waited for.`, WATCH);
    return undefined;
  }
  const title = kind === "hidden" ? t`Remove Incoming from List` : t`Stop Watching`;
  const chosen = id === undefined ? (await quickPick(items, { title }))?.watch.id : id;
  if (chosen === undefined) return undefined;
  const standing = payments.ledger.get(chosen);
  if (standing === undefined) throw malformedArgument("id", t`no watch has it`);
  const isLocal = networks.find(payments.networkOf(standing))?.local === true;
  const question = { title, detail: `${watchTitle(standing.watch, nameOf)}\n${toBase58(standing.watch.address)}` };
  if (!isLocal && !(await passProgram(question, kind === "hidden" ? t`Remove` : t`Stop Watching`))) return undefined;
  await payments.add([{ kind, id: chosen, at: now() }]);
  return { id: chosen };
}
