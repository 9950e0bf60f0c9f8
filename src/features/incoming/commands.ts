import { coinSymbolOf } from "@finality/client/gateway";
import {
  type BlockWatch,
  type BlockWatchStatus,
  isEventWatch,
  type PaidToken,
  type Payment,
  paymentKey,
} from "@finality/client/incoming";
import { isChainError } from "@finality/tron/errors";
import { type Checked, formatTime, type NameOf } from "@finality/tron/format";
import { type Address, cleanLabel, defined, labelFault, parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import type { IncomingPayments } from "../../host/incoming/incoming-payments.ts";
import { confirmForProgram, notify, whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  askSteps,
  pickParty,
  pickValue,
  quickPick,
  textStep,
  typedAddress,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import { writeTable } from "../../host/prompts/write-table.ts";
import type { KnownParty } from "../../host/secrets/signing-keys.ts";
import {
  describeEvent,
  describeEventWatch,
  type EventWatchState,
  eventsLabel,
  eventWatchTitle,
} from "./events.view.ts";
import { EventsPage } from "./events-page.ts";
import {
  checkExpected,
  describePayment,
  describeWatch,
  type IncomingContext,
  type IncomingState,
  incomingCsv,
  incomingJson,
  incomingLabel,
  paymentsNotice,
  paymentsText,
  readExpected,
  readToken,
  type WatchLabels,
  watchTitle,
} from "./incoming.view.ts";
import { type DrawRows, type ShownWatch, WatchRows } from "./incoming-rows.ts";
import { PaymentNotices } from "./payment-notices.ts";
import type { IncomingServices } from "./services.ts";
import { EventNames, eventStates, exportEvents, showEvents, watchEvents } from "./watch-events.ts";

interface IncomingPart extends vscode.Disposable {
  readonly commands: Commands<"incoming">;
  /** Renders the rows. Called when the view becomes visible. */
  look(): Promise<void>;
  /** Restores the page of events of the previous session. */
  revive(panel: vscode.WebviewPanel): Promise<void>;
}

/** Kinds of watches that exist. */
export interface KnownWatches {
  readonly watch: boolean;
  readonly events: boolean;
  readonly active: boolean;
  readonly stopped: boolean;
}

/** Receives the rows, and whether there are watches. */
interface IncomingListeners {
  readonly draw: DrawRows;
  readonly tell: (has: KnownWatches) => void;
}

/** Creates the commands and rows of incoming payments. Loaded when the view is visible or a watch runs. */
export function createIncoming(services: IncomingServices, { draw, tell }: IncomingListeners): IncomingPart {
  const { incoming, keys, networks, nameOf, now } = services;
  const roots: { incoming: Parameters<DrawRows>[0]; events: Parameters<DrawRows>[0] } = { incoming: [], events: [] };
  const drawn = (kind: keyof typeof roots): DrawRows => {
    return (all, row) => {
      roots[kind] = all;
      draw([...roots.incoming, ...roots.events], row);
    };
  };
  const [rows, eventRows] = [new WatchRows("incoming", drawn("incoming")), new WatchRows("events", drawn("events"))];
  const names = new EventNames();
  const context = { nameOf, timeOf: (ms: number) => formatTime(ms, now()) };
  const readEvents = async (): Promise<readonly EventWatchState[]> => {
    const payments = await incoming.ready();
    if (payments.ledger.eventWatches().length > 0) await names.load();
    return eventStates(payments, names);
  };
  const page = new EventsPage(services, context);
  const refresh = async (hasNewNames = false): Promise<void> => {
    const events = await readEvents();
    page.update(events, hasNewNames);
    const states = shownStates(await incoming.ready(), networks);
    const all = [...states, ...events];
    tell({
      watch: all.length > 0,
      events: events.length > 0,
      active: all.some(({ standing }) => standing.stoppedAt === undefined),
      stopped: all.some(({ standing }) => standing.stoppedAt !== undefined),
    });
    rows.show(
      incomingLabel(states),
      states.map((it) => shownPayments(it, context)),
    );
    eventRows.show(
      eventsLabel(events),
      events.map((it) => shownEvents(it, context)),
    );
  };
  const notices = new PaymentNotices({
    notices: services.notices,
    now,
    sleep: services.sleep,
    textOf: async (payments) => {
      const states = shownStates(await incoming.ready(), networks);
      return paymentsNotice(payments, nameOf, (it) => watchLabelsOf(it, states));
    },
  });
  const subscriptions = vscode.Disposable.from(
    notices,
    incoming.onDidChange(({ payments }) => {
      notices.add(payments);
      void refresh();
    }),
    page,
    keys.onDidChange(() => void refresh(true)),
    networks.onDidChange(() => void refresh()),
  );
  return {
    commands: commandsOf(services, page, readEvents),
    look: refresh,
    revive: async (panel) => page.take(panel, await readEvents()),
    dispose: () => subscriptions.dispose(),
  };
}

function commandsOf(
  services: IncomingServices,
  page: EventsPage,
  readEvents: () => Promise<readonly EventWatchState[]>,
): Commands<"incoming"> {
  const readPayments = async () => shownStates(await services.incoming.ready(), services.networks);
  return {
    "finality.watchIncoming": (argument) => watchIncoming(services, argument),
    "finality.stopWatchingIncoming": ({ id }) => changeWatch(services, "stopped", id),
    "finality.resumeWatching": ({ id }) => changeWatch(services, "resumed", id),
    "finality.removeIncoming": ({ id }) => changeWatch(services, "hidden", id),
    "finality.exportIncoming": async (argument, raw) => exportIncoming(await readPayments(), argument, raw),
    "finality.watchEvents": (argument) => watchEvents(services, argument),
    "finality.showEvents": async (argument) => showEvents(page, await readEvents(), argument),
    "finality.exportEvents": async (argument, raw) => exportEvents(await readEvents(), argument, raw),
  };
}

/** Watches in the list, newest first. */
function shownStates(payments: IncomingPayments, networks: IncomingServices["networks"]): readonly IncomingState[] {
  const shown = payments.ledger.list().filter(({ hiddenAt }) => hiddenAt === undefined);
  return shown.reverse().map((standing) => {
    const network = payments.networkOf(standing);
    return {
      standing,
      payments: payments.ledger.paymentsOf(standing),
      active: payments.ledger.isActive(standing),
      network,
      symbol: coinSymbolOf(networks.find(network)?.baseUrl),
      issue: payments.issue(network),
    };
  });
}

function shownPayments(state: IncomingState, context: IncomingContext): ShownWatch<IncomingState["payments"][number]> {
  const { standing, network, payments, symbol } = state;
  return {
    id: standing.watch.id,
    network,
    row: describeWatch(state, context),
    items: payments,
    describe: (it) => {
      const { txId, path, from: address } = it.payment;
      return { txId, path, address, row: describePayment(it, { ...context, symbol }) };
    },
  };
}

function shownEvents(state: EventWatchState, context: IncomingContext): ShownWatch<EventWatchState["events"][number]> {
  const { standing, network, events, abi } = state;
  return {
    id: standing.watch.id,
    network,
    row: describeEventWatch(state, context),
    items: events,
    describe: (it) => {
      const { txId, index, contract: address } = it.event;
      return { txId, path: String(index), address, row: describeEvent(it, abi, context) };
    },
  };
}

/** Returns the label and the coin symbol of the watch that a payment belongs to. */
function watchLabelsOf(payment: Payment, states: readonly IncomingState[]): WatchLabels {
  const key = paymentKey(payment);
  const state = states.find(({ payments }) => payments.some((it) => paymentKey(it.payment) === key));
  return state === undefined ? {} : { label: state.standing.watch.label, symbol: state.symbol };
}

/** Watch as returned to programs. */
interface BegunWatch {
  readonly id: string;
  readonly network: string;
  /** base58. */
  readonly address: string;
  /** Only payments in blocks above this height count. */
  readonly afterBlock: number;
}

/**
 * Starts to wait for payments to an address, from the newest solidified block.
 *
 * @returns undefined if the user cancels
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `CHAIN_CHANGED`, `INCOMING_UNWRITABLE`, and the errors of the
 *   gateway
 */
async function watchIncoming(
  services: IncomingServices,
  argument: CommandArguments["finality.watchIncoming"],
): Promise<BegunWatch | undefined> {
  const network = services.networks.get(argument.network);
  const fields = readAnswers(services, argument);
  const isComplete = fields.address !== undefined;
  const answers = isComplete
    ? { token: { kind: "coins" } as const, expected: "all" as const, ...fields, address: fields.address }
    : await askWatch(fields, services.keys.knownOn(network), await vscode.env.clipboard.readText());
  if (answers === undefined) return undefined;
  const { address, token, expected } = answers;
  const incoming = await services.incoming.ready();
  const [place, { number, id, timestamp }] = await whileWorking(t`Reading the newest block`, async (signal) => {
    const [place, gateway] = [await services.chains.networkRefOf(network), await services.gateways.for(network)];
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
    ...defined({ token: paidIn }),
    ...(amount === undefined ? {} : { expected: readAs("amount", amount, (text) => readExpected(text, inUnit)) }),
  };
}

function labelOf(text: string): string {
  if (labelFault(text, []) !== undefined) throw malformedArgument("label", t`it is empty, or has invisible characters`);
  return cleanLabel(text);
}

const WATCH: readonly NextStep[] = [{ title: t`Watch Incoming…`, command: "finality.watchIncoming" }];

type WatchChange = "stopped" | "resumed" | "hidden";

const CHANGES: { readonly [C in WatchChange]: { readonly title: string; readonly button: string } } = {
  stopped: { title: t`Stop Watching`, button: t`Stop Watching` },
  resumed: { title: t`Resume Watching`, button: t`Resume Watching` },
  hidden: { title: t`Remove Watch from List`, button: t`Remove` },
};

function canChange(kind: WatchChange, { stoppedAt }: BlockWatchStatus): boolean {
  return kind === "hidden" || (stoppedAt === undefined) === (kind === "stopped");
}

/**
 * Stops a watch, resumes it after the last block that was read for it, or removes it from the list. The file keeps what
 * it found. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `INCOMING_UNWRITABLE`
 */
async function changeWatch(
  { incoming, nameOf, now, networks }: IncomingServices,
  kind: WatchChange,
  id: string | undefined,
): Promise<{ readonly id: string } | undefined> {
  const payments = await incoming.ready();
  const shown = payments.ledger.all().filter(({ hiddenAt }) => hiddenAt === undefined);
  const all = shown.filter((it) => canChange(kind, it)).map(({ watch }) => watch);
  const items = all.map((watch) => ({ ...watchItem(watch, nameOf), watch }));
  if (id === undefined && items.length === 0) {
    const none = kind === "resumed" ? t`No watch is stopped.` : t`No address or contract is watched.`;
    void notifyWithSteps("information", none, WATCH);
    return undefined;
  }
  const { title, button } = CHANGES[kind];
  const chosen = id === undefined ? (await quickPick(items, { title }))?.watch.id : id;
  if (chosen === undefined) return undefined;
  const status = payments.ledger.all().find(({ watch }) => watch.id === chosen);
  if (status === undefined) throw malformedArgument("id", t`no watch has this id`);
  const isLocal = networks.find(payments.networkOf(status))?.local === true;
  const { label, description } = watchItem(status.watch, nameOf);
  const question = { title, detail: `${label}\n${description}` };
  if (!isLocal && !(await confirmForProgram(question, button))) return undefined;
  await payments.add([{ kind, id: chosen, at: now() }]);
  return { id: chosen };
}

/** Describes a watch of either kind by its title and its address. */
function watchItem(watch: BlockWatch, nameOf: NameOf): { readonly label: string; readonly description: string } {
  return isEventWatch(watch)
    ? { label: eventWatchTitle(watch, { nameOf }), description: toBase58(watch.contract) }
    : { label: watchTitle(watch, nameOf), description: toBase58(watch.address) };
}

/** Values of a watch that are known before it starts. */
interface WatchAnswers {
  readonly address?: Address;
  readonly token?: PaidToken;
  /** "all": any asset. */
  readonly expected?: bigint | "all";
}

/** Prompts for the receiver, the asset and the amount. Returns undefined if the user cancels. */
async function askWatch(
  fields: WatchAnswers,
  accounts: readonly KnownParty[],
  copied: string,
): Promise<Required<WatchAnswers> | undefined> {
  const steps: readonly Ask<WatchAnswers>[] = [
    ...(fields.address === undefined ? [askAddress(accounts, copied)] : []),
    ...(fields.token === undefined ? [askToken] : []),
    ...(fields.expected === undefined ? [askExpected] : []),
  ];
  return (await askSteps(t`Watch Incoming`, fields, steps)) as Required<WatchAnswers> | undefined;
}

/** Lists own accounts first, then an address on the clipboard. */
function askAddress(accounts: readonly KnownParty[], copied: string): Ask<WatchAnswers> {
  const inClipboard = typedAddress(copied)?.value;
  const isKnown = accounts.some(({ address }) => address === inClipboard);
  const others =
    inClipboard === undefined || isKnown ? [] : [{ address: inClipboard, label: t`On the clipboard`, watchOnly: true }];
  return async (soFar, where) => {
    const placeholder = t`Watch payments to which address? Choose an account or paste an address`;
    const none = t`No account is here, and no address has a name yet. Paste an address above.`;
    const picked = await pickParty(where, { placeholder, accounts: [...accounts, ...others], none });
    return picked.kind === "value" ? { kind: "value", value: { ...soFar, address: picked.value } } : picked;
  };
}

const COINS: ValueItem<PaidToken> = {
  label: t`$(circle-large-filled) Coins`,
  description: t`the native coin`,
  value: { kind: "coins" },
};
const HOW_TO_TYPE: ValueItem<PaidToken> = {
  label: t`$(edit) A token`,
  description: t`type the number of a TRC-10 token, or the address of a TRC-20 token`,
};

const askToken: Ask<WatchAnswers> = async (soFar, where) => {
  const placeholder = t`Coins or a token? Choose one, or type a token`;
  const typed = (text: string): ValueItem<PaidToken> | undefined => {
    const token = tokenTyped(text);
    if (token === undefined) return undefined;
    return { label: t`$(arrow-right) This token`, description: text.trim(), value: token, alwaysShow: true };
  };
  const picked = await pickValue(where, { placeholder, items: [COINS, HOW_TO_TYPE], typed });
  return picked.kind === "value" ? { kind: "value", value: { ...soFar, token: picked.value } } : picked;
};

function tokenTyped(text: string): PaidToken | undefined {
  try {
    return readToken(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

const askExpected: Ask<WatchAnswers> = async (soFar, where) => {
  const { token = { kind: "coins" } } = soFar;
  const prompt =
    token.kind === "coins"
      ? t`How many coins in total? Leave it empty for any amount.`
      : t`How many of the token's smallest units in total? Leave it empty for any amount.`;
  const check = (text: string): Checked<bigint | "all"> => checkExpected(text, token);
  const typed = await textStep(where, { prompt, placeholder: t`any amount`, check });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, expected: typed.value } } : typed;
};

/** Result of an export. */
interface ExportedIncoming {
  /** Number of payments, including reverted ones. */
  readonly payments: number;
  readonly json: string;
  readonly csv: string;
  /** Path or URI of the file. */
  readonly file?: string;
}

/**
 * Exports payments of one watch or of all as CSV or JSON. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` for an unknown watch, or a given file that exists
 */
async function exportIncoming(
  all: readonly IncomingState[],
  { id, file: name }: CommandArguments["finality.exportIncoming"],
  raw: unknown,
): Promise<ExportedIncoming | undefined> {
  const states = id === undefined ? all : all.filter(({ standing }) => standing.watch.id === id);
  if (id !== undefined && states.length === 0) throw malformedArgument("id", t`no watch in the list has this id`);
  if (states.length === 0 && !isCallOfProgram(raw)) {
    await notify("information", t`There is nothing to export: no address is watched. Run Watch Incoming first.`);
    return undefined;
  }
  const [json, csv] = [incomingJson(states), incomingCsv(states)];
  const payments = states.reduce((sum, it) => sum + it.payments.length, 0);
  const written = await writeTable(
    { json, csv },
    { title: t`Export Incoming`, fileName: "incoming", what: paymentsText(payments), named: name },
    raw,
  );
  return written && { payments, json, csv, ...written };
}
