import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCountedExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

/** Types of resources outside of this thread. */
const OUTSIDE = /^(FS|FILEHANDLE|DIRHANDLE|STATWATCHER|TCP|UDP|PIPE|TLS|HTTP|GETADDRINFO|QUERY|PROCESS|WORKER)/;
const NETWORKS = [{ name: "Shop", baseUrl: "http://127.0.0.1:1", jwt: true, audience: "shop.test" }];
const ACCOUNTS = [{ address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", label: "Till", watchOnly: false }];

type Sync = (...input: readonly unknown[]) => unknown;

/** Returns the resources that `work` starts outside of this thread, with the source that started each. */
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

describe("the extension when it is activated", function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "finality-activated-"));

  after(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

  it("asks no network, no key and no file before it is there, whatever was set up", async () => {
    const { activate } = await loadCountedExtension();
    const settings = new Map<string, unknown>([
      ["finality.networks", NETWORKS],
      ["finality.activeNetwork", "Shop"],
    ]);
    mountEditor(new Editor(settings, () => undefined));
    const context = contextOf(folder, new Map([["finality.accounts", ACCOUNTS]]), new Map());
    const asked: string[] = [];
    const get = async (key: string): Promise<undefined> => void asked.push(key);
    const secrets = { ...context.secrets, get };

    const started = startedBy(() => activate({ ...context, secrets } as never));

    for (const it of context.subscriptions as { dispose(): void }[]) it.dispose();
    assert.deepEqual([started, asked], [[], []]);
    assert.ok(context.subscriptions.length > 10, "it was activated");
  });

  it("would be seen to ask", async () => {
    const { LocalChainRecordFile } = await import("../../../src/host/local-chain/local-chain-ready.ts");

    const started = startedBy(() => void new LocalChainRecordFile(folder).read());

    assert.match(started.join(" "), /local-chain-ready\.ts/);
  });
});
