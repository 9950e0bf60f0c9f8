import assert from "node:assert/strict";
import { anchorsOf, findSections, inOrder, sectionsOf } from "../../../../src/features/documentation/sections.view.ts";

const PAGE = {
  name: "energy",
  markdown: [
    "# Energy lenses",
    "",
    "What a call *costs*, on its [line](call-sites.md).",
    "![a lens](images/lens.webp)",
    "",
    "## `fee_limit` and margin",
    "",
    "| setting | meaning |",
    "| --- | --- |",
    "| `finality.energy.marginPercent` | room above the estimate |",
    "```sh",
    "# no heading",
    "```",
    "## Limits",
    "## Limits",
  ].join("\n"),
};

describe("sectionsOf", () => {
  it("returns headings outside of code with their plain text", () => {
    const sections = sectionsOf(PAGE);

    assert.deepEqual(
      sections.map(({ heading, anchor }) => [heading, anchor]),
      [
        ["Energy lenses", ""],
        ["fee_limit and margin", "fee_limit-and-margin"],
        ["Limits", "limits"],
        ["Limits", "limits-1"],
      ],
    );
    assert.equal(sections[0]?.text, "What a call costs, on its line.");
    assert.equal(
      sections[1]?.text,
      "setting meaning finality.energy.marginPercent room above the estimate # no heading",
    );
    assert.ok(sections.every(({ pageTitle }) => pageTitle === "Energy lenses"));
  });

  it("anchorsOf returns the anchors of Markdown previews", () => {
    assert.deepEqual(anchorsOf(["What leaves your machine", "Never twice, never lost!", "API › list()"]), [
      "what-leaves-your-machine",
      "never-twice-never-lost",
      "api--list",
    ]);
  });

  it("findSections matches all fields, headings first", () => {
    const sections = sectionsOf(PAGE);
    const found = (query: string) => findSections(sections, query).map(({ section }) => section.heading);

    assert.deepEqual(found(""), ["Energy lenses"]);
    assert.deepEqual(found("MARGIN room"), ["fee_limit and margin"]);
    assert.deepEqual(found("energy"), ["Energy lenses", "fee_limit and margin", "Limits", "Limits"]);
    assert.deepEqual(found("absent"), []);
  });

  it("findSections returns an excerpt with the match", () => {
    const long = { name: "long", markdown: `# Long\n${"filler ".repeat(100)}needle ${"filler ".repeat(100)}` };

    const [match] = findSections(sectionsOf(long), "needle");

    assert.match(match?.excerpt ?? "", /^….*needle.*…$/);
    assert.ok((match?.excerpt.length ?? 0) < 170);
  });

  it("inOrder follows the index", () => {
    const page = (name: string, markdown = `# ${name}`) => ({ name, markdown });
    const index = page("README", "# Docs\n[z](zebra.md) and [a](ape.md#x)\n[b](ape.md)");

    const names = inOrder([page("ape"), page("bee"), index, page("zebra")]).map(({ name }) => name);

    assert.deepEqual(names, ["README", "zebra", "ape", "bee"]);
  });
});
