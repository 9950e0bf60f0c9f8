import assert from "node:assert/strict";
import {
  ALICE,
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  trackedFromEntries,
} from "../../../../test/support/tracking/journal-entries.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { decodeLine, encodeEntry } from "../../src/journal/journal-codec.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";
import { unknownReasons } from "../../src/transaction-state/tracked-from-history.ts";
import { isUnsettled } from "../../src/transaction-state/transaction-conditions.ts";

const { txId } = fakeBytes(1);
const OWN = signedEntry(1, { at: 10 });
const SHARED = signedEntry(1, { at: 10, signatures: ["aa" as Hex], signers: [ALICE] });
const REFUSED = [startedEntry(txId, 1, 30), answeredEntry(txId, rejected("SIGERROR"), { at: 31 })];

function isUnsettledAfter(...entries: readonly JournalEntry[]): boolean {
  const tracked = trackedFromEntries(entries, txId);
  assert.ok(tracked);
  return isUnsettled(tracked);
}

describe("isUnsettled", () => {
  it("returns true from the first entry until a node refuses the transaction", () => {
    assert.equal(isUnsettledAfter(OWN), true);
    assert.equal(isUnsettledAfter(OWN, ...REFUSED), false);
  });

  it("returns true after a refusal when others have its bytes", () => {
    assert.equal(isUnsettledAfter(SHARED, ...REFUSED), true);
    assert.equal(isUnsettledAfter(OWN, SHARED, ...REFUSED), true);
  });

  it("returns true after new signatures", () => {
    assert.equal(isUnsettledAfter(OWN, ...REFUSED, signedEntry(1, { at: 40, signatures: ["cc" as Hex] })), true);
  });

  it("returns true when a node has it after a refusal", () => {
    const known = answeredEntry(txId, { kind: "already-known", message: "Dup transaction." }, { attempt: 2, at: 41 });
    assert.equal(isUnsettledAfter(OWN, ...REFUSED, startedEntry(txId, 2, 40), known), true);
  });

  it("returns false when another transaction replaced it", () => {
    assert.equal(isUnsettledAfter(OWN, { kind: "replaced", txId, at: 40, by: fakeBytes(2).txId }), false);
  });
});

describe("a transaction from journal lines", () => {
  it("U23: has the function of a call from any line that names it", () => {
    const lines = [signedEntry(1, { functionSignature: "reserve(uint256)" }), signedEntry(1, { at: 50 })];
    const stored = lines.flatMap((it) => {
      const line = decodeLine(encodeEntry(it, { writer: "a", sequence: it.at }));
      return line.kind === "entry" ? [line.entry] : [];
    });

    assert.equal(trackedFromEntries(stored, txId)?.signed?.functionSignature, "reserve(uint256)");
  });
});

describe("unknownReasons", () => {
  it("name the sources and their answers", () => {
    assert.match(unknownReasons.notSeen, /^No gateway .*\.$/);
    assert.match(unknownReasons.noAnswer("https://a.test"), /^It was sent to https:\/\/a\.test, and no answer .*\.$/);
    assert.match(
      unknownReasons.alreadyKnown("https://a.test", "dup"),
      /^https:\/\/a\.test reports .* \(dup\)\. This proves/,
    );
    assert.equal(unknownReasons.answered("https://a.test", "accepted"), "https://a.test answered: accepted.");
    assert.equal(unknownReasons.turnedAway("Too many requests."), "Not sent, as far as known: Too many requests.");
  });
});
