import assert from "node:assert/strict";
import { FitWalk } from "../browser/fit-walk.ts";
import { speaker } from "../browser/language.ts";
import { takePicture } from "../browser/pictures.ts";
import { STAGES } from "../browser/tour.ts";

const LANGUAGES = { English: "en", Chinese: "zh-cn" } as const;

for (const [name, language] of Object.entries(LANGUAGES)) {
  describe(`every page and dialog at 200 %, in ${name}`, function () {
    this.timeout(240_000);
    const walk = new FitWalk(speaker(language), {
      twice: (page, place) => takePicture(page, `twice-${language}-${place}`),
    });

    before(() => walk.begin(language === "en" ? {} : { language }));
    after(() => walk.end());

    for (const [stageName, stage] of Object.entries(STAGES)) {
      it(`is not cut off: ${stageName}`, async () => {
        assert.deepEqual(await walk.cutOn(stage), []);
      });
    }
  });
}
