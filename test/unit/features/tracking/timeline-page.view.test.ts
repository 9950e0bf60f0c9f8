import assert from "node:assert/strict";
import type {
  Attempt,
  TrackedTransaction,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import {
  describeButtons,
  describeTimeline,
  type TimelinePageContext,
} from "../../../../src/features/tracking/timeline-page.view.ts";
import { timelineJson, timelineReport } from "../../../../src/features/tracking/timeline-report.ts";
import { NO_FACTS } from "../../../../src/features/tracking/timeline-sections.view.ts";
import { rawDataFor } from "../../../support/random/random-chains.ts";
import { evidence, proof } from "../../../support/tracking/proven.ts";
import {
  adopted,
  blockReference,
  nameOf,
  noReasons,
  signedPart,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

const context: TimelinePageContext = {
  nameOf,
  timeOf: (ms) => `t${ms}`,
  sessionStart: 10_000,
  reasonOf: noReasons,
  production: false,
  fallbackUrls: [],
};
const attempt: Attempt = { number: 1, endpoint: "https://gateway.test/api", startedAt: 5, answeredAt: 28 };
const lost: Attempt = { ...attempt, outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" } };
const accepted: Attempt = { ...attempt, outcome: { kind: "accepted" } };
const refused: Attempt = { ...attempt, outcome: { kind: "rejected", code: "SIGERROR", message: "bad" } };
const unknown = { attempts: [lost], state: { kind: "unknown", reason: "reset" } } as const;
const absence = { ...evidence(), provenAt: 5 };
const proven = { attempts: [lost], absence, state: { kind: "proven-absent", from: 101, to: 121 } } as const;

const page = (changes: Partial<TrackedTransaction>, more: Partial<TimelinePageContext> = {}) =>
  describeTimeline(tracked(changes), { ...context, ...more });
const stages = (changes: Partial<TrackedTransaction>): readonly string[] =>
  page(changes).stages.map(({ label, mark }) => `${label} ${mark}`);
const buttons = (changes: Partial<TrackedTransaction>, more: Partial<TimelinePageContext> = {}): readonly string[] =>
  page(changes, more).buttons.map(({ action, primary, whyNot }) =>
    [action, ...(primary ? ["primary"] : []), ...(whyNot === null ? [] : ["refused"])].join(" "),
  );

describe("timeline stages", () => {
  const block = blockReference(1204, 77);
  const cases: readonly (readonly [string, Partial<TrackedTransaction>, string])[] = [
    ["signed", {}, "done ahead ahead ahead ahead"],
    ["unknown", unknown, "done open ahead ahead ahead"],
    ["pending", { state: { kind: "pending" }, attempts: [accepted] }, "done done now ahead ahead"],
    ["included", { state: { kind: "included", block }, attempts: [accepted] }, "done done done now ahead"],
    ["final", { state: { kind: "solidified", block, outcome: { kind: "success" } } }, "done done done done done"],
    ["proven absent", proven, "done done never never done"],
    [
      "failed",
      { state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } } },
      "done done done done failed",
    ],
    [
      "rejected",
      { state: { kind: "rejected", code: "SIGERROR", message: "bad", retry: "sign-again" }, attempts: [refused] },
      "done failed ahead ahead ahead",
    ],
    [
      "rejected and not found",
      {
        state: { kind: "rejected", code: "SIGERROR", message: "bad", retry: "sign-again" },
        attempts: [refused],
        notFoundAt: 9,
      },
      "done failed never never never",
    ],
    ["sending", { createdAt: 20_000 }, "done now ahead ahead ahead"],
  ];
  for (const [name, changes, marks] of cases) {
    it(`are "${marks}" for a ${name} transaction`, () => {
      assert.equal(
        page(changes)
          .stages.map(({ mark }) => mark)
          .join(" "),
        marks,
      );
    });
  }

  it("name the block and the final result", () => {
    const state = { kind: "included", block: blockReference(1204) } as const;

    assert.equal(stages({ state })[3], "Block 1,204 now");
    assert.equal(stages(proven)[4], "Proven absent done");
    assert.equal(stages({ ...proven, state: { kind: "replaced", by: txId("a") } })[4], "Replaced done");
  });
});

describe("the buttons of a timeline", () => {
  it("offer a rebroadcast of an unknown transaction, and explain why no replacement is possible", () => {
    assert.deepEqual(buttons(unknown), ["resend primary", "look-now", "replace refused", "show-in-list"]);
    assert.match(
      page(unknown).buttons.find(({ action }) => action === "replace")?.whyNot ?? "",
      /may still be executed/,
    );
    assert.ok(buttons(unknown, { fallbackUrls: ["https://b.test"] }).includes("another-node"));
  });

  it("offer the block explorer of a network that has one", () => {
    assert.equal(buttons(proven, { hasExplorer: true }).at(-1), "open-explorer");
    assert.ok(!buttons(proven).includes("open-explorer"));
  });

  it("offer the replacement first after a proof of absence", () => {
    assert.deepEqual(buttons(proven), ["replace primary", "export-proof", "show-in-list"]);
  });

  it("offer the same bytes first after a refusal for lack of coins, and nothing to send for a final transaction", () => {
    const poor = { kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message: "balance is not sufficient" } as const;
    const state = { ...poor, retry: "same-bytes-after-funding" } as const;

    const offered = buttons({ state, attempts: [{ ...attempt, outcome: poor }] });

    assert.deepEqual(offered.slice(0, 3), ["resend primary", "look-now", "replace refused"]);
    const final = { kind: "solidified", block: blockReference(5), outcome: { kind: "success" } } as const;

    assert.deepEqual(buttons({ state: final }), ["show-in-list"]);
  });
});

describe("timeline proof of absence", () => {
  it("shows its cost before it begins", () => {
    const { expiration, parentId } = proof();
    const signed = { ...signedPart(), expiration, rawDataHex: rawDataFor(parentId, expiration, expiration - 60_001) };

    const described = page({ ...unknown, signed }).proof;

    assert.match(
      described?.sentence ?? "",
      /starts automatically .* It will read about 94 solidified blocks, in 1 request/,
    );
  });

  it("shows its progress, and the reason when it stopped", () => {
    const running = page({ ...unknown, proving: { kind: "scanning", read: 14, total: 21 } }).proof;
    const stopped = page({ ...unknown, proving: { kind: "stopped", reason: { kind: "by-hand" } } }).proof;

    assert.ok(buttons({ ...unknown, proving: { kind: "scanning", read: 14, total: 21 } }).includes("stop-proof"));
    assert.ok(
      buttons({ ...unknown, proving: { kind: "stopped", reason: { kind: "by-hand" } } }).includes("resume-proof"),
    );
    assert.deepEqual([running?.progress, running?.tone], [{ read: 14, total: 21 }, "moving"]);
    assert.equal(stopped?.tone, "warning");
    assert.match(stopped?.sentence ?? "", /^You stopped the search for a proof/);
  });

  it("lists the block range, the digest and the solidified time, and is absent when not needed", () => {
    const rows = page(proven).proof?.rows.map(({ name, value }) => `${name} ${value}`) ?? [];

    assert.ok(rows.includes("Blocks 101–121 (21)"), rows.join("\n"));
    assert.ok(rows.includes(`SHA-256 of all IDs ${absence.digest}`));
    assert.ok(rows.includes(`Solidified time t${absence.last.timestamp} ≥ expiry`));
    assert.equal(page({ state: { kind: "signed" } }).proof, null);
    assert.equal(describeTimeline(adopted({ state: { kind: "unknown", reason: "" } }), context).proof, null);
  });
});

describe("timeline steps", () => {
  it("show endpoint, times, code and answer of each attempt", () => {
    const step = page({ attempts: [refused] }).steps[1];

    assert.deepEqual(
      step?.rows.map(({ name, value }) => `${name} ${value}`),
      [
        "Attempt 1",
        "Endpoint https://gateway.test/api",
        "Sent t5",
        "Answered t28",
        "Answer SIGERROR: bad",
        "Code SIGERROR",
      ],
    );
  });

  it("link the predecessor and the replacement", () => {
    const life = page({
      ...proven,
      replaces: txId("a"),
      replacedBy: txId("b"),
      state: { kind: "replaced", by: txId("b") },
    });

    const links = life.steps.filter((it) => it.txId !== null).map((it) => [it.label, it.txId]);

    assert.deepEqual(links, [
      ["Replaces", txId("a")],
      ["Replaced by", txId("b")],
    ]);
  });

  it("show the sender by name", () => {
    const rows = page({}).rows.map(({ name }) => name);

    assert.deepEqual(rows, ["txID", "Network", "From Alice", "Expires"]);
  });
});

/** Returns the buttons of a shared file with this weight of a threshold of 2. */
function buttonsAt(weight: bigint | undefined): readonly string[] {
  const quorum = weight === undefined ? {} : { quorum: { weight, threshold: 2n } };
  const buttons = describeButtons(tracked({ signed: { ...signedPart(), shared: true, ...quorum } }), []);
  return buttons.map(({ label, primary }) => (primary ? `* ${label}` : label));
}

describe("the buttons of a timeline", () => {
  it("U11: emphasize Send only when the signatures reach the threshold", () => {
    assert.deepEqual(buttonsAt(2n).slice(0, 2), ["* Send", "Add Signature…"]);
    for (const weight of [1n, undefined]) assert.deepEqual(buttonsAt(weight).slice(0, 2), ["Send", "* Add Signature…"]);
  });

  it("U11: offer a rebroadcast only after a broadcast", () => {
    const [first] = describeButtons(tracked({ state: { kind: "unknown", reason: "" } }), []);

    assert.equal(first?.label, "Send Same Bytes Again");
  });
});

const reportContext = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf: noReasons,
  sessionStart: 9,
  production: false,
  fallbackUrls: [],
};

describe("timelineReport", () => {
  it("contains the attempts, the proof and the links", () => {
    const life = describeTimeline(
      tracked({
        state: { kind: "replaced", by: txId("b") },
        replacedBy: txId("b"),
        absence: { ...evidence(), provenAt: 5 },
        attempts: [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, answeredAt: 28 }],
      }),
      reportContext,
    );

    const report = timelineReport(life);

    for (const part of [
      tracked().txId,
      txId("b"),
      evidence().digest,
      "`https://gateway.test`",
      "Proof of absence",
      "Replaced by",
    ]) {
      assert.ok(report.includes(part), `${part} is not in\n${report}`);
    }
  });

  it("escapes texts of the gateway", () => {
    const message = "![x](http://evil) <b> | `code`";
    const outcome = { kind: "rejected", code: "SIGERROR", message } as const;
    const life = describeTimeline(
      tracked({
        label: "[a](b)",
        attempts: [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, outcome }],
      }),
      reportContext,
    );

    const report = timelineReport(life);

    assert.doesNotMatch(report.replace(/`[^`\n]*`/g, ""), /(?<!\\)[[<`]\w*(http|b>|code)/);
    assert.ok(report.includes("!\\[x\\](http\\://evil) \\<b> \\| \\`code\\`"), report);
  });
});

describe("note of a transaction", () => {
  const NOTE = "May #Rent for [tea](x) #shop";

  it("is a row of the page", () => {
    const { rows } = page({}, { noteOf: () => NOTE });

    assert.deepEqual(rows.find(({ name }) => name === "Note")?.value, NOTE);
    assert.equal(
      page({}).rows.some(({ name }) => name === "Note"),
      false,
    );
  });

  it("is in the JSON of the page, with its tags", () => {
    const { note, tags } = JSON.parse(timelineJson(tracked({}), NO_FACTS, NOTE)) as Record<string, unknown>;

    assert.deepEqual([note, tags], [NOTE, ["#rent", "#shop"]]);
    assert.doesNotMatch(timelineJson(tracked({}), NO_FACTS), /note|tags/);
  });
});
