import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { settingIds } from "../../../src/host/contributions.ts";
import { product } from "../../integration/product.ts";
import { writeSetting } from "./makings.ts";
import type { Person } from "./seen.ts";

/** Visible state that a command could change. */
export interface Standing {
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
export class AsItWas {
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
