import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ProposalFolder } from "../../packages/agent-tools/src/proposals.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import {
  inputInFront,
  type OpenWorkbench,
  openWorkbench,
  pick,
  tryAgain,
  type WorkbenchOptions,
} from "../support/workbench/workbench.ts";
import { ONCE } from "./fit.ts";
import type { Say } from "./language.ts";
import { acceptByEnter } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { type ChainProxy, openSilentProxy } from "./proxy.ts";
import { CHAPTERS, FURTHER_CHAPTERS, storyTxId, writeStory } from "./story.ts";
import { timelinePage } from "./timeline-page.ts";

const samples = join(import.meta.dirname, "..", "..", "samples");
const NETWORK = "Shasta";
/** URL without a listener. */
const CLOSED = { name: "Closed", baseUrl: "http://127.0.0.1:1" };
/** One whose URL takes tokens and certificates, for the commands about them. */
const HOSTED = { name: "Hosted", baseUrl: "https://127.0.0.1:1", jwt: true, keyId: "key-1" };
const STORY = [...CHAPTERS, ...FURTHER_CHAPTERS];
/** Rows that are there at once: the group of older ones is closed, and has one. */
const OPEN = STORY.length - 1;
const ANSWER = {
  code: "CONTRACT_VALIDATE_ERROR",
  message: Buffer.from("Validate TransferContract error, balance is not sufficient.").toString("hex"),
};
/** Something of ours that covers the others, and is looked at when it is there. */
export const DIALOG = ".monaco-dialog-box";

/** Is told what is on the screen now, by a name. @param again - brings it back when a window of another size lost it */
export type Look = (place: string, again?: () => Promise<void>) => Promise<void>;

/** A workbench in which everything is there: transactions in each state, contracts on a chain, files with failures. */
export class Tour {
  readonly workbench: OpenWorkbench;
  readonly #say: Say;
  readonly #look: Look;
  readonly #close: () => Promise<void>;

  private constructor(workbench: OpenWorkbench, { say, look }: { say: Say; look: Look }, close: () => Promise<void>) {
    this.workbench = workbench;
    this.#say = say;
    this.#look = look;
    this.#close = close;
  }

  static async begin(say: Say, look: Look, options: WorkbenchOptions): Promise<Tour> {
    const scratch = mkdtempSync(join(tmpdir(), "finality-tour-"));
    const silence: ChainProxy = await openSilentProxy();
    const chain = await startLocalChain({ seed: "tour", blockTimeMs: 300, startTime: Date.now() });
    const folder = await makeFolder(scratch, chain);
    writeStory(join(scratch, "data"), NETWORK, Date.now(), STORY);
    const networks = [{ name: NETWORK, baseUrl: silence.url, fallbackUrls: [`${silence.url}/second`] }, CLOSED, HOSTED];
    const settings = {
      "finality.networks": networks,
      "finality.activeNetwork": NETWORK,
      "finality.decode.diagnosticsIn": ["**/answer.json"],
      "workbench.reduceMotion": "on",
      ...options.settings,
    };
    const env = { FINALITY_DEV_CHAIN: JSON.stringify(chain.ready) };
    const workbench = await openWorkbench({ ...options, folder, dataDir: join(scratch, "data"), settings, env });
    await workbench.page.setViewportSize(ONCE);
    return new Tour(workbench, { say, look }, async () => {
      await workbench.close();
      await Promise.all([chain.close(), silence.close()]);
      rmSync(scratch, { recursive: true, force: true });
    });
  }

  async end(): Promise<void> {
    await this.#close();
  }

  get #page(): Page {
    return this.workbench.page;
  }

  run(title: string): Promise<void> {
    return this.workbench.runCommand(`Finality: ${this.#say(title)}`);
  }

  /** Visits the list of transactions and the timeline of each. */
  async timelines(): Promise<void> {
    const rows = this.#page.locator('.pane-body .monaco-list-row[aria-level="2"]');
    await this.workbench.showFinality();
    await rows.nth(OPEN - 1).waitFor();
    await this.#look("transactions");
    for (let at = 0; at < OPEN; at++) {
      await rows.nth(at).locator(".label-name").click();
      // Its tooltip would cover the next one.
      await this.#page.mouse.move(ONCE.width * 0.75, ONCE.height * 0.5);
      const ids = timelinePage(this.#page).locator("dd", { hasText: /^[0-9a-f]{64}/ });
      await ids.first().waitFor({ state: "attached" });
      const shown = await ids.allTextContents();
      // One that is replaced names the other one, too, and stands behind it in the story.
      const chapter = STORY.findLast(({ name }) => shown.some((id) => id.startsWith(storyTxId(name))));
      await this.#look(`timeline-${chapter?.name ?? at}`);
      await this.#closeEditor();
    }
  }

  /** The list with a filter and by day, and the input of a note. */
  async list(): Promise<void> {
    const row = (text: string) => this.#page.locator(".pane-body .monaco-list-row", { hasText: text }).first();
    await this.run("Filter Transactions…");
    await this.#page.locator(".quick-input-list .monaco-list-row", { hasText: NETWORK }).first().waitFor();
    await this.#page.keyboard.type("Rent");
    await this.#page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "Rent" }).waitFor();
    await this.#look("filter");
    await inputInFront(this.#page).press("Enter");
    await row("“Rent”").waitFor();
    await this.#look("list-filtered");
    await this.run("Group Transactions…");
    await this.#pick(this.#say("Day"), "group-by");
    await row(this.#say("Today")).waitFor();
    await this.#look("list-by-day");
    await this.run("Edit Note…");
    await this.#pick("Rent", "note-of");
    await this.#page.locator(".quick-input-widget input[placeholder*='#']").waitFor();
    await this.#look("note");
    await this.#leave();
    await this.run("Clear Filter");
    await row("“Rent”").waitFor({ state: "detached" });
    await this.run("Group Transactions…");
    await pick(this.#page, this.#say("State"));
    const days = this.#page.locator(".pane-body .monaco-list-row", { hasText: new RegExp(`^${this.#say("Today")}`) });
    await days.waitFor({ state: "detached" });
  }

  /** The decoder with each of its examples, and with what the clipboard has. */
  async decoder(): Promise<void> {
    const decoder = timelinePage(this.#page);
    const examples = decoder.locator(".example");
    await this.run("Open Decoder");
    await examples.first().waitFor();
    await this.#look("decoder");
    const all = await examples.count();
    for (let at = 0; at < all; at++) {
      await examples.nth(at).click();
      await decoder.locator(".head h1").waitFor();
      await this.#look(`decoder-example-${at + 1}`);
      await decoder.locator("textarea").fill("");
      await examples.first().waitFor();
    }
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(ANSWER))})`);
    await this.run("Decode from Clipboard…");
    await dialogOf(this.#page).waitFor();
    await this.#look("decoder-question");
    await acceptByEnter(this.#page);
    await decoder.locator(".origin").waitFor();
    await this.#look("decoder-clipboard");
    await this.#closeEditor();
  }

  /** A test of a network that does not answer, and of the local chain. */
  async connections(): Promise<void> {
    const page = timelinePage(this.#page);
    await this.#use(CLOSED.name);
    await this.run("Test Connection");
    await page.locator(".cause").waitFor();
    await this.#look("connection-closed");
    await this.run("Start Local Chain");
    await dialogOf(this.#page).waitFor();
    await this.#look("local-chain-question");
    await acceptByEnter(this.#page);
    await rowOf(this.#page, "Alice").waitFor();
    await this.run("Test Connection");
    await page.locator('[data-tone="good"] h1, h1').first().waitFor();
    await page.locator(".cause").waitFor({ state: "detached" });
    await this.#look("connection-chain");
    await this.#closeEditor();
  }

  /** A payment: its steps and its review; and a notice, of what a person asked for in vain. */
  async payment(): Promise<void> {
    await this.run("Send Coins…");
    await this.#pick("Alice", "send-from");
    await this.#pick("Bob", "send-to");
    const amount = this.#page.locator(".quick-input-widget input[placeholder^='1.5']");
    await amount.fill("1.5");
    await this.#page.locator(".quick-input-message", { hasText: "1,500,000" }).waitFor();
    await this.#look("send-amount");
    await inputInFront(this.#page).press("Enter");
    await dialogOf(this.#page).waitFor();
    await this.#look("send-review");
    await acceptByEnter(this.#page);
    await this.run("Restore Snapshot…");
    const notices = this.#page.locator(".notifications-toasts .notification-list-item");
    await notices.first().waitFor();
    await this.#look("notice");
    await this.workbench.runCommand("Notifications: Clear All Notifications");
    await notices.first().waitFor({ state: "detached" });
  }

  /** The steps of a change of permissions. */
  async permissions(): Promise<void> {
    await this.run("Edit Permissions…");
    await this.#pick("Alice", "permissions-account");
    const rows = this.#page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasNotText: "Alice" }).nth(1).waitFor();
    await this.#look("permissions");
    await inputInFront(this.#page).press("Enter");
    await this.#page.locator(".quick-input-list .label-name", { hasText: "Alice" }).first().waitFor();
    await this.#look("permissions-owner");
    await this.#leave();
  }

  /** The form of a deployment: empty, with a message for each field, and filled in. */
  async form(): Promise<void> {
    const form = timelinePage(this.#page);
    await this.run("Deploy Contract…");
    await this.#pick("TeaHouse", "deploy-artifact");
    await form.locator('[data-key="field a.0"]:focus').waitFor();
    await this.#look("form");
    await this.#page.keyboard.press("Enter");
    await form.locator('.message[data-tone="bad"]').first().waitFor();
    await this.#look("form-messages");
    await form.locator('[data-key="field a.0"]').fill("Alice");
    await form.locator('[data-key="field a.1"]').fill("5");
    await this.#look("form-filled");
    await this.#closeEditor();
  }

  /** The Contracts view with an expanded contract of a deployment record, and the first step of adding one. */
  async contracts(): Promise<void> {
    const header = this.#page.locator(".pane-header", { hasText: this.#say("Contracts") });
    const rows = this.#page.locator(".pane", { has: header }).locator(".monaco-list-row");
    // The icons of an open view are on the right.
    const title = { position: { x: 40, y: 10 } };
    await header.click(title);
    await rows.nth(1).click();
    await rows.nth(2).waitFor();
    await rows.locator(".codicon-loading").first().waitFor({ state: "detached" });
    await this.#look("contracts");
    await this.run("Add Contract…");
    await this.#page.locator(".quick-input-widget input[placeholder='T…']").waitFor();
    await this.#look("add-contract");
    await this.#leave();
    await header.click(title);
  }

  /** Visits the UI in files: a hover on a failure, lenses and their hovers, problems. */
  async files(): Promise<void> {
    await this.#show("answer.json", "message");
    await this.#hover("hover-failure", ["Control+Home", "ArrowDown", "End"]);
    await this.#show("calls/leaf.finality.jsonc", "contract");
    const lenses = this.#page.locator(".codelens-decoration a");
    await lenses.first().waitFor();
    await this.#look("lenses");
    const estimated = lenses.filter({ hasText: /\d/ }).first();
    // A lens that is drawn again loses a click. The first lens of a call sends it.
    await tryAgain(this.#page, async (timeout) => {
      if ((await estimated.count()) === 0) await lenses.nth(1).click({ timeout });
      await estimated.waitFor({ timeout });
    });
    await this.#hover("hover-estimate", ["Control+Home", ...Array<string>(5).fill("ArrowDown"), "Home"]);
    await this.workbench.runCommand("View: Focus Problems");
    await this.#page.locator(".markers-panel .marker-message-line").first().waitFor();
    await this.#look("problems");
    await this.workbench.runCommand("View: Toggle Panel Visibility");
    await this.workbench.runCommand("View: Close All Editors");
  }

  /** The question before the tools for agents are on, a proposal, and the question before it is signed. */
  async agents(): Promise<void> {
    const { dataDir, page } = this.workbench;
    const storage = join(dataDir, "server", "data", "User", "globalStorage", "finality.finality");
    const [owner, to] = [parseAddress(`41${"11".repeat(20)}`), parseAddress(`41${"22".repeat(20)}`)];
    const intent = { kind: "transfer", owner, to, amount: sun(1_500_000n) } as const;
    const content = { at: Date.now(), agent: "Scout", network: NETWORK, intent, note: "rent" };
    await new ProposalFolder(join(storage, "proposals")).add(content);
    await this.run("Agent Tools…");
    await dialogOf(page).waitFor();
    await this.#look("agent-tools");
    await acceptByEnter(page);
    await rowOf(page, "“Scout”").waitFor();
    await this.#look("proposal");
    await this.run("Discard Proposal");
    await this.#pick("“Scout”", "proposals");
    await rowOf(page, "“Scout”").waitFor({ state: "detached" });
  }

  /** The Testing view with the results of a call file. */
  async tests(): Promise<void> {
    const { folder, page, runCommand } = this.workbench;
    const rows = page.locator(".test-explorer .monaco-list-row");
    const file = rows.filter({ hasText: "leaf.finality.jsonc" });
    cpSync(join(samples, "tests"), join(folder, "tests"), { recursive: true });
    await runCommand("Testing: Focus on Test Explorer View");
    // VS Code may report only the folder.
    await runCommand("Test: Refresh Tests");
    await file.waitFor();
    await runCommand("Test: Run All Tests");
    await file.locator(".codicon-testing-passed-icon").waitFor();
    await file.locator(".monaco-tl-twistie").click();
    await rows.nth(4).waitFor();
    await this.#look("tests");
    rmSync(join(folder, "tests"), { recursive: true });
    await file.waitFor({ state: "detached" });
    await runCommand("View: Hide Panel");
    await this.workbench.showFinality();
  }

  /** The walkthrough with each of its steps, and the page of the settings. */
  async newcomers(): Promise<void> {
    const steps = this.#page.locator(".getting-started-step");
    await tryAgain(this.#page, async (timeout) => {
      await this.run("Open Walkthrough");
      await steps.first().waitFor({ timeout });
    });
    const all = await steps.count();
    for (let at = 0; at < all; at++) {
      await tryAgain(this.#page, async (timeout) => {
        await steps.nth(at).click({ timeout });
        await steps.nth(at).locator(".step-description-container").first().waitFor({ timeout });
      });
      await this.#look(`walkthrough-${at + 1}`);
    }
    await this.#closeEditor();
    await this.workbench.runCommand("Preferences: Open Settings (UI)");
    await this.#page.locator(".settings-editor .setting-item-description").first().waitFor();
    await this.#page.locator(".settings-editor .search-container .suggest-input-container").click();
    await this.#page.keyboard.type("@ext:finality.finality");
    await this.#page.locator(".settings-editor .setting-item-category", { hasText: "Finality" }).first().waitFor();
    await this.#look("settings");
    await this.#closeEditor();
  }

  async #pick(entry: string, place: string): Promise<void> {
    await this.#page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first().waitFor();
    await this.#look(place);
    await pick(this.#page, entry);
  }

  async #use(network: string): Promise<void> {
    await this.run("Switch Network…");
    await pick(this.#page, network);
    await this.#page.locator(".statusbar-item", { hasText: network }).first().waitFor();
  }

  /** Opens a file, and waits until its text is there. */
  async #show(path: string, text: string): Promise<void> {
    await openFile(this.#page, path);
    await this.#page.locator(".monaco-editor.focused .view-line", { hasText: text }).first().waitFor();
  }

  async #hover(place: string, keys: readonly string[]): Promise<void> {
    const hover = this.#page.locator(".monaco-editor .monaco-hover:visible").first();
    const show = () =>
      tryAgain(this.#page, async (timeout) => {
        for (const key of [...keys, "Control+k", "Control+i"]) await this.#page.keyboard.press(key);
        await hover.waitFor({ timeout });
      });
    await show();
    await this.#look(place, show);
    await this.#page.keyboard.press("Escape");
  }

  async #closeEditor(): Promise<void> {
    await this.workbench.runCommand("View: Close All Editors");
    await this.#page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });
  }

  /** Leaves a dialog of several steps. */
  async #leave(): Promise<void> {
    const widget = this.#page.locator(".quick-input-widget");
    await tryAgain(this.#page, async (timeout) => {
      await this.#page.keyboard.press("Escape");
      await widget.waitFor({ state: "hidden", timeout });
    });
  }
}

/** Contracts that are on the chain, calls, an answer that tells a failure, and an artifact that is none. */
async function makeFolder(scratch: string, chain: LocalChain): Promise<string> {
  const folder = join(scratch, "shop");
  copySamples(samples, folder, ["build", "calls", "contracts"]);
  const { deploy } = await import(join(samples, "scripts", "deploy.mjs"));
  mkdirSync(join(folder, "deployments"));
  writeFileSync(join(folder, "deployments", "local.json"), JSON.stringify(await deploy(chain.baseUrl)));
  writeFileSync(join(folder, "build", "contracts", "Broken.json"), "{");
  writeFileSync(join(folder, "answer.json"), `${JSON.stringify(ANSWER, undefined, 2)}\n`);
  return folder;
}

/** The whole tour, in its order: who begins with a later one lacks what an earlier one left there. */
export const STAGES: Readonly<Record<string, (tour: Tour) => Promise<void>>> = {
  "the life line of each state": (tour) => tour.timelines(),
  "the list with a filter, by day, and a note": (tour) => tour.list(),
  "the decoder and its readings": (tour) => tour.decoder(),
  "tests of a connection": (tour) => tour.connections(),
  "a payment, its review and its notice": (tour) => tour.payment(),
  "the steps of a change of permissions": (tour) => tour.permissions(),
  "the form of a deployment": (tour) => tour.form(),
  "the Contracts view": (tour) => tour.contracts(),
  "hovers, lenses and problems": (tour) => tour.files(),
  "proposals of agents": (tour) => tour.agents(),
  "the Testing view": (tour) => tour.tests(),
  "walkthrough and settings": (tour) => tour.newcomers(),
};
