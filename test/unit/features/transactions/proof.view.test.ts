import assert from "node:assert/strict";
import { replacementText } from "../../../../src/features/transactions/proof.view.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import { txId } from "../../../support/tracking/tracked.ts";

const timeOf = (ms: number): string => `t${ms}`;

describe("replacementText", () => {
  it("shows the proof of absence", () => {
    const absence = { ...evidence(), provenAt: 5 };
    const { title, detail } = replacementText(txId("7f"), { kind: "proof", absence }, timeOf);

    assert.equal(title, "Create a replacement for 7f7f7f…7f7f?");
    assert.match(detail, /solidified blocks 101–121 \(21 blocks, ids recorded\) do not contain it/);
    assert.ok(detail.includes(`solidified time t${absence.last.timestamp} ≥ expiry t${absence.expiration}`), detail);
  });

  it("shows the rejection when no proof is needed", () => {
    const because = { kind: "rejection", code: "SIGERROR", message: "Validate signature error" } as const;

    assert.match(replacementText(txId("7f"), because, timeOf).detail, /SIGERROR: Validate signature error/);
  });
});
