import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { t } from "@vscode/l10n";

/**
 * Reads a regular file. Returns a text that says why if it is refused. It is opened without blocking, because a pipe
 * would never end, and checked after opening, because another file may have replaced it.
 *
 * @param root - folder that has to contain the file after links are resolved; absent for a file that the user chose
 * @param maximum - in bytes
 * @throws errors of the file system, such as a missing file
 */
export async function bytesOfFile(file: string, root: string | undefined, maximum: number): Promise<Buffer | string> {
  const real = await realpath(file);
  if (root !== undefined && !real.startsWith((await realpath(root)) + sep))
    return t`it is a link to a file outside of the workspace`;
  await using handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile()) return t`it is not a regular file but a pipe, a device or a folder`;
  if (stats.size > maximum) return t`it has ${stats.size} bytes, more than ${maximum}`;
  const buffer = Buffer.alloc(stats.size);
  const { bytesRead } = await handle.read(buffer, 0, stats.size, 0);
  return buffer.subarray(0, bytesRead);
}
