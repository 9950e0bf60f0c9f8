import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { object, type ReadOf, text, tryReadJson } from "@finality/tron/read";
import { appendLines } from "./journal-disk.ts";

/**
 * Values by key, pinned at first use and compared with later values, in a file that all windows append to. If two
 * windows pin a key at once, the first line counts in both. The file is a safeguard, not a source of truth: an unusable
 * file is reported, and this window's own values count until it closes.
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

const pinLine = object(
  { key: text, value: text },
  {
    /** Value that this line replaces. The line counts only if it matches the current value. */
    was: text,
  },
);

type Line = ReadOf<typeof pinLine>;

/** A line that is torn, or that is none, says nothing. */
function fold(pins: Map<string, string>, json: string): void {
  const line = tryReadJson(pinLine, json);
  if (line !== undefined && pins.get(line.key) === line.was) pins.set(line.key, line.value);
}

function keep(pins: Map<string, string>, { key, value }: Line): string {
  pins.set(key, value);
  return value;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
