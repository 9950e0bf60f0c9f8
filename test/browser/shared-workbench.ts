import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySamples } from "../support/samples/copy-samples.ts";
import { type OpenWorkbench, openWorkbench, pick, tryAgain } from "../support/workbench/workbench.ts";
import { submitForm } from "./argument-form.ts";
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
async function withSamples(
  opening: (folder: string) => Promise<OpenWorkbench>,
  parts: readonly ("build" | "contracts")[] = ["build"],
): Promise<OpenWorkbench> {
  const folder = mkdtempSync(join(tmpdir(), "finality-samples-"));
  copySamples(SAMPLES, folder, parts);
  const workbench = await opening(folder);
  return {
    ...workbench,
    close: () => workbench.close().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** A workbench with the sources of the samples, whose list has a failed transfer of a token on its local chain. */
export function shareFailedTransfer(): Promise<OpenWorkbench> {
  const settings = { "finality.localChain.blockTime": 500, ...FOLLOWS_SYSTEM_THEME };
  return shareWorkbench("failed transfer", async () => {
    const workbench = await withSamples((folder) => openWorkbench({ folder, settings }), ["build", "contracts"]);
    await failTransfer(workbench);
    return workbench;
  });
}

async function failTransfer({ page, runCommand, showFinality }: OpenWorkbench): Promise<void> {
  const row = (spoken: string) => page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
  const press = (button: string) => page.locator(".monaco-dialog-box .monaco-button", { hasText: button }).click();
  await showFinality();
  await page.locator(".pane-body .monaco-button", { hasText: "Start Local Chain" }).first().click();
  await row("Alice").waitFor();
  await runCommand("Finality: Deploy Contract…");
  await pick(page, "Leaf");
  await submitForm(page, "Deploy Leaf", { supply: "1000000000" }, "Alice");
  await press("Sign and Send");
  await row("Deploy Leaf. Final, successful").waitFor();
  await runCommand("Finality: Call Contract…");
  await pick(page, "Leaf");
  await pick(page, "transfer(");
  const form = await submitForm(page, "Call Leaf", { "to address": "Alice", value: "5" }, "Grace");
  await form.locator(".status", { hasText: "would REVERT" }).waitFor();
  await form.getByLabel("Fee limit").fill("100 coins");
  await page.keyboard.press("Enter");
  await press("Sign and Send Anyway");
  await row("Final, failed: NotEnoughLeaves").waitFor();
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
