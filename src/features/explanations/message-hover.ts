import * as vscode from "vscode";
import { hasHovers } from "./providers.ts";

const SIGNATURE = /\b(?:0x)?[\da-f]{130}\b/i;
const TYPED_DATA_KEY = /"(?:types|primaryType|domain|message)"/;

/** Returns the hover of a signature, or of typed data at one of their main keys. Loads the curve for these only. */
export async function messageHover(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const signature = document.getWordRangeAtPosition(position, SIGNATURE);
  const isJson = /^json/.test(document.languageId);
  const key = isJson ? document.getWordRangeAtPosition(position, TYPED_DATA_KEY) : undefined;
  const range = signature ?? key;
  if (range === undefined || !hasHovers(document)) return undefined;
  const { signatureHover, typedDataHover } = await import("./message-hover.view.ts");
  const text =
    signature === undefined ? typedDataHover(document.getText()) : signatureHover(document.getText(signature));
  if (text === undefined) return undefined;
  const markdown = new vscode.MarkdownString(text);
  markdown.supportHtml = false;
  return new vscode.Hover(markdown, range);
}
