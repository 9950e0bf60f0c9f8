import type { JsonObject, TxId } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { ContributedRow } from "../../host/contributed-rows.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmForProgram, confirmModal, notify, showStatusMessage } from "../../host/prompts/notify.ts";
import { type InputOptions, inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import {
  complaint,
  describeChain,
  describeParts,
  describeStopped,
  forgotten,
  heightsText,
  lossOf,
  missing,
  parseBlocks,
  parseSpan,
  type SectionRow,
} from "./chain.view.ts";
import { type ChainStatus, controlChain, readStatus } from "./chain-control.ts";
import type { LocalChain } from "./local-chain.ts";

/**
 * Minimum time between two polls. Each change redraws the rows with their buttons, if possible not while the user is
 * about to press one.
 */
const SHORTEST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 5_000;
const STOPPED = "stopped";
const DISCONNECTED = "disconnected";

/** The view that shows the rows. */
export interface ViewOfRows {
  visible: boolean;
  readonly changed: vscode.EventEmitter<ContributedRow | undefined>;
}

/** Reuses the row object, so that the view refreshes it. */
interface Root extends ContributedRow {
  item: vscode.TreeItem;
  children: readonly ContributedRow[];
}

/** Row of the local chain. It polls the chain only while the view is visible. */
export class ChainSection implements vscode.Disposable {
  readonly #networks: Networks;
  readonly #view: ViewOfRows;
  readonly #root: Root = { kind: "local-chain", item: new vscode.TreeItem(""), children: [] };
  readonly #following: vscode.Disposable;
  /** URL of the chain in the row; `stopped` or `disconnected` while the window has none. */
  #shownFor: string | undefined;
  #drawn = "";
  #timer: NodeJS.Timeout | undefined;
  /** Only the newest poll may update the row. */
  #queryCount = 0;

  constructor(networks: Networks, view: ViewOfRows) {
    this.#networks = networks;
    this.#view = view;
    this.#following = networks.onDidChange(() => this.#follow());
    this.#follow();
  }

  list(): readonly ContributedRow[] {
    return this.#shownFor === undefined ? [] : [this.#root];
  }

  /** Polls the status of the chain while the view is visible. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    const poll = ++this.#queryCount;
    const baseUrl = this.#shownFor;
    if (baseUrl === undefined || isAbsent(baseUrl) || !this.#view.visible) return;
    const status = await readStatus(baseUrl).catch(() => "silent" as const);
    if (poll !== this.#queryCount) return;
    this.#draw(baseUrl, status);
    this.#timer = setTimeout(() => void this.look(), pauseAfter(status));
  }

  dispose(): void {
    this.#shownFor = undefined;
    this.#queryCount++;
    clearTimeout(this.#timer);
    this.#following.dispose();
  }

  /** Called when another chain started or the chain ended. */
  #follow(): void {
    const { local, isLocalStopped, isLocalDisconnected } = this.#networks;
    const absent = isLocalDisconnected ? DISCONNECTED : isLocalStopped ? STOPPED : undefined;
    const baseUrl = absent ?? local?.baseUrl;
    if (baseUrl === this.#shownFor) return;
    this.#shownFor = baseUrl;
    this.#drawn = "";
    if (absent !== undefined) this.#drawStopped(absent === DISCONNECTED);
    else if (baseUrl !== undefined) this.#draw(baseUrl, undefined);
    this.#view.changed.fire(undefined);
    void this.look();
  }

  #drawStopped(isDisconnected: boolean): void {
    this.#root.item = itemOf(describeStopped(isDisconnected), "local-chain");
    this.#root.children = [];
  }

  #draw(baseUrl: string, status: ChainStatus | "silent" | undefined): void {
    const row = describeChain(status, baseUrl);
    const parts = typeof status === "object" ? describeParts(status) : [];
    const drawn = JSON.stringify([row, parts]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#root.item = itemOf(row, "local-chain", vscode.TreeItemCollapsibleState.Collapsed);
    this.#root.children = parts.map(({ snapshot, ...part }, index) => ({
      kind: "local-chain-part",
      item: itemOf(part, `local-chain ${index} ${part.label}`),
      children: [],
      ...defined({ id: snapshot }),
    }));
    this.#view.changed.fire(this.#root);
  }
}

function isAbsent(shownFor: string): boolean {
  return shownFor === STOPPED || shownFor === DISCONNECTED;
}

function pauseAfter(status: ChainStatus | "silent"): number {
  const pauseMs = status === "silent" || status.blockTimeMs === 0 ? LONGEST_PAUSE_MS : status.blockTimeMs;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs));
}

function itemOf(row: SectionRow, id: string, state = vscode.TreeItemCollapsibleState.None): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return item;
}

/** Commands that control the state of the chain. */
export type ChainStateCommand =
  | "finality.localChainMine"
  | "finality.localChainWarp"
  | "finality.localChainSnapshot"
  | "finality.localChainRestore"
  | "finality.localChainReset";

/** Context of a command: the chain it acts on, and whether it may prompt a user. */
interface ChainCommandContext {
  readonly chain: LocalChain;
  readonly baseUrl: string;
  readonly person: boolean;
}

type ChainCommands = {
  readonly [Id in ChainStateCommand]: (
    context: ChainCommandContext,
    blocks: CommandArguments[Id],
  ) => Promise<JsonObject | undefined>;
};

/** Each action returns undefined if the user cancels. */
export const chainStateCommands: ChainCommands = {
  "finality.localChainMine": async ({ baseUrl, person }, { blocks }) => {
    const text = blocks ?? (person ? await ask(BLOCKS, "1", parseBlocks) : "1");
    if (text === undefined) return undefined;
    return announced(person, await controlChain(baseUrl, "mine", { blocks: parseBlocks(text) }, "blocks"));
  },
  "finality.localChainWarp": async ({ baseUrl, person }, { ms: blocks }) => {
    const text = blocks ?? (person ? await ask(SPAN, "1 h", parseSpan) : undefined);
    if (text === undefined) return left(person, "ms");
    return announced(person, await controlChain(baseUrl, "warp", { ms: parseSpan(text) }, "ms"));
  },
  "finality.localChainSnapshot": async ({ baseUrl, person }, { id: blocks }) => {
    const id = blocks ?? (person ? await ask(SNAPSHOT, "", () => undefined) : "");
    if (id === undefined) return undefined;
    const taken = await controlChain(baseUrl, "snapshot", id.trim() === "" ? {} : { id: id.trim() }, "id");
    if (person) showStatusMessage("device-camera", String(taken.id), 5_000);
    return taken;
  },
  "finality.localChainRestore": async (place, { id: blocks }) => {
    const { baseUrl, person } = place;
    const id = blocks ?? (person ? await pickSnapshot(baseUrl) : undefined);
    if (id === undefined) return left(person, "id");
    if (person && !(await confirmLoss(place.chain, id))) return undefined;
    return await goBack(place, "restore", { id });
  },
  "finality.localChainReset": async (place) => {
    if (place.person && !(await confirmLoss(place.chain))) return undefined;
    return await goBack(place, "reset", {});
  },
};

const BLOCKS = { title: t`Mine Blocks`, prompt: t`How many blocks?` };
const SPAN = {
  title: t`Warp Time`,
  prompt: t`How far to advance chain time? For example "90 s", "10 min", "2 h", "1 d".`,
};
const SNAPSHOT = { title: t`Take Snapshot`, prompt: t`Name (optional)` };

/**
 * The answer also names the transactions that the chain dropped. They leave the list, because they can never become
 * final.
 */
async function goBack(context: ChainCommandContext, control: string, body: JsonObject): Promise<JsonObject> {
  const { chain, baseUrl, person } = context;
  const listed = await chain.listedTransactions();
  const request = { ...body, transactions: listed.map(({ txId }) => txId) };
  const { head, solid, transactions } = await controlChain(baseUrl, control, request, "id");
  const removed: readonly TxId[] = forgotten(listed, transactions as JsonObject).map(({ txId }) => txId);
  await chain.wentBack(removed);
  return announced(person, { head: head ?? null, solid: solid ?? null, removed: [...removed] });
}

function announced(person: boolean, answer: JsonObject): JsonObject {
  if (person) showStatusMessage("layers", heightsText(answer), 5_000);
  return answer;
}

/** The user cancelled; a program omitted an argument. */
function left(person: boolean, argument: string): undefined {
  if (!person) throw missing(argument);
}

function ask(texts: InputOptions, value: string, parse: (text: string) => unknown) {
  return inputBox({ ...texts, value, validateInput: complaint(parse) });
}

async function pickSnapshot(baseUrl: string): Promise<string | undefined> {
  const { snapshots } = await readStatus(baseUrl);
  const items = snapshots.map((label) => ({ label })).reverse();
  if (items.length > 0) return (await quickPick(items, { title: t`Restore Snapshot` }))?.label;
  const take = t`Take Snapshot…`;
  const chosen = await notify("information", t`There is no snapshot yet.`, take);
  if (chosen === take) await vscode.commands.executeCommand("finality.localChainSnapshot");
  return undefined;
}

/**
 * Asks before the chain loses blocks. Returns false if the user declines.
 *
 * @param snapshot - Snapshot to restore; undefined for the genesis state.
 */
export async function confirmLoss(chain: LocalChain, snapshot?: string): Promise<boolean> {
  const [live, listed] = [await chain.liveTransactions(), await chain.listedTransactions()];
  const detail = lossOf(snapshot, live.length, listed.length);
  const isReset = snapshot === undefined;
  const question = isReset ? t`Reset the local chain?` : t`Restore the snapshot?`;
  const button = isReset ? t`Reset Local Chain` : t`Restore Snapshot`;
  const ask = calledByProgram() ? confirmForProgram : confirmModal;
  return await ask({ title: question, detail }, button);
}
