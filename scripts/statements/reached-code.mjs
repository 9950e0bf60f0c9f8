import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/**
 * What stands at the top of a file: its declarations by name, and where its imports of our own files come from.
 *
 * @typedef {{
 *   readonly declared: ReadonlyMap<string, import("typescript").Node>,
 *   readonly imported: ReadonlyMap<string, { readonly file: string, readonly name: string }>,
 * }} Names
 */

/** @type {Map<string, Names | undefined>} */
const files = new Map();

/**
 * The code of a test, as it runs: its body and the declarations of its file that it uses, directly or through others;
 * and whether any of that, or what it imports from other tests' files, calls an assertion. Titles and comments are no code.
 *
 * @param {import("typescript").Node} body
 * @param {string} path - where the test is, for its imports
 * @returns {{ code: string, asserts: boolean }}
 */
export function reachedCode(body, path) {
  const own = namesOf(body.getSourceFile(), path);
  /** @type {Set<import("typescript").Node>} */
  const seen = new Set();
  /** @type {string[]} */
  const code = [];
  let asserts = false;
  /** @type {{ node: import("typescript").Node, names: Names, here: boolean }[]} */
  const open = [{ node: body, names: own, here: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, names, here } = next;
    if (seen.has(node)) continue;
    seen.add(node);
    if (here) code.push(textOf(node));
    for (const name of identifiers(node)) {
      if (name === "assert") asserts = true;
      const declared = names.declared.get(name) ?? localDeclaration(node, name);
      if (declared !== undefined) open.push({ node: declared, names, here });
      const from = names.imported.get(name);
      const there = from === undefined ? undefined : namesOfFile(from.file);
      const target = there?.declared.get(from?.name ?? name);
      if (there !== undefined && target !== undefined) open.push({ node: target, names: there, here: false });
    }
  }
  return { code: code.join("\n"), asserts };
}

/**
 * What a group around a test declares for it.
 *
 * @param {import("typescript").Node} node
 * @param {string} name
 * @returns {import("typescript").Node | undefined}
 */
function localDeclaration(node, name) {
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (ts.isForOfStatement(above) && declares(above.initializer, name)) return above.expression;
    if (!ts.isBlock(above)) continue;
    for (const statement of above.statements) {
      const found = declarationsOf(statement).find(([declared]) => declared === name);
      if (found !== undefined) return found[1];
    }
  }
  return undefined;
}

/**
 * @param {import("typescript").ForInitializer} list
 * @param {string} name
 */
function declares(list, name) {
  return list.getText().split(/\W+/).includes(name);
}

/**
 * @param {string} path
 * @returns {Names | undefined}
 */
function namesOfFile(path) {
  if (!files.has(path)) files.set(path, existsSync(path) ? readNames(path) : undefined);
  return files.get(path);
}

/** @param {string} path */
function readNames(path) {
  return namesOf(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true), path);
}

/**
 * @param {import("typescript").SourceFile} source
 * @param {string} path
 * @returns {Names}
 */
function namesOf(source, path) {
  /** @type {Map<string, { file: string, name: string }>} */
  const imported = new Map();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const file = join(dirname(path), statement.moduleSpecifier.text);
    const named = statement.importClause?.namedBindings;
    if (!isOfTests(file) || named === undefined || !ts.isNamedImports(named)) continue;
    for (const { name, propertyName } of named.elements)
      imported.set(name.text, { file, name: (propertyName ?? name).text });
  }
  return { declared: new Map(source.statements.flatMap(declarationsOf)), imported };
}

/** @param {string} file */
const isOfTests = (file) => /(^|\/)test\//.test(file);

/**
 * @param {import("typescript").Statement} statement
 * @returns {[string, import("typescript").Node][]}
 */
function declarationsOf(statement) {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name === undefined ? [] : [[statement.name.text, statement]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((one) =>
    bindings(one.name).map((name) => /** @type {[string, import("typescript").Node]} */ ([name, one])),
  );
}

/**
 * @param {import("typescript").BindingName} name
 * @returns {string[]}
 */
function bindings(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? bindings(one.name) : []));
}

/**
 * The code of a node without comments, and without the titles of tests in it.
 *
 * @param {import("typescript").Node} node
 */
function textOf(node) {
  const printer = ts.createPrinter({ removeComments: true });
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replaceAll(/\b(?:it|describe|context)\((?:"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g, "test(");
}

/**
 * @param {import("typescript").Node} node
 * @returns {Set<string>}
 */
function identifiers(node) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {import("typescript").Node} one */
  const visit = (one) => {
    if (ts.isIdentifier(one)) found.add(one.text);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}
