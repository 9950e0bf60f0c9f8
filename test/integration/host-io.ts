import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as fs from "node:fs";
import * as vscode from "vscode";

/** What libuv opens, reads, writes, asks or starts for us. Timers, promises and the channel to the editor are none of it. */
const OUTSIDE =
  /^(FS|FILEHANDLE|STATWATCHER|TCP|UDP|PIPECONNECT|GETADDRINFO|GETNAMEINFO|QUERY|TLS|HTTP|DNS|PROCESS|WORKER|ZLIB|DIRHANDLE)/;
/** The index follows the files of the workspace in a time of its own; who makes it read stands above it in the stack. */
const INDEX = /\bhost-workspace-artifacts\.js\b|\/src\/host\/(?:workspace-artifacts|artifact-reader)\.ts\b/;
const REQUESTS = "undici:request:create";

type Sync = (...given: never[]) => unknown;

/**
 * Every piece of input and output that code of the extension starts in this host while `work` runs: of files, sockets, names,
 * processes and threads, by whatever API, and requests on connections that are open already; but for the index of artifacts, when nobody
 * makes it read. Each is told by what it is and where it began.
 */
export async function ioOfExtension(work: () => Promise<unknown>): Promise<readonly string[]> {
  const root = vscode.extensions.getExtension("finality.finality")?.extensionPath ?? "";
  const seen: string[] = [];
  const note = (what: string): void => {
    const frames = (new Error(what).stack ?? "").split("\n");
    const ours = frames.filter((frame) => frame.includes(`${root}/dist/`) || frame.includes(`${root}/src/`));
    if (!ours.every((frame) => INDEX.test(frame))) seen.push([what, ...ours.slice(0, 5)].join("\n"));
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

/** What waits for its answer goes past the hooks. */
function watchSync(note: (what: string) => void): () => void {
  const target = fs as unknown as Record<string, Sync>;
  const real = process.getBuiltinModule("node:fs") as unknown as typeof target;
  const names = Object.keys(target).filter((name) => name.endsWith("Sync") && typeof real[name] === "function");
  const originals = names.map((name) => [name, real[name]] as const);
  for (const [name, original] of originals)
    real[name] = (...given: never[]) => {
      note(name);
      return original?.(...given);
    };
  return () => {
    for (const [name, original] of originals) if (original !== undefined) real[name] = original;
  };
}
