import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject } from "../../core/primitives/json.ts";
import { appendLines } from "../journal/journal-disk.ts";

/**
 * What was said first, and is held against what is said later: values by key, in a file that all windows append to. Of two windows that
 * pin a key at once, the line that stands first counts in both.
 *
 * It guards and is no truth: a file that cannot be used is reported, and what this window was told counts until it ends.
 */
export class PinFile {
  readonly #file: string;
  readonly #report: (error: unknown) => void;
  #pins = new Map<string, string>();

  constructor(file: string, report: (error: unknown) => void) {
    this.#file = file;
    this.#report = report;
  }

  /** As of the last look into the file. */
  get(key: string): string | undefined {
    return this.#pins.get(key);
  }

  /** Looks into the file: other windows may have written. */
  async read(): Promise<void> {
    try {
      const pins = new Map<string, string>();
      for (const line of (await readFile(this.#file, "utf8")).split("\n")) fold(pins, line);
      this.#pins = new Map([...this.#pins, ...pins]);
    } catch (error) {
      if (!isMissing(error)) this.#report(error);
    }
  }

  /** Pins a value, unless there is one. @returns the one that counts */
  async pin(key: string, value: string): Promise<string> {
    await this.read();
    return this.#pins.get(key) ?? (await this.#append({ key, value }));
  }

  /** Puts another value in the place of one that a person gave up. */
  async replace(key: string, was: string, value: string): Promise<string> {
    return await this.#append({ key, value, was });
  }

  async #append(line: Line): Promise<string> {
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      const handle = await open(this.#file, "a", 0o600);
      await appendLines(handle, [JSON.stringify(line)]).finally(() => handle.close());
      await this.read();
    } catch (error) {
      this.#report(error);
    }
    return this.#pins.get(line.key) ?? keep(this.#pins, line);
  }
}

interface Line {
  readonly key: string;
  readonly value: string;
  /** What it takes the place of; a line counts only where that is what stands there. */
  readonly was?: string;
}

/** A line that is torn, or that is none, says nothing. */
function fold(pins: Map<string, string>, text: string): void {
  const line = parsed(text);
  if (line !== undefined && pins.get(line.key) === line.was) pins.set(line.key, line.value);
}

function parsed(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (!isJsonObject(line)) return undefined;
    const { key, value, was } = line;
    if (typeof key !== "string" || typeof value !== "string") return undefined;
    return typeof was === "string" ? { key, value, was } : { key, value };
  } catch {
    return undefined;
  }
}

function keep(pins: Map<string, string>, { key, value }: Line): string {
  pins.set(key, value);
  return value;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
