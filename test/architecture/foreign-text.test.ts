import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..", "..");

/** Expressions that the compiler accepts and that turn an object into text, or use it as a condition. */
const UNASKED: readonly { readonly where: string; readonly taken: (node: ts.Node) => readonly ts.Expression[] }[] = [
  { where: "in a template", taken: (it) => (ts.isTemplateSpan(it) ? [it.expression] : []) },
  { where: "in a sum of texts", taken: (it) => (isBinary(it, ts.SyntaxKind.PlusToken) ? [it.left, it.right] : []) },
  { where: "as true or false", taken: (it) => (isBinary(it, ...LOGICAL) ? [it.left] : conditionOf(it)) },
  { where: "given to what makes texts", taken: (it) => (ts.isCallExpression(it) ? textsMadeBy(it) : []) },
];
const LOGICAL = [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken];

function isBinary(node: ts.Node, ...operators: readonly ts.SyntaxKind[]): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && operators.includes(node.operatorToken.kind);
}

function conditionOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isConditionalExpression(node)) return [node.condition];
  if (ts.isIfStatement(node)) return [node.expression];
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken ? [node.operand] : [];
}

/** Returns the arguments of `String`, `JSON.stringify`, `toString` and `join`. */
function textsMadeBy({ expression, arguments: input }: ts.CallExpression): readonly ts.Expression[] {
  const called = expression.getText();
  if (called === "String" || called === "JSON.stringify") return input.slice(0, 1);
  const isMethod = ts.isPropertyAccessExpression(expression) && /^(toString|toJSON|join)$/.test(expression.name.text);
  return isMethod ? [expression.expression] : [];
}

/** Returns true if a value of this type is or contains a `ForeignText`. */
function isForeign(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((one) => isForeign(checker, one));
  if (type.symbol?.name === "ForeignText") return true;
  const element = checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  return element !== undefined && element !== type && element.symbol?.name === "ForeignText";
}

function breachesIn(program: ts.Program, seen: (file: string) => boolean): readonly string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles()) {
    if (!seen(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      for (const { where, taken } of UNASKED)
        for (const one of taken(node))
          if (isForeign(checker, checker.getTypeAtLocation(one))) found.push(`${placeOf(source, one)}: ${where}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function placeOf(source: ts.SourceFile, node: ts.Node): string {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${source.fileName.replace(`${root}/`, "")}:${line + 1} ${node.getText()}`;
}

function programOf(files: readonly string[], extra: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => extra.has(file) || fileExists(file);
  host.readFile = (file) => extra.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...others) => {
    const text = extra.get(file);
    return text === undefined
      ? getSourceFile(file, language, ...others)
      : ts.createSourceFile(file, text, language as ts.ScriptTarget);
  };
  return ts.createProgram([...files, ...extra.keys()], { ...options, noEmit: true }, host);
}

/** Each line is a mistake that compiles. */
const MISTAKES = `
import { foreignText } from "./plain-text.ts";
const name = foreignText("a");
export const a = \`Call \${name}?\`;
export const b = "Call " + name;
export const c = String(name);
export const d = JSON.stringify(name);
export const e = [name].join(", ");
export const f = name.toString();
export const g = name || "nobody";
export const h = name ? "somebody" : "nobody";
`;
const mistaken = join(root, "packages/tron/src/primitives/mistakes-of-this-test.ts");

describe("texts of others", function () {
  this.timeout(300_000);
  const files = ["src", "packages"].flatMap((folder) =>
    ts.sys.readDirectory(join(root, folder), [".ts"], ["**/gen/**", "**/test/**"]),
  );
  let program: ts.Program;

  before(() => {
    program = programOf(files, new Map([[mistaken, MISTAKES]]));
  });

  it("C1: become texts of ours nowhere but through the functions that show all they are", () => {
    assert.ok(files.length > 200, `only ${files.length} sources were seen`);
    assert.deepEqual(
      breachesIn(program, (file) => files.includes(file) && file !== mistaken),
      [],
    );
  });

  it("C1: are noticed in each mistake that compiles", () => {
    const lines = breachesIn(program, (file) => file === mistaken).map((it) => /:(\d+) /.exec(it)?.[1]);

    assert.deepEqual([...new Set(lines)], ["4", "5", "6", "7", "8", "9", "10", "11"]);
  });
});
