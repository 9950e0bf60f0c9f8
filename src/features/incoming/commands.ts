import { coinSymbolOf } from "@finality/client/gateway";
import { type Payment, paymentKey } from "@finality/client/incoming";
import { formatTime } from "@finality/tron/format";
import * as vscode from "vscode";
import type { Commands } from "../../host/commands/commands.ts";
import type { IncomingPayments } from "../../host/incoming/incoming-payments.ts";
import { notify } from "../../host/prompts/notify.ts";
import { exportIncoming } from "./export-incoming.ts";
import { type IncomingState, paymentsNotice, type WatchWords } from "./incoming.view.ts";
import { type DrawRows, IncomingRows } from "./incoming-rows.ts";
import type { IncomingServices } from "./services.ts";
import { endWatch, watchIncoming } from "./watch-incoming.ts";

interface IncomingPart extends vscode.Disposable {
  readonly commands: Commands<"incoming">;
  /** Draws the rows, now that somebody looks. */
  look(): Promise<void>;
}

/** Payments that become final so soon one after the other are said in one notice; ms. */
const NOTICE_MS = 1_000;

/** To whom the part tells what is waited for. */
interface IncomingListeners {
  readonly draw: DrawRows;
  readonly tell: (states: readonly IncomingState[]) => void;
}

/** The commands and rows of incoming payments. A part of its own, loaded when somebody looks or waits. */
export function createIncoming(services: IncomingServices, { draw, tell }: IncomingListeners): IncomingPart {
  const { incoming, keys, networks, nameOf, now } = services;
  const rows = new IncomingRows(draw);
  const context = { nameOf, timeOf: (ms: number) => formatTime(ms, now()) };
  const look = async (): Promise<void> => {
    const states = shownStates(await incoming.ready(), networks);
    tell(states);
    rows.show(states, context);
  };
  const notices = new Notices(services);
  const subscriptions = vscode.Disposable.from(
    notices,
    incoming.onDidChange((fresh) => {
      notices.add(fresh);
      void look();
    }),
    keys.onDidChange(() => void look()),
    networks.onDidChange(() => void look()),
  );
  return {
    commands: {
      "finality.watchIncoming": (argument) => watchIncoming(services, argument),
      "finality.stopWatchingIncoming": ({ id }) => endWatch(services, "stopped", id),
      "finality.removeIncoming": ({ id }) => endWatch(services, "hidden", id),
      "finality.exportIncoming": async (argument, raw) =>
        exportIncoming(shownStates(await incoming.ready(), networks), argument, raw),
    },
    look,
    dispose: () => subscriptions.dispose(),
  };
}

/** What the list shows, the newest first. */
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
      trouble: payments.trouble(network),
    };
  });
}

/** Says what came in, several payments at once where they come together. */
class Notices implements vscode.Disposable {
  readonly #services: IncomingServices;
  #fresh: Payment[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(services: IncomingServices) {
    this.#services = services;
  }

  add(fresh: readonly Payment[]): void {
    this.#fresh.push(...fresh);
    if (this.#fresh.length > 0) this.#timer ??= setTimeout(() => void this.#say(), NOTICE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #say(): Promise<void> {
    const { incoming, networks, notices, nameOf } = this.#services;
    const fresh = this.#fresh.splice(0);
    this.#timer = undefined;
    const windows = await notices();
    const isSaidHere = await Promise.all(fresh.map((it) => windows.isSaidHere(`paid ${paymentKey(it)}`)));
    const payments = fresh.filter((_, at) => isSaidHere[at] === true);
    if (payments.length === 0) return;
    const states = shownStates(await incoming.ready(), networks);
    await notify(
      "information",
      paymentsNotice(payments, nameOf, (it) => watchOf(it, states)),
    );
  }
}

/** The label and the coin's symbol of the watch that a payment is for. */
function watchOf(payment: Payment, states: readonly IncomingState[]): WatchWords {
  const key = paymentKey(payment);
  const state = states.find(({ payments }) => payments.some((it) => paymentKey(it.payment) === key));
  return state === undefined ? {} : { label: state.standing.watch.label, symbol: state.symbol };
}
