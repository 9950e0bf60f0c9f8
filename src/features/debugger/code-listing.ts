import type { RecordedRun } from "@finality/client/debugger";
import { disassemble, type Instruction } from "@finality/client/traces";

const HIGH = 2 ** 32;

/** Code of a run as instructions. */
export interface CodeListing {
  readonly instructions: readonly Instruction[];
  /** Returns the number of the instruction at a program counter, from 0; -1 inside data. */
  indexAt(pc: number): number;
  /** One line for each instruction. */
  readonly text: string;
}

const listings = new WeakMap<RecordedRun, Map<number, CodeListing>>();

/** Returns the instructions of a code of a run. */
export function listingOf(run: RecordedRun, code: number): CodeListing {
  const ofRun = listings.get(run) ?? new Map<number, CodeListing>();
  listings.set(run, ofRun);
  const known = ofRun.get(code);
  if (known !== undefined) return known;
  const { bytes } = run.trace.codes[code] ?? {};
  const instructions = bytes === undefined ? [] : disassemble(bytes);
  const indexes = new Map(instructions.map(({ pc }, index) => [pc, index]));
  const listing = {
    instructions,
    indexAt: (pc: number) => indexes.get(pc) ?? -1,
    text: instructions.map((it) => `0x${it.pc.toString(16).padStart(4, "0")}  ${instructionText(it)}`).join("\n"),
  };
  ofRun.set(code, listing);
  return listing;
}

/** Returns `PUSH1 0x80`. */
export function instructionText({ name, pushed }: Instruction): string {
  return pushed === undefined ? name : `${name} 0x${pushed}`;
}

/** Returns an address of an instruction that is unique among the codes of a run. */
export function addressOf(code: number, pc: number): string {
  return `0x${((code + 1) * HIGH + pc).toString(16)}`;
}

/** Parses an address; undefined for other text. */
export function readAddress(text: string): { readonly code: number; readonly pc: number } | undefined {
  if (!/^0x[\da-f]{1,13}$/i.test(text)) return undefined;
  const value = Number.parseInt(text.slice(2), 16);
  return { code: Math.floor(value / HIGH) - 1, pc: value % HIGH };
}
