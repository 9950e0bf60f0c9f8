import assert from "node:assert/strict";
import type {
  TrackedTransaction,
  TrackingState,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { CalmTopic, Notice } from "../../../../src/features/tracking/notifications.view.ts";
import { isShownHere, type NoticeSharing, Notifier, Outage } from "../../../../src/features/tracking/notifier.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { rejected } from "../../../support/tracking/journal-entries.ts";
import { blockReference, nameOf, tracked } from "../../../support/tracking/tracked.ts";

const UNKNOWN: TrackingState = { kind: "unknown", reason: "no answer" };
const block = blockReference(7);

/** Creates a notifier for one transaction. The test resolves its polls. */
function notifierOf({ greets = false } = {}) {
  const shown: Notice[] = [];
  const polls: (() => void)[] = [];
  const elsewhere = new Set<string>();
  let isReasonKnown = false;
  const reasonOf = () => (isReasonKnown ? { text: foreignText("NotEnoughLeaves()") } : undefined);
  let now: TrackedTransaction = tracked({ state: UNKNOWN });
  const services = {
    get: (_txId: TxId) => now,
    look: () => new Promise<void>((done) => polls.push(done)),
    reasonOn: () => {
      isReasonKnown = true;
      return Promise.resolve();
    },
    isShownHere: async ({ about }: Notice) => !elsewhere.has(about.split(" ")[0] ?? ""),
    pause: () => Promise.resolve(true),
    show: async (notice: Notice) => {
      shown.push(notice);
      return undefined;
    },
  };
  const notifier = new Notifier({ nameOf, reasonOf, sessionStart: 0, greets }, services, () => undefined);
  const become = (changes: Partial<TrackedTransaction>): Promise<void> => {
    now = tracked(changes);
    return notifier.announce([now]);
  };
  return { shown, polls, elsewhere, become, passed: () => new FakeClock().advance(0) };
}

describe("notification of an unknown outcome", () => {
  it("P4: is not shown when a poll finds the transaction in a block", async () => {
    const { shown, polls, become, passed } = notifierOf();
    const announced = become({ state: UNKNOWN });
    await passed();
    assert.equal(polls.length, 1);

    const found = become({ state: { kind: "included", block } });
    polls[0]?.();
    await Promise.all([announced, found]);

    assert.deepEqual(shown, []);
  });

  it("P4: is shown once after a poll that finds nothing", async () => {
    const { shown, polls, become, passed } = notifierOf();
    const first = become({ state: UNKNOWN });
    const second = become({ state: UNKNOWN });
    await passed();
    assert.deepEqual([polls.length, shown.length], [1, 0]);

    polls[0]?.();
    await Promise.all([first, second]);
    await become({ state: UNKNOWN });

    assert.deepEqual([polls.length, shown.length], [1, 1]);
    assert.match(shown[0]?.message ?? "", /^Outcome unknown/);
  });

  it("P4: is not shown when the outcome arrives while its texts load", async () => {
    const { shown, become } = notifierOf();

    await Promise.all([become({ state: UNKNOWN }), become({ state: { kind: "included", block } })]);

    assert.deepEqual(shown, []);
  });
});

describe("notification of a rejection", () => {
  it("M1: is shown once when a block contains the rejected transaction", async () => {
    const { shown, become } = notifierOf();
    const outcome = rejected("SIGERROR", "Validate signature error: sig error");
    const attempts = [{ number: 1, endpoint: "https://a.test", startedAt: 1, answeredAt: 2, outcome }];

    await become({ state: { kind: "included", block }, attempts });
    await become({ state: { kind: "solidified", block, outcome: { kind: "success" } }, attempts });

    assert.equal(shown.length, 1);
    assert.match(shown[0]?.message ?? "", /was refused \(Validate signature error: sig error\), but the chain has it/);
    assert.match(shown[0]?.message ?? "", /do not pay again/);
  });

  it("M1: is not shown for a success after the same bytes were sent again", async () => {
    const { shown, become } = notifierOf();
    const attempt = { endpoint: "https://a.test", startedAt: 1, answeredAt: 2 };
    const attempts = [
      { ...attempt, number: 1, outcome: rejected("BANDWITH_ERROR") },
      { ...attempt, number: 2, outcome: { kind: "accepted" } as const },
    ];

    await become({ state: { kind: "solidified", block, outcome: { kind: "success" } }, attempts });

    assert.deepEqual(shown, []);
  });
});

describe("notification of a failure", () => {
  it("waits for the reason and is shown once", async () => {
    const { shown, become, passed } = notifierOf();
    const outcome = { kind: "failed", result: "REVERT", message: "REVERT opcode executed" } as const;

    await become({ state: { kind: "solidified", block, outcome } });
    await passed();
    await become({ state: { kind: "solidified", block, outcome } });
    await passed();

    assert.equal(shown.length, 1);
    assert.match(shown[0]?.message ?? "", /^Final, but failed: 1\.5 coins → Bob\. NotEnoughLeaves\(\)\.$/);
  });
});

const FAILED = {
  kind: "solidified",
  block,
  outcome: { kind: "failed", result: "REVERT", message: "REVERT opcode executed" },
} as const satisfies TrackingState;

describe("notifications of several transactions", () => {
  /** Returns the notifications for transactions that reach these states at the same time. */
  async function shownAbout(states: readonly TrackingState[]): Promise<readonly Notice[]> {
    const shown: Notice[] = [];
    const all = states.map((state, at) => tracked({ state, txId: `${at}`.repeat(64) as TxId }));
    const services = {
      get: (txId: TxId) => all.find((it) => it.txId === txId),
      look: () => Promise.resolve(),
      reasonOn: () => Promise.resolve(),
      isShownHere: () => Promise.resolve(true),
      pause: () => new FakeClock().advance(0).then(() => true),
      show: async (notice: Notice) => void shown.push(notice),
    };
    const context = { nameOf, reasonOf: () => undefined, sessionStart: 0, greets: true };
    await new Notifier(context, services, () => undefined).announce(all);
    await new FakeClock().advance(0);
    await new FakeClock().advance(0);
    return shown;
  }

  it("are combined into one with the highest severity", async () => {
    const [notice, ...more] = await shownAbout([UNKNOWN, FAILED, UNKNOWN]);

    assert.deepEqual(more, []);
    assert.equal(notice?.severity, "error");
    assert.match(notice?.message ?? "", /^3 transactions need attention\. /);
    assert.deepEqual(
      notice?.actions.map(({ action }) => action),
      ["show-list"],
    );
  });

  it("omit a first success beside a problem", async () => {
    const shown = await shownAbout([{ kind: "solidified", block, outcome: { kind: "success" } }, UNKNOWN]);

    assert.equal(shown.length, 1);
    assert.match(shown[0]?.message ?? "", /^Outcome unknown/);
  });
});

describe("notification that another window shows", () => {
  it("is neither shown nor polled for here, unlike the next state", async () => {
    const { shown, polls, elsewhere, become, passed } = notifierOf();
    elsewhere.add("unknown");

    await become({ state: UNKNOWN });
    await become({ state: UNKNOWN });
    await passed();
    assert.deepEqual([shown, polls], [[], []]);

    const outcome = rejected("BANDWITH_ERROR");
    const attempts = [{ number: 1, endpoint: "https://a.test", startedAt: 1, answeredAt: 2, outcome }];
    await become({ state: { kind: "rejected", code: "BANDWITH_ERROR", message: "", retry: "sign-again" }, attempts });
    await passed();
    assert.equal(shown.length, 1);
  });
});

describe("notification of a success", () => {
  it("is shown for the first final transaction, with a button for its timeline", async () => {
    const { shown, become, passed } = notifierOf({ greets: true });

    await become({ state: { kind: "solidified", block, outcome: { kind: "success" } } });
    await passed();

    assert.deepEqual(
      shown.map(({ message, actions }) => [message, actions.map(({ title }) => title)]),
      [["Your first transaction is final. Show its page?", ["Open"]]],
    );
  });
});

const OURS = "a1".repeat(32) as TxId;
const EARLIER = "b2".repeat(32) as TxId;
const FINAL = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } } as const;

const noticeOf = (topic?: CalmTopic): Notice => ({
  severity: "error",
  message: "",
  actions: [],
  about: topic ?? "unknown",
  ...(topic === undefined ? {} : { topic }),
});

/** Creates windows that share their notifications. */
function windows() {
  const shown = new Set<string>();
  return (its: Partial<NoticeSharing> = {}): NoticeSharing => ({
    list: () => [tracked({ txId: OURS, state: FINAL })],
    isHidden: async () => false,
    isInSight: () => false,
    isShownHere: async (what) => shown.size < shown.add(what).size,
    ...its,
  });
}

describe("isShownHere", () => {
  it("is true for each topic of each transaction", async () => {
    const open = windows();

    assert.equal(await isShownHere(noticeOf(), OURS, open()), true);
    assert.equal(await isShownHere(noticeOf("failed"), OURS, open()), true);
    assert.equal(await isShownHere(noticeOf(), EARLIER, open()), true);
  });

  it("is false for a visible failure, but not for a notification about money", async () => {
    const open = windows();
    const isInSight = () => true;

    assert.equal(await isShownHere(noticeOf("failed"), OURS, open({ isInSight })), false);
    assert.equal(await isShownHere(noticeOf("failed"), OURS, open()), false);
    assert.equal(await isShownHere(noticeOf(), OURS, open({ isInSight })), true);
  });

  it("is false for a notification that the user turned off", async () => {
    const open = windows();

    assert.equal(await isShownHere(noticeOf("failed"), OURS, open({ isHidden: async () => true })), false);
    assert.equal(await isShownHere(noticeOf("failed"), OURS, open()), true);
  });

  it("is true for a first final transaction only when none was final before", async () => {
    const isFirst = async (...list: readonly TrackedTransaction[]) =>
      await isShownHere(noticeOf("first-final"), OURS, windows()({ list: () => list }));
    const ours = tracked({ txId: OURS, state: FINAL, changedAt: 5 });
    const earlier = tracked({ txId: EARLIER, state: FINAL, changedAt: 4 });
    const { signed: _signed, ...theirs } = earlier;

    assert.equal(await isFirst(ours), true);
    assert.equal(await isFirst(ours, earlier), false);
    assert.equal(await isFirst(ours, theirs), true);
    assert.equal(await isFirst(ours, tracked({ txId: EARLIER, state: { kind: "pending" }, changedAt: 4 })), true);
    assert.equal(await isFirst(ours, tracked({ txId: EARLIER, state: FINAL, changedAt: 6 })), true);
  });
});

function outageOf() {
  const clock = new FakeClock();
  const reports: (readonly string[])[] = [];
  const state = { unanswered: [] as readonly string[], isQuiet: false };
  const outage = new Outage({
    unanswered: () => state.unanswered,
    isQuiet: () => state.isQuiet,
    sleep: clock.sleep.bind(clock),
    say: (networks) => void reports.push(networks),
  });
  const become = (...unanswered: readonly string[]): void => {
    state.unanswered = unanswered;
    outage.look();
  };
  return { clock, reports, state, become, outage };
}

describe("Outage", () => {
  it("reports all unreachable networks once after 10 s, and again for the next outage", async () => {
    const { clock, reports, become } = outageOf();

    become("Shop");
    become("Shop", "Nile");
    await clock.advance(60_000);
    assert.deepEqual(reports, [["Shop", "Nile"]]);

    become();
    become("Shop");
    await clock.advance(10_000);
    assert.equal(reports.length, 2);
  });

  it("reports nothing when the gateway answers within 10 s", async () => {
    const { clock, reports, become } = outageOf();

    become("Shop");
    await clock.advance(9_000);
    become();
    await clock.advance(60_000);

    assert.deepEqual(reports, []);
  });

  it("reports nothing while the list shows it", async () => {
    const { clock, reports, state, become } = outageOf();
    state.isQuiet = true;

    become("Shop");
    await clock.advance(60_000);

    assert.deepEqual(reports, []);
  });

  it("leaves no timer when disposed", async () => {
    const { clock, reports, become, outage } = outageOf();
    become("Shop");

    outage.dispose();
    await clock.advance(60_000);

    assert.deepEqual([reports, clock.sleeping], [[], 0]);
  });
});
