import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { messageEntries } from "../../../../src/core/explain/catalogue/catalogue.ts";
import { httpSymptoms } from "../../../../src/core/explain/catalogue/http-symptoms.ts";
import { sectionsOf } from "../../../../src/features/documentation/sections.view.ts";
import { documentedPlaces, shownSources } from "../../../../src/words/reasons/documented-sources.ts";

describe("the sources of explanations", () => {
  it("lead to headings that the documentation has", () => {
    for (const { page, anchor } of Object.values(documentedPlaces)) {
      const markdown = readFileSync(`docs/${page}.md`, "utf8");
      const anchors = sectionsOf({ name: page, markdown }).map((it) => it.anchor);

      assert.ok(anchors.includes(anchor), `docs/${page}.md has no heading with the anchor ${anchor}`);
    }
  });

  it("have a place for every entry of the catalogue, so that no paper is named that nobody has", () => {
    const entries = [...messageEntries, ...httpSymptoms];
    assert.ok(entries.length > 250);

    assert.deepEqual(
      entries.filter(({ source }) => shownSources([source])[0]?.place === undefined).map(({ source }) => source),
      [],
    );
  });

  it("are shown once each, and those of the workspace by their own names", () => {
    const shown = shownSources([
      "gateway document, Errors 2; protocol reference §9, staking",
      "Kettle (build/contracts/Kettle.json)",
      "protocol reference §9, staking",
    ]);

    assert.deepEqual(shown, [
      { text: "Errors: Stakes", place: "stakes" },
      { text: "Kettle (build/contracts/Kettle.json)" },
    ]);
  });
});
