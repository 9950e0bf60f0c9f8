import assert from "node:assert/strict";
import { validityButton, validityItems } from "../../../../src/features/transactions/validity.view.ts";

const costFor = (ms: number) => ({ blocks: 20 + ms / 3_000, requests: Math.ceil((20 + ms / 3_000) / 100) });

describe("how long a payment may wait", () => {
  it("is a button of the review that says what holds now", () => {
    assert.equal(validityButton(60_000), "Valid for 60 s…");
    assert.equal(validityButton(3_600_000), "Valid for 60 min…");
  });

  it("begins with what holds now, so that Enter changes nothing", () => {
    const items = validityItems(60_000, costFor);

    assert.deepEqual(
      items.map(({ label }) => label),
      ["60 s", "30 s", "5 min", "30 min", "60 min", "24 h"],
    );
    assert.equal(items[0]?.description, "as it is now, usual");
  });

  it("offers the usual time to who has another one by the setting", () => {
    const items = validityItems(600_000, costFor);

    assert.equal(items[0]?.description, "as it is now");
    assert.equal(items.find(({ expiresInMs }) => expiresInMs === 60_000)?.description, "usual");
    assert.equal(items.length, 7);
  });

  it("says what a proof would cost with each of them", () => {
    const day = validityItems(60_000, costFor).at(-1);

    assert.match(day?.detail ?? "", /a proof reads about 28,820 solidified blocks, in 289 requests/);
  });
});
