import { hexToBytes, isHexPairs, stripHexPrefix, textOfBytes } from "@finality/tron/primitives";
import type { TypedData } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";

const LARGEST_FILE = 1_000_000;

/** Returns the bytes of the message in an argument, or of the text that the user types. Undefined if they cancel. */
export async function messageBytes(
  { message, hex }: Pick<CommandArguments["finality.signMessage"], "message" | "hex">,
  title: string,
): Promise<Uint8Array | undefined> {
  if (hex !== undefined && message !== undefined)
    throw malformedArgument("hex", t`give the message as text or as bytes, not both`);
  if (hex !== undefined) {
    if (hex !== "" && hex !== "0x" && !isHexPairs(stripHexPrefix(hex)))
      throw malformedArgument("hex", t`write bytes in hex, such as 0x00ff`);
    return hexToBytes(hex);
  }
  if (message === undefined && calledByProgram())
    throw malformedArgument("message", t`give the message as text, or its bytes as hex`);
  const prompt = t`The message. Its text is signed as it is, without changes.`;
  const text = message ?? (await inputBox({ title, prompt, ignoreFocusOut: true }));
  return text === undefined ? undefined : Buffer.from(text);
}

type Named = Pick<CommandArguments["finality.signTypedData"], "typedData" | "file" | "uri">;

/**
 * Returns the typed data in an argument, or from where the user chooses. Undefined if they cancel.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function typedDataIn(named: Named, title: string): Promise<TypedData | undefined> {
  const { parseTypedData, readTypedData } = await import("../../host/secrets/lazy-signing.ts");
  const { typedData, file, uri } = named;
  if (typedData !== undefined)
    return typeof typedData === "string" ? parseTypedData(typedData) : readTypedData(typedData);
  if (file !== undefined) return parseTypedData(await textAt(vscode.Uri.file(file)));
  if (uri !== undefined) return parseTypedData(await textAt(vscode.Uri.parse(uri, true)));
  if (calledByProgram()) throw malformedArgument("typedData", t`give the typed data as JSON, or name a file`);
  const text = await chooseText(title);
  return text === undefined ? undefined : parseTypedData(text);
}

/** Returns the text of the place that the user chooses. */
async function chooseText(title: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const [active, clipboard, file] = [t`From the Active Editor`, t`From Clipboard`, t`From File…`];
  const items = [
    ...(editor === undefined
      ? []
      : [{ label: active, description: vscode.workspace.asRelativePath(editor.document.uri) }]),
    { label: clipboard, description: t`JSON with types, primaryType, domain and message` },
    { label: file, description: t`the same as a file` },
  ];
  const placeHolder = t`Where is the typed data?`;
  const chosen = (await quickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.label;
  if (chosen === clipboard) return await vscode.env.clipboard.readText();
  if (chosen === active) return editor?.document.getText();
  if (chosen !== file) return undefined;
  const [uri] = (await vscode.window.showOpenDialog({ title, openLabel: t`Open`, filters: { JSON: ["json"] } })) ?? [];
  return uri && (await textAt(uri));
}

/** Reads the open document, else the file on disk. */
async function textAt(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > LARGEST_FILE)
      throw malformedArgument("file", t`${uri.fsPath} is not a file of up to ${LARGEST_FILE} bytes`);
    return textOfBytes(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) throw malformedArgument("file", t`${uri.fsPath} cannot be read`);
    throw error;
  }
}
