import assert from "node:assert/strict";
import { blockReference, tracked } from "../../../../test/support/tracking/tracked.ts";
import { explain } from "../../src/explain/explain.ts";
import { fixNow, lacksCoins } from "../../src/explain/failure-reason.ts";
import { messageEntries } from "../../src/explain/messages/catalogue.ts";
import { generalMessages } from "../../src/explain/messages/request-messages.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";

const block = blockReference(7);
const final = tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } });
const failed = tracked({
  state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } },
});
const refusal = explain("Contract validate error : balance is not sufficient");

describe("what is left to do about an answer", () => {
  it("is what the answer asks for, while nothing is known of its transaction", () => {
    assert.equal(fixNow(refusal, undefined), refusal.fix);
  });

  it("M1: is how the cause is mended, and then what the one judgement says, while the transaction is open", () => {
    const refused = { kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message: "", retry: "fix-request" } as const;

    for (const state of [refused, { kind: "signed" }, { kind: "unknown", reason: "" }] as const) {
      const it = tracked({ state });
      const mending = "Top up the account and check the fee budget. Do not rebuild.";
      assert.equal(fixNow(refusal, it), `${mending} ${decideActions(it).advice}`);
    }
  });

  it("G17: asks for the same bytes no more once they have expired by the time of the chain", () => {
    const refused = {
      kind: "rejected",
      code: "CONTRACT_VALIDATE_ERROR",
      message: "",
      retry: "same-bytes-after-funding",
    } as const;
    const it = tracked({ state: refused });
    const { expiration } = it.signed ?? assert.fail();

    assert.match(fixNow(refusal, it, expiration - 1), /Do not rebuild.*the same signed bytes/);
    for (const words of [fixNow(refusal, it, expiration), fixNow(refusal, { ...it, chainTime: expiration })]) {
      assert.doesNotMatch(words, /rebuild|same signed bytes/);
      assert.match(words, /expired/);
    }
    const rebuilt = tracked({ state: { ...refused, retry: "rebuild" } });
    assert.doesNotMatch(fixNow(refusal, rebuilt), /Do not rebuild/);
  });

  it("is nothing when the transaction is final, whatever was said of it before", () => {
    assert.match(refusal.fix, /same signed bytes/);
    assert.equal(fixNow(refusal, final), "Nothing has to be done.");
  });

  it("is a new transaction when it is final and failed", () => {
    assert.match(fixNow(refusal, failed), /sign a new transaction/);
  });

  it("is the mending of an execution, which stays what it is", () => {
    const outOfEnergy = explain("OUT_OF_ENERGY");

    assert.equal(fixNow(outOfEnergy, failed), outOfEnergy.fix);
  });
});

describe("an answer that says that coins are missing", () => {
  it("is known by its entry, which is one whose English title speaks of coins or of a balance", () => {
    const refusals = [...messageEntries, ...generalMessages].filter(({ category }) => category === "validation");
    const speaking = refusals.filter(({ title }) => /balance|coins/i.test(title)).map(({ id }) => id);

    const lacking = refusals.filter(({ id }) => lacksCoins({ entry: id })).map(({ id }) => id);

    assert.deepEqual(
      speaking.filter((id) => !lacking.includes(id)),
      ["transfer-to-contract", "transfer-to-contract-version-one"],
    );
    assert.ok(lacking.every((id) => speaking.includes(id)));
    assert.ok(lacksCoins(explain("BANDWITH_ERROR")));
    assert.ok(lacksCoins(explain('{"code":"BANDWITH_ERROR","message":"a text that no entry knows","txid":"00"}')));
    assert.ok(!lacksCoins(explain("SIGERROR")));
  });
});
