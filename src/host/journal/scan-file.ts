import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ScanStore } from "@finality/client/proof";
import { appendToFile, linesOf, readIfPresent, replaceFile } from "@finality/node/storage";

/** Stores scans in files beside the journal. After a failure, which is reported, blocks are read again. */
export class ScanFile implements ScanStore {
  readonly #folder: string;
  readonly #report: (error: unknown) => void;

  constructor(folder: string, report: (error: unknown) => void) {
    this.#folder = join(folder, "scans");
    this.#report = report;
  }

  async load(key: string): Promise<readonly string[]> {
    try {
      return linesOf((await readIfPresent(this.#fileOf(key))) ?? "");
    } catch (error) {
      this.#report(error);
      return [];
    }
  }

  async begin(key: string, lines: readonly string[]): Promise<void> {
    const file = this.#fileOf(key);
    await this.#try(() =>
      lines.length === 0 ? rm(file, { force: true }) : replaceFile(file, `${lines.join("\n")}\n`),
    );
  }

  async append(key: string, line: string): Promise<void> {
    await this.#try(() => appendToFile(this.#fileOf(key), [line]));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Returns the path for a key, which may have any characters. */
  #fileOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.jsonl`);
  }
}
