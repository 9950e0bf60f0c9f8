import assert from "node:assert/strict";
import { ExplainContext } from "../../../../src/features/explanations/explain-context.ts";
import { signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

const HOUR = 60 * 60 * 1_000;
const expired = JSON.stringify({
  code: "TRANSACTION_EXPIRATION_ERROR",
  txid: txId("a"),
  message: Buffer.from("Transaction expired").toString("hex"),
});

/** Creates a context with one tracked transaction, which expires this long after the head. */
function contextWith(ahead: number): ExplainContext {
  const signed = signedPart();
  const mine = tracked({ txId: txId("a"), network: "Test", signed });
  return new ExplainContext({
    transactions: { get: (it) => (it === mine.txId ? mine : undefined) },
    names: Object.assign(() => Promise.reject(new Error("no names")), { ifLoaded: () => undefined }),
    reasons: { of: () => undefined },
    heads: new Map([["Test", { chain: signed.expiration - ahead, local: 5 }]]),
    now: () => 5,
  });
}

describe("ExplainContext", () => {
  it("resolves an expiration error by the head time", () => {
    const over = contextWith(-HOUR).explain(expired);
    const ahead = contextWith(30 * HOUR).explain(expired);

    assert.deepEqual([over.retry.sameBytes, over.candidates], ["no", []]);
    assert.deepEqual([ahead.retry.sameBytes, ahead.candidates], ["after", []]);
    assert.match(ahead.retry.when ?? "", /within 24 hours of its expiration/);
  });

  it("lists both meanings for an untracked transaction", () => {
    const untracked = expired.replaceAll(txId("a"), txId("b"));

    assert.equal(contextWith(0).explain(untracked).candidates.length, 2);
  });

  it("explains a mere topic only on request", () => {
    const { explain } = contextWith(0);
    const source = "{ txId: refused.txId, state: refused.state.kind }";

    assert.equal(explain(source).entry, "topic-transaction");
    assert.equal(explain(source, { isUnprompted: true }).category, "none");
  });
});
