import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { Page } from "playwright-core";
import { extensionHosts } from "../browser/extension-hosts.ts";
import { networkSettings } from "../browser/network-settings.ts";
import { openSilentProxy } from "../browser/proxy.ts";
import { CHAPTERS, longStory, writeStory } from "../browser/story.ts";
import { timelinePage } from "../browser/timeline-page.ts";
import { openWorkbench } from "../support/workbench/workbench.ts";
import { median } from "./row.ts";

const ROWS = 10_000;
const RELOADS = 3;
const CLICKS = 10;
/** Limits of what a long list adds: ms, ms, MB. */
const LIMITS = { rows: 1_000, click: 100, memory: 150 };

interface Measured {
  /** Medians, ms: from the reload of the window, and from the activation of the extension, to the first rows. */
  readonly reload: number;
  readonly rows: number;
  readonly click: number;
  /** Resident memory of the extension host, MB. */
  readonly memory: number;
}

describe("transactions view with a long list", function () {
  this.timeout(600_000);

  it("is within its limits in the workbench", async () => {
    const few = await measure(0);
    const many = await measure(ROWS);

    console.log(
      [
        `transactions view with ${ROWS.toLocaleString("en-US")} rows beside one with ${CHAPTERS.length}:`,
        `first rows ${many.rows.toFixed(0)} ms after the activation of the extension (${few.rows.toFixed(0)} ms),`,
        `which is ${many.reload.toFixed(0)} ms after a reload of the window (${few.reload.toFixed(0)} ms),`,
        `page ${many.click.toFixed(0)} ms after a click (${few.click.toFixed(0)} ms),`,
        `extension host ${many.memory.toFixed(0)} MB (${few.memory.toFixed(0)} MB)`,
      ].join(" "),
    );
    const more = { rows: many.rows - few.rows, click: many.click - few.click, memory: many.memory - few.memory };
    const exceeded = (["rows", "click", "memory"] as const).filter((it) => more[it] > LIMITS[it]);
    assert.ok(exceeded.length === 0, `over the limit: ${exceeded.join(", ")}`);
  });
});

async function measure(count: number): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), "finality-list-bench-"));
  const silence = await openSilentProxy();
  const mark = randomUUID();
  writeStory(dataDir, "Shasta", Date.now(), [...CHAPTERS, ...longStory(count)]);
  const settings = networkSettings("Shasta", silence.url, `${silence.url}/second`);
  const workbench = await openWorkbench({ dataDir, settings, env: { FINALITY_TEST_WINDOWS: mark } });
  try {
    const { page } = workbench;
    await workbench.showFinality();
    await rowOf(page, "Rent").waitFor();
    const reloads: number[] = [];
    const rows: number[] = [];
    for (let round = 0; round < RELOADS; round++) {
      const started = performance.now();
      await page.reload();
      await rowOf(page, "Rent").waitFor();
      reloads.push(performance.now() - started);
      rows.push(Date.now() - activationIn(join(dataDir, "server", "data", "logs")));
    }
    const click = await clicks(page);
    return { reload: median(reloads), rows: median(rows), click, memory: memoryOf(mark) };
  } finally {
    await workbench.close();
    await silence.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Returns the time of the newest activation, which creates the log folder of the extension; Unix ms. */
function activationIn(logs: string): number {
  const folders = readdirSync(logs, { recursive: true, encoding: "utf8" }).filter((it) => it.endsWith(LOG_FOLDER));
  assert.ok(folders.length > 0, "the extension was not activated");
  return Math.max(...folders.map((it) => statSync(join(logs, it)).birthtimeMs));
}

const LOG_FOLDER = `${sep}finality.finality`;

/** Median time from a click on a row to its page. The first click, which opens the panel, does not count. */
async function clicks(page: Page): Promise<number> {
  const titles = ["Rent", "75 coins"];
  const times: number[] = [];
  for (let click = 0; click <= CLICKS; click++) {
    const title = titles[click % titles.length] ?? "";
    const started = performance.now();
    await rowOf(page, title).click();
    await timelinePage(page).locator("h1", { hasText: title }).waitFor();
    if (click > 0) times.push(performance.now() - started);
  }
  return median(times);
}

function rowOf(page: Page, text: string) {
  return page.locator(".pane-body .monaco-list-row .label-name", { hasText: text }).first();
}

function memoryOf(mark: string): number {
  const status = extensionHosts(mark).map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.max(...status.map((it) => Number(/^VmRSS:\s*(\d+) kB/m.exec(it)?.[1] ?? 0))) / 1_000;
}
