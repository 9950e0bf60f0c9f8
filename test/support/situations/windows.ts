import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { packedOnce } from "../../../scripts/package/pack.mjs";
import { openBrowser } from "../../../scripts/workbench/browser.mjs";
import { startWorkbench } from "../../../scripts/workbench/server.mjs";
import { trustBefore } from "../../../scripts/workbench/trust.mjs";
import { FOR_THE_HOST, writeCompanion } from "../workbench/companion.ts";
import { fewBuiltIns, tryAgain } from "../workbench/workbench.ts";
import { ERROR_FILE } from "./error-file.ts";
import type { Change, Shown } from "./inside.ts";
import type { Situation } from "./makings.ts";

const root = join(import.meta.dirname, "..", "..", "..");
/** The time that a situation takes, also on a machine that is four times slower. */
const SITUATION_MS = 360_000;
const LOOK_MS = 100;
const MOST_PAGES = 40;

/** Initial state of a window. */
interface WindowOptions {
  /** One after the other, in the same window. */
  readonly situations: readonly Situation[];
  readonly withFolder: boolean;
  readonly restricted?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A node of a chain, for networks of the window's own. */
  readonly gateway: string;
}

/** Commands and effects of a situation. */
export interface SituationSeen {
  /** The ids that the palette lists, in its order. */
  readonly palette: readonly string[];
  /** The same before anything woke the extension; of the first situation of a window. */
  readonly asleep: readonly string[];
  readonly shown: Shown;
  /** State that each command changed although all its prompts were left by Escape. */
  readonly changed: Readonly<Record<string, Change>>;
  /** True if the extension was active before it was needed. */
  readonly awake: boolean;
}

/** Suppresses the question about an untrusted folder. */
const UNTRUSTED = { "security.workspace.trust.startupPrompt": "never" };

/**
 * Opens a window with the built extension, reads the palette in each of its situations, and runs every command inside the
 * host.
 */
export async function seenInWindow(
  commands: readonly string[],
  { situations, withFolder, restricted = false, settings = {}, gateway }: WindowOptions,
): Promise<ReadonlyMap<Situation, SituationSeen>> {
  const scratch = mkdtempSync(join(tmpdir(), "finality-situations-"));
  const [out, folder] = [join(scratch, "seen"), join(scratch, "workspace")];
  mkdirSync(out);
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.md"), "# A folder\n");
  writeFileSync(join(out, "commands.json"), JSON.stringify(commands));
  const server = await startWorkbench({
    dataDir: join(scratch, "server"),
    ...(withFolder ? { folder } : {}),
    packages: [await packedOnce(root)],
    builtIns: fewBuiltIns(join(scratch, "built-in")),
    settings: { ...settings, ...(restricted ? UNTRUSTED : {}) },
    env: {
      FINALITY_SITUATIONS: situations.join(","),
      FINALITY_SITUATIONS_FOLDER: out,
      FINALITY_SITUATIONS_GATEWAY: gateway,
      FINALITY_SAMPLES: join(root, "samples"),
    },
    logFile: join(root, ".cache", "logs", `situations-${situations[0]}.log`),
  });
  const browser = await openBrowser(join(scratch, "browser"));
  const page = browser.pages()[0] ?? (await browser.newPage());
  try {
    const said: string[] = [];
    await page.exposeFunction("codeAutomationLog", (_level: string, words: unknown[]) => said.push(words.join(" ")));
    await page.exposeFunction("codeAutomationExit", () => undefined);
    if (withFolder && !restricted) await trustBefore(page, server.url, folder);
    server.runInNextPage(await bundled());
    await page.goto(server.url);
    const seen = new Map<Situation, SituationSeen>();
    const paletteWhenReady = async (name: string): Promise<readonly string[]> => {
      await file(join(out, `${name}.ready`), said);
      const palette = await readPalette(page);
      writeFileSync(join(out, `${name}.go`), "");
      return palette;
    };
    const asleep = await paletteWhenReady(`${situations[0]}-asleep`);
    for (const situation of situations) {
      const palette = await paletteWhenReady(situation);
      const result = JSON.parse(await file(join(out, `${situation}.json`), said));
      seen.set(situation, { palette, asleep, ...result });
    }
    return seen;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The program that the host runs, with an empty extension of its own: an editor runs those under development alone. */
async function bundled(): Promise<{ extension: string; program: string }> {
  const extension = join(root, ".cache", "situations");
  const program = join(extension, "inside.cjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/support/situations/inside.ts"],
    outfile: program,
    ...FOR_THE_HOST,
    external: ["vscode"],
  });
  writeCompanion(extension, "situations");
  return { extension, program };
}

/** The text of a file as soon as it is there. */
async function file(path: string, said: readonly string[]): Promise<string> {
  const failure = join(dirname(path), ERROR_FILE);
  for (const end = Date.now() + SITUATION_MS; !existsSync(path) && Date.now() < end; await sleep(LOOK_MS))
    if (existsSync(failure)) throw new Error(`${basename(path)} cannot come: ${readFileSync(failure, "utf8")}`);
  if (!existsSync(path)) throw new Error(`${basename(path)} did not come: ${said.slice(-5).join("\n")}`);
  await sleep(LOOK_MS);
  return readFileSync(path, "utf8");
}

/** The ids of our commands that the palette lists, page by page. */
async function readPalette(page: Page): Promise<readonly string[]> {
  const rows = page.locator('.quick-input-list [data-quick-input-id^="finality."]');
  await tryAgain(page, async (timeout) => {
    await page.keyboard.press("F1");
    await page.locator('.quick-input-widget input[placeholder*="command"]').fill(">Finality: ", { timeout });
    await rows.first().waitFor({ timeout });
  });
  const ids = new Set<string>();
  const focused = page.locator(".quick-input-list .monaco-list-row.focused [data-quick-input-id]").first();
  for (let [turned, at, before] = [0, "", "?"]; at !== before && turned < MOST_PAGES; turned++) {
    before = at;
    const shown = await rows.evaluateAll((all) => all.map((it) => it.getAttribute("data-quick-input-id") ?? ""));
    for (const id of shown) ids.add(id);
    await page.keyboard.press("PageDown");
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    at = (await focused.getAttribute("data-quick-input-id")) ?? "";
  }
  await page.keyboard.press("Escape");
  return [...ids];
}
