import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { packedPage } from "../../scripts/package/packed-pages.mjs";
import { sectionsOf } from "../../src/features/documentation/sections.view.ts";
import { commandTable } from "../../src/host/commands/command-table.ts";
import { commandIds, settingIds, viewIds } from "../../src/host/contributions.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const pages = [
  "README.md",
  "CHANGELOG.md",
  "samples/README.md",
  ...globSync("docs/{*,decisions/*}.md", { cwd: root }),
].sort();
const packed = new Set(read("test/architecture/package-contents.txt").trim().split("\n"));

/** External addresses that the pages may name: two public pages, and hosts that do not exist. */
const ADDRESSES = /^https?:\/\/(keepachangelog\.com|semver\.org|127\.0\.0\.1|[\w-]+\.invalid)(?![\w.])/;

interface Link {
  readonly page: string;
  readonly target: string;
}

/** Returns the images and links of a page, except those in code. */
function linksOf(page: string, text: string): readonly Link[] {
  const prose = text.replace(/^```.*?^```$/gms, "").replace(/`[^`]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target }));
}

/** Returns true if a relative link resolves to a file, and to a heading if it names one. */
function resolves({ page, target }: Link): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  if (anchor === undefined) return true;
  const [first, ...others] = sectionsOf({ name: file, markdown: read(file) });
  return first !== undefined && others.some((it) => it.anchor === anchor);
}

/** Returns each command line in a text, split at spaces. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const spans = [...text.matchAll(/`((?:FINALITY_\w+=\S+ )*(?:npm|npx|node) [^`]+)`/g)];
  return spans.map(([, line = ""]) => line.replace(/^(FINALITY_\w+=("[^"]*"|\S+) )+/, "").split(" "));
}

describe("documentation", () => {
  it("has no broken link or image", () => {
    const links = pages.flatMap((page) => linksOf(page, read(page)));
    assert.ok(links.length > 100, `only ${links.length} were found`);

    const dead = links.filter((it) => !/^https?:/.test(it.target) && !resolves(it));

    assert.deepEqual(dead, []);
  });

  it("names no other external address", () => {
    const named = pages.flatMap((page) => read(page).match(/https?:\/\/[\w.:-]+/g) ?? []);
    assert.ok(named.length > 5);

    assert.deepEqual(
      named.filter((it) => !ADDRESSES.test(it)),
      [],
    );
  });

  it("links every page in docs/README.md", () => {
    const linked = linksOf("docs/README.md", read("docs/README.md")).map(({ target }) => `docs/${target}`);

    assert.deepEqual(
      pages.filter((it) => /^docs\/[^/]+$/.test(it) && it !== "docs/README.md" && !linked.includes(it)),
      [],
    );
  });

  it("shows every image, each taken by the test that docs/testing.md names", () => {
    const pictures = globSync("docs/images/*", { cwd: root }).sort();
    const shown = pages.flatMap((page) =>
      linksOf(page, read(page)).map(({ target }) => posix.join(dirname(page), target)),
    );
    const rows = [...read("docs/testing.md").matchAll(/^\| `(images\/[\w-]+\.webp)` \| `([\w/.-]+)` \|$/gm)];

    assert.deepEqual(
      pictures.filter((it) => !shown.includes(it)),
      [],
    );
    assert.deepEqual(
      rows.map(([, picture]) => `docs/${picture}`),
      pictures,
    );
    for (const [, picture = "", test = ""] of rows) {
      const [name = ""] = /[\w-]+(?=\.webp)/.exec(picture) ?? [];
      const withoutTheme = name.replace(/-(dark|light)$/, "");
      const taken = [
        `"${name}"`,
        `"${name}.webp"`,
        `\`${withoutTheme}-\${`,
        `"${withoutTheme}"`,
        `"${withoutTheme}.log"`,
      ];
      assert.ok(
        taken.some((it) => read(test).includes(it)),
        `${test} takes no ${name}`,
      );
    }
  });

  it("names only existing scripts and files in command lines", () => {
    const scripts = new Set(Object.keys(JSON.parse(read("package.json")).scripts));
    const ofSamples = new Set(Object.keys(JSON.parse(read("samples/package.json")).scripts));
    const lines = pages.flatMap((page) => commandsIn(read(page)).map((words) => ({ page, words })));
    assert.ok(lines.length > 40, `only ${lines.length} were found`);

    const broken = lines.filter(({ page, words }) => {
      const [program, ...rest] = words.filter((it) => !it.startsWith("--silent"));
      const [first = "", second = ""] = rest;
      const files = rest.filter((it) => /^(test|scripts|src|docs)\/.*\.\w+$/.test(it));
      if (!files.every((it) => existsSync(join(root, it)))) return true;
      if (program !== "npm" || first === "install") return false;
      const script = first === "run" ? second : first;
      return !scripts.has(script) && !(page.startsWith("samples/") && ofSamples.has(script));
    });

    assert.deepEqual(broken, []);
  });

  it("names only existing commands, settings and views", () => {
    const ids = new Set<string>([...Object.values(commandIds).flat(), ...viewIds, ...settingIds]);
    const prefixes = [...ids].flatMap((id) => id.split(".").map((_, at, parts) => parts.slice(0, at + 1).join(".")));
    const titles = new Set<string>(Object.values(commandTable).map(({ title }) => title.replace("…", "")));

    for (const page of pages) {
      const named = read(page).match(/`finality\.[\w.]+(?=`)/g) ?? [];
      const wrong = named
        .map((it) => it.slice(1))
        .filter((it) => !prefixes.includes(it) && !/\.(jsonc?|finality)$/.test(it));
      assert.deepEqual(wrong, [], page);
      const called = [...read(page).matchAll(/\*Finality: ([^*]+?)…?\*/g)].map(([, title = ""]) =>
        title.replace(/\s+/g, " "),
      );
      assert.deepEqual(
        called.filter((it) => !titles.has(it)),
        [],
        page,
      );
    }
  });
});

describe("docs/errors.md", () => {
  const page = read("docs/errors.md");

  it("has a text, a meaning and a fix in each row, and no empty section", () => {
    const rows = [...page.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(/(?<!\\)\|/));
    const headings = page.match(/^## .*/gm) ?? [];

    assert.ok(rows.length > 350 && headings.length > 18, `${rows.length} rows, ${headings.length} headings`);
    assert.deepEqual(
      rows.filter((cells) => cells.some((it) => it.trim() === "")),
      [],
    );
    assert.equal(page.match(/^\| --- \|/gm)?.length, headings.length);
  });

  it("lists the errors of contracts and every error code of Finality", () => {
    for (const text of ["`Error(string)`", "`Panic(0x11)`", "`no data`", "`0x{selector}…`"])
      assert.ok(page.includes(text), text);
    const codes = read("packages/tron/src/errors/chain-error.ts").match(/(?<=^ {2})[A-Z_]+(?=: \()/gm) ?? [];
    assert.ok(codes.length > 80);
    assert.deepEqual(
      codes.filter((code) => !page.includes(`\n| \`${code}\` | `)),
      [],
    );
    assert.doesNotMatch(page, /undefined|\[object/);
  });
});

describe("docs/performance.md", () => {
  const rows = [...read("docs/performance.md").matchAll(/^\| ([^|]+) \| .* \| \*\*([\d.]+)\*\* \| (.*) \|$/gm)];

  it("gives a reason for every measurement that is behind its peer", () => {
    const behind = rows.filter(([, , ratio]) => Number(ratio) < 1);

    assert.ok(rows.length > 20 && behind.length > 0);
    assert.deepEqual(
      behind.filter(([, , , words = ""]) => !/\*Behind:\* (?!no reason is known)\w/.test(words)).map(([row]) => row),
      [],
    );
  });
});

describe("packedPage", () => {
  const inPackage = pages.filter((it) => packed.has(it));
  const shipped = (page: string): string => packedPage(page, read(page), packed);

  it("removes every link and image that VS Code cannot follow", () => {
    assert.ok(inPackage.length > 20);
    const outside = (page: string): boolean => !page.startsWith("docs/");
    for (const page of inPackage) {
      const links = linksOf(page, shipped(page)).filter(({ target }) => !target.startsWith("https:"));
      const dead = links.filter((it) => {
        const [path = ""] = it.target.split("#");
        return outside(page) || !resolves(it) || (path !== "" && !packed.has(posix.join(dirname(page), path)));
      });
      assert.deepEqual(dead, [], page);
    }
  });

  it("keeps only the sections for users of the package", () => {
    const page = shipped("README.md");

    for (const words of ["git clone", "npm start", "npm test", "](docs", "repository -->"])
      assert.ok(!page.includes(words), words);
    for (const words of ["Install from VSIX", "Start Local Chain", "Network access and privacy", "Trust model"])
      assert.ok(page.includes(words), words);
    assert.match(page.split("\n")[2] ?? "", /^For developers on TRON-style chains/);
    assert.doesNotMatch(page, /`#[\w.]+#`|; see [A-Z]/, "a leftover mark or link text");
  });

  it("keeps links to packed files and drops the others", () => {
    const files = new Set(["docs/a.md", "docs/b.md", "docs/images/kept.webp"]);
    const text = [
      "![kept](images/kept.webp)",
      "",
      "![gone](images/gone.webp)",
      "",
      "[b](b.md#x), [c](c.md), [here](#here), [source](../src/x.ts), [out](https://example.invalid)",
      "<!-- repository -->",
      "for us",
      "<!-- /repository -->",
      "",
    ].join("\n");

    assert.equal(
      packedPage("docs/a.md", text, files),
      "![kept](images/kept.webp)\n\n[b](b.md#x), c, [here](#here), source, [out](https://example.invalid)\n",
    );
    assert.equal(packedPage("README.md", "[b](docs/b.md) ![x](docs/images/kept.webp)", files).includes("]("), false);
  });
});
