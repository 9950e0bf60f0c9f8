import assert from "node:assert/strict";
import { ALICE, BOB, signedEntry } from "../../../../test/support/tracking/journal-entries.ts";
import { trackedFromEntries } from "../../../../test/support/tracking/tracked-from-entries.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { EntryOf } from "../../src/life/history.ts";
import { readEntry } from "../../src/life/journal-entry.ts";
import { hasEnoughSignatures } from "../../src/life/tracked-transaction.ts";
import { ruleOn } from "../../src/retry/retry-table.ts";

const byAlice = { signatures: ["aa" as Hex], signers: [ALICE] };
const byBob = { signatures: ["bb" as Hex], signers: [BOB] };
const of2 = (...weights: readonly bigint[]) => ({ quorum: { threshold: 2n, weights } });

/** The signed part of a transaction by its lines, each a moment after the one before. */
function signedBy(...lines: readonly Partial<EntryOf<"signed">>[]) {
  const entries = lines.map((line, at) => signedEntry(1, { at, ...line }));
  return trackedFromEntries(entries, signedEntry(1).txId)?.signed ?? assert.fail("there is no signed part");
}

describe("the weight of collected signatures", () => {
  it("U11: is the weight of all signers, whichever window kept them", () => {
    const alone = signedBy({ ...byAlice, ...of2(1n) });
    const both = signedBy({ ...byAlice, ...of2(1n) }, { ...byBob, ...of2(1n) });

    assert.deepEqual([alone.quorum, hasEnoughSignatures(alone)], [{ weight: 1n, threshold: 2n }, false]);
    assert.deepEqual([both.quorum, hasEnoughSignatures(both)], [{ weight: 2n, threshold: 2n }, true]);
  });

  it("U11: counts a signer once, and only what was kept since the signatures were replaced", () => {
    const twice = signedBy({ ...byAlice, ...of2(1n) }, { ...byAlice, ...of2(1n) });
    const renewed = signedBy({ ...byAlice, ...of2(1n) }, { signatures: ["bb" as Hex], ...of2(2n) });

    assert.deepEqual([twice.quorum?.weight, renewed.quorum?.weight], [1n, 2n]);
  });

  it("U11: is not known where a line of an earlier version has it not, or a key has no part in the permission", () => {
    const old = signedBy({ ...byAlice }, { ...byBob, ...of2(1n) });
    const foreign = signedBy({ ...byAlice, ...of2(2n) }, { ...byBob, ...of2(0n) });

    assert.deepEqual([old.quorum, foreign.quorum], [undefined, undefined]);
    assert.deepEqual([old, foreign].map(hasEnoughSignatures), [false, false]);
  });

  it("U11: decides whether the advice is to add a signature or to send", () => {
    const adviceAfter = (...weights: readonly bigint[]): string | undefined => {
      const entries = [signedEntry(1, { ...byAlice, ...of2(...weights) })];
      return ruleOn(trackedFromEntries(entries, signedEntry(1).txId) ?? assert.fail("it is not tracked")).advice;
    };

    assert.match(adviceAfter(1n) ?? "", /Add a signature/);
    assert.match(adviceAfter(2n) ?? "", /^It has enough signatures and was not sent from here\. Send it\./);
  });

  it("U11: comes through the journal", () => {
    const entry = signedEntry(1, { ...byAlice, ...of2(1n) });
    const line = JSON.parse(JSON.stringify(entry, (_, it: unknown) => (typeof it === "bigint" ? String(it) : it)));

    assert.deepEqual(readEntry(line), entry);
  });
});
