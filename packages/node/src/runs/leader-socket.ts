import { unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import type { Leadership } from "@finality/client/runs";
import { codeOf } from "../storage/durable-file.ts";

/** Longest path that a socket can have on every system; bytes. */
const LONGEST_PATH = 100;

/** Returns true if a socket cannot have this path. */
export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > LONGEST_PATH;
}

/**
 * Leads while this process listens on a socket. Two leaders for a moment only cause double requests, so a socket without
 * a listener is replaced, and a path that is too long leads always.
 *
 * @returns undefined while another process leads
 */
export async function leadBySocket(path: string): Promise<Leadership | undefined> {
  const lost = new AbortController().signal;
  if (isTooLong(path)) return { lost, release: async () => undefined };
  const server = (await listen(path)) ?? ((await isServed(path)) ? undefined : await listenAgain(path));
  if (server === undefined) return undefined;
  return { lost, release: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** Returns true while a process leads with this path. */
export async function isLed(path: string): Promise<boolean> {
  return !isTooLong(path) && (await isServed(path));
}

async function listenAgain(path: string): Promise<Server | undefined> {
  await unlink(path).catch(() => undefined);
  return await listen(path);
}

function listen(path: string): Promise<Server | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Server | undefined>();
  const server = createServer((peer) => peer.destroy());
  server.once("error", (error) => (codeOf(error) === "EADDRINUSE" ? resolve(undefined) : reject(error)));
  server.listen(path, () => resolve(server.unref()));
  return promise;
}

function isServed(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const peer = connect(path, () => resolve(true));
  peer.on("error", () => resolve(false)).on("close", () => peer.destroy());
  return promise;
}
