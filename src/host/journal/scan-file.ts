import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScanStore } from "@finality/client/proof";

/** Keeps scans in files beside the journal. A failure is reported and costs no more than reading blocks again. */
export class ScanFile implements ScanStore {
  readonly #folder: string;
  readonly #report: (error: unknown) => void;

  constructor(folder: string, report: (error: unknown) => void) {
    this.#folder = join(folder, "scans");
    this.#report = report;
  }

  async load(key: string): Promise<readonly string[]> {
    try {
      return (await readFile(this.#fileOf(key), "utf8")).split("\n").filter((line) => line !== "");
    } catch (error) {
      if (!isMissing(error)) this.#report(error);
      return [];
    }
  }

  async begin(key: string, lines: readonly string[]): Promise<void> {
    const file = this.#fileOf(key);
    await this.#try(async () => {
      if (lines.length === 0) return await rm(file, { force: true });
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    });
  }

  async append(key: string, line: string): Promise<void> {
    await this.#try(() => appendFile(this.#fileOf(key), `${line}\n`));
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Keys may have any letters, names of files may not. */
  #fileOf(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.jsonl`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
