import type { Clock } from "@finality/client/gateway";
import { failureOf, type TrackedTransaction } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { Notice, NoticeAction, NoticeContext } from "./notifications.view.ts";

/** Services of the notifier. */
export interface NoticeServices {
  get(txId: TxId): TrackedTransaction | undefined;
  /** Queries the chain for it. Resolves within seconds, even without a result. */
  look(txId: TxId): Promise<void>;
  /** Resolves within seconds, when the reason of the failure is known or cannot be found. */
  reasonOn(tracked: TrackedTransaction): Promise<void>;
  /** @returns the selected action; undefined if the user closed the notice */
  show(notice: Notice): Promise<NoticeAction | undefined>;
  /** Returns whether this window shows the notice. */
  isShownHere(notice: Notice, txId: TxId): Promise<boolean>;
  /** Resolves when simultaneous changes have arrived. @returns whether the window is still open */
  pause(): Promise<boolean>;
}

/** Runs the action of a button. */
type NoticeHandler = (action: NoticeAction, txId: TxId) => void;

/**
 * Shows a notice when a transaction reaches a state that must not stay unseen, once for each state. States from before
 * this window started are only in the tree.
 */
export class Notifier {
  readonly #context: NoticeContext;
  readonly #handle: NoticeHandler;
  readonly #services: NoticeServices;
  readonly #reported = new Map<TxId, string>();
  readonly #underWay = new Set<TxId>();
  #waiting: { readonly notice: Notice; readonly txId: TxId }[] = [];

  constructor(context: NoticeContext, services: NoticeServices, handle: NoticeHandler) {
    this.#context = context;
    this.#services = services;
    this.#handle = handle;
  }

  /** Shows the notices for these transactions. */
  async announce(transactions: readonly TrackedTransaction[]): Promise<void> {
    const { sessionStart } = this.#context;
    const fresh = transactions.filter(({ hidden, changedAt }) => !hidden && changedAt >= sessionStart);
    if (fresh.length === 0) return;
    await Promise.all(fresh.map(({ txId }) => this.#consider(txId)));
  }

  /** Queries the chain before it reports an unknown outcome. */
  async #consider(txId: TxId): Promise<void> {
    const { noticeAbout } = await import("./notifications.view.ts");
    // A reason may be described in more detail later, which is not a new state.
    const withoutReasons = { ...this.#context, reasonOf: () => undefined };
    const noticeNow = (): Notice | undefined => {
      const tracked = this.#services.get(txId);
      return tracked === undefined || tracked.hidden ? undefined : noticeAbout(tracked, withoutReasons);
    };
    if (this.#underWay.has(txId)) return;
    let notice = noticeNow();
    while (notice !== undefined && this.#reported.get(txId) !== notice.message) {
      const isHere = await this.#isHere(notice, txId);
      const now = noticeNow();
      if (now?.about === notice.about) return this.#say(txId, now, isHere);
      notice = now;
    }
    this.#reported.set(txId, notice?.message ?? "");
  }

  /** Returns whether this window shows the notice, after querying transactions with an unknown outcome. */
  async #isHere(notice: Notice, txId: TxId): Promise<boolean> {
    this.#underWay.add(txId);
    try {
      const isHere = await this.#services.isShownHere(notice, txId);
      if (isHere && this.#services.get(txId)?.state.kind === "unknown") await this.#services.look(txId);
      return isHere;
    } finally {
      this.#underWay.delete(txId);
    }
  }

  #say(txId: TxId, notice: Notice, isHere: boolean): void {
    this.#reported.set(txId, notice.message);
    if (!isHere) return;
    this.#waiting.push({ notice, txId });
    if (this.#waiting.length === 1) void this.#flush();
  }

  /** Combines several notices into one. */
  async #flush(): Promise<void> {
    if (!(await this.#services.pause())) return;
    const { noticeAboutSeveral } = await import("./notifications.view.ts");
    const waiting = this.#waiting.filter(({ notice, txId }) => this.#reported.get(txId) === notice.message);
    this.#waiting = [];
    const notice = noticeAboutSeveral(waiting.map((it) => it.notice));
    const alone = waiting.find((it) => it.notice === notice);
    if (alone !== undefined) return await this.#show(alone.notice, alone.txId);
    const [first] = waiting;
    if (notice !== undefined && first !== undefined) await this.#notify(notice, first.txId);
  }

  async #show(notice: Notice, txId: TxId): Promise<void> {
    await this.#notify((await this.#withReason(txId)) ?? notice, txId);
  }

  async #notify(notice: Notice, txId: TxId): Promise<void> {
    const action = await this.#services.show(notice);
    if (action !== undefined) this.#handle(action, txId);
  }

  async #withReason(txId: TxId): Promise<Notice | undefined> {
    const tracked = this.#services.get(txId);
    if (tracked === undefined || failureOf(tracked) === undefined) return undefined;
    await this.#services.reasonOn(tracked);
    const { noticeAbout } = await import("./notifications.view.ts");
    return noticeAbout(this.#services.get(txId) ?? tracked, this.#context);
  }
}

/** Facts that decide whether this window shows a notice. */
export interface NoticeSharing {
  list(): readonly TrackedTransaction[];
  /** Returns whether the user has hidden notices of this kind. */
  isHidden(notice: Notice): Promise<boolean>;
  /** Returns whether this window shows the subject already. */
  isInSight(notice: Notice, txId: TxId): boolean;
  /** Returns whether this window is the one that shows the notice. */
  isShownHere(what: string): Promise<boolean>;
}

/**
 * Returns whether this window shows a notice. Only one window does, preferably the focused one. A notice whose subject
 * is visible is skipped, unless it is about money.
 */
export async function isShownHere(notice: Notice, txId: TxId, notices: NoticeSharing): Promise<boolean> {
  if (notice.topic === "first-final" && firstFinal(notices.list()) !== txId) return false;
  if (await notices.isHidden(notice)) return false;
  if (!(await notices.isShownHere(`${txId} ${notice.about}`))) return false;
  return notice.topic === undefined || !notices.isInSight(notice, txId);
}

/** First own transaction that became final. */
function firstFinal(transactions: readonly TrackedTransaction[]): TxId | undefined {
  const own = transactions.filter(({ signed, state }) => signed !== undefined && state.kind === "solidified");
  const [first] = own.sort((a, b) => a.changedAt - b.changedAt || (a.txId < b.txId ? -1 : 1));
  return first?.txId;
}

/** Services of the outage notice. */
interface OutageServices {
  /** Returns the networks whose gateway does not answer. */
  unanswered(): readonly string[];
  /** Returns whether the issue is visible already, or no transaction is pending. */
  isQuiet(): boolean;
  sleep: Clock["sleep"];
  say(networks: readonly string[]): void;
}

/** Ignores a request that failed once. */
const OUTAGE_MS = 10_000;

/** Reports each lasting outage once, unless it is visible already. */
export class Outage {
  readonly #services: OutageServices;
  #over = new AbortController();
  #isOn = false;

  constructor(services: OutageServices) {
    this.#services = services;
  }

  /** Call when the connection state changed. */
  look(): void {
    const isOn = this.#services.unanswered().length > 0;
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#over.abort();
    this.#over = new AbortController();
    if (isOn) void this.#wait(this.#over.signal);
  }

  dispose(): void {
    this.#over.abort();
  }

  async #wait(over: AbortSignal): Promise<void> {
    await this.#services.sleep(OUTAGE_MS, over).catch(() => undefined);
    if (!over.aborted && !this.#services.isQuiet()) this.#services.say(this.#services.unanswered());
  }
}
