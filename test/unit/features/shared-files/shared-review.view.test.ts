import assert from "node:assert/strict";
import type { Address } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, type Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { builtFromIntent } from "../../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import { verifyAgainstIntent } from "../../../../packages/tron/src/transaction/verify-against-intent.ts";
import type { SharedFacts } from "../../../../src/features/shared-files/shared-facts.ts";
import {
  lensText,
  type SharedReview,
  sharedReviewText,
} from "../../../../src/features/shared-files/shared-review.view.ts";
import { HEAD_TIMESTAMP, OWNER, RECIPIENT, TRANSFER, VALIDITY } from "../../../support/tracking/intents.ts";
import { nameOf } from "../../../support/tracking/tracked.ts";

const OTHER = RECIPIENT;

function factsOf(intent: Intent, signers: readonly Address[]): SharedFacts {
  const verified = verifyAgainstIntent(builtFromIntent(intent, VALIDITY), intent, { headTimestamp: HEAD_TIMESTAMP });
  assert.equal(verified.kind, "same");
  const keys = [
    { address: OWNER, weight: 1n },
    { address: "41".padEnd(42, "c") as Address, weight: 2n },
  ];
  return {
    verified,
    solidHeight: 1,
    lifetimeMs: 60_000,
    permission: { id: 0, name: foreignText("owner"), threshold: 3n, keys },
    signatures: new Map(signers.map((it) => [it, "00" as Hex])),
    cost: { parts: [{ kind: "multi-sign", amount: sun(1_000_000n) }], fee: sun(1_000_000n) },
    proofCost: { blocks: 75, requests: 1 },
  };
}

function textOf(intent: Intent = TRANSFER, changes: Partial<SharedReview> = {}, signers: readonly Address[] = []) {
  return sharedReviewText({
    purpose: "add",
    network: { name: "Mainnet", production: true },
    facts: factsOf(intent, signers),
    signers: [],
    here: { ours: new Set([OWNER]), nameOf },
    expiry: {
      lifetimeMs: 60_000,
      expiration: VALIDITY.expiration,
      now: HEAD_TIMESTAMP,
      isLocalChain: false,
      timeOf: String,
    },
    call: [],
    lookalikes: [],
    ...changes,
  });
}

describe("sharedReviewText", () => {
  it("shows money and full addresses first, then every field", () => {
    const { title, detail } = textOf();

    assert.match(title, /^Add a signature to: 1\.5 coins → TUg28K…\w{4}\?$/);
    assert.match(
      detail,
      /^Network: Mainnet \(real money\)\nFrom: Alice · TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp\nTo: TUg28K\w+\n/,
    );
    for (const { path, value } of factsOf(TRANSFER, []).verified.fields) {
      assert.ok(detail.includes(`${path.replace("raw_data.", "")}: ${value}`), path);
    }
  });

  it("shows the weight of signatures, missing keys and foreign signatures", () => {
    const now = textOf(TRANSFER, { signers: [OWNER] }).detail;

    assert.match(now, /Alice · T\w+: signs now, weight 1/);
    assert.match(now, /Weight 1 of 3: 2 more from T\w+ \(no key here\) \(2\)\./);
    const { detail } = textOf(TRANSFER, {}, [OTHER]);

    assert.match(detail, /TUg28K\w+: signed, not in this permission, does not count/);
    assert.match(detail, /Weight 0 of 3/);
  });

  it("keeps a memo on one line", () => {
    const memo = bytesToHex(Buffer.from("rent\nAmount: 0.1\u202E nus 1", "utf8"));
    const { detail } = textOf({ ...TRANSFER, memo });

    assert.equal(detail.split("\n").filter((it) => it.startsWith("Amount:")).length, 1);
    assert.equal(detail.includes("\u202E"), false);
  });

  it("warns about an unknown contract type", () => {
    const parameter = `0a15${OWNER}` as Hex;
    const type = "WithdrawBalanceContract";
    const unnamed: Intent = { kind: "other", owner: OWNER, type, parameter, feeLimit: sun(0n) };

    assert.match(textOf(unnamed).detail, /^⚠ Finality has no description of this contract type/);
  });
});

describe("lensText", () => {
  it("shows signers and remaining validity", () => {
    const context = { now: VALIDITY.expiration - 61_000, left: (ms: number) => `${ms} ms`, nameOf };
    const transaction = { intent: TRANSFER, signers: [OWNER], expiration: VALIDITY.expiration };

    assert.match(lensText(transaction, context), /· signed by Alice · expires in 61000 ms by this computer's clock$/);
    assert.match(
      lensText({ ...transaction, signers: [] }, { ...context, now: VALIDITY.expiration }),
      /· no signatures yet · expired by this computer's clock$/,
    );
  });
});
