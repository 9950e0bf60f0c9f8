import assert from "node:assert/strict";
import type { RecordedOutcome } from "../../../../packages/client/src/transaction-state/journal-entry.ts";
import type {
  Attempt,
  TrackedTransaction,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { blockReference, nameOf, noReasons, signedPart, tracked } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tracking/notices.ts");

describe("outageOf", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/tracking/notices.ts");
  });

  beforeEach(() => editor.reset());

  /** Returns the notifications of a minute without answers from these networks. */
  async function noticesFor(unanswered: readonly string[], { hidden = false, inSight = false } = {}) {
    const clock = new FakeClock();
    const transactions = { unanswered, list: () => [tracked({ state: { kind: "pending" }, hidden })] };
    const outage = parts.outageOf({ transactions: transactions as never, sleep: clock.sleep }, () => inSight);
    outage.look();
    await clock.advance(60_000);
    outage.dispose();
    return editor.asked.map(({ title }) => title);
  }

  it("names a network with pending transactions", async () => {
    assert.deepEqual(await noticesFor(["Shop"]), [
      "The gateway of Shop does not answer. Finality retries reads and sends nothing.",
    ]);
  });

  it("shows nothing without a visible pending transaction, or while the list shows it", async () => {
    assert.deepEqual(await noticesFor([]), []);
    assert.deepEqual(await noticesFor(["Shop"], { hidden: true }), []);
    assert.deepEqual(await noticesFor(["Shop"], { inSight: true }), []);
  });
});

describe("finality.notifications.transactions", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/tracking/notices.ts");
  });

  beforeEach(() => editor.reset());

  const block = blockReference(12);
  const signed = signedPart();
  const attempts = (outcome: RecordedOutcome): readonly Attempt[] => [
    { number: 1, endpoint: "https://node.test", startedAt: 1, answeredAt: 2, outcome },
  ];
  const lost = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" } as const;
  const refused = { kind: "rejected", code: "SIGERROR", message: "bad" } as const;
  const NEWS: { readonly [name: string]: Partial<TrackedTransaction> } = {
    unknown: { signed, state: { kind: "unknown", reason: "reset" }, attempts: attempts(lost) },
    rejected: {
      signed,
      state: { kind: "rejected", code: "SIGERROR", message: "bad", retry: "rebuild" },
      attempts: attempts(refused),
    },
    failed: {
      signed,
      state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } },
    },
    "first final": { signed, state: { kind: "solidified", block, outcome: { kind: "success" } } },
  };

  /** Returns the names of the news that cause a notification. */
  async function noticed(setting: string | undefined): Promise<readonly string[]> {
    if (setting !== undefined) editor.settings["finality.notifications.transactions"] = setting;
    const found: string[] = [];
    for (const [name, changes] of Object.entries(NEWS)) {
      const it = tracked({ ...changes, createdAt: 20, changedAt: 30 });
      const clock = new FakeClock(10);
      const services = {
        transactions: { list: () => [it], get: () => it, lookNow: async () => it, networkOf: () => "nile" },
        networkOf: () => undefined,
        notices: async () => ({ isHidden: async () => false, isShownHere: async () => true }),
        ...{ sleep: clock.sleep, nameOf, clicks: { of: (argument: object) => argument } },
        reasons: { of: noReasons, settled: async () => undefined },
      };
      const sight = { isListShown: () => false, isTimelineShown: () => false, closing: new AbortController().signal };
      const before = editor.asked.length;
      const announced = parts.createNotifier(services as never, 10, sight).announce([it]);
      for (let second = 0; second < 15; second++) await clock.advance(1_000);
      await announced;
      if (editor.asked.length > before) found.push(name);
    }
    return found;
  }

  it("all: reports what needs attention, failures and the first final transaction", async () => {
    for (const setting of [undefined, "all"]) assert.deepEqual(await noticed(setting), Object.keys(NEWS));
  });

  it("urgent: reports only unknown outcomes and rejections", async () => {
    assert.deepEqual(await noticed("urgent"), ["unknown", "rejected"]);
  });
});
