import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { t } from "@vscode/l10n";

/**
 * What an ordinary file holds, or why it is not read, as the rest of a sentence. It is opened without waiting, because
 * a pipe would wait for ever, and looked at when it is open, because another file may have taken its place.
 *
 * @param root - the folder that it has to lie in, links followed; absent for a file that a person chose
 * @param maximum - in bytes
 * @throws what the disk says, such as that there is no such file
 */
export async function bytesOfFile(file: string, root: string | undefined, maximum: number): Promise<Buffer | string> {
  const real = await realpath(file);
  if (root !== undefined && !real.startsWith((await realpath(root)) + sep)) return t`it is a link out of the workspace`;
  await using handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile()) return t`it is no ordinary file but a pipe, a device or a folder`;
  if (stats.size > maximum) return t`it has ${stats.size} bytes, more than ${maximum}`;
  const buffer = Buffer.alloc(stats.size);
  const { bytesRead } = await handle.read(buffer, 0, stats.size, 0);
  return buffer.subarray(0, bytesRead);
}
