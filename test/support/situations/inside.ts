import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { settingIds } from "../../../src/host/contributions.ts";
import { product } from "../../integration/product.ts";
import { ERROR_FILE } from "./error-file.ts";
import { makings, openCallFile, type Situation, writeSetting } from "./makings.ts";
import { type Person, type Seen, watchEditor } from "./seen.ts";

/** Results of each command. */
export type Shown = Readonly<Record<string, readonly Seen[]>>;

/** State that a command changed. */
export type Change = readonly (keyof Standing | "a local chain")[];

/** Time after a command in which its effects become visible; ms. */
const SEEN_MS = 2_000;
/** While a command shows progress. */
const BUSY_MS = 8_000;
const COMMAND_MS = 60_000;
const LOOK_MS = 20;
const AWAKE_MS = 1_000;
/** Its result is a row: no longer wait is needed. */
const IN_A_VIEW = "finality.startLocalChain";
/** Ends the situation of those after it. */
const LAST = [IN_A_VIEW, "finality.stopLocalChain"];

const { FINALITY_SITUATIONS: situations = "", FINALITY_SITUATIONS_FOLDER: out = "" } = process.env;

/** Runs the situations, and writes an error where the driver of the window reads it. */
export async function run(): Promise<void> {
  try {
    await runSituations();
  } catch (error) {
    writeFileSync(join(out, ERROR_FILE), error instanceof Error ? `${error.stack}` : `${error}`);
    throw error;
  }
}

/**
 * Creates each situation in turn, lets the palette be read from outside, runs every command as the palette does, and
 * records its effects. Changes of a command are undone before the next one.
 */
async function runSituations(): Promise<void> {
  const person = watchEditor();
  const extension = vscode.extensions.getExtension("finality.finality");
  const all = situations.split(",") as Situation[];
  // Time for what wakes it by itself.
  await sleep(AWAKE_MS);
  const awake = extension?.isActive === true;
  await paletteOf(`${all[0]}-asleep`);
  await extension?.activate();
  for (const situation of all) {
    await makings[situation](person);
    await paletteOf(situation);
    person.take();
    const seen = await seenOfAll(situation, person);
    writeFileSync(join(out, `${situation}.json`), JSON.stringify({ awake, ...seen }));
  }
}

/** The driver of the window reads the palette meanwhile. */
async function paletteOf(name: string): Promise<void> {
  writeFileSync(join(out, `${name}.ready`), "");
  while (!existsSync(join(out, `${name}.go`))) await sleep(LOOK_MS);
}

async function seenOfAll(situation: Situation, person: Person) {
  const ids: readonly string[] = JSON.parse(readFileSync(join(out, "commands.json"), "utf8"));
  const shown: Record<string, readonly Seen[]> = {};
  const changed: Record<string, Change> = {};
  const before = await AsItWas.of(person);
  for (const id of [...ids.filter((it) => !LAST.includes(it)), ...LAST]) {
    shown[id] = await seenBy(situation, id, person.take);
    // Anything that a command started belongs to no later situation.
    const ended = situation === "local" ? undefined : await stopLocalChain();
    const different = LAST.includes(id) ? [] : await before.putBack();
    const all = ended === undefined || id === IN_A_VIEW ? different : [...different, "a local chain" as const];
    if (all.length > 0) changed[id] = all;
    person.take();
  }
  return { shown, changed };
}

/** @returns undefined when none ran */
function stopLocalChain(): Thenable<unknown> {
  return vscode.commands.executeCommand("finality.stopLocalChain", { confirmed: true });
}

async function seenBy(situation: Situation, id: string, take: () => readonly Seen[]): Promise<readonly Seen[]> {
  const thrown: Seen[] = [];
  const notEnded: Seen = { by: "notice", words: "REJECTED: did not end" };
  const runs = vscode.commands.executeCommand(id).then(
    () => true,
    (error: unknown) => thrown.push({ by: "notice", words: `REJECTED: ${error}` }) > 0,
  );
  const waited = new AbortController();
  const late = sleep(COMMAND_MS, false, { signal: waited.signal }).catch(() => true);
  if (!(await Promise.race([runs, late]))) thrown.push(notEnded);
  waited.abort();
  const seen: Seen[] = [];
  const isSeen = () => seen.some(({ by }) => by !== "progress");
  const started = Date.now();
  const limit = (): number => (id === IN_A_VIEW ? 0 : seen.length > 0 ? BUSY_MS : SEEN_MS);
  for (; !isSeen() && Date.now() - started < limit(); await sleep(LOOK_MS)) seen.push(...take());
  if (seen.some(({ by }) => by === "page" || by === "document")) await closeEditors(situation);
  return [...seen, ...take(), ...thrown];
}

/** The file that a situation has open stays open. */
async function closeEditors(situation: Situation): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  if (["project", "own", "local"].includes(situation)) await openCallFile();
}

/** Visible state that a command could change. */
interface Standing {
  /** Those of the person, by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of the folder, with their times. */
  readonly files: readonly string[];
  /** The JWT keys of the networks that can have some. */
  readonly jwtKeys: readonly string[];
  readonly transactions: readonly string[];
}

const NAMES = settingIds.map((id) => id.replace("finality.", ""));

interface Key {
  readonly id: string;
  readonly name: string;
}
interface Listed {
  readonly transactions: { list(): readonly { readonly txId: string; readonly state: { readonly kind: string } }[] };
}

/** The state before a command, and the way back to it. */
class AsItWas {
  readonly #was: Standing;
  readonly #person: Person;

  private constructor(was: Standing, person: Person) {
    this.#was = was;
    this.#person = person;
  }

  static async of(person: Person): Promise<AsItWas> {
    return new AsItWas(await standingNow(), person);
  }

  /** Puts back what a command left otherwise, and says what that was. */
  async putBack(): Promise<readonly (keyof Standing)[]> {
    const now = await standingNow();
    const parts = Object.keys(now) as (keyof Standing)[];
    const different = parts.filter((part) => !isDeepStrictEqual(now[part], this.#was[part]));
    if (different.length === 0) return [];
    for (const it of now.jwtKeys) if (!this.#was.jwtKeys.includes(it)) await this.#removeKey(it);
    for (const name of NAMES)
      if (!isDeepStrictEqual(now.settings[name], this.#was.settings[name]))
        await writeSetting(name, this.#was.settings[name]);
    const left = await standingNow();
    if (!isDeepStrictEqual(left, this.#was)) throw new Error(`It could not be put back: ${JSON.stringify(left)}`);
    return different;
  }

  async #removeKey(key: string): Promise<void> {
    const [network, id] = JSON.parse(key);
    await this.#person.sayingYes(() => vscode.commands.executeCommand("finality.removeJwtKey", { network, key: id }));
  }
}

async function standingNow(): Promise<Standing> {
  const configuration = vscode.workspace.getConfiguration("finality");
  const settings = Object.fromEntries(NAMES.map((name) => [name, configuration.inspect(name)?.globalValue]));
  const networks = (settings.networks ?? []) as readonly { readonly name: string }[];
  const { transactions } = product().exports as Listed;
  return {
    settings,
    files: filesOfFolder(),
    jwtKeys: (await Promise.all(networks.map(({ name }) => keysOf(name)))).flat(),
    transactions: transactions.list().map(({ txId, state }) => `${txId} ${state.kind}`),
  };
}

async function keysOf(network: string): Promise<readonly string[]> {
  const keys = (await vscode.commands.executeCommand<readonly Key[]>("finality.jwtKeys", { network })) ?? [];
  return keys.map(({ id }) => JSON.stringify([network, id]));
}

function filesOfFolder(): readonly string[] {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return [];
  const files = readdirSync(folder.uri.fsPath, { recursive: true, encoding: "utf8" });
  return files.map((it) => `${it} ${statSync(join(folder.uri.fsPath, it)).mtimeMs}`).sort();
}
