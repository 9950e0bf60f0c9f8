import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Words that a comment or a sentence does not begin with, unless it is a question. */
const OPENING = /^(What|Who|Whoever|Whom|Whose|Whether|Nobody|Somebody|Where|How|Why|Which)\b/;
/** Private words of this project, for which the field has a word. docs/glossary.md lists the words to use. */
const PRIVATE = /\b(nobody|somebody|whoever|anew|untold|surroundings|life lines?|guest rows?|wild texts?|purses?)\b/i;
/** Parts of names that are private words. */
const PRIVATE_NAME =
  /^(nobody|somebody|whoever|anew|untold|surroundings|wanted|liar|lying|wild|purse|loan|loans|guest|guests|living|judge|judgement|trouble|troubles|everyday|pace|paces)$/;
/** Types that need a qualifying noun. */
const VAGUE_TYPE = /^(Place|Known|Row|Reading|Question|Answers|Parts)$/;
const MAX_WORDS = 30;
const MAX_LINES = 4;

/**
 * Finds comments, texts for people and names that break the rules of docs/glossary.md.
 *
 * @param {string} root
 * @param {readonly string[]} patterns
 * @returns {string[]} a line for each finding
 */
export function findWording(root, patterns) {
  return globSync([...patterns], { cwd: root })
    .filter((file) => !file.includes("/gen/"))
    .sort()
    .flatMap((file) => findingsOf(join(root, file)).map(({ line, problem }) => `${file}:${line} ${problem}`));
}

/** @typedef {{ line: number, problem: string }} Finding */

/** @param {string} path @returns {Finding[]} */
function findingsOf(path) {
  const text = readFileSync(path, "utf8");
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (/** @type {number} */ at) => tree.getLineAndCharacterOfPosition(at).line + 1;
  /** @type {Finding[]} */
  const findings = [];
  for (const { at, lines } of commentsOf(text, tree)) {
    const prose = proseOf(lines);
    findings.push(
      ...problemsOf(prose.join(" ")).map((problem) => ({ line: lineOf(at), problem: `comment ${problem}` })),
    );
    if (lines.length > 1 && prose.length > MAX_LINES)
      findings.push({ line: lineOf(at), problem: `comment of ${prose.length} lines` });
  }
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(tree) === "t")
      findings.push(
        ...problemsOf(
          node.template
            .getText(tree)
            .slice(1, -1)
            .replaceAll(/\$\{[^}]*\}/g, "x"),
        ).map((problem) => ({
          line: lineOf(node.getStart()),
          problem: `text ${problem}`,
        })),
      );
    const title = titleOf(node);
    if (title !== undefined)
      findings.push(
        ...problemsOf(title[0].toUpperCase() + title.slice(1)).map((problem) => ({
          line: lineOf(node.getStart()),
          problem: `title ${problem}`,
        })),
      );
    const name = declaredName(node);
    const word = wordsOf(name ?? "").find((part) => PRIVATE_NAME.test(part.toLowerCase()));
    if (word !== undefined) findings.push({ line: lineOf(node.getStart()), problem: `name "${name}" (${word})` });
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    if (isType && VAGUE_TYPE.test(node.name?.text ?? ""))
      findings.push({ line: lineOf(node.getStart()), problem: `type "${node.name?.text}" needs a qualifying noun` });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return findings;
}

/** Returns the title of a test or of a group of tests. @param {ts.Node} node */
function titleOf(node) {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const [title] = node.arguments;
  if (title === undefined || !/^(it|describe)$/.test(node.expression.text)) return undefined;
  const text = title.getText().replaceAll(/\$\{[^}]*\}/g, "x");
  return /^["'`]/.test(text) && text.length > 2 ? text.slice(1, -1).replace(/^S\d+[^:]*: /, "") : undefined;
}

/** Splits `camelCase` and `UPPER_CASE` names. @param {string} name */
const wordsOf = (name) => name.split(/^[A-Z\d_]+$/.test(name) ? "_" : /(?=[A-Z])|[_#]/);

/** @param {ts.Node} node */
function declaredName(node) {
  const isNamed =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node);
  return isNamed &&
    node.name !== undefined &&
    !ts.isObjectBindingPattern(node.name) &&
    !ts.isArrayBindingPattern(node.name)
    ? node.name.getText()
    : undefined;
}

/** @param {string} prose */
function problemsOf(prose) {
  const sentences = prose.split(/(?<=[.!?:;])\s+(?=[A-Z`“(])/);
  return sentences.flatMap((sentence) => {
    const shown = sentence.length > 70 ? `${sentence.slice(0, 70)}…` : sentence;
    const words = sentence.split(/\s+/).length;
    return [
      ...(OPENING.test(sentence) && !/\?$/.test(sentence.trim()) ? [`begins with a noun clause: ${shown}`] : []),
      ...(PRIVATE.test(sentence) ? [`has a private word (${PRIVATE.exec(sentence)?.[0]}): ${shown}`] : []),
      ...(words > MAX_WORDS ? [`has a sentence of ${words} words: ${shown}`] : []),
    ];
  });
}

/** The lines of a comment that are sentences: without tags, tables, lists of code and directives. @param {string[]} lines */
function proseOf(lines) {
  const end = lines.findIndex((line) => /^@(?!link)/.test(line));
  const tags = end < 0 ? [] : lines.slice(end).filter((line) => /^@(param|returns|throws)\b/.test(line));
  const text = (end < 0 ? lines : lines.slice(0, end)).filter(
    (line) => line !== "" && !/^(biome-ignore|[|`])/.test(line),
  );
  return tags.length === 0 ? text : text;
}

/**
 * @param {string} text
 * @param {ts.SourceFile} tree
 */
function commentsOf(text, tree) {
  /** @type {Map<number, { at: number, lines: string[] }>} */
  const comments = new Map();
  const visit = (/** @type {ts.Node} */ node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (comments.has(range.pos)) continue;
      const lines = text
        .slice(range.pos, range.end)
        .replaceAll(/^\/\*\*?|\*\/$/g, "")
        .split("\n")
        .map((line) => line.replace(/^\s*(\/\/|\*)?\s?/, "").trim());
      comments.set(range.pos, { at: range.pos, lines });
    }
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  return [...comments.values()];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..", "..");
  const findings = findWording(
    root,
    process.argv.slice(2).map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.ts`)),
  );
  for (const finding of findings) console.log(finding);
  console.log(`${findings.length} findings`);
}
