import assert from "node:assert/strict";
import { FitWalk } from "../browser/fit-walk.ts";
import { STAGES } from "../browser/tour.ts";

describe("every page and dialog at 200 %, in Chinese", function () {
  this.timeout(240_000);
  const walk = new FitWalk("zh-cn");

  before(() => walk.begin());
  after(() => walk.end());

  for (const [name, stage] of Object.entries(STAGES)) {
    it(`is not cut: ${name}`, async () => {
      assert.deepEqual(await walk.cutOn(stage), []);
    });
  }
});
