import { resolveProxy } from "@finality/client/contracts";
import { EVERY_EVENT, type EventFilter, filterOf } from "@finality/client/events";
import { loadDictionary } from "@finality/client/explain";
import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import { eventsCsv } from "@finality/client/labels";
import {
  type AbiCandidate,
  type AbiIndex,
  candidateFromJson,
  createAbiIndex,
  type JsonAbiEntry,
  joinAbiIndexes,
  readAbi,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { type Checked, grouped } from "@finality/tron/format";
import {
  type Address,
  type BlockReference,
  defined,
  parseAddress,
  parseJson,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import type { ContractBook } from "../../host/contracts/contract-book.ts";
import type { IncomingPayments } from "../../host/incoming/incoming-payments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, askSteps, pickParty, pickValue, textStep, typedAddress } from "../../host/prompts/quick-input.ts";
import { writeTable } from "../../host/prompts/write-table.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { checkFrom, type EventWatchState, eventItem, eventsExport, eventsText, readRequired } from "./events.view.ts";
import type { EventsPage } from "./events-page.ts";
import { eventLines } from "./events-page.view.ts";
import type { IncomingServices } from "./services.ts";

/** Maximum number of events of an ABI that a watch stores. */
const MOST_NAMES = 300;

/** Watch as returned to programs. */
interface BegunEventWatch {
  readonly id: string;
  readonly network: string;
  /** base58. */
  readonly contract: string;
  /** Only events in blocks above this height count. */
  readonly afterBlock: number;
}

/** Values of a watch that are known before it starts. */
interface EventAnswers {
  readonly contract?: Address;
  /** "all": every event. */
  readonly event?: AbiCandidate | "all";
  readonly filter?: EventFilter;
  /** "new": from the newest solidified block. */
  readonly from?: number | "new";
}

/**
 * Starts to read the events of a contract.
 *
 * @returns undefined if the user cancels
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `CHAIN_CHANGED`, `INCOMING_UNWRITABLE`, and the errors of the
 *   gateway
 */
export async function watchEvents(
  services: IncomingServices,
  argument: CommandArguments["finality.watchEvents"],
): Promise<BegunEventWatch | undefined> {
  const network = services.networks.get(argument.network);
  const named = argument.address ?? argument.contract;
  const known = named === undefined ? undefined : readAs("contract", named, (text) => contractNamed(services, text));
  const contract = known ?? (await askContract(services, network));
  if (contract === undefined) return undefined;
  const { gateway, place, entries } = await whileWorking(t`Reading the events of the contract`, async (signal) => {
    const [gateway, place] = [await services.gateways.for(network), await services.chains.networkRefOf(network)];
    return { gateway, place, entries: await eventEntries(services, { gateway, contract, chain: place.chain }, signal) };
  });
  const candidates = entries.flatMap((it) => candidateFromJson(it, "") ?? []);
  const answers = await answersFor(services, argument, candidates);
  if (answers === undefined) return undefined;
  const { filter = EVERY_EVENT, from = "new" } = answers;
  const incoming = await services.incoming.ready();
  const after = await whileWorking(t`Reading the newest block`, (signal) => blockBefore(gateway, from, signal));
  const abi = entries.length === 0 ? undefined : JSON.stringify(entries.slice(0, MOST_NAMES));
  const watch = await incoming.beginEvents({
    ...place,
    contract,
    filter,
    after,
    at: services.now(),
    ...defined({ abi, label: argument.label }),
  });
  return { id: watch.id, network: network.name, contract: toBase58(contract), afterBlock: after.number };
}

function contractNamed({ keys }: IncomingServices, text: string): Address {
  return keys.addressOf(text) ?? parseAddress(text);
}

/** Returns the choices of the argument. Prompts for them if a user called and the argument has none. */
async function answersFor(
  { keys }: IncomingServices,
  { event: name, where, from }: CommandArguments["finality.watchEvents"],
  candidates: readonly AbiCandidate[],
): Promise<EventAnswers | undefined> {
  const addressOf = (text: string): Address | undefined => keys.addressOf(text);
  const first = from === undefined ? undefined : readFrom(from);
  if (calledByProgram() || name !== undefined || where !== undefined) {
    if (name === undefined && where !== undefined) throw malformedArgument("where", t`it needs an event`);
    const filter = name === undefined ? EVERY_EVENT : readFilter(eventNamed(candidates, name), where ?? "", addressOf);
    return { filter, ...defined({ from: first }) };
  }
  const steps = (soFar: EventAnswers): readonly Ask<EventAnswers>[] => [
    ...(candidates.length === 0 ? [] : [askEvent(candidates)]),
    ...(soFar.event === undefined || soFar.event === "all" ? [] : [askFilter(soFar.event, addressOf)]),
    ...(first === undefined ? [askFrom] : []),
  ];
  return await askSteps<EventAnswers>(t`Watch Events`, defined({ from: first }), steps);
}

function readFrom(text: string): number {
  const checked = checkFrom(text);
  if (checked.kind !== "good" || checked.value === "new")
    throw malformedArgument("from", t`write the number of a block`);
  return checked.value;
}

function eventNamed(candidates: readonly AbiCandidate[], text: string): AbiCandidate {
  const fitting = candidates.filter((it) => (text.includes("(") ? it.signature === text : it.name === text));
  const [event] = fitting;
  if (event === undefined) throw malformedArgument("event", t`no ABI of the contract has this event`);
  if (fitting.some((it) => it.signature !== event.signature))
    throw malformedArgument("event", t`several events have this name; write the signature`);
  return event;
}

function readFilter(event: AbiCandidate, text: string, addressOf: (text: string) => Address | undefined): EventFilter {
  const checked = checkFilter(event, text, addressOf);
  if (checked.kind === "good") return checked.value;
  throw malformedArgument("where", checked.kind === "wrong" ? checked.message : "");
}

function checkFilter(
  event: AbiCandidate,
  text: string,
  addressOf: (text: string) => Address | undefined,
): Checked<EventFilter> {
  const required = readRequired(text);
  if (required === undefined) return { kind: "wrong", message: t`Write name = value, separated by commas.` };
  const result = filterOf(event, required, addressOf);
  return result.ok
    ? { kind: "good", value: result.filter, message: required.length === 0 ? t`Every event of this name.` : "" }
    : { kind: "wrong", message: t`${result.argument}: ${result.reason}.` };
}

/** Prompts for a contract: those that were deployed from here or added, or a pasted address. */
async function askContract(services: IncomingServices, network: NetworkProfile): Promise<Address | undefined> {
  const own = deploymentsHere(services, network).map(({ address, name }) => ({ address, label: name }));
  const { chain } = await services.chains.networkRefOf(network);
  const book = await services.contractBook();
  const added = (chain === undefined ? [] : book.on(chain)).map(({ address }) => {
    return { address, label: services.nameOf(address) ?? toBase58(address) };
  });
  const pasted = typedAddress(await vscode.env.clipboard.readText())?.value;
  const copied = pasted === undefined ? [] : [{ address: pasted, label: t`On the clipboard` }];
  const all = [...own, ...added, ...copied].map((it) => ({ ...it, watchOnly: true }));
  const accounts = all.filter(({ address }, at) => all.findIndex((it) => it.address === address) === at);
  const placeholder = t`Watch events of which contract? Choose one or paste an address`;
  const none = t`No contract is known here yet. Paste an address above.`;
  const ask: Ask<EventAnswers> = async (soFar, step) => {
    const picked = await pickParty(step, { placeholder, accounts, none });
    return picked.kind === "value" ? { kind: "value", value: { ...soFar, contract: picked.value } } : picked;
  };
  return (await askSteps<EventAnswers>(t`Watch Events`, {}, [ask]))?.contract;
}

function askEvent(candidates: readonly AbiCandidate[]): Ask<EventAnswers> {
  const all = { label: t`$(list-flat) All events`, description: t`unknown ones too`, value: "all" as const };
  return async (soFar, step) => {
    const items = [all, ...candidates.map((it) => ({ ...eventItem(it), value: it }))];
    const picked = await pickValue<AbiCandidate | "all">(step, { placeholder: t`Which events?`, items });
    if (picked.kind !== "value") return picked;
    return { kind: "value", value: { ...soFar, event: picked.value, filter: EVERY_EVENT } };
  };
}

function askFilter(event: AbiCandidate, addressOf: (text: string) => Address | undefined): Ask<EventAnswers> {
  return async (soFar, step) => {
    const { description } = eventItem(event);
    const typed = await textStep(step, {
      prompt: t`Required values? Parameters: ${description}. Leave it empty for all.`,
      placeholder: t`name = value, name = value`,
      check: (text) => checkFilter(event, text, addressOf),
    });
    return typed.kind === "value" ? { kind: "value", value: { ...soFar, filter: typed.value } } : typed;
  };
}

const askFrom: Ask<EventAnswers> = async (soFar, step) => {
  const prompt = t`First block? Leave it empty for new blocks only.`;
  const typed = await textStep(step, { prompt, placeholder: t`new blocks`, check: checkFrom });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, from: typed.value } } : typed;
};

async function blockBefore(gateway: HttpGateway, from: number | "new", signal: AbortSignal): Promise<BlockReference> {
  const newest = await gateway.solidBlock(signal);
  const before = from === "new" ? newest.number : from - 1;
  if (before > newest.number)
    throw malformedArgument("from", t`the newest solidified block is ${grouped(newest.number)}`);
  const [block] = before === newest.number ? [newest] : await gateway.solidBlocks(before, before + 1, signal);
  if (block === undefined) throw malformedArgument("from", t`the network does not have the block before it`);
  return { number: block.number, id: block.id, timestamp: block.timestamp };
}

interface ContractOnChain {
  readonly gateway: HttpGateway;
  readonly contract: Address;
  readonly chain: Parameters<ContractBook["on"]>[0] | undefined;
}

/** Returns the events in the ABI of a contract, and of its implementation if it is a proxy. */
async function eventEntries(
  { artifacts, contractBook }: IncomingServices,
  { gateway, contract, chain }: ContractOnChain,
  signal: AbortSignal,
): Promise<readonly JsonAbiEntry[]> {
  const index = await (await artifacts.get()).ready();
  const book = await contractBook();
  const at = async (address: Address) => {
    const deployed = await gateway.deployedContract(address, signal).catch(unlessNotServed);
    const added = chain === undefined ? undefined : book.find(chain, address)?.abi;
    const [artifact] = [...index.contractsAt(address), ...index.contractsNamed(deployed?.name ?? "")];
    return { deployed, abi: added ?? artifact?.abi() ?? readAbi(deployed?.abi ?? []) ?? [] };
  };
  const own = await at(contract);
  const code = { address: contract, runtimeCode: own.deployed?.runtimeCode };
  const proxy = own.deployed === undefined ? undefined : await resolveProxy(gateway, code, signal);
  const behind = proxy?.implementation === undefined ? [] : (await at(proxy.implementation)).abi;
  const events = [...own.abi, ...behind].filter((it) => it.type?.toLowerCase() === "event");
  const keys = events.map((it) => JSON.stringify([it.name, it.inputs]));
  return events.filter((_, position) => keys.indexOf(keys[position] ?? "") === position);
}

function unlessNotServed(error: unknown): undefined {
  if (isChainError(error) && (error.code === "NODE_REFUSED" || error.code === "PATH_NOT_SERVED")) return undefined;
  throw error;
}

/** Names of the events of watches, by the ABI that a watch stores. */
export class EventNames {
  readonly #indexes = new Map<string, AbiIndex>();
  #dictionary: AbiIndex | undefined;

  async load(): Promise<void> {
    this.#dictionary ??= await loadDictionary();
  }

  of(abi: string | undefined): AbiIndex {
    const key = abi ?? "";
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const entries = abi === undefined ? [] : storedAbi(abi);
    const own = createAbiIndex(entries.flatMap((it) => candidateFromJson(it, "") ?? []));
    const index = this.#dictionary === undefined ? own : joinAbiIndexes(own, this.#dictionary);
    this.#indexes.set(key, index);
    return index;
  }
}

/** Returns the ABI that a watch stores; without entries if its text is damaged, so that its events keep their topics. */
function storedAbi(text: string): readonly JsonAbiEntry[] {
  try {
    return readAbi(parseJson(text)) ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Returns the watches for events in the list, newest first. */
export function eventStates(payments: IncomingPayments, names: EventNames): readonly EventWatchState[] {
  const shown = payments.ledger.eventWatches().filter(({ hiddenAt }) => hiddenAt === undefined);
  return shown.toReversed().map((standing) => {
    const network = payments.networkOf(standing);
    return {
      standing,
      events: payments.ledger.eventsOf(standing),
      abi: names.of(standing.watch.abi),
      active: payments.ledger.isActive(standing),
      full: payments.ledger.isFull(standing),
      network,
      issue: payments.issue(network),
    };
  });
}

const WATCH: readonly NextStep[] = [{ title: t`Watch Events…`, command: "finality.watchEvents" }];

/**
 * Shows the page of events. Returns the number of events that it lists; undefined if no events are watched.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` for an unknown watch
 */
export function showEvents(
  page: EventsPage,
  states: readonly EventWatchState[],
  { id }: CommandArguments["finality.showEvents"],
): { readonly events: number } | undefined {
  const watch = id === undefined ? undefined : states.find(({ standing }) => standing.watch.id === id);
  if (id !== undefined && watch === undefined) throw malformedArgument("id", t`no watch in the list has this id`);
  if (states.length === 0) {
    void notifyWithSteps("information", t`No events are watched.`, WATCH);
    return undefined;
  }
  page.show(states, watch);
  const shown = watch === undefined ? states : [watch];
  return { events: shown.reduce((sum, it) => sum + it.events.length, 0) };
}

/** Result of an export. */
interface ExportedEvents {
  /** Number of events, including removed ones. */
  readonly events: number;
  readonly json: string;
  readonly csv: string;
  /** Path or URI of the file. */
  readonly file?: string;
}

/**
 * Exports the events of one watch or of all as CSV, JSON or JSON Lines. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` for an unknown watch, or a given file that exists
 */
export async function exportEvents(
  all: readonly EventWatchState[],
  { id, file: name }: CommandArguments["finality.exportEvents"],
  raw: unknown,
): Promise<ExportedEvents | undefined> {
  const states = id === undefined ? all : all.filter(({ standing }) => standing.watch.id === id);
  if (id !== undefined && states.length === 0) throw malformedArgument("id", t`no watch in the list has this id`);
  if (states.length === 0 && !isCallOfProgram(raw)) {
    void notifyWithSteps("information", t`No events are watched.`, WATCH);
    return undefined;
  }
  const events = states.reduce((sum, it) => sum + it.events.length, 0);
  const [json, csv, jsonl] = [eventsExport(states), eventsCsv(states), eventLines(states)];
  const written = await writeTable(
    { json, csv, jsonl },
    { title: t`Export Events`, fileName: "events", what: eventsText(events), named: name },
    raw,
  );
  return written && { events, json, csv, ...written };
}
