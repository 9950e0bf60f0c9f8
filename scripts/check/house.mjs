// How the sources read, as figures: `npm run check` prints them and fails where one is above its limit
// (`house-limits.json`).

import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Private metaphors: a name takes the word that VS Code, the node or an RFC uses. */
const BANNED = new Set(
  [
    "desk",
    "door",
    "scene",
    "world",
    "around",
    "book",
    "lane",
    "knowledge",
    "told",
    "given",
    "anew",
    "twin",
    "inquiry",
  ].flatMap((word) => [word, `${word}s`]),
);
/** What starts by itself: nobody imports what it exports. */
const ENTRIES =
  /^(src\/extension|src\/public\/api|src\/local-chain\/main|src\/host\/artifacts\/artifact-worker|media\/[^/]+\/main)\.ts$/;
const LONGEST_FILE = 400;

/**
 * @typedef {{ path: string, source: ts.SourceFile, lines: number }} SourceText
 * @typedef {{ readonly from: string, readonly to: string, readonly names: readonly string[] | "all" }} Import
 * @typedef {{ readonly name: string, readonly value: number, readonly where?: readonly string[] }} Figure
 */

/**
 * @param {string} root
 * @returns {readonly Figure[]}
 */
export function measureHouse(root) {
  const ours = read(root, ["src/**/*.ts", "media/**/*.ts"]);
  const tests = read(root, ["test/**/*.ts"]);
  const imports = ours.flatMap(importsOf);
  const importsOfTests = tests.flatMap(importsOf);
  const functions = ours.flatMap(functionsOf);
  const lines = sorted(ours.map((it) => it.lines));
  const total = lines.reduce((sum, it) => sum + it, 0);
  const statements = ours.reduce((sum, { source }) => sum + source.statements.filter(ts.isImportDeclaration).length, 0);
  const lengths = sorted(functions.map((it) => it.lines));
  return [
    figure("files", ours.length),
    figure("lines of a file, median", at(lines, 0.5)),
    figure("lines of a file, maximum", at(lines, 1)),
    listed(
      "files of more than 400 lines",
      ours.filter((it) => it.lines > LONGEST_FILE).map((it) => it.path),
    ),
    figure("lines of a function, median", at(lengths, 0.5)),
    figure("lines of a function, p90", at(lengths, 0.9)),
    figure("lines of a function, maximum", at(lengths, 1)),
    figure("imports per 1,000 lines", Math.round((statements / total) * 1_000)),
    listed("pairs of folders that import each other", circles(imports)),
    listed(
      "any",
      places(ours, (node) => node.kind === ts.SyntaxKind.AnyKeyword),
    ),
    listed("!", places(ours, ts.isNonNullExpression)),
    listed("as unknown as", places(ours, isDoubleCast)),
    listed("exported functions of core without a comment", uncommented(ours)),
    listed("exports without an importer", unimported(ours, [...imports, ...importsOfTests])),
    listed("exports that only tests import", unimported(ours, imports)),
    listed("banned words in names of the sources", bannedNames(ours)),
    listed("banned words in names of the tests", bannedNames(tests)),
  ];
}

/**
 * @param {string} root
 * @returns {{ code: number, output: string, figures: string }} what is above its limit, with its places, and all
 *   figures on one line
 */
export function checkHouse(root) {
  const limits = JSON.parse(readFileSync(join(import.meta.dirname, "house-limits.json"), "utf8"));
  const figures = measureHouse(root);
  const failures = figures.flatMap(({ name, value, where = [] }) => {
    const limit = limits[name];
    if (limit === undefined) return [`${name}: there is no limit in house-limits.json`];
    if (value <= limit) return [];
    return [`${name}: ${value}, and the limit is ${limit}`, ...where.map((it) => `  ${it}`)];
  });
  const printed = figures.map(({ name, value }) => `${name} ${value}`).join(", ");
  return { code: failures.length === 0 ? 0 : 1, output: failures.join("\n"), figures: printed };
}

/**
 * @param {string} root
 * @param {readonly string[]} patterns
 * @returns {SourceText[]}
 */
function read(root, patterns) {
  return globSync([...patterns], { cwd: root })
    .filter((path) => !path.includes("/gen/") && !path.endsWith(".d.ts"))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return { path, source, lines: text.trimEnd().split("\n").length };
    });
}

/** @param {string} name @param {number} value @returns {Figure} */
const figure = (name, value) => ({ name, value });

/** @param {string} name @param {readonly string[]} where @returns {Figure} */
const listed = (name, where) => ({ name, value: where.length, where });

/** @param {readonly number[]} numbers */
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);

/** @param {readonly number[]} numbers in order @param {number} share */
const at = (numbers, share) => numbers[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} visit
 */
function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * @param {readonly SourceText[]} files
 * @param {(node: ts.Node) => boolean} wanted
 * @returns {string[]}
 */
function places(files, wanted) {
  /** @type {string[]} */
  const found = [];
  for (const file of files) walk(file.source, (node) => wanted(node) && found.push(place(file, node)));
  return found;
}

/** @param {SourceText} file @param {ts.Node} node */
function place({ path, source }, node) {
  return `${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}

/** @param {ts.Node} node */
function isDoubleCast(node) {
  return (
    ts.isAsExpression(node) &&
    ts.isAsExpression(node.expression) &&
    node.expression.type.kind === ts.SyntaxKind.UnknownKeyword
  );
}

/** @param {SourceText} file @returns {{ lines: number }[]} */
function functionsOf({ source }) {
  /** @type {{ lines: number }[]} */
  const found = [];
  walk(source, (node) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return;
    const [start, end] = [node.getStart(source), node.getEnd()].map(
      (it) => source.getLineAndCharacterOfPosition(it).line,
    );
    found.push({ lines: (end ?? 0) - (start ?? 0) + 1 });
  });
  return found;
}

/** @param {SourceText} file @returns {Import[]} */
function importsOf({ path, source }) {
  /** @type {Import[]} */
  const found = [];
  const add = (/** @type {ts.Node | undefined} */ specifier, /** @type {readonly string[] | "all"} */ names) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return;
    found.push({ from: path, to: normalize(join(dirname(path), specifier.text)), names });
  };
  walk(source, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, namesOf(node.importClause?.namedBindings));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, namesOf(node.exportClause));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], "all");
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, "all");
  });
  return found;
}

/**
 * @param {ts.NamedImportBindings | ts.NamedExportBindings | undefined} bindings
 * @returns {readonly string[] | "all"}
 */
function namesOf(bindings) {
  if (bindings === undefined || !("elements" in bindings)) return "all";
  return [...bindings.elements].map((it) => (it.propertyName ?? it.name).text);
}

/** @param {readonly Import[]} imports */
function circles(imports) {
  const arrows = new Set(imports.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`));
  return [...arrows].flatMap((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} and ${to}`] : [];
  });
}

/** @param {ts.Node} node */
const isExported = (node) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((it) => it.kind === ts.SyntaxKind.ExportKeyword);

/** @param {readonly SourceText[]} files @returns {string[]} one comment is enough for all overloads of a function */
function uncommented(files) {
  const core = files.filter(({ path }) => path.startsWith("src/core/"));
  return core.flatMap((file) => {
    const exported = file.source.statements.filter((it) => ts.isFunctionDeclaration(it)).filter(isExported);
    const byName = Map.groupBy(exported, ({ name }) => name?.text);
    return [...byName.values()]
      .filter((all) => all.every((it) => ts.getJSDocCommentsAndTags(it).length === 0))
      .flatMap(([first]) => (first === undefined ? [] : [place(file, first)]));
  });
}

/** Values that no other source imports; a type may be there for a signature of its own file. */
function unimported(/** @type {readonly SourceText[]} */ files, /** @type {readonly Import[]} */ imports) {
  const wanted = new Map(files.map(({ path }) => [path, /** @type {Set<string>} */ (new Set())]));
  for (const { to, names } of imports) for (const name of names === "all" ? ["*"] : names) wanted.get(to)?.add(name);
  return files
    .filter(({ path }) => !ENTRIES.test(path) && wanted.get(path)?.has("*") !== true)
    .flatMap(({ path, source }) =>
      source.statements.filter(isExported).flatMap((it) =>
        declaredNames(it)
          .filter((name) => wanted.get(path)?.has(name) !== true)
          .map((name) => `${path} ${name}`),
      ),
    );
}

/** @param {ts.Statement} statement @returns {readonly string[]} */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isValue && statement.name !== undefined ? [statement.name.text] : [];
}

/** @param {readonly SourceText[]} files @returns {string[]} each name once a file */
function bannedNames(files) {
  return files.flatMap(({ path, source }) => {
    /** @type {Set<string>} */
    const names = new Set(
      words(path)
        .filter((it) => BANNED.has(it))
        .map((it) => `(file) ${it}`),
    );
    walk(source, (node) => {
      const name = ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? node : undefined;
      if (
        name === undefined ||
        !("name" in name.parent) ||
        name.parent.name !== name ||
        ts.isPropertyAccessExpression(name.parent)
      )
        return;
      if (words(name.text).some((it) => BANNED.has(it))) names.add(name.text);
    });
    return [...names].map((name) => `${path} ${name}`);
  });
}

/** @param {string} name in camel case, or a path */
function words(name) {
  return name.split(/(?=[A-Z])|[^A-Za-z]+/).map((it) => it.toLowerCase());
}
