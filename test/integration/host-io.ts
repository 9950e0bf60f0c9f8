import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as fs from "node:fs";
import { product } from "./product.ts";

/**
 * Types of I/O resources of libuv. Timers, promises and the channel to the editor are
 * not included.
 */
const OUTSIDE =
  /^(FS|FILEHANDLE|STATWATCHER|TCP|UDP|PIPECONNECT|GETADDRINFO|GETNAMEINFO|QUERY|TLS|HTTP|DNS|PROCESS|WORKER|ZLIB|DIRHANDLE)/;
/** Modules of the leading window, which checks its socket every 2 s. */
const LEADER =
  /\bhost-windows-tracking-leader\.js\b|\/src\/host\/windows\/(?:tracking-leader|leader-socket|leader-key)\.ts\b/;
const ROUNDS = 5;
const REQUESTS = "undici:request:create";

type Sync = (...input: never[]) => unknown;

/**
 * Records all I/O that code of the extension starts in this host while `work` runs: files, sockets,
 * DNS, processes and threads, by any API, and requests on open connections. Each record has
 * its type and the place where it began.
 */
export async function ioOfExtension(work: () => Promise<unknown>): Promise<readonly string[]> {
  const root = product().extensionPath;
  const seen: string[] = [];
  const note = (what: string): void => {
    const frames = (new Error(what).stack ?? "").split("\n");
    const ours = frames.filter((frame) => frame.includes(`${root}/dist/`) || frame.includes(`${root}/src/`));
    if (ours.length > 0 && !ours.some((frame) => LEADER.test(frame))) seen.push([what, ...ours].join("\n"));
  };
  Error.stackTraceLimit = 50;
  const hook = createHook({ init: (_, type) => OUTSIDE.test(type) && note(type) }).enable();
  const asked = (): void => void seen.push("request");
  subscribe(REQUESTS, asked);
  const restore = watchSync(note);
  try {
    await work();
  } finally {
    hook.disable();
    unsubscribe(REQUESTS, asked);
    restore();
    Error.stackTraceLimit = 10;
  }
  return seen;
}

/**
 * Returns the I/O of `work` in a round in which nothing else of the extension reads or sends, such as the index or a
 * poll of the chain. I/O that `work` starts each time is seen in the last round too.
 */
export async function ioWhileIdle(work: () => Promise<unknown>): Promise<readonly string[]> {
  for (let round = 1; ; round++) {
    const seen = await ioOfExtension(work);
    if (seen.length === 0 || round === ROUNDS) return seen;
  }
}

/** Observes synchronous calls, which the hooks do not see. */
function watchSync(note: (what: string) => void): () => void {
  const target = fs as unknown as Record<string, Sync>;
  const real = process.getBuiltinModule("node:fs") as unknown as typeof target;
  const names = Object.keys(target).filter((name) => name.endsWith("Sync") && typeof real[name] === "function");
  const originals = names.map((name) => [name, real[name]] as const);
  for (const [name, original] of originals)
    real[name] = (...input: never[]) => {
      note(name);
      return original?.(...input);
    };
  return () => {
    for (const [name, original] of originals) if (original !== undefined) real[name] = original;
  };
}
