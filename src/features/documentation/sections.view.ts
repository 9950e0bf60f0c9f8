/** Page of the documentation: its name without `.md`, and its Markdown. */
export interface Page {
  readonly name: string;
  readonly markdown: string;
}

/** Heading of a page with the text up to the next heading. */
export interface Section {
  readonly page: string;
  /** True for the first heading of its page. */
  readonly pageTitle: string;
  readonly heading: string;
  /** Anchor of a link to the heading; empty for the start of a page. */
  readonly anchor: string;
  /** Heading as plain text on one line. */
  readonly text: string;
}

/** Section that matches a query. */
export interface Match {
  readonly section: Section;
  /** Excerpt around the first match. */
  readonly excerpt: string;
}

const EXCERPT = 160;
const INDEX = "README";

/** Sorts pages by the links of the first one, the index. Pages without a link come last. */
export function inOrder(pages: readonly Page[]): readonly Page[] {
  const index = pages.find(({ name }) => name === INDEX);
  const named = [...(index?.markdown ?? "").matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name = ""]) => name);
  const rank = ({ name }: Page): number => {
    const at = named.indexOf(name);
    return name === INDEX ? -1 : at < 0 ? named.length : at;
  };
  return [...pages].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** Splits a page into sections. Ignores headings inside fenced blocks. */
export function sectionsOf({ name, markdown }: Page): readonly Section[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const [, heading] = fenced ? [] : (/^#{1,6} +(.+)$/.exec(line) ?? []);
    if (heading !== undefined) parts.push({ heading: plain(heading), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const anchors = anchorsOf(parts.map(({ heading }) => heading));
  const [{ heading: pageTitle } = { heading: name }] = parts;
  return parts.map(({ heading, lines }, at) => ({
    page: name,
    pageTitle,
    heading,
    anchor: at === 0 ? "" : (anchors[at] ?? ""),
    text: plain(lines.join("\n")),
  }));
}

/** Returns the heading anchors of a page, as Markdown previews create them: repeated names get a number. */
export function anchorsOf(headings: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const before = seen.get(anchor);
    seen.set(anchor, (before ?? 0) + 1);
    return before === undefined ? anchor : `${anchor}-${before}`;
  });
}

/**
 * Returns the sections that contain every word of the query, matches in headings first. Without a query, returns the
 * beginning of each page.
 */
export function findSections(sections: readonly Section[], query: string): readonly Match[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sections.flatMap((section) => {
    const rank = words.length === 0 ? (section.anchor === "" ? 0 : undefined) : rankOf(section, words);
    return rank === undefined ? [] : [{ rank, match: { section, excerpt: excerptOf(section.text, words) } }];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ match }) => match);
}

/** Rank: 0 if all words are in the heading, 1 if one is, 2 if none is; undefined if a word is missing. */
function rankOf({ heading, pageTitle, page, text }: Section, words: readonly string[]): number | undefined {
  const head = heading.toLowerCase();
  const all = [head, pageTitle, page, text].join("\n").toLowerCase();
  if (!words.every((word) => all.includes(word))) return undefined;
  if (words.every((word) => head.includes(word))) return 0;
  return words.some((word) => head.includes(word)) ? 1 : 2;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < EXCERPT / 2 ? 0 : lower.lastIndexOf(" ", first - EXCERPT / 4) + 1;
  const piece = text.slice(start, start + EXCERPT);
  return `${start > 0 ? "…" : ""}${piece}${start + EXCERPT < text.length ? "…" : ""}`;
}

/** Converts Markdown to one line of plain text. */
function plain(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^```.*$/gm, " ")
    .replace(/^\|?[\s|:-]+\|?$/gm, " ")
    .replaceAll("<br>", " ")
    .replace(/[`*]/g, "")
    .replaceAll("|", " ")
    .replace(/\s+/g, " ")
    .trim();
}
