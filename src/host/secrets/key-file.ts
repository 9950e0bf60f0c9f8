import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { codeOf } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import { textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";

/** Largest size of a key file; bytes. */
const LARGEST = 64_000;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_TRUNC } = constants;
/** Windows has neither flag. */
const AS_IT_IS = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/**
 * Reads a key file. Links, folders, pipes and devices are refused, and so are large files.
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
 * Writes a key file that only this user can read, where the file system supports that.
 *
 * @throws {ChainError} `KEY_FILE_REFUSED`
 */
export async function writeKeyFile(uri: vscode.Uri, text: string): Promise<void> {
  try {
    if (uri.scheme !== "file") return await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
    await using file = await open(uri.fsPath, O_WRONLY | O_CREAT | O_TRUNC | AS_IT_IS, 0o600);
    // An existing file would otherwise keep its mode.
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
  if (!stat.isFile()) throw new Refusal(t`it is not a file`);
  requireSmall(stat.size);
  return textOfBytes(await file.readFile());
}

async function readFromEditor(uri: vscode.Uri): Promise<string> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (type !== vscode.FileType.File) throw new Refusal(t`it is not a file, or it is a link`);
  requireSmall(size);
  return textOfBytes(await vscode.workspace.fs.readFile(uri));
}

function requireSmall(size: number): void {
  if (size > LARGEST) throw new Refusal(t`it has ${size} bytes, more than a key file needs`);
}

/** An error whose message is shown to the user. */
class Refusal extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: t`it does not exist`,
  EISDIR: t`it is a folder`,
  ELOOP: t`it is a link, and keys are not read or written through links`,
  EACCES: t`your user has no access to it`,
  EPERM: t`your user has no access to it`,
  ENXIO: t`it is a pipe or a device`,
  ENOSPC: t`the disk is full`,
  EROFS: t`the disk is read-only`,
};

function refusedFor(uri: vscode.Uri, error: unknown): ChainError {
  const code = codeOf(error) ?? "";
  const reason = error instanceof Refusal ? error.message : (REASONS[code] ?? t`the disk reported ${code || "no"}`);
  return new ChainError("KEY_FILE_REFUSED", { file: uri.fsPath, reason }, { cause: error });
}
