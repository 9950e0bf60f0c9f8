import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ChainError } from "@finality/tron/errors";
import { textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { codeOf } from "../journal/journal-disk.ts";

/** No file with a key needs more bytes. */
const LARGEST = 64_000;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_TRUNC } = constants;
/** Windows has neither of the two. */
const AS_IT_IS = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/**
 * The text of a file with a key. Links, folders, pipes and devices are not followed or opened, and nothing large is
 * read.
 *
 * @throws {ChainError} `KEY_FILE_REFUSED`; nothing of its content enters the message
 */
export async function readKeyFile(uri: vscode.Uri): Promise<string> {
  try {
    return uri.scheme === "file" ? await readFromDisk(uri) : await readFromEditor(uri);
  } catch (error) {
    throw refusedFor(uri, error);
  }
}

/**
 * Writes a file with a key, which this user alone may read where the disk knows users.
 *
 * @throws {ChainError} `KEY_FILE_REFUSED`
 */
export async function writeKeyFile(uri: vscode.Uri, text: string): Promise<void> {
  try {
    if (uri.scheme !== "file") return await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
    await using file = await open(uri.fsPath, O_WRONLY | O_CREAT | O_TRUNC | AS_IT_IS, 0o600);
    // One that was there keeps its rights otherwise.
    await file.chmod(0o600);
    await file.writeFile(text, "utf8");
    await file.sync();
  } catch (error) {
    throw refusedFor(uri, error);
  }
}

async function readFromDisk(uri: vscode.Uri): Promise<string> {
  await using file = await open(uri.fsPath, O_RDONLY | AS_IT_IS);
  const stat = await file.stat();
  if (!stat.isFile()) throw new Refusal(t`it is no file`);
  requireSmall(stat.size);
  return textOfBytes(await file.readFile());
}

async function readFromEditor(uri: vscode.Uri): Promise<string> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (type !== vscode.FileType.File) throw new Refusal(t`it is no file, or a link`);
  requireSmall(size);
  return textOfBytes(await vscode.workspace.fs.readFile(uri));
}

function requireSmall(size: number): void {
  if (size > LARGEST) throw new Refusal(t`it has ${size} bytes, and no file with a key needs so many`);
}

/** What a person reads. */
class Refusal extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: t`it is not there`,
  EISDIR: t`it is a folder`,
  ELOOP: t`it is a link, and links are not followed to a key`,
  EACCES: t`this user may not open it`,
  EPERM: t`this user may not open it`,
  ENXIO: t`it is a pipe or a device`,
  ENOSPC: t`the disk is full`,
  EROFS: t`the disk takes nothing`,
};

function refusedFor(uri: vscode.Uri, error: unknown): ChainError {
  const code = codeOf(error) ?? "";
  const reason = error instanceof Refusal ? error.message : (REASONS[code] ?? t`the disk said ${code || "no"}`);
  return new ChainError("KEY_FILE_REFUSED", { file: uri.fsPath, reason }, { cause: error });
}
