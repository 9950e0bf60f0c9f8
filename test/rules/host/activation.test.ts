import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCountedExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

/** Async resource types for files, sockets, processes and threads. */
const OUTSIDE = /^(FS|FILEHANDLE|DIRHANDLE|STATWATCHER|TCP|UDP|PIPE|TLS|HTTP|GETADDRINFO|QUERY|PROCESS|WORKER)/;
const NETWORKS = [{ name: "Shop", baseUrl: "http://127.0.0.1:1", jwt: true, audience: "shop.test" }];
const ACCOUNTS = [{ address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", label: "Till", watchOnly: false }];

type Sync = (...input: readonly unknown[]) => unknown;

/** Returns the files, sockets, processes and threads that `work` opens, with the source of each. */
function startedBy(work: () => unknown): readonly string[] {
  const seen: string[] = [];
  const note = (what: string): void => {
    const place = new Error(what).stack?.split("\n").find((it) => it.includes("/src/"));
    if (place !== undefined) seen.push(`${what} ${place.trim()}`);
  };
  const files = process.getBuiltinModule("node:fs") as unknown as Record<string, Sync>;
  const names = Object.keys(files).filter((name) => name.endsWith("Sync"));
  const originals = names.flatMap((name) => (files[name] === undefined ? [] : [[name, files[name]] as const]));
  const hook = createHook({ init: (_, type) => OUTSIDE.test(type) && note(type) }).enable();
  for (const [name, original] of originals)
    files[name] = (...input) => {
      note(name);
      return original(...input);
    };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    hook.disable();
    for (const [name, original] of originals) files[name] = original;
    syncBuiltinESMExports();
  }
  return seen;
}

describe("activate", function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "finality-activated-"));

  after(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

  it("reads no network, secret or file before it returns", async () => {
    const { activate } = await loadCountedExtension();
    const settings = new Map<string, unknown>([
      ["finality.networks", NETWORKS],
      ["finality.activeNetwork", "Shop"],
    ]);
    mountEditor(new Editor(settings, () => undefined));
    const context = contextOf(folder, new Map([["finality.accounts", ACCOUNTS]]), new Map());
    const requested: string[] = [];
    const get = async (key: string): Promise<undefined> => void requested.push(key);
    const secrets = { ...context.secrets, get };

    const started = startedBy(() => activate({ ...context, secrets } as never));

    for (const it of context.subscriptions as { dispose(): void }[]) it.dispose();
    assert.deepEqual([started, requested], [[], []]);
    assert.ok(context.subscriptions.length > 10, "the extension was not activated");
  });

  it("is observed by this test when it reads a file", async () => {
    const { LocalChainRecordFile } = await import("../../../src/host/local-chain/local-chain-ready.ts");

    const started = startedBy(() => void new LocalChainRecordFile(folder).read());

    assert.match(started.join(" "), /local-chain-ready\.ts/);
  });
});
