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
    "## Nobody",
    "## Nobody",
  ].join("\n"),
};

describe("the sections of the documentation", () => {
  it("are the headings outside of fences, each with its text as a person reads it", () => {
    const sections = sectionsOf(PAGE);

    assert.deepEqual(
      sections.map(({ heading, anchor }) => [heading, anchor]),
      [
        ["Energy lenses", ""],
        ["fee_limit and margin", "fee_limit-and-margin"],
        ["Nobody", "nobody"],
        ["Nobody", "nobody-1"],
      ],
    );
    assert.equal(sections[0]?.text, "What a call costs, on its line.");
    assert.equal(
      sections[1]?.text,
      "setting meaning finality.energy.marginPercent room above the estimate # no heading",
    );
    assert.ok(sections.every(({ pageTitle }) => pageTitle === "Energy lenses"));
  });

  it("have the anchors of Markdown previews", () => {
    assert.deepEqual(anchorsOf(["What leaves your machine", "Never twice, never lost!", "API › list()"]), [
      "what-leaves-your-machine",
      "never-twice-never-lost",
      "api--list",
    ]);
  });

  it("are found by words in any of their places, with those of the heading first", () => {
    const sections = sectionsOf(PAGE);
    const found = (query: string) => findSections(sections, query).map(({ section }) => section.heading);

    assert.deepEqual(found(""), ["Energy lenses"]);
    assert.deepEqual(found("MARGIN room"), ["fee_limit and margin"]);
    assert.deepEqual(found("energy"), ["Energy lenses", "fee_limit and margin", "Nobody", "Nobody"]);
    assert.deepEqual(found("absent"), []);
  });

  it("show the words that were looked for, and not only the beginning", () => {
    const long = { name: "long", markdown: `# Long\n${"filler ".repeat(100)}needle ${"filler ".repeat(100)}` };

    const [match] = findSections(sectionsOf(long), "needle");

    assert.match(match?.excerpt ?? "", /^….*needle.*…$/);
    assert.ok((match?.excerpt.length ?? 0) < 170);
  });

  it("stand in the order of the index", () => {
    const page = (name: string, markdown = `# ${name}`) => ({ name, markdown });
    const index = page("README", "# Docs\n[z](zebra.md) and [a](ape.md#x)\n[b](ape.md)");

    const names = inOrder([page("ape"), page("bee"), index, page("zebra")]).map(({ name }) => name);

    assert.deepEqual(names, ["README", "zebra", "ape", "bee"]);
  });
});
