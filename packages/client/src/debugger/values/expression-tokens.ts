import { t } from "@vscode/l10n";

/** Part of an expression. The text of a literal is its value. */
export interface Token {
  readonly kind: "name" | "number" | "text" | "symbol";
  readonly text: string;
}

const TOKEN =
  /\s+|(?<name>[\p{L}_$][\p{L}\d_$]*)|(?<number>0x[\da-f_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:e-?\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<symbol>\*\*|&&|\|\||[=!<>]=|<<|>>|[-+*/%!~<>&|^?:.,()[\]])/giuy;

/** Splits an expression. @throws {SyntaxError} with a phrase, at a character that is none of Solidity's */
export function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(expression)?.groups;
    if (groups === undefined) throw new SyntaxError(t`"${expression.slice(at, at + 1)}" was not expected`);
    const { name, number, text, symbol } = groups;
    if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (text !== undefined) tokens.push({ kind: "text", text: unquoted(text) });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol });
  }
  return tokens;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gsu, (_, it: string) => ESCAPES.get(it) ?? it);
}
