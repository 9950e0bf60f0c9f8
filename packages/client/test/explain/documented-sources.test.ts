import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { sectionsOf } from "../../../../src/features/documentation/sections.view.ts";
import { documentedSources, forPrograms, shownSources } from "../../src/explain/documented-sources.ts";
import { messageEntries } from "../../src/explain/messages/catalogue.ts";
import { httpSymptoms } from "../../src/explain/messages/network-messages.ts";
import { generalMessages } from "../../src/explain/messages/request-messages.ts";

describe("sources of explanations", () => {
  it("link to existing headings of the documentation", () => {
    for (const { page, anchor } of Object.values(documentedSources)) {
      const markdown = readFileSync(`docs/${page}.md`, "utf8");
      const anchors = sectionsOf({ name: page, markdown }).map((it) => it.anchor);

      assert.ok(anchors.includes(anchor), `docs/${page}.md has no heading with the anchor ${anchor}`);
    }
  });

  it("have a location for every entry of the catalogue", () => {
    const entries = [...messageEntries, ...generalMessages, ...httpSymptoms];
    assert.ok(entries.length > 250);

    assert.deepEqual(
      entries.filter(({ source }) => shownSources([source])[0]?.place === undefined).map(({ source }) => source),
      [],
    );
  });

  it("are shown once each, and workspace sources by their own names", () => {
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

  it("are unchanged when the workspace contains them, under any folder name", () => {
    const artifacts = [
      "Pool (packages/staking/out/Pool.sol/Pool.json)",
      "Vote (contracts/committee/build/contracts/Vote.json)",
      "Names of the call: TRC-10Wrapper (build/contracts/W.json)",
      "Solidity (out/Solidity.sol/Solidity.json)",
    ];

    assert.deepEqual(
      shownSources(artifacts),
      artifacts.map((text) => ({ text })),
    );
  });

  it("are a page with its heading, or plain text, in machine-readable form", () => {
    const { sources } = forPrograms({
      sources: ["protocol reference §9, staking", "Solidity, Panic", "what is read", "Kettle (a.json)"],
    });

    assert.deepEqual(sources, [
      "errors#stakes",
      "errors#messages-of-contracts",
      "explanations#what-is-read",
      "Kettle (a.json)",
    ]);
  });
});
