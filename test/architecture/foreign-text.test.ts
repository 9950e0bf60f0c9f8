import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..", "..");

/** Expressions that convert an object to text, or use it as a condition, without a compiler error. */
const CONVERSIONS: readonly {
  readonly name: string;
  readonly operands: (node: ts.Node) => readonly ts.Expression[];
}[] = [
  { name: "in a template", operands: (it) => (ts.isTemplateSpan(it) ? [it.expression] : []) },
  { name: "in a concatenation", operands: (it) => (isBinary(it, ts.SyntaxKind.PlusToken) ? [it.left, it.right] : []) },
  { name: "as a condition", operands: (it) => (isBinary(it, ...LOGICAL) ? [it.left] : conditionOf(it)) },
  { name: "converted to a string", operands: (it) => (ts.isCallExpression(it) ? textsMadeBy(it) : []) },
];
const LOGICAL = [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken];
const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InKeyword,
  ts.SyntaxKind.InstanceOfKeyword,
]);

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

function conversionsIn(program: ts.Program, includes: (file: string) => boolean): readonly string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles()) {
    if (!includes(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      for (const { name, operands } of CONVERSIONS)
        for (const operand of operands(node))
          if (!hasPlainType(operand) && isForeign(checker, checker.getTypeAtLocation(operand)))
            found.push(`${locationOf(source, operand)}: ${name}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** Returns true for expressions that need no type check: literals, comparisons and negations. */
function hasPlainType(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return COMPARISONS.has(node.operatorToken.kind);
  return ts.isLiteralExpression(node) || ts.isPrefixUnaryExpression(node);
}

function locationOf(source: ts.SourceFile, node: ts.Node): string {
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
export const g = name || "none";
export const h = name ? "some" : "none";
`;
const mistaken = join(root, "packages/tron/src/primitives/mistakes-of-this-test.ts");

describe("ForeignText", function () {
  this.timeout(300_000);
  const files = ["src", "packages/tron", "packages/client"].flatMap((folder) =>
    ts.sys.readDirectory(join(root, folder), [".ts"], ["**/gen/**", "**/test/**"]),
  );
  let program: ts.Program;

  before(() => {
    program = programOf(files, new Map([[mistaken, MISTAKES]]));
  });

  it("C1: is converted to text only by the functions that escape it", () => {
    assert.ok(files.length > 200, `only ${files.length} sources`);
    assert.deepEqual(
      conversionsIn(program, (file) => files.includes(file) && file !== mistaken),
      [],
    );
  });

  it("C1: is found by this check in each mistake that compiles", () => {
    const lines = conversionsIn(program, (file) => file === mistaken).map((it) => /:(\d+) /.exec(it)?.[1]);

    assert.deepEqual([...new Set(lines)], ["4", "5", "6", "7", "8", "9", "10", "11"]);
  });
});
