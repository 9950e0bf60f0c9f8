import { object, type ReadOf, text, tryReadJson } from "@finality/tron/read";
import { appendToFile, linesOf, readIfPresent } from "./durable-file.ts";

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

  /** Returns the value as of the last read of the file. */
  get(key: string): string | undefined {
    return this.#pins.get(key);
  }

  /** Reads the file, because other windows may have written. */
  async read(): Promise<void> {
    try {
      const pins = new Map<string, string>();
      for (const line of linesOf((await readIfPresent(this.#file)) ?? "")) fold(pins, line);
      this.#pins = new Map([...this.#pins, ...pins]);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Pins a value unless there is one. @returns the value that counts */
  async pin(key: string, value: string): Promise<string> {
    await this.read();
    return this.#pins.get(key) ?? (await this.#append({ key, value }));
  }

  /** Replaces a value that the user gave up. @returns the value that counts */
  async replace(key: string, was: string, value: string): Promise<string> {
    return await this.#append({ key, value, was });
  }

  async #append(line: Line): Promise<string> {
    try {
      await appendToFile(this.#file, [JSON.stringify(line)]);
      await this.read();
    } catch (error) {
      this.#report(error);
    }
    return this.#pins.get(line.key) ?? storePin(this.#pins, line);
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

/** Applies a line. An incomplete or foreign line changes nothing. */
function fold(pins: Map<string, string>, json: string): void {
  const line = tryReadJson(pinLine, json);
  if (line !== undefined && pins.get(line.key) === line.was) pins.set(line.key, line.value);
}

function storePin(pins: Map<string, string>, { key, value }: Line): string {
  pins.set(key, value);
  return value;
}
