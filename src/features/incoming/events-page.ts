import { type EventWatch, eventKey, type FoundEvent } from "@finality/client/events";
import { eventsCsv } from "@finality/client/labels";
import { byKind, keyOf, listOf, object, type Read, text, tryRead, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import type { CommandId } from "../../host/contributions.ts";
import { notify } from "../../host/prompts/notify.ts";
import { folderAtHand } from "../../host/prompts/quick-input.ts";
import { showPage } from "../../host/webview-page.ts";
import type { EventsFormat, FromEventsPage, ToEventsPage } from "../../webview-messages/events.ts";
import { type EventWatchState, eventsText } from "./events.view.ts";
import { contractIdOf, eventLines, eventRow, eventsPage } from "./events-page.view.ts";
import type { IncomingContext } from "./incoming.view.ts";
import type { IncomingServices } from "./services.ts";

const EVENTS_VIEW = "finality.events";

const FORMATS: { readonly [F in EventsFormat]: string } = { csv: "CSV", jsonl: t`JSON Lines` };
const ACTIONS = { stop: "finality.stopWatchingIncoming", resume: "finality.resumeWatching" } as const satisfies Record<
  string,
  CommandId
>;

const fromPage: Read<FromEventsPage> = byKind({
  ready: object({}),
  open: object({ row: wholeNumber }),
  act: object({ action: keyOf(ACTIONS), watch: text }),
  watch: object({}),
  export: object({ format: keyOf(FORMATS), rows: listOf(wholeNumber) }),
  copy: object({ text }),
} satisfies { readonly [K in FromEventsPage["kind"]]: Read<object> });

/** Rows of one message. */
const ROWS_AT_ONCE = 2_000;

/** Event that the page has, with its watch. */
interface ShownEvent {
  readonly id: number;
  readonly found: FoundEvent;
  readonly state: EventWatchState;
}

/** Page with the events of all watches in the list. An event of two watches is there once. */
export class EventsPage implements vscode.Disposable {
  readonly #services: IncomingServices;
  readonly #context: IncomingContext;
  /** By network and key of the event. */
  readonly #shown = new Map<string, ShownEvent>();
  #panel: vscode.WebviewPanel | undefined;
  #states: readonly EventWatchState[] = [];
  /** Contract to filter by, until the page has it. */
  #contract: string | null = null;

  constructor(services: IncomingServices, context: IncomingContext) {
    this.#services = services;
    this.#context = context;
  }

  /** Opens the page or brings it to the front. @param watch - the one whose contract the page filters by */
  show(states: readonly EventWatchState[], watch?: EventWatchState): void {
    this.#contract = watch === undefined ? null : contractIdOf(watch);
    if (this.#panel === undefined) {
      this.take(vscode.window.createWebviewPanel(EVENTS_VIEW, t`Events`, vscode.ViewColumn.Active), states);
      return;
    }
    this.#states = states;
    this.#panel.reveal();
    this.#sendAll();
  }

  /** Shows the page in a panel, also in one of the previous session. */
  take(panel: vscode.WebviewPanel, states: readonly EventWatchState[]): void {
    this.#panel?.dispose();
    this.#panel = panel;
    this.#states = states;
    panel.iconPath = new vscode.ThemeIcon("broadcast");
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    showPage(panel.webview, { name: "events", title: t`Events`, extensionUri: this.#services.extensionUri });
  }

  /** Shows what changed. @param all - true if names may have changed: every row is described again */
  update(states: readonly EventWatchState[], all = false): void {
    const isRemoved = this.#states.some((it) => !states.some(({ standing }) => isOf(standing.watch, it)));
    this.#states = states;
    if (this.#panel === undefined) return;
    if (all || isRemoved) this.#sendAll();
    else this.#send(this.#newEvents());
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  /** Returns the events that the page does not have yet, or that changed. */
  #newEvents(): readonly ShownEvent[] {
    return this.#states.flatMap((state) =>
      state.events.flatMap((found) => {
        const key = `${state.network} ${eventKey(found.event)}`;
        const known = this.#shown.get(key);
        const isSame =
          known?.found.withdrawn === found.withdrawn && known.found.event.block.id === found.event.block.id;
        if (isSame) return [];
        const shown = { id: known?.id ?? this.#shown.size, found, state };
        this.#shown.set(key, shown);
        return [shown];
      }),
    );
  }

  #sendAll(): void {
    this.#shown.clear();
    const events = this.#newEvents();
    const page = eventsPage(this.#states, this.#context);
    this.#post({ kind: "show", page, contract: this.#contract, total: events.length });
    this.#contract = null;
    this.#send(events);
  }

  #send(events: readonly ShownEvent[]): void {
    const page = eventsPage(this.#states, this.#context);
    const rows = events.map(({ id, found, state }) => eventRow(id, found, state, this.#context));
    for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE)
      this.#post({ kind: "rows", page, rows: rows.slice(from, from + ROWS_AT_ONCE) });
  }

  #post(message: ToEventsPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #received(message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#sendAll();
        return;
      case "open":
        void this.#showTransaction(read.row);
        return;
      case "act":
        if (this.#states.some(({ standing }) => standing.watch.id === read.watch))
          void this.#run(ACTIONS[read.action], { id: read.watch });
        return;
      case "watch":
        void this.#run("finality.watchEvents", {});
        return;
      case "export":
        this.#export(read.format, new Set(read.rows)).catch((error: unknown) => showError(error, this.#services.log));
        return;
      case "copy":
        void vscode.env.clipboard.writeText(read.text);
    }
  }

  #eventOf(row: number): ShownEvent | undefined {
    return [...this.#shown.values()].find(({ id }) => id === row);
  }

  /** Opens the page of a transaction, which is tracked from then on. */
  async #showTransaction(row: number): Promise<void> {
    const { found, state } = this.#eventOf(row) ?? {};
    if (found === undefined) return;
    const { txId } = found.event;
    const tracked = await this.#run("finality.trackTransaction", { txId, network: state?.network });
    if (tracked !== undefined) await this.#run("finality.showTimeline", { txId });
  }

  /** Passes a `kind`, as rows of the tree do, so that errors are shown to the user. */
  #run(command: CommandId, fields: object): Thenable<unknown> {
    return vscode.commands.executeCommand(command, this.#services.clicks.of({ kind: "events", ...fields }));
  }

  /** Writes rows of the page to a file that the user chooses, the oldest first for each watch. */
  async #export(format: EventsFormat, rows: ReadonlySet<number>): Promise<void> {
    const chosen = [...this.#shown.values()].filter(({ id }) => rows.has(id)).sort(byBlock);
    const events = [...Map.groupBy(chosen, ({ state }) => state.standing.watch.id).values()].flatMap((ofWatch) => {
      const [first] = ofWatch;
      if (first === undefined) return [];
      const { abi, network } = first.state;
      return [{ events: ofWatch.map(({ found }) => found), abi, network }];
    });
    const uri = await vscode.window.showSaveDialog({
      title: t`Export Events`,
      saveLabel: t`Export`,
      filters: { [FORMATS[format]]: [format] },
      defaultUri: vscode.Uri.joinPath(folderAtHand(), `events.${format}`),
    });
    if (uri === undefined) return;
    const written = format === "csv" ? eventsCsv(events) : eventLines(events);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(written, "utf8"));
    void notify("information", t`${eventsText(chosen.length)} written to ${uri.fsPath}.`);
  }
}

function isOf({ id }: EventWatch, { standing }: EventWatchState): boolean {
  return standing.watch.id === id;
}

function byBlock({ found: left }: ShownEvent, { found: right }: ShownEvent): number {
  return left.event.block.number - right.event.block.number || left.event.index - right.event.index;
}
