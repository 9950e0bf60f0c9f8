import assert from "node:assert/strict";
import { OWNER, RECIPIENT } from "../../../../test/support/tracking/intents.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import { lateText, leftText, noSignatureMessages, walletMessages } from "../../src/labels/wallet-words.ts";

describe("browser wallet texts", () => {
  it("quote the wallet's reason on one short line", () => {
    const sentence = noSignatureMessages.refused(`no\n[here](command:evil) ”. All is well. ${"x".repeat(500)}`);

    assert.match(sentence, /^The wallet in the browser did not sign\. Its reason: “no/);
    assert.equal(sentence.includes("\n"), false);
    assert.equal(sentence.match(/[“”]/g)?.length, 2);
    assert.ok(sentence.length < 200, `${sentence.length}`);
    assert.match(noSignatureMessages.refused(" \n"), /gave no reason\.$/);
  });

  it("name both accounts and the next step", () => {
    const sentence = walletMessages.otherAccount(toBase58(RECIPIENT), OWNER);

    for (const it of [OWNER, RECIPIENT]) assert.ok(sentence.includes(toBase58(it)));
    assert.match(sentence, /Choose that account in the wallet, then press the button again\.$/);
  });

  it("show a malformed account on one short line", () => {
    const sentence = walletMessages.noAddress(`T\n<b>${"y".repeat(500)}`);

    assert.equal(sentence.includes("\n"), false);
    assert.ok(sentence.length < 200, `${sentence.length}`);
  });

  it("state that nothing was sent, and until when the bytes can be sent", () => {
    const never = new ChainError("OUTSIDE_SIGNATURE_MISSING", { reason: noSignatureMessages.closed });
    const possible = new ChainError("OUTSIDE_SIGNATURE_MISSING", { reason: "Why.", possibleUntil: "noon" });

    assert.equal(never.message, "The page in the browser was closed before the wallet answered. Nothing was sent.");
    assert.match(
      possible.message,
      /Nothing was sent\. .*can still send it until noon; Finality tracks it\. .*Add Signature…/,
    );
    for (const it of [lateText("noon"), leftText("noon")]) assert.match(it, /othing was sent.*until noon: the list/);
  });
});
