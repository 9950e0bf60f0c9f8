import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySamples } from "../support/samples/copy-samples.ts";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { FAST_CHAIN, openOnLocalChain } from "./local-flow.ts";
import { networkSettings } from "./network-settings.ts";
import { FOLLOWS_SYSTEM_THEME } from "./pictures.ts";
import { openSilentProxy } from "./proxy.ts";
import { writeStory } from "./story.ts";

const NETWORK = "Shasta";
const SAMPLES = join(import.meta.dirname, "..", "..", "samples");
const open = new Map<string, Promise<OpenWorkbench>>();

/**
 * Gives the files of one run, which SHARED_WORKBENCHES of scripts/testing/suites.mjs names, one workbench: opening it is
 * most of the work of a small file. A file that runs alone has it for itself. It closes with the run.
 *
 * @param name - of what they share
 */
async function shareWorkbench(name: string, first: () => Promise<OpenWorkbench>): Promise<OpenWorkbench> {
  const found = open.get(name);
  if (found !== undefined) return await tidied(await found);
  const opening = first();
  open.set(name, opening);
  return await opening;
}

/** A workbench in whose small workspace nothing has to do with a chain yet. */
export function shareQuietWorkbench(): Promise<OpenWorkbench> {
  const settings = { "workbench.hover.delay": 30, ...FOLLOWS_SYSTEM_THEME };
  return shareWorkbench("quiet", () => openWorkbench({ settings }));
}

/** A workbench for a local chain that the first file itself starts: the others find it running. */
export function shareEmptyView(): Promise<OpenWorkbench> {
  return shareWorkbench("local chain", () => withSamples((folder) => openWorkbench({ folder, settings: LOCAL })));
}

/** The same one with its local chain. */
export function shareLocalChain(): Promise<OpenWorkbench> {
  return shareWorkbench("local chain", () => withSamples((folder) => openOnLocalChain({ folder, settings: LOCAL })));
}

const LOCAL = { ...FAST_CHAIN, ...FOLLOWS_SYSTEM_THEME };

/** Opens a workbench in a folder with what a compiler makes of the samples. */
async function withSamples(opening: (folder: string) => Promise<OpenWorkbench>): Promise<OpenWorkbench> {
  const folder = mkdtempSync(join(tmpdir(), "finality-samples-"));
  copySamples(SAMPLES, folder, ["build"]);
  const workbench = await opening(folder);
  return {
    ...workbench,
    close: () => workbench.close().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** A workbench with a transaction in each state, of a network that says nothing. */
export function shareStory(): Promise<OpenWorkbench> {
  return shareWorkbench("story", async () => {
    const silence = await openSilentProxy();
    const dataDir = mkdtempSync(join(tmpdir(), "finality-story-"));
    writeStory(dataDir, NETWORK, Date.now());
    const settings = networkSettings(NETWORK, silence.url, `${silence.url}/second`);
    const workbench = await openWorkbench({ dataDir, settings });
    const close = async () => {
      await workbench.close();
      await silence.close();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { ...workbench, close };
  });
}

/** Without what the file before left on the screen. */
async function tidied(workbench: OpenWorkbench): Promise<OpenWorkbench> {
  const { page, runCommand } = workbench;
  await runCommand("Notifications: Clear All Notifications");
  await tryAgain(page, async (timeout) => {
    await runCommand("View: Close All Editors");
    await page.locator(".tabs-container .tab").first().waitFor({ state: "detached", timeout });
  });
  return workbench;
}

after(async () => {
  for (const workbench of open.values()) await (await workbench.catch(() => undefined))?.close();
});
