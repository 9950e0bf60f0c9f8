import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pseudo } from "../../scripts/words/pseudo.mjs";
import { ForgottenTexts, packPseudoExtension } from "./forgotten-texts.ts";
import { PSEUDO_LANGUAGE } from "./pseudo-extension.ts";
import { STAGES, Tour } from "./tour.ts";

describe("every text behind the first step of a command", function () {
  this.timeout(240_000);
  const scratch = mkdtempSync(join(tmpdir(), "finality-pseudo-"));
  const forgotten = new ForgottenTexts();
  let tour: Tour;
  let texts = 0;

  before(async () => {
    const options = { package: await packPseudoExtension(scratch), language: PSEUDO_LANGUAGE };
    tour = await Tour.begin(pseudo, look, options);
  });

  after(async () => {
    await tour?.end();
    rmSync(scratch, { recursive: true });
  });

  async function look(place: string): Promise<void> {
    const shown = await forgotten.look(tour.workbench.page, place);
    assert.ok(shown > 3, `${place} shows nothing`);
    texts += shown;
  }

  for (const [name, stage] of Object.entries(STAGES)) it(`is shown: ${name}`, () => stage(tour));

  it("was translated", () => {
    assert.ok(texts > 500, `only ${texts} texts`);
    assert.deepEqual(forgotten.lines, []);
  });
});
