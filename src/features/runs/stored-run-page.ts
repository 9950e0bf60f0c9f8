import { coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import {
  boundRow,
  failedRows,
  finalRows,
  permitRetries,
  type RowProgress,
  type RunProgress,
  type RunTotal,
  reconciledLines,
  reconciliationCsv,
  reconciliationJson,
  type StoredRun,
  totalsIn,
} from "@finality/client/runs";
import type { KnownToken } from "@finality/client/tokens";
import { counted, type NameOf } from "@finality/tron/format";
import type { Address } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { confirmInStatusBar, notify, whileWorking } from "../../host/prompts/notify.ts";
import { folderAtHand } from "../../host/prompts/quick-input.ts";
import { DO_NOT_SEND } from "../../sending/consent.ts";
import type { OpenRuns, RunExecutions } from "../../sending/run-executions.ts";
import { tokenAt } from "../../sending/token-at.ts";
import type { RunPageAction } from "../../webview-messages/run.ts";
import { RunWebview } from "./run-webview.ts";
import type { RunParts } from "./services.ts";
import { resumeReview, type StoredRunFacts, storedCauses, storedRow, storedRunPage } from "./stored-run.view.ts";

/** Pause between two updates of a page; ms. */
const UPDATE_MS = 250;
/** Interval at which orders and the work of other windows are noticed; ms. */
const LOOK_MS = 1_000;

/** Button that consents to the rest of a run. */
const SIGN_REST = t`Sign and Send the Rest`;

/** A stored run with its rows and its store. */
interface PageParts {
  readonly run: StoredRun;
  readonly executions: RunExecutions;
  readonly open: OpenRuns;
  readonly progress: RunProgress;
}

/** Page of a stored run, live. Closing it ends no work. */
export class StoredRunPage {
  readonly webview: RunWebview;
  readonly #services: RunParts;
  readonly #parts: PageParts;
  readonly #closed = new AbortController();
  readonly #changed = new Set<number>();
  readonly #first: { readonly at: number; readonly done: number };
  #run: StoredRun;
  #isHeld = false;
  #tokens: ReadonlyMap<Address, KnownToken> = new Map();
  #totals: readonly RunTotal[] = [];
  #isUpdating = false;

  private constructor(services: RunParts, parts: PageParts, panel: vscode.WebviewPanel) {
    this.#services = services;
    this.#parts = parts;
    this.#run = parts.run;
    this.#first = { at: services.clock.now(), done: finalRows(parts.progress.counts()) };
    panel.title = parts.run.title;
    this.webview = new RunWebview(panel, services.extensionUri, {
      ready: () => this.#show(),
      open: (row) => this.#openRow(row),
      act: (action) => this.#act(action),
      log: services.log,
    });
    const following = parts.progress.onDidChange((rows) => {
      for (const row of rows) this.#changed.add(row);
      void this.#update();
    });
    const working = parts.executions.onDidChange((id) => {
      if (id === this.#run.id) void this.#look();
    });
    panel.onDidDispose(() => {
      this.#closed.abort();
      following.dispose();
      working.dispose();
      parts.progress.dispose();
    });
  }

  /**
   * Opens the page of a run in a panel.
   *
   * @param mayRequest - true if the decimals of tokens may be requested
   */
  static async open(
    services: RunParts,
    run: StoredRun,
    panel: vscode.WebviewPanel,
    mayRequest: boolean,
  ): Promise<StoredRunPage> {
    // The window tracks what it shows, unless another one does.
    await services.transactions.ready();
    const executions = services.runs;
    const progress = await executions.progressOf(run.id);
    const page = new StoredRunPage(services, { run, executions, open: await executions.open(), progress }, panel);
    page.#readTotals();
    await page.#look();
    page.#show();
    if (mayRequest) void page.#readTokens();
    void page.#follow();
    return page;
  }

  /**
   * Goes on with the run. If no window executes it, this one does, after the user agreed once.
   *
   * @throws {ChainError} the errors of the network, the key and the store
   */
  async resume(): Promise<void> {
    const { executions, open } = this.#parts;
    const { id } = this.#run;
    if (executions.executionOf(id).isActive || (await open.store.isHeld(id))) {
      await open.store.setControl(id, "running");
      await this.#look();
      return;
    }
    const network = this.#network();
    const signer = executions.signerOf(id) ?? (await this.#askForSigner(network));
    if (signer !== undefined) await executions.execute(this.#run, network, signer);
    await this.#look();
  }

  async #askForSigner(network: NetworkProfile) {
    const { owner } = this.#run;
    await this.#readTokens();
    const rest = [...this.#parts.progress.rows()].filter(({ state }) => state !== "succeeded");
    const facts = this.#facts();
    const text = resumeReview(this.#run, rest, { ...facts, totals: totalsIn(rest.map(boundRow), this.#tokens) });
    const isRealMoney = network.production;
    const buttons = isRealMoney ? [DO_NOT_SEND, SIGN_REST] : [SIGN_REST];
    const review = { ...text, severity: "warning", isRealMoney, buttons, sign: SIGN_REST } as const;
    const sender = await this.#services.sender();
    return await sender.signerOfRun({ network, owner, nameOf: facts.nameOf, rows: rest, review });
  }

  /** @throws {ChainError} `NETWORK_UNKNOWN`, `LOCAL_CHAIN_STOPPED` */
  #network(): NetworkProfile {
    const { networks, transactions } = this.#services;
    return networks.get(transactions.networkOf(this.#run.network));
  }

  async #act(action: RunPageAction): Promise<void> {
    const { store } = this.#parts.open;
    switch (action) {
      case "pause":
        await store.setControl(this.#run.id, "paused");
        break;
      case "stop":
        await store.setControl(this.#run.id, "stopping");
        break;
      case "resume":
        await this.resume();
        break;
      case "retry":
        await this.#retry();
        break;
      case "export-csv":
        await this.#export("csv");
        break;
      case "export-json":
        await this.#export("json");
        break;
      case "start":
      case "again":
      case "copy":
        // Buttons of a review.
        return;
    }
    await this.#look();
  }

  /** Permits another attempt of failed rows where the retry policy does, and goes on with the run. */
  async #retry(): Promise<void> {
    const { progress, open } = this.#parts;
    const { permitted, refused } = await whileWorking(t`Checking the failed rows`, () =>
      permitRetries(progress, open.store, open.tracker, open.sources),
    );
    this.#showAll();
    const [first] = refused;
    if (first !== undefined) {
      const rows = counted(refused.length, t`row is not tried again`, t`rows are not tried again`);
      void notify("warning", t`${rows}. Row ${first.row}: ${first.why}`);
    }
    if (permitted > 0) await this.resume();
  }

  async #export(format: "csv" | "json"): Promise<void> {
    const name = this.#run.title.replace(/\.[^.]*$/, "");
    const uri = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folderAtHand(), `${name}-${this.#run.id}.${format}`),
      filters: { [format.toUpperCase()]: [format] },
    });
    if (uri === undefined) return;
    const { progress, open } = this.#parts;
    const lines = reconciledLines(this.#run, [...progress.rows()], (txId) => open.tracker.get(txId));
    const text = format === "csv" ? reconciliationCsv(lines) : reconciliationJson(lines);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
    confirmInStatusBar(t`Exported ${counted(this.#run.rows, t`row`, t`rows`)}`);
  }

  /** Shows the transaction of the last attempt. */
  #openRow(number: number): void {
    const txId = this.#parts.progress.row(number)?.last?.txId;
    if (txId === undefined) return;
    const click = this.#services.clicks.of({ kind: "run", txId });
    void vscode.commands.executeCommand("finality.showTimeline", click);
  }

  /** Notices orders and the work of other windows. */
  async #follow(): Promise<void> {
    const { clock, log } = this.#services;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.#look().catch((error: unknown) => log.error("A run cannot be read.", error));
    }
  }

  async #look(): Promise<void> {
    const { store } = this.#parts.open;
    const [run, isHeld] = await Promise.all([store.run(this.#run.id), store.isHeld(this.#run.id)]);
    if (run === undefined || this.#closed.signal.aborted) return;
    this.#run = run;
    this.#isHeld = isHeld;
    await this.#update();
  }

  /** Sends what changed, at most once in a while. */
  async #update(): Promise<void> {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    await this.#services.clock.sleep(UPDATE_MS, this.#closed.signal).catch(() => undefined);
    this.#isUpdating = false;
    if (this.#closed.signal.aborted) return;
    const facts = this.#facts();
    const rows = [...this.#changed].flatMap((row) => this.#parts.progress.row(row) ?? []);
    this.#changed.clear();
    this.webview.change(
      storedRunPage(facts, this.#causes()),
      rows.map((it) => storedRow(it, facts)),
    );
  }

  #show(): void {
    const facts = this.#facts();
    const rows = [...this.#parts.progress.rows()].map((it) => storedRow(it, facts));
    this.webview.show(storedRunPage(facts, this.#causes()), rows);
  }

  #showAll(): void {
    for (const { row } of this.#parts.progress.rows()) this.#changed.add(row);
    void this.#update();
  }

  #causes() {
    const { progress } = this.#parts;
    const counts = progress.counts();
    return failedRows(counts) + counts.unknown === 0 ? [] : storedCauses(progress.rows());
  }

  #facts(): StoredRunFacts {
    const { progress, executions } = this.#parts;
    const { networks, transactions, keys, clock } = this.#services;
    const counts = progress.counts();
    const { isActive, message } = executions.executionOf(this.#run.id);
    const { at, done } = this.#first;
    const seconds = (clock.now() - at) / 1_000;
    const network = transactions.networkOf(this.#run.network);
    const profile = networks.find(network);
    const nameOf: NameOf = (address) => keys.nameOf(address);
    return {
      ...{ run: this.#run, counts, open: progress.open, message, totals: this.#totals, network, nameOf },
      work: { isExecuted: isActive || this.#isHeld, isHere: isActive },
      rate: seconds < 1 ? undefined : (finalRows(counts) - done) / seconds,
      symbol: profile && coinSymbolOf(profile.baseUrl),
    };
  }

  #readTotals(): void {
    this.#totals = totalsIn([...this.#parts.progress.rows()].map(boundRow), this.#tokens);
  }

  /** Reads the decimals of the tokens. Without them, amounts are in the smallest unit. */
  async #readTokens(): Promise<void> {
    const { gateways, chains, log } = this.#services;
    const contracts = new Set([...this.#parts.progress.rows()].flatMap(contractOf));
    if (contracts.size === 0 || this.#tokens.size > 0) return;
    try {
      const network = this.#network();
      const gateway = await gateways.for(network);
      const tokens = new Map<Address, KnownToken>();
      for (const contract of contracts)
        tokens.set(contract, await tokenAt({ services: { chains, gateways }, network, gateway }, contract));
      this.#tokens = tokens;
      this.#readTotals();
      this.#showAll();
    } catch (error) {
      log.error("The tokens of a run cannot be read.", error);
    }
  }
}

function contractOf(row: RowProgress): readonly Address[] {
  const { token } = boundRow(row);
  return token.kind === "trc20" ? [token.contract] : [];
}
