import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CommandChain } from "../../../packages/cli/test/support/chain.ts";
import { partOf, runJson } from "../../../packages/cli/test/support/test-terminal.ts";
import { readReconciliation } from "../../../packages/client/src/runs/reconciliation.ts";
import { parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { openHeldServer } from "../../support/http/http-server.ts";
import { loadRunsExtension } from "../../support/simulated-host/load-sources.ts";
import { panels, savedAs, serializers, TestPanel } from "../../support/simulated-host/run-editor.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

/** Recipients that the chain does not have, so that their balance is what they were paid. */
const recipient = (number: number) => parseAddress(`41${number.toString(16).padStart(40, "5")}`);

/** One window of the editor with the whole extension. */
interface TestWindow {
  readonly editor: Editor;
  run(command: string, argument: object): Promise<JsonObject>;
  close(): Promise<void>;
}

describe("runs in the editor", function () {
  this.timeout(60_000);
  let chain: CommandChain;
  let folder: string;
  let payer: string;
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const windows: TestWindow[] = [];
  let isOver = false;

  beforeEach(async () => {
    isOver = false;
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "fin-runs-"));
    payer = toBase58(chain.address(0));
    for (const it of [state, secrets]) it.clear();
    panels.length = 0;
  });

  afterEach(async () => {
    isOver = true;
    for (const it of windows.splice(0)) await it.close();
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a window. Each question is answered with the button that consents. */
  async function openWindow(baseUrl = chain.chain.baseUrl): Promise<TestWindow> {
    const { activate, deactivate } = await loadRunsExtension();
    const settings = new Map<string, unknown>([
      ["finality.networks", [{ name: "Shop", baseUrl }]],
      ["finality.activeNetwork", "Shop"],
    ]);
    const editor = new Editor(settings, ({ buttons }) => buttons.find((it) => !it.startsWith("Do ")));
    mountEditor(editor);
    const context = contextOf(folder, state, secrets);
    activate(context as never);
    const run = async (command: string, argument: object): Promise<JsonObject> => {
      mountEditor(editor);
      return (await editor.run(`finality.${command}`, argument)) as JsonObject;
    };
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      for (const it of (context.subscriptions as { dispose(): void }[]).reverse()) it.dispose();
      await deactivate();
    };
    const window = { editor, run, close };
    windows.push(window);
    return window;
  }

  async function openFirstWindow(baseUrl?: string): Promise<TestWindow> {
    const window = await openWindow(baseUrl);
    await window.run("importSigningKey", { privateKey: chain.privateKey(0), label: "Payer" });
    return window;
  }

  function writeTable(rows: number): string {
    const lines = Array.from({ length: rows }, (_, row) => `${toBase58(recipient(row))},${row + 1}`);
    const file = join(folder, "pay.csv");
    writeFileSync(file, ["recipient,amount", ...lines].join("\n"));
    return file;
  }

  const start = (window: TestWindow, file: string): Promise<JsonObject> =>
    window.run("runFile", { file, network: "Shop", account: payer });

  const titleOf = (panel: TestPanel | undefined): string => panel?.page?.title ?? "";

  /** Makes blocks until a page has this title. */
  async function mineUntil(panel: TestPanel | undefined, title: RegExp): Promise<void> {
    while (!isOver && !title.test(titleOf(panel))) {
      await chain.post("/local/mine", { blocks: 1 });
      await wait(50);
    }
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!isOver && !condition()) await wait(20);
  }

  async function requirePaidOnce(rows: number): Promise<void> {
    for (let row = 0; row < rows; row++) {
      const { balance = 0 } = await chain.post("/wallet/getaccount", { address: recipient(row) });
      assert.equal(balance, (row + 1) * 1_000_000, `row ${row + 2}`);
    }
  }

  const reviewsOf = ({ editor }: TestWindow): readonly string[] =>
    editor.shown.filter(({ modal }) => modal).map(({ title }) => title);

  it("pays three rows after one consent, shows them until they are final, and exports them", async () => {
    const window = await openFirstWindow();
    const { run, rows, canStart } = await start(window, writeTable(3));
    const [panel] = panels;
    await mineUntil(panel, /^Finished/);

    assert.deepEqual([rows, canStart], [3, true]);
    const reviews = reviewsOf(window).filter((it) => it.includes("transactions"));
    assert.deepEqual(reviews, ["Send 3 transactions from Payer?"]);
    assert.match(window.editor.shown.at(-1)?.detail ?? "", /Total: 6 .* in 3 rows/);
    assert.equal(titleOf(panel), "Finished: pay.csv");
    assert.deepEqual(
      [2, 3, 4].map((row) => [row, panel?.rows.get(row)?.state]),
      [
        [2, "succeeded"],
        [3, "succeeded"],
        [4, "succeeded"],
      ],
    );
    await requirePaidOnce(3);

    const exported = join(folder, "paid.csv");
    savedAs.push(exported);
    panel?.act("export-csv");
    await until(() => savedAs.length === 0 && readTextOr(exported) !== "");
    const lines = readReconciliation(readFileSync(exported, "utf8")) ?? [];
    assert.deepEqual(
      lines.map((it) => [it.run, it.row, it.state, it.result]),
      ["2", "3", "4"].map((row) => [run, row, "succeeded", "SUCCESS"]),
    );
    // The command line has the same store.
    const input = { folder, env: { ...chain.env, FINALITY_JOURNAL: folder } };
    const listed = partOf((await runJson(["runs"], input)).line, "result").runs as readonly JsonObject[];
    assert.deepEqual(
      listed.map((it) => [it.run, it.rows]),
      [[run, 3]],
    );
    const rechecked = await runJson(["recheck", exported, "--local"], input);
    assert.equal(rechecked.exitCode, 0, JSON.stringify(rechecked.line));
  });

  it("goes on after a restart in the middle: the page is restored, and asks for the consent once", async () => {
    const rows = 20;
    const server = await openHeldServer(chain.chain.baseUrl);
    const window = await openFirstWindow(server.baseUrl);
    server.hold("/wallet/broadcasttransaction");
    const { run } = await start(window, writeTable(rows));
    await until(() => server.waiting().length > 0);
    const closed = window.close();
    await server.close();
    await closed;

    const next = await openWindow();
    const restored = new TestPanel();
    await serializers.get("finality.run")?.deserializeWebviewPanel(restored, { run });
    await until(() => titleOf(restored) === "Not running: pay.csv");
    const states = new Set([...restored.rows.values()].map(({ state }) => state));
    assert.ok(states.has("waiting") && states.has("unknown"), [...states].join());
    const before = reviewsOf(next).length;
    restored.act("resume");
    await mineUntil(restored, /^Finished/);

    assert.deepEqual(reviewsOf(next).slice(before), ["Go on with pay.csv?"]);
    assert.equal(titleOf(restored), "Finished: pay.csv");
    await requirePaidOnce(rows);
  });

  it("stays paused when a program calls Run File… with the same file", async () => {
    const window = await openFirstWindow();
    const file = writeTable(12);
    const { run } = await start(window, file);
    panels[0]?.act("pause");
    await until(() => titleOf(panels[0]).startsWith("Paused"));
    const again = await start(window, file);

    const input = { folder, env: { ...chain.env, FINALITY_JOURNAL: folder } };
    const [listed] = partOf((await runJson(["runs"], input)).line, "result").runs as readonly JsonObject[];
    assert.deepEqual([again.run, listed?.run, listed?.control], [run, run, "paused"]);
  });

  it("shows a run that another window executes, which that one alone signs", async () => {
    const first = await openFirstWindow();
    const { run } = await start(first, writeTable(12));
    panels[0]?.act("pause");
    await until(() => titleOf(panels[0]).startsWith("Paused"));
    const second = await openWindow();
    await second.run("showRuns", { run });
    const page = panels[1];
    await until(() => titleOf(page).startsWith("Paused"));
    const asked = reviewsOf(second).length;
    page?.act("resume");
    await until(() => titleOf(page) === "Running in another window: pay.csv");
    await mineUntil(page, /^Finished/);

    assert.equal(reviewsOf(second).length, asked, "the consent is of the first window");
    assert.equal(page?.rows.size, 12);
    assert.ok([...(page?.rows.values() ?? [])].every(({ state }) => state === "succeeded"));
    await requirePaidOnce(12);
  });
});

function readTextOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
