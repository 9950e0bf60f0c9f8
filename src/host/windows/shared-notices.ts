import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@finality/client/gateway";
import type * as vscode from "vscode";
import type { KeptContext } from "../commands/commands.ts";
import { PinFile } from "../journal/pin-file.ts";

/** What notices are about that a person may have had enough of. */
const TOPICS = ["failed", "clock"] as const;

export type NoticeTopic = (typeof TOPICS)[number];

export interface SharedNoticesOptions {
  /** What the palette knows of it. */
  readonly isAnyHidden: Pick<KeptContext<boolean>, "set">;
  /** Where the windows share a file. */
  readonly folder: string;
  /** Told when that cannot be used: each window then decides for itself. */
  readonly report: (error: unknown) => void;
  /** Whether the person looks at this window. */
  readonly isFocused: () => boolean;
  readonly sleep: Clock["sleep"];
}

/** So much earlier the window that the person looks at says it; ms. */
const FIRST_MS = 2_000;

/**
 * What all windows of a person know about notices: which of them nobody wants to see again, and which window tells what,
 * so that a person who has four windows open is told once. Loaded when the first notice is due.
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

  /** Whether the person has had enough of notices about this, in whichever window that was said. */
  async isHidden(topic: NoticeTopic): Promise<boolean> {
    return (await this.#hidden()).includes(topic);
  }

  /** The person does not want to see notices about this again, in any window, until they are asked for again. */
  async hide(topic: NoticeTopic): Promise<void> {
    await this.#set(topic, "yes");
    await this.#hidden();
  }

  /** Shows all of them again. @returns how many were hidden */
  async showAll(): Promise<number> {
    const hidden = await this.#hidden();
    for (const topic of hidden) await this.#set(topic, "no");
    await this.#hidden();
    return hidden.length;
  }

  /**
   * Whether this window is the one that says it: the one that the person looks at, where there is one, and else any one
   * of those that know it.
   */
  async isSaidHere(what: string): Promise<boolean> {
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
