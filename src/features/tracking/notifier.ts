import type { Clock } from "@finality/client/gateway";
import { failureOf, type TrackedTransaction } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { Notice, NoticeAction, NoticeContext } from "./notifications.view.ts";

/** What the notifier knows by and speaks through. */
export interface NoticeServices {
  get(txId: TxId): TrackedTransaction | undefined;
  /** Looks for it on the chain; resolves within seconds, whatever comes of it. */
  look(txId: TxId): Promise<void>;
  /** Resolves when it is known as well as it will be why it failed; within seconds, whatever comes of it. */
  reasonOn(tracked: TrackedTransaction): Promise<void>;
  /** @returns what was chosen; undefined when it was closed */
  show(notice: Notice): Promise<NoticeAction | undefined>;
  /** Whether this window tells it: not another one, and not where the person has had enough of it, or sees it. */
  isSaidHere(notice: Notice, txId: TxId): Promise<boolean>;
  /** Resolves when what comes at the same time has come. @returns whether the window is still there */
  pause(): Promise<boolean>;
}

/** What a button of a notice does. */
type NoticeHandler = (action: NoticeAction, txId: TxId) => void;

/**
 * Speaks up about a transaction when it comes to a state that must not stay unseen, once for each. What was so before
 * this window began is in the tree and is not said again.
 */
export class Notifier {
  readonly #context: NoticeContext;
  readonly #handle: NoticeHandler;
  readonly #services: NoticeServices;
  readonly #said = new Map<TxId, string>();
  readonly #underWay = new Set<TxId>();
  #waiting: { readonly notice: Notice; readonly txId: TxId }[] = [];

  constructor(context: NoticeContext, services: NoticeServices, handle: NoticeHandler) {
    this.#context = context;
    this.#services = services;
    this.#handle = handle;
  }

  /** Says what is new about these transactions. */
  async announce(transactions: readonly TrackedTransaction[]): Promise<void> {
    const { sessionStart } = this.#context;
    const fresh = transactions.filter(({ hidden, changedAt }) => !hidden && changedAt >= sessionStart);
    if (fresh.length === 0) return;
    await Promise.all(fresh.map(({ txId }) => this.#consider(txId)));
  }

  /** That an outcome is unknown is only said of what the chain does not show: it is looked for first. */
  async #consider(txId: TxId): Promise<void> {
    const { noticeAbout } = await import("./notifications.view.ts");
    // A reason may be told in better words later, and is no news then.
    const withoutReasons = { ...this.#context, reasonOf: () => undefined };
    const noticeNow = (): Notice | undefined => {
      const tracked = this.#services.get(txId);
      return tracked === undefined || tracked.hidden ? undefined : noticeAbout(tracked, withoutReasons);
    };
    if (this.#underWay.has(txId)) return;
    let notice = noticeNow();
    while (notice !== undefined && this.#said.get(txId) !== notice.message) {
      const isHere = await this.#isHere(notice, txId);
      const now = noticeNow();
      if (now?.about === notice.about) return this.#say(txId, now, isHere);
      notice = now;
    }
    this.#said.set(txId, notice?.message ?? "");
  }

  /** Whether it is told here; what is open was looked for then. */
  async #isHere(notice: Notice, txId: TxId): Promise<boolean> {
    this.#underWay.add(txId);
    try {
      const isHere = await this.#services.isSaidHere(notice, txId);
      if (isHere && this.#services.get(txId)?.state.kind === "unknown") await this.#services.look(txId);
      return isHere;
    } finally {
      this.#underWay.delete(txId);
    }
  }

  #say(txId: TxId, notice: Notice, isHere: boolean): void {
    this.#said.set(txId, notice.message);
    if (!isHere) return;
    this.#waiting.push({ notice, txId });
    if (this.#waiting.length === 1) void this.#flush();
  }

  /** Several at once are one. */
  async #flush(): Promise<void> {
    if (!(await this.#services.pause())) return;
    const { noticeAboutSeveral } = await import("./notifications.view.ts");
    const waiting = this.#waiting.filter(({ notice, txId }) => this.#said.get(txId) === notice.message);
    this.#waiting = [];
    const notice = noticeAboutSeveral(waiting.map((it) => it.notice));
    const alone = waiting.find((it) => it.notice === notice);
    if (alone !== undefined) return await this.#show(alone.notice, alone.txId);
    const [first] = waiting;
    if (notice !== undefined && first !== undefined) await this.#tell(notice, first.txId);
  }

  async #show(notice: Notice, txId: TxId): Promise<void> {
    await this.#tell((await this.#withReason(txId)) ?? notice, txId);
  }

  async #tell(notice: Notice, txId: TxId): Promise<void> {
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

/** What decides whether a notice is said, and in which window. */
export interface Telling {
  list(): readonly TrackedTransaction[];
  /** Whether the person has had enough of notices like this one. */
  isHidden(notice: Notice): Promise<boolean>;
  /** Whether this window shows it anyway. */
  isInSight(notice: Notice, txId: TxId): boolean;
  /** Whether this window is the one of all that says it. */
  isSaidHere(what: string): Promise<boolean>;
}

/**
 * Whether this window tells it. Several windows know the same of a transaction: one tells it, the one that the person
 * looks at where there is one. What that one shows anyway is told nowhere, unless it is about money.
 */
export async function isSaidHere(notice: Notice, txId: TxId, telling: Telling): Promise<boolean> {
  if (notice.topic === "first-final" && firstFinal(telling.list()) !== txId) return false;
  if (await telling.isHidden(notice)) return false;
  if (!(await telling.isSaidHere(`${txId} ${notice.about}`))) return false;
  return notice.topic === undefined || !telling.isInSight(notice, txId);
}

/** The transaction of one's own that was the first to become final. */
function firstFinal(transactions: readonly TrackedTransaction[]): TxId | undefined {
  const own = transactions.filter(({ signed, state }) => signed !== undefined && state.kind === "solidified");
  const [first] = own.sort((a, b) => a.changedAt - b.changedAt || (a.txId < b.txId ? -1 : 1));
  return first?.txId;
}

/** What tells of an outage, and how it is told. */
interface OutageServices {
  /** The networks on which nobody answers; none while all is well. */
  unanswered(): readonly string[];
  /** Whether the trouble is in sight already, or nobody waits for anything. */
  isQuiet(): boolean;
  sleep: Clock["sleep"];
  say(networks: readonly string[]): void;
}

/** A request that fails once is none. */
const OUTAGE_MS = 10_000;

/** Speaks up once in each outage, when it lasts and nobody sees it. */
export class Outage {
  readonly #services: OutageServices;
  #over = new AbortController();
  #isOn = false;

  constructor(services: OutageServices) {
    this.#services = services;
  }

  /** To be called when the trouble changed. */
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
