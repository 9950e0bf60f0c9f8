import { byKind, flag, keyOf, object, oneOf, type Read, text, tryRead, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { showPage } from "../../host/webview-page.ts";
import type { FlameBy, FromTracePage, ToTracePage, TraceAction } from "../../webview-messages/trace.ts";
import type { SourceLine, TraceContent } from "./trace-content.view.ts";

const TRACE_VIEW = "finality.trace";

/** A trace that a page shows. */
export interface ShownTrace {
  /** Identifies the run: its txID, or a call. */
  readonly id: string;
  readonly title: string;
  readonly content: TraceContent;
  /** Reads the instructions of the run, for the chart. Resolves when the content has them. */
  readonly readSteps: () => Promise<void>;
}

export interface TracePanelServices {
  readonly extensionUri: vscode.Uri;
  readonly openSource: (line: SourceLine, page: vscode.WebviewPanel) => Promise<void>;
  readonly act: (action: TraceAction, shown: ShownTrace) => Promise<void>;
  /** Reports a failure of something that a page requested. */
  readonly report: (error: unknown) => void;
}

const actions: { readonly [A in TraceAction]: true } = {
  "copy-report": true,
  "export-json": true,
  "show-line-energy": true,
  "show-transaction": true,
  debug: true,
};

const nullableNumber: Read<number | null> = (value) => (value === null ? null : wholeNumber(value));

const fromPage: Read<FromTracePage> = byKind({
  ready: object({}),
  act: object({ action: keyOf(actions) }),
  copy: object({ text }),
  pin: object({}),
  rows: object({ from: wholeNumber, count: wholeNumber }),
  open: object({ id: wholeNumber, isOpen: flag }),
  select: object({ index: wholeNumber }),
  find: object({ text, filter: oneOf("all", "calls", "failed", "storage", "events", "transfers") }),
  source: object({ of: oneOf("row", "site", "box"), id: wholeNumber }),
  flame: object({ by: oneOf("function", "line"), root: nullableNumber }),
} satisfies { readonly [K in FromTracePage["kind"]]: Read<object> });

/** Page in an editor tab. */
interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  shown: ShownTrace;
  pinned: boolean;
  /** Rows that the page shows. */
  part: { readonly from: number; readonly count: number };
}

/** Rows of a page before it reports how many are visible. */
const FIRST_PART = { from: 0, count: 80 };

/** Pages of traces: one preview, which shows the last trace, and pinned pages, which keep theirs. */
export class TracePanels implements vscode.Disposable {
  readonly #services: TracePanelServices;
  readonly #pages = new Set<OpenPage>();
  #requests = 0;

  constructor(services: TracePanelServices) {
    this.#services = services;
  }

  /** Shows a trace in its own page, else in the preview, and moves the focus there. */
  show(shown: ShownTrace): void {
    const page = this.#find(({ shown: { id } }) => id === shown.id) ?? this.#find(({ pinned }) => !pinned);
    this.#requests += 1;
    if (page === undefined) {
      this.#create(shown);
      return;
    }
    page.shown = shown;
    page.part = FIRST_PART;
    this.#showHead(page);
    page.panel.reveal();
  }

  dispose(): void {
    for (const { panel } of this.#pages) panel.dispose();
  }

  #find(fits: (page: OpenPage) => boolean): OpenPage | undefined {
    return [...this.#pages].find(fits);
  }

  #create(shown: ShownTrace): void {
    const { extensionUri } = this.#services;
    const panel = vscode.window.createWebviewPanel(TRACE_VIEW, shown.title, vscode.ViewColumn.Active);
    const page: OpenPage = { panel, shown, pinned: false, part: FIRST_PART };
    this.#pages.add(page);
    panel.iconPath = new vscode.ThemeIcon("list-tree");
    panel.onDidDispose(() => this.#pages.delete(page));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(page, message));
    showPage(panel.webview, { name: "trace", title: t`Trace`, extensionUri });
  }

  #showHead(page: OpenPage): void {
    const { panel, shown, pinned } = page;
    panel.title = shown.title;
    this.#post(page, { kind: "show", head: shown.content.head(), pinned, request: this.#requests });
    this.#showRows(page);
  }

  #showRows({ panel, shown, part }: OpenPage): void {
    void panel.webview.postMessage(shown.content.rows(part.from, part.count));
    void panel.webview.postMessage(shown.content.details());
  }

  #post({ panel }: OpenPage, message: ToTracePage): void {
    void panel.webview.postMessage(message);
  }

  #received(page: OpenPage, message: unknown): void {
    const { content } = page.shown;
    const { report } = this.#services;
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#showHead(page);
        return;
      case "pin":
        page.pinned = true;
        this.#post(page, { kind: "show", head: content.head(), pinned: true, request: this.#requests });
        return;
      case "copy":
        void vscode.env.clipboard.writeText(read.text);
        return;
      case "rows":
        page.part = { from: read.from, count: read.count };
        this.#post(page, content.rows(read.from, read.count));
        return;
      case "open":
        content.open(read.id, read.isOpen);
        this.#showRows(page);
        return;
      case "select":
        content.select(read.index);
        this.#scrollTo(page, read.index);
        this.#showRows(page);
        return;
      case "find":
        content.find(read.text, read.filter);
        page.part = { ...page.part, from: 0 };
        this.#showRows(page);
        return;
      case "act":
        this.#services.act(read.action, page.shown).catch(report);
        return;
      case "source":
        this.#openSource(page, read).catch(report);
        return;
      case "flame":
        this.#showFlame(page, read.by, read.root).catch(report);
        return;
    }
  }

  /** Sends rows around a selected row that the page does not have. */
  #scrollTo(page: OpenPage, index: number): void {
    const { from, count } = page.part;
    if (index >= from && index < from + count) return;
    page.part = { from: Math.max(0, index - Math.floor(count / 2)), count };
  }

  async #openSource({ shown, panel }: OpenPage, { of, id }: Extract<FromTracePage, { kind: "source" }>): Promise<void> {
    const found = lineOf(shown.content, of, id);
    if (found !== undefined) await this.#services.openSource(found, panel);
  }

  /** Shows the energy of calls at once, and that of functions and lines when the instructions are read. */
  async #showFlame(page: OpenPage, by: FlameBy, root: number | null): Promise<void> {
    const { shown } = page;
    const { content } = shown;
    this.#post(page, content.flame(by, root));
    if (content.hasSteps) return;
    await shown.readSteps();
    if (page.shown !== shown) return;
    // With the instructions, the line of the failure may be known.
    this.#showHead(page);
    this.#post(page, content.flame(by, null));
  }
}

function lineOf(content: TraceContent, of: "row" | "site" | "box", id: number): SourceLine | undefined {
  if (of === "row") return content.lineOfRow(id);
  return of === "site" ? content.lineOfSite(id) : content.lineOfBox(id);
}
