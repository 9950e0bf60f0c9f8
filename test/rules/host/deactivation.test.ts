import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../../src/local-chain/main.ts";
import { leftOpen } from "../../support/liar/counting-editor.ts";
import { Editor, mountEditor } from "../../support/liar/editor.ts";
import { contextOf } from "../../support/liar/liar-simulation.ts";
import { loadCountedExtension } from "../../support/liar/load-extension.ts";

/** What goes on by itself: timers, watched files, sockets. What is only asked of a disk ends by itself. */
const LASTING: ReadonlySet<string> = new Set([
  ...["Timeout", "Immediate", "FSEVENTWRAP", "STATWATCHER"],
  ...["PIPEWRAP", "PIPESERVERWRAP", "TCPWRAP", "TCPSERVERWRAP", "WORKER", "PROCESSWRAP"],
]);
const PATIENCE_MS = 10_000;

describe("the extension when it is deactivated", function () {
  this.timeout(60_000);
  let folder: string;
  let chain: LocalChain;
  const alive = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      if (LASTING.has(type)) alive.set(id, `${type} ${placeOf(new Error("here").stack)}`);
    },
    destroy: (id) => void alive.delete(id),
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-deactivated-"));
    chain = await startLocalChain({ blockTimeMs: 0 });
  });

  after(async () => {
    hook.disable();
    await chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What was begun by sources of the product and did not end. */
  const lasting = (): readonly string[] => [...alive.values()].filter((it) => it.includes("/src/"));

  it("leaves no listener, no registration, no timer, no watched file and no socket behind", async () => {
    const { activate } = await loadCountedExtension();
    const network = { name: "Shop", baseUrl: chain.baseUrl };
    mountEditor(
      new Editor(
        new Map<string, unknown>([
          ["finality.networks", [network]],
          ["finality.activeNetwork", "Shop"],
        ]),
        () => undefined,
      ),
    );
    const context = contextOf(folder, new Map(), new Map());
    hook.enable();
    const api = activate(context as never);
    await api.transactions.track("ab".repeat(32), { network: "Shop" });
    await until(() => lasting().some((it) => it.startsWith("PIPESERVERWRAP")));
    await until(() => lasting().some((it) => it.startsWith("Timeout")));
    const [listeners, resources] = [leftOpen().length, lasting().length];
    assert.ok(listeners > 100, `only ${listeners} were counted`);

    for (const it of (context.subscriptions as { dispose(): void }[]).reverse()) it.dispose();

    await until(() => lasting().length === 0).catch(() => undefined);
    process.stdout.write(
      `      ${listeners} listeners and registrations, ${resources} timers, files and sockets before\n`,
    );
    assert.deepEqual(leftOpen(), []);
    assert.deepEqual(lasting(), []);
  });
});

function placeOf(stack = ""): string {
  const own = stack.split("\n").find((it) => it.includes("/src/"));
  return own?.trim() ?? stack.split("\n").slice(2, 30).join(" | ");
}

/** Looked at again and again, as other work goes on. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    assert.ok(performance.now() < end, "it did not come to that");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
