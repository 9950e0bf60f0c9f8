import assert from "node:assert/strict";
import {
  type Attempt,
  isSending,
  type TrackedTransaction,
  type TrackingState,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { shortAddress } from "../../../../packages/tron/src/format/short.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { deployedContractAddress, type Intent } from "../../../../packages/tron/src/transaction.ts";
import {
  contextValue,
  describeState,
  describeTooltip,
  describeTransaction,
  timelineOf,
  whatMayBeDone,
} from "../../../../src/features/tracking/transaction.view.ts";
import { turnedAway } from "../../../support/tracking/journal-entries.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import {
  ALICE,
  adopted,
  BOB,
  blockReference,
  nameOf,
  noReasons,
  signedPart,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

const context = { nameOf, timeOf: (ms: number): string => `t${ms}`, reasonOf: noReasons, sessionStart: 1_000_000_000 };

describe("describeTransaction", () => {
  it("U26: begins with the state, and continues with label, amount and recipient", () => {
    assert.equal(describeTransaction(tracked(), context).label, "Not sent · 1.5 coins → Bob");
    assert.equal(
      describeTransaction(tracked(), { ...context, nameOf: () => undefined }).label,
      `Not sent · 1.5 coins → ${shortAddress(BOB)}`,
    );
    assert.equal(describeTransaction(adopted({ txId: txId("7f") }), context).label, "Not sent · 7f7f7f…7f7f");
    assert.equal(describeTransaction(tracked({ label: "Rent" }), context).label, "Not sent · Rent · 1.5 coins → Bob");
  });

  it("U21: names the network where rows are of several, and shows the note last", () => {
    const pending = tracked({ state: { kind: "pending" }, network: "Nile" });
    const row = describeTransaction(pending, { ...context, namesNetworks: true, noteOf: () => "May #rent" });

    assert.equal(row.description, "Nile · not final · May #rent");
    assert.equal(row.spoken, "1.5 coins to Bob. Accepted by the node, not final. Nile. May #rent.");
    assert.equal(describeTransaction(pending, context).description, "not final");
    const through = { ...context, namesNetworks: true, networkOf: () => "Nile 2" };
    assert.match(describeTransaction(pending, through).description, /^Nile 2 · /);
  });

  it("describes the transaction for screen readers without arrows or hashes", () => {
    const { spoken } = describeTransaction(tracked({ state: { kind: "pending" } }), context);

    assert.equal(spoken, "1.5 coins to Bob. Accepted by the node, not final.");
  });
});

describe("deployments", () => {
  const intent: Intent = {
    kind: "contract-creation",
    owner: ALICE,
    name: "Leaf",
    bytecode: hex("60"),
    abi: hex(""),
    callValue: sun(0n),
    feeLimit: sun(1n),
    userPercent: 100n,
    originEnergyLimit: 1n,
  };
  const deployment = (state: TrackingState) => tracked({ signed: signedPart(intent), state });
  const solidified = { kind: "solidified", block: blockReference(1) } as const;
  const address = toBase58(deployedContractAddress(tracked().txId, ALICE));

  it("show the address of their contract in row and tooltip", () => {
    const it = deployment({ ...solidified, outcome: { kind: "success" } });
    const row = describeTransaction(it, context);

    assert.match(row.description, / · T\w+…\w+$/);
    assert.ok(row.spoken.endsWith(` Contract ${address}.`), row.spoken);
    assert.deepEqual(describeTooltip(it, context).notes, [`Contract ${address}`]);
  });

  it("show no address before they are in a block, or if they failed", () => {
    const failed = { kind: "failed", result: "REVERT", message: "" } as const;

    for (const state of [{ kind: "pending" }, { ...solidified, outcome: failed }] as const) {
      const row = describeTransaction(deployment(state), context);
      assert.doesNotMatch(`${row.description} ${row.spoken}`, /Contract T|· T\w+…/);
      assert.deepEqual(describeTooltip(deployment(state), context).notes, []);
    }
  });
});

describe("contextValue", () => {
  it("contains the state and a flag for each permitted action", () => {
    const solidified = { kind: "solidified", block: blockReference(1), outcome: { kind: "success" } } as const;

    assert.equal(contextValue(tracked({ state: { kind: "pending" } })), "tx.pending+resendable+moving+signed");
    assert.equal(contextValue(tracked({ state: solidified })), "tx.solidified+result+signed");
    assert.equal(contextValue(adopted({ state: solidified })), "tx.solidified+result");
    const absent = {
      state: { kind: "proven-absent", from: 101, to: 121 },
      absence: { ...evidence(), provenAt: 5 },
    } as const;
    assert.equal(contextValue(tracked(absent)), "tx.proven-absent+replaceable+proven+signed");
  });

  it("offers the replay of a failed call on networks other than the local chain", () => {
    const intent: Intent = {
      ...{ kind: "contract-call", owner: ALICE, contract: BOB, data: hex("") },
      ...{ callValue: sun(0n), feeLimit: sun(0n) },
    };
    const outcome = { kind: "failed", result: "REVERT", message: "no" } as const;
    const failed = tracked({
      signed: signedPart(intent),
      state: { kind: "solidified", block: blockReference(1), outcome },
    });

    assert.equal(contextValue(failed).includes("+replayable"), true);
    assert.equal(contextValue(failed, [], true).includes("+replayable"), false);
    assert.equal(contextValue({ ...failed, signed: signedPart() }).includes("+replayable"), false);
  });

  it("U11: contains sendable before the first broadcast, and collecting while signatures are missing", () => {
    const shared = { ...signedPart(), shared: true as const };
    const enough = { ...shared, quorum: { weight: 2n, threshold: 2n } };

    assert.equal(contextValue(tracked()), "tx.signed+sendable+moving+exportable+signed");
    assert.equal(
      contextValue(tracked({ signed: shared })),
      "tx.signed+sendable+signable+moving+exportable+collecting+signed",
    );
    assert.equal(contextValue(tracked({ signed: enough })), "tx.signed+sendable+signable+moving+exportable+signed");
  });

  it("contains elsewhere only when the network has another URL", () => {
    const pending = tracked({ state: { kind: "pending" } });
    assert.equal(contextValue(pending, ["https://second.example"]), "tx.pending+resendable+elsewhere+moving+signed");

    const rowOf = (otherUrls: readonly string[]) =>
      describeTransaction(pending, { ...context, otherUrlsOf: () => otherUrls }).contextValue;
    assert.match(rowOf(["https://second.example"]), /\+elsewhere/);
    assert.doesNotMatch(rowOf([]), /elsewhere/);
  });
});

describe("describeTooltip", () => {
  it("H1: names the network that tracks the transaction when its own was renamed", () => {
    const networkIn = (networkOf?: () => string) =>
      describeTooltip(tracked({ network: "Old name" }), { ...context, ...(networkOf && { networkOf }) }).network;

    assert.equal(
      networkIn(() => "New name"),
      "Old name, watched through New name",
    );
    assert.deepEqual([networkIn(() => "Old name"), networkIn()], ["Old name", "Old name"]);
  });

  it("advises about an unknown outcome", () => {
    const { advice } = describeTooltip(tracked({ state: { kind: "unknown", reason: "connection reset" } }), context);

    assert.match(advice ?? "", /Sending the same bytes again is harmless; a new payment is not/);
    assert.match(advice ?? "", /connection reset/);
  });

  it("lists the events in order", () => {
    const attempts = [
      { number: 1, endpoint: "http://127.0.0.1:9/x", startedAt: 5, answeredAt: 28, outcome: { kind: "accepted" } },
    ] as const;
    const state = { kind: "solidified", block: blockReference(1204, 77), outcome: { kind: "success" } } as const;

    const { life } = describeTooltip(tracked({ state, attempts, changedAt: 99 }), context);

    assert.deepEqual(life, [
      "Signed t1000, expires t1060000 by the clock of the chain",
      "Attempt 1, t5, http://127.0.0.1:9/x, 23 ms: accepted",
      "Block 1,204, t77 by the clock of the chain",
      "Solidified, seen t99",
    ]);
  });

  it("lists every attempt with its answer", () => {
    const base = { endpoint: "http://a", startedAt: 1, answeredAt: 2 };
    const attempts = [
      { ...base, number: 1, outcome: { kind: "rejected", code: "SIGERROR", message: "" } },
      { ...base, number: 2, outcome: { kind: "already-known", message: "dup" } },
      { ...base, number: 3 },
    ] as const;

    const { life } = describeTooltip(tracked({ attempts }), context);

    assert.deepEqual(life.slice(1), [
      "Attempt 1, t1, http://a, 1 ms: SIGERROR",
      "Attempt 2, t1, http://a, 1 ms: already known: dup",
      "Attempt 3, t1, http://a, 1 ms: no answer known",
    ]);
  });
});

const LATER = { sessionStart: 1_000_000_000, reasonOf: noReasons };
const block = blockReference(1204);
const stateRows: readonly (readonly [string, TrackingState, string, string, string | undefined])[] = [
  ["signed", { kind: "signed" }, "Not sent", "lock", undefined],
  [
    "unknown",
    { kind: "unknown", reason: "reset" },
    "Do not pay again · outcome unknown",
    "question",
    "list.warningForeground",
  ],
  ["pending", { kind: "pending" }, "Accepted · not final", "clockface", "charts.yellow"],
  ["included", { kind: "included", block }, "In a block · block 1,204 · may still change", "package", "charts.blue"],
  [
    "rejected",
    { kind: "rejected", code: "SIGERROR", message: "validate signature error", retry: "sign-again" },
    "Rejected · validate signature error",
    "circle-slash",
    "list.errorForeground",
  ],
  ["proven absent", { kind: "proven-absent", from: 1, to: 2 }, "Safe to replace · proven absent", "history", undefined],
  ["replaced", { kind: "replaced", by: txId("ab") }, "Replaced · by ababab…abab", "arrow-swap", undefined],
];

/** State and details, as a row shows them. */
function textOf({ state, details }: ReturnType<typeof describeState>): string {
  return details === "" ? state : `${state} · ${details}`;
}

describe("describeState", () => {
  for (const [name, state, description, icon, color] of stateRows) {
    it(`shows text, icon and color of a ${name} transaction`, () => {
      const look = describeState(tracked({ state }), LATER);

      assert.equal(textOf(look), description);
      assert.equal(look.icon, icon);
      assert.equal(look.color, color);
    });
  }

  it("U11: shows the weight of a file's signatures, as far as it is known", () => {
    const signed = { ...signedPart(), shared: true as const, signatures: ["00", "01"] as Hex[] };
    const looks = [{ weight: 2n, threshold: 2n }, { weight: 2n, threshold: 3n }, undefined].map((quorum) =>
      describeState(tracked({ signed: { ...signed, ...(quorum && { quorum }) } }), LATER),
    );

    assert.deepEqual(
      looks.map((it) => [textOf(it), it.spoken]),
      [
        ["Not sent · complete: 2 of 2", "Complete: 2 of 2, not sent"],
        ["Signatures: 2 of 3 · not sent", "Collecting signatures, 2 of 3"],
        ["Signatures: 2 so far · not sent", "Collecting signatures, 2 so far"],
      ],
    );
  });

  it("M1b: warns against another payment when a proxy turned the transaction away", () => {
    const attempt = { number: 1, endpoint: "https://a.test", startedAt: 1, answeredAt: 2 };
    const attempts = [{ ...attempt, outcome: turnedAway("GATEWAY_RATE_LIMITED") }];

    const look = describeState(tracked({ state: { kind: "unknown", reason: "" }, attempts }), LATER);

    assert.equal(textOf(look), "Do not pay again · not sent, as far as known");
    assert.equal(look.spoken, "Not sent, as far as known. Do not create a new payment");
  });

  it("uses a different icon for each state", () => {
    const failed: TrackingState = {
      kind: "solidified",
      block,
      outcome: { kind: "failed", result: "REVERT", message: "" },
    };
    const final: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
    const states = [...stateRows.map(([, state]) => state), failed, final];

    const icons = states.map((state) => describeState(tracked({ state }), LATER).icon);

    assert.equal(new Set(icons).size, states.length);
  });

  it("shows a replaced export as not sent", () => {
    const { signed } = tracked({});
    assert.ok(signed);
    const lost = tracked({ state: { kind: "signed" }, signed: { ...signed, shared: true }, replacedBy: txId("ab") });

    assert.equal(describeState(lost, LATER).spoken, "Not sent, replaced by ababab…abab");
    assert.match(describeState({ ...lost, replacedBy: undefined } as never, LATER).spoken, /Collecting signatures/);
  });

  it("shows block and duration of a final success", () => {
    const state: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };

    const look = describeState(tracked({ state, createdAt: 1_000, changedAt: 20_400 }), LATER);

    assert.equal(textOf(look), "Final · block 1,204 · 19 s");
    assert.equal(look.spoken, "Final, successful, in block 1,204");
  });

  it("H1: warns against another payment when another URL denies the failure", () => {
    const outcome = { kind: "failed", result: "OUT_OF_ENERGY", message: "" } as const;
    const outcomeElsewhere = { endpoint: "https://other.test", outcome: { kind: "success" } } as const;
    const disputed = tracked({ state: { kind: "solidified", block, outcome }, outcomeElsewhere });

    const look = describeState(disputed, LATER);

    assert.equal(textOf(look), "Do not pay again · failed or executed");
    assert.match(look.spoken, /failed \(OUT_OF_ENERGY\), https:\/\/other.test that it was executed. Do not create/);
    assert.equal(
      describeState({ ...disputed, outcomeElsewhere: { ...outcomeElsewhere, outcome } }, LATER).icon,
      "error",
    );
  });

  it("shows the reason of a final failure", () => {
    const outcome = { kind: "failed", result: "REVERT", message: "maxProfit limit violation" } as const;

    const look = describeState(tracked({ state: { kind: "solidified", block, outcome } }), LATER);

    assert.equal(textOf(look), "Failed · REVERT: maxProfit limit violation");
    assert.equal(look.icon, "error");
  });

  it("shows a failure in the head block as not final", () => {
    const outcome = { kind: "failed", result: "OUT_OF_ENERGY", message: "" } as const;

    const look = describeState(tracked({ state: { kind: "included", block, outcome } }), LATER);

    assert.equal(textOf(look), "Failed · OUT_OF_ENERGY · block 1,204 · may still change");
  });

  it("shows the problem of a rejection without the name of the check", () => {
    const rejected = (code: string, message: string): string =>
      textOf(describeState(tracked({ state: { kind: "rejected", code, message, retry: "rebuild" } }), LATER));

    const message = "Contract validate error : Validate TransferContract error, balance is not sufficient.";
    assert.equal(rejected("CONTRACT_VALIDATE_ERROR", message), "Rejected · balance is not sufficient");
    assert.equal(rejected("SIGERROR", ""), "Rejected · SIGERROR");
  });

  it("does not warn of double payment for a tracked foreign transaction", () => {
    const look = describeState(adopted({ state: { kind: "unknown", reason: "" } }), LATER);

    assert.equal(textOf(look), "Not found yet · searching");
  });

  it("shows the attempt number when several attempts got no answer", () => {
    const attempt = { number: 1, endpoint: "http://a", startedAt: 1 };
    const state: TrackingState = { kind: "unknown", reason: "reset" };

    const look = describeState(tracked({ state, attempts: [attempt, { ...attempt, number: 2 }] }), LATER);

    assert.equal(textOf(look), "Do not pay again · outcome unknown · attempt 2");
  });
});

describe("isSending", () => {
  const unknown: TrackingState = { kind: "unknown", reason: "no answer is recorded" };
  const open = { number: 1, endpoint: "http://a", startedAt: 5_000 };

  it("is true for an unanswered attempt of this session only", () => {
    const sending = tracked({ state: unknown, attempts: [open] });

    assert.equal(isSending(sending, 5_000), true);
    assert.equal(textOf(describeState(sending, { ...LATER, sessionStart: 5_000 })), "Sending");
    assert.equal(
      textOf(
        describeState(tracked({ state: unknown, attempts: [open, { ...open, number: 2 }] }), {
          ...LATER,
          sessionStart: 0,
        }),
      ),
      "Sending · attempt 2",
    );
    assert.equal(isSending(tracked({ state: unknown, attempts: [open] }), 5_001), false);
    const answered = {
      ...open,
      answeredAt: 5_100,
      outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" },
    } as const;

    assert.equal(isSending(tracked({ state: unknown, attempts: [answered] }), 0), false);
  });
});

const timelineContext = { timeOf: (ms: number): string => `t${ms}`, reasonOf: noReasons };
const base = { endpoint: "http://127.0.0.1:9/chain", startedAt: 5, answeredAt: 28 };
const attemptRows = (attempts: readonly Attempt[]): readonly string[] =>
  timelineOf(tracked({ attempts }), timelineContext).map(({ label, description }) => `${label} | ${description}`);

describe("timelineOf", () => {
  it("shows time, host and duration of an attempt", () => {
    assert.deepEqual(attemptRows([{ ...base, number: 1, outcome: { kind: "accepted" } }]), [
      "Signed | t1000 · expires t1060000",
      "Accepted | t5 · 127.0.0.1:9 · 23 ms",
    ]);
  });

  it("shows the reason of a failed attempt first", () => {
    const refused = { kind: "rejected", code: "SIGERROR", message: "Validate signature error: too many" } as const;
    const lost = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "connection reset" } as const;
    const [, ...attempts] = attemptRows([
      { ...base, number: 1, outcome: refused },
      { ...base, number: 2, outcome: lost },
      { number: 3, endpoint: "http://127.0.0.1:9", startedAt: 7 },
    ]);

    assert.deepEqual(attempts, [
      "Rejected | Validate signature error: too many · t5 · 127.0.0.1:9 · 23 ms",
      "Sent, no valid response | connection reset · t5 · 127.0.0.1:9 · 23 ms",
      "Sent, no answer known | t7 · 127.0.0.1:9",
    ]);
  });

  it("ends with the block and its solidification", () => {
    const state = { kind: "solidified", block: blockReference(1204, 77), outcome: { kind: "success" } } as const;

    const life = timelineOf(tracked({ state, changedAt: 99 }), timelineContext).slice(1);

    assert.deepEqual(
      life.map((it) => [it.label, it.description]),
      [
        ["Block 1,204", "t77"],
        ["Solidified", "seen t99"],
      ],
    );
  });

  it("shows progress and result of the proof of absence", () => {
    const absence = { ...evidence(), provenAt: 5 };
    const proof = (changes: Partial<TrackedTransaction>) => {
      const fact = timelineOf(tracked(changes), timelineContext).find(({ id }) => id === "proof");
      return fact && `${fact.label} | ${fact.description}`;
    };

    assert.equal(proof({}), undefined);
    assert.equal(
      proof({ proving: { kind: "scanning", read: 14, total: 21 } }),
      "Proof of absence | scanning 14 of 21 solidified blocks",
    );
    assert.equal(
      proof({ proving: { kind: "scanning", read: 0, total: 0 } }),
      "Proof of absence | scanning solidified blocks",
    );
    assert.equal(
      proof({ proving: { kind: "stopped", reason: { kind: "hole", height: 7 } } }),
      "Proof of absence | Block 7 could not be read; the proof is incomplete. Nothing was replaced.",
    );
    assert.equal(
      proof({ state: { kind: "proven-absent", from: 101, to: 121 }, absence }),
      "Proven absent | blocks 101–121 do not contain it",
    );
  });

  it("links a transaction with its replacement", () => {
    const links = (changes: Partial<TrackedTransaction>) =>
      timelineOf(tracked(changes), timelineContext).flatMap(({ label, txId: to }) =>
        to === undefined ? [] : [[label, to]],
      );

    assert.deepEqual(links({ state: { kind: "replaced", by: txId("1") }, replacedBy: txId("1") }), [
      ["Replaced by", txId("1")],
    ]);
    assert.deepEqual(links({ replaces: txId("2") }), [["Replaces", txId("2")]]);
  });

  it("reports an alarm when a block contains a transaction that was proven absent", () => {
    const state = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } } as const;
    const life = timelineOf(tracked({ state, absence: { ...evidence(), provenAt: 5 } }), timelineContext);

    assert.ok(life.some(({ label }) => label === "Alarm"));
    assert.ok(!timelineOf(tracked({ state }), timelineContext).some(({ label }) => label === "Alarm"));
  });

  it("gives every row a unique id when two windows used the same attempt number", () => {
    const life = timelineOf(
      tracked({
        attempts: [
          { ...base, number: 1 },
          { ...base, number: 1, startedAt: 6 },
        ],
      }),
      timelineContext,
    );

    assert.equal(new Set(life.map((it) => it.id)).size, life.length);
    assert.equal(timelineOf(adopted(), timelineContext)[0]?.label, "Tracked");
  });
});

const nowhere = () => undefined;
const finalBlock = blockReference(7);

describe("whatMayBeDone", () => {
  it("returns no flags without a visible transaction", () => {
    assert.equal(whatMayBeDone([], nowhere), "");
    assert.equal(whatMayBeDone([tracked({ state: { kind: "pending" }, hidden: true })], nowhere), "");
  });

  it("returns the flags of all transactions, each once", () => {
    const open = tracked({ state: { kind: "unknown", reason: "reset" } });
    const final = tracked({ state: { kind: "solidified", block: finalBlock, outcome: { kind: "success" } } });

    assert.equal(whatMayBeDone([open, open], nowhere), "+moving+resendable+signed");
    assert.equal(whatMayBeDone([final], nowhere), "+final+result+signed");
    assert.equal(whatMayBeDone([final, open], nowhere), "+final+moving+resendable+result+signed");
    assert.equal(
      whatMayBeDone(
        [adopted({ state: { kind: "solidified", block: finalBlock, outcome: { kind: "success" } } })],
        nowhere,
      ),
      "+final+result",
    );
  });

  it("includes the explorer and other nodes when a network has them", () => {
    const [here, there] = [adopted({ network: "Mainnet" }), adopted({ network: "Local chain" })];
    const open = tracked({ network: "Mainnet", state: { kind: "unknown", reason: "reset" } });
    const networkOf = ({ network }: { readonly network: string }) =>
      network === "Mainnet"
        ? { explorerUrl: "https://pages.example", fallbackUrls: ["https://second.example"] }
        : { fallbackUrls: [] };

    assert.match(whatMayBeDone([there, here], networkOf), /\+explorable/);
    assert.doesNotMatch(whatMayBeDone([there], networkOf), /explorable|elsewhere/);
    assert.match(whatMayBeDone([open], networkOf), /\+elsewhere/);
    assert.doesNotMatch(whatMayBeDone([open], nowhere), /elsewhere/);
  });
});
