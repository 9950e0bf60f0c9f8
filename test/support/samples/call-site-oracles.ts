import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ts from "typescript";
import { Language, type Node, Parser } from "web-tree-sitter";

/** A call site as one line of text, from the compiler or from our scanner. */
type SiteLine = string;

const BUILDER = new Set(["triggerSmartContract", "triggerConstantContract", "estimateEnergy"]);

export function parseScript(text: string, file: string): ts.SourceFile {
  const kind = file.endsWith("ts") ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
}

/** The call sites in the compiler's tree: `form start name arguments end`. */
export function compilerSites(source: ts.SourceFile): readonly SiteLine[] {
  return nodesOf(source)
    .filter(ts.isCallExpression)
    .map((call) => siteLine(source, call))
    .filter((line) => line !== undefined);
}

/** Returns the ranges of texts and regular expressions by the compiler: `kind start end`. */
export function compilerLiterals(source: ts.SourceFile): readonly SiteLine[] {
  return nodesOf(source).flatMap((node) => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    const kind = isText ? "text" : ts.isRegularExpressionLiteral(node) ? "pattern" : undefined;
    return kind === undefined ? [] : [`${kind} ${node.getStart(source)} ${node.end}`];
  });
}

/** Offsets at which a statement begins, in blocks too: a statement can be put before each of them. */
function statementStarts(source: ts.SourceFile): readonly number[] {
  return nodesOf(source)
    .filter((node) => ts.isSourceFile(node) || ts.isBlock(node))
    .flatMap(({ statements }) => statements.map((statement) => statement.getStart(source)));
}

/**
 * Offsets that no call site may touch: `[start, end)` of comments, texts and regular expressions, as the compiler sees
 * them.
 */
export function quietRanges(text: string, source: ts.SourceFile): readonly (readonly [number, number])[] {
  const comments = new Map<number, number>();
  for (const node of nodesOf(source))
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) comments.set(pos, end);
  const literals = compilerLiterals(source).map((line) => line.split(" ").slice(1).map(Number));
  return [...comments, ...literals.map(([start = 0, end = 0]) => [start, end] as const)];
}

function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = [source];
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (node !== undefined) ts.forEachChild(node, (child) => void nodes.push(child));
  }
  return nodes;
}

function siteLine(source: ts.SourceFile, call: ts.CallExpression): SiteLine | undefined {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const form = callee.name.text;
  if (BUILDER.has(form)) {
    const builder = callee.expression.getText(source).split(".").at(-1);
    return builder === "transactionBuilder" ? `${form} ${callee.name.getStart(source)} ${call.end}` : undefined;
  }
  const inner = callee.expression;
  if ((form !== "send" && form !== "call") || !ts.isCallExpression(inner)) return undefined;
  const name = nameOf(inner.expression);
  return name && `${form} ${name.getStart(source)} ${name.text} ${inner.arguments.length} ${call.end}`;
}

function nameOf(callee: ts.Expression): ts.StringLiteralLike | ts.MemberName | undefined {
  if (ts.isPropertyAccessExpression(callee)) return callee.name;
  const isIndexed = ts.isElementAccessExpression(callee) && ts.isStringLiteralLike(callee.argumentExpression);
  return isIndexed ? callee.argumentExpression : undefined;
}

/** tree-sitter's parser for Solidity. */
export async function solidityParser(): Promise<Parser> {
  await Parser.init();
  const wasm = createRequire(import.meta.url).resolve("tree-sitter-wasms/out/tree-sitter-solidity.wasm");
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(wasm)));
  return parser;
}

/** The constructors and the external and public functions in tree-sitter's tree: `contract.name@start(type name,…)`. */
export function treeSitterCallables(parser: Parser, text: string): readonly SiteLine[] {
  const tree = parser.parse(text);
  return tree === null ? [] : contractsIn(tree.rootNode).flatMap((contract) => callablesIn(contract));
}

function contractsIn(root: Node): readonly Node[] {
  return root.namedChildren
    .filter((node) => node !== null)
    .filter(({ type }) => /^(contract|interface|library)_declaration$/.test(type));
}

function callablesIn(contract: Node): readonly SiteLine[] {
  const members = contract.childForFieldName("body")?.namedChildren ?? [];
  return members
    .filter((node) => node !== null)
    .filter((node) => node.type === "constructor_definition" || isOpen(node))
    .map((node) => {
      const name = node.childForFieldName("name");
      const parameters = childrenOf(node, "parameter").map(parameterLine).join(",");
      return `${contract.childForFieldName("name")?.text}.${name?.text ?? ""}@${(name ?? node).startIndex}(${parameters})`;
    });
}

function isOpen(node: Node): boolean {
  const visibility = childrenOf(node, "visibility")[0]?.text;
  return node.type === "function_definition" && (visibility === "external" || visibility === "public");
}

function parameterLine(parameter: Node): string {
  const type = parameter.childForFieldName("type")?.text ?? "";
  const spelled = type.replace(/\s*payable/, "").replace(/^(u?int)(?!\d)/, "$1256");
  return `${spelled} ${parameter.childForFieldName("name")?.text ?? ""}`;
}

function childrenOf(node: Node, type: string): readonly Node[] {
  return node.namedChildren.filter((child) => child !== null).filter((child) => child.type === type);
}

const CALLS = [
  "token.methods.transfer(to, 1_000n).send({ feeLimit: 15_000_000 });",
  "token\n  .balanceOf(/* who */ me)\n  .call();",
  `await contract["set(uint256,string)"](5, \`a \${f(")")} b\`).send();`,
  "tronWeb.transactionBuilder.triggerSmartContract(to, 'pay()', { callValue: 1 }, []);",
  "this.tronWeb.transactionBuilder.estimateEnergy(to, 'pay()', {}, [{ type: 'bool', value: /[/'\"]/.test(x) }]);",
];
const DECOYS = [
  "// token.transfer(a).send()\n",
  "/* token.transfer(a).call() */",
  '"token.transfer(a).send()";',
  "`token.x().call()`;",
];

/** A real source with a call, or what only looks like one, before every n-th statement. */
export function withCalls(file: string, text: string, every: number): string {
  const starts = [...new Set(statementStarts(parseScript(text, file)))].sort((a, b) => b - a);
  const insertions = [...CALLS, ...DECOYS];
  return starts
    .filter((_, index) => index % every === 0)
    .reduce(
      (all, start, index) => `${all.slice(0, start)}${insertions[index % insertions.length]}\n${all.slice(start)}`,
      text,
    );
}
