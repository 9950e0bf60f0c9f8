import { visibleLine } from "@finality/tron/primitives";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Returns to the start of the line and erases it. */
const ERASE = "\r\u001b[2K";
/** A terminal without a size has 0 columns. */
const NARROWEST = 20;
const USUAL = 80;

/** Terminal that the line is written to. */
export interface LineOutput {
  write(text: string): unknown;
  /** Characters in a line; undefined if unknown. */
  readonly columns?: number;
}

/** One line that shows what a command does, and for how long. Erased before anything else is written. */
export class ProgressLine {
  readonly #output: LineOutput;
  readonly #started = performance.now();
  #text: string | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(output: LineOutput) {
    this.#output = output;
  }

  show(text: string): void {
    this.#text = text;
    this.#draw();
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
  }

  erase(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#text !== undefined) this.#output.write(ERASE);
    this.#text = undefined;
  }

  #draw(): void {
    const seconds = Math.floor((performance.now() - this.#started) / 1_000);
    const frame = FRAMES[this.#frame++ % FRAMES.length] ?? "";
    const { columns = 0 } = this.#output;
    const end = ` (${seconds} s)`;
    const room = (columns < NARROWEST ? USUAL : columns) - frame.length - end.length - 2;
    const line = visibleLine(this.#text ?? "");
    const shown = line.length > room ? `${line.slice(0, room - 1)}…` : line;
    this.#output.write(`${ERASE}${frame} ${shown}${end}`);
  }
}
