import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import type { FinalityApi } from "../../../src/public/api.ts";
import { leftOpen, openFolder } from "../../support/simulated-host/counting-editor.ts";
import { type Extension, loadCountedExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

const SOURCES = join(import.meta.dirname, "../../../src");
const OTHER_WINDOW = join(import.meta.dirname, "../../support/tracking/leading-process.ts");
/** Resource types that stay open: timers, watched files, sockets, threads. */
const LASTING: ReadonlySet<string> = new Set([
  ...["Timeout", "Immediate", "FSEVENTWRAP", "STATWATCHER"],
  ...["PIPEWRAP", "PIPESERVERWRAP", "TCPWRAP", "TCPSERVERWRAP", "WORKER", "PROCESSWRAP"],
]);
const TIMEOUT_MS = 20_000;
/** Time between two checks of a condition; ms. */
const POLL_MS = 5;
/** Maximum duration of closing; ms. */
const CLOSING_MS = 200;
/** undici's timer, which ends at its next tick, within a second. */
const LAST_TICK = "/undici/lib/util/timers.js";
const LAST_TICK_MS = 1_200;
const OURS = "ab".repeat(32);
const UNREACHED = "cd".repeat(32);
const ADDRESS = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

interface OpenFile {
  readonly fd: number;
}

describe("deactivate", function () {
  this.timeout(120_000);
  let folder: string;
  let chain: LocalChain;
  let extension: Extension | undefined;
  let other: ChildProcess | undefined;
  const unreleased = new Map<number, string>();
  /** The references keep garbage collection from closing files. */
  const files: OpenFile[] = [];
  const hook = createHook({
    init: (id, type, _trigger, resource) => {
      if (type === "FILEHANDLE") files.push(resource as OpenFile);
      if (LASTING.has(type)) unreleased.set(id, `${type} ${sourcesOf(new Error("here").stack)}`);
    },
    destroy: (id) => void unreleased.delete(id),
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-deactivated-"));
    await mkdir(join(folder, "workspace"));
    const abi = [{ type: "function", name: "visit", inputs: [], outputs: [], stateMutability: "view" }];
    await writeFile(join(folder, "workspace", "House.json"), JSON.stringify({ contractName: "House", abi }));
    openFolder(join(folder, "workspace"));
    chain = await startLocalChain({ blockTimeMs: 0 });
  });

  after(async () => {
    hook.disable();
    await extension?.deactivate();
    other?.kill("SIGKILL");
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns open resources that sources of the extension created. */
  const lasting = (): readonly string[] => [...unreleased.values()].filter((it) => it.includes("/src/"));
  const isClosing = (it: string): boolean => it.includes(LAST_TICK);
  const lasts = (what: RegExp) => until(() => lasting().some((it) => what.test(it)), String(what));
  const openFiles = (): readonly string[] => files.filter(({ fd }) => fd >= 0).map(({ fd }) => nameOf(fd));

  const storage = () => join(folder, "storage");

  /** Opens a window and starts every kind of long-lived resource. */
  async function openWindow({ activate }: Extension) {
    const networks = [
      { name: "Shop", baseUrl: chain.baseUrl },
      { name: "Gone", baseUrl: "http://127.0.0.1:1" },
    ];
    const settings = new Map<string, unknown>([
      ["finality.networks", networks],
      ["finality.activeNetwork", "Shop"],
      ["finality.abi.globs", ["*.json"]],
    ]);
    const editor = new Editor(settings, ({ buttons }) => buttons.find((it) => it === "Run"));
    mountEditor(editor);
    const asAbsolutePath = (): string => join(SOURCES, "host/artifacts/artifact-worker.ts");
    const context = { ...contextOf(storage(), new Map(), new Map()), asAbsolutePath };
    const api = activate(context as never);
    await use(api, editor);
    return context.subscriptions as readonly { dispose(): void }[];
  }

  async function use({ transactions, explain }: FinalityApi, editor: Editor): Promise<void> {
    const explained = await explain("visit()");
    assert.ok(explained.raw !== undefined);
    await transactions.track(OURS, { network: "Shop" });
    await lasts(/^PIPESERVERWRAP/);
    await transactions.track(UNREACHED, { network: "Gone" });
    await editor.run("finality.showTimeline", { txId: OURS });
    await editor.run("finality.watchIncoming", { network: "Shop", address: ADDRESS });
    await lasts(/^Timeout .*notifier\.ts/);
    await lasts(/^Timeout .*artifact-changes\.ts/);
  }

  /** Starts another window, which waits for the lead. */
  async function openOther(): Promise<{ readonly leads: Promise<void> }> {
    const { promise: leads, resolve } = Promise.withResolvers<void>();
    other = fork(OTHER_WINDOW, [storage()], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    other.once("message", () => resolve());
    await lasts(/^Timeout .*tracking-leader\.ts/);
    return { leads };
  }

  it("releases all listeners, registrations, timers, files and sockets, and passes the lead to another window", async () => {
    extension = await loadCountedExtension();
    hook.enable();
    const subscriptions = await openWindow(extension);
    const { leads } = await openOther();
    const [listeners, resources, open] = [leftOpen().length, lasting().length, openFiles().length];
    assert.ok(listeners > 100, `only ${listeners} listeners`);
    assert.ok(open > 1, `only ${open} files were open`);

    const ended = extension.deactivate();
    for (const it of subscriptions) it.dispose();
    await ended;

    assert.deepEqual(openFiles(), []);
    assert.deepEqual(leftOpen(), []);
    await within(CLOSING_MS, () => lasting().every(isClosing));
    process.stdout.write(
      `      ${listeners} listeners and registrations, ${resources} timers and sockets, ${open} files before\n`,
    );
    assert.deepEqual(
      lasting().filter((it) => !isClosing(it)),
      [],
    );
    await within(LAST_TICK_MS, () => lasting().length === 0);
    assert.deepEqual(lasting(), []);
    await leads;
  });

  it("writes nothing afterwards, so a removed folder is not created again", async () => {
    other?.kill("SIGKILL");
    await rm(storage(), { recursive: true });
    await within(CLOSING_MS, () => existsSync(storage()));

    assert.equal(existsSync(storage()), false);
  });
});

/** Returns the source files of a stack. */
function sourcesOf(stack = ""): string {
  return stack
    .split("\n")
    .flatMap((it) => /\/(?:src|undici\/lib)\/[^?:]+/.exec(it)?.[0] ?? [])
    .join(" ");
}

function nameOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return `file ${fd}`;
  }
}

/** Waits until a condition holds, and fails after `TIMEOUT_MS`. */
async function until(holds: () => boolean, what: string): Promise<void> {
  assert.ok(await within(TIMEOUT_MS, holds), `the condition did not hold in time: ${what}`);
}

/** Returns true if the condition holds within this time; ms. */
async function within(ms: number, holds: () => boolean): Promise<boolean> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() >= end) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}
