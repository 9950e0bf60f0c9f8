import type { CodeSources } from "./code-sources.ts";
import { OPCODE } from "./frame-run.ts";

/** Instructions after which the next one does not follow. */
const ENDS = new Set<number>([0x00, OPCODE.jump, 0xf3, OPCODE.revert, OPCODE.invalid, 0xff]);
/** Most instructions of straight code that ends in a failure. */
const SHORT_BLOCK = 60;

const known = new WeakMap<CodeSources, ReadonlyMap<number, number>>();

/** Returns the number of ways into the block at a program counter. */
export function entriesOfBlock(code: CodeSources, pc: number): number {
  const entries = known.get(code) ?? countEntries(code);
  known.set(code, entries);
  return entries.get(pc) ?? 0;
}

function countEntries(code: CodeSources): ReadonlyMap<number, number> {
  const { instructions } = code;
  const width = targetWidth(code);
  const entries = new Map<number, number>();
  const count = (pc: number): void => void entries.set(pc, (entries.get(pc) ?? 0) + 1);
  for (let index = 0; index < instructions.count; index += 1) {
    // Other numbers of the code can equal the position of a block, but have another width.
    if (instructions.text(index).length === width) count(instructions.pushed(index) ?? -1);
    const follows = index > 0 && !ENDS.has(instructions.opcodes[index - 1] ?? 0);
    if (instructions.opcodes[index] === OPCODE.jumpTarget && follows) count(instructions.counters[index] ?? 0);
  }
  return entries;
}

/** Returns the digits of an instruction that pushes a target: the compiler uses one width for all of a code. */
function targetWidth({ instructions }: CodeSources): number {
  for (let index = 1; index < instructions.count; index += 1) {
    const isJump = instructions.opcodes[index] === OPCODE.jumpIf || instructions.opcodes[index] === OPCODE.jump;
    if (isJump && instructions.pushed(index - 1) !== undefined) return instructions.text(index - 1).length;
  }
  return 0;
}

/** Returns the instruction that a jump with a constant target leads to. */
export function jumpTarget({ instructions }: CodeSources, index: number): number | undefined {
  const target = instructions.pushed(index - 1);
  const at = target === undefined ? -1 : instructions.indexAt(target);
  return at < 0 ? undefined : at;
}

/** Returns the instruction after another one if nothing fails; undefined where the code does not show it. */
export function nextInstruction(code: CodeSources, index: number): number | undefined {
  const { instructions } = code;
  const opcode = instructions.opcodes[index] ?? 0;
  if (opcode === OPCODE.jump) {
    const { jump } = instructions.range(index);
    // A function returns behind its call.
    if (jump === "i") return index + 1;
    return jump === "o" ? undefined : jumpTarget(code, index);
  }
  if (ENDS.has(opcode) || index + 1 >= instructions.count) return undefined;
  if (opcode !== OPCODE.jumpIf || failureCode(code, index + 1) === undefined) return index + 1;
  return jumpTarget(code, index);
}

/**
 * Returns the straight code from an instruction to a failure, as text: equal texts are equal failures. Undefined if the
 * code goes on.
 */
export function failureCode(code: CodeSources, from: number): string | undefined {
  const { instructions } = code;
  const parts: string[] = [];
  let index: number | undefined = from;
  for (let walked = 0; walked < SHORT_BLOCK && index !== undefined && index < instructions.count; walked += 1) {
    const opcode: number = instructions.opcodes[index] ?? 0;
    if (opcode === OPCODE.jump) parts.pop();
    else if (opcode !== OPCODE.jumpTarget) parts.push(instructions.text(index));
    if (opcode === OPCODE.revert || opcode === OPCODE.invalid) return parts.join(" ");
    if (opcode === OPCODE.jumpIf || (ENDS.has(opcode) && opcode !== OPCODE.jump)) return undefined;
    index = opcode === OPCODE.jump ? jumpTarget(code, index) : index + 1;
  }
  return undefined;
}
