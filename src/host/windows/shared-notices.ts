import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@finality/client/gateway";
import { PinFile } from "@finality/node/storage";
import type * as vscode from "vscode";
import type { StoredContextKey } from "../commands/commands.ts";

/** Topics of notices that the user can hide. */
const TOPICS = ["failed", "clock"] as const;

export type NoticeTopic = (typeof TOPICS)[number];

export interface SharedNoticesOptions {
  /** Context key for the Command Palette. */
  readonly isAnyHidden: Pick<StoredContextKey<boolean>, "set">;
  /** Folder of the shared file. */
  readonly folder: string;
  /** Called if the file cannot be used: then each window decides for itself. */
  readonly report: (error: unknown) => void;
  /** Returns whether this window has the focus. */
  readonly isFocused: () => boolean;
  readonly sleep: Clock["sleep"];
}

/** Head start of the focused window; ms. */
const FIRST_MS = 2_000;

/**
 * State of notices that all windows share: hidden topics, and the window that shows each notice, so that the user sees
 * it once. Loaded with the first notice.
 */
export class SharedNotices implements vscode.Disposable {
  readonly #window = randomBytes(6).toString("hex");
  readonly #file: PinFile;
  readonly #options: SharedNoticesOptions;
  readonly #closing = new AbortController();

  constructor(options: SharedNoticesOptions) {
    const { folder, report } = options;
    this.#options = options;
    this.#file = new PinFile(join(folder, "notices.jsonl"), report);
  }

  /** Returns whether the user has hidden this topic in any window. */
  async isHidden(topic: NoticeTopic): Promise<boolean> {
    return (await this.#hidden()).includes(topic);
  }

  /** Hides notices of this topic in all windows until they are shown again. */
  async hide(topic: NoticeTopic): Promise<void> {
    await this.#set(topic, "yes");
    await this.#hidden();
  }

  /** Shows all topics again. @returns the number of hidden topics */
  async showAll(): Promise<number> {
    const hidden = await this.#hidden();
    for (const topic of hidden) await this.#set(topic, "no");
    await this.#hidden();
    return hidden.length;
  }

  /**
   * Returns whether this window shows the notice: the focused one if there is one, otherwise any window that knows it.
   */
  async isShownHere(what: string): Promise<boolean> {
    const { isFocused, sleep } = this.#options;
    if (!isFocused()) await sleep(FIRST_MS, this.#closing.signal).catch(() => undefined);
    if (this.#closing.signal.aborted) return false;
    return (await this.#file.pin(`said ${what}`, this.#window)) === this.#window;
  }

  dispose(): void {
    this.#closing.abort();
  }

  async #hidden(): Promise<readonly NoticeTopic[]> {
    await this.#file.read();
    const hidden = TOPICS.filter((topic) => this.#file.get(keyOf(topic)) === "yes");
    this.#options.isAnyHidden.set(hidden.length > 0);
    return hidden;
  }

  async #set(topic: NoticeTopic, value: "yes" | "no"): Promise<void> {
    const was = await this.#file.pin(keyOf(topic), value);
    if (was !== value) await this.#file.replace(keyOf(topic), was, value);
  }
}

function keyOf(topic: NoticeTopic): string {
  return `hidden ${topic}`;
}
