import { type Hex, hexToBytes } from "@finality/tron/primitives";

/** Code and its input. */
export interface CodeRun {
  readonly code: Hex;
  readonly data: Hex;
  readonly callValue: bigint;
}

/** Word of the stack; undefined if it is not known before the run. */
type Word = bigint | undefined;

/** Position in the code with the stack there, its top last. */
interface Path {
  readonly at: number;
  readonly stack: readonly Word[];
}

interface Code {
  readonly bytes: Uint8Array;
  readonly jumpTargets: ReadonlySet<number>;
  readonly data: Uint8Array;
  readonly callValue: bigint;
}

/** Instructions to follow before the answer is "possible"; ordinary functions take a few thousand. */
const MOST_STEPS = 200_000;
/** After this many visits of one offset, only jump targets are distinguished, so that loops end. */
const VISITS = 64;
/** A deeper stack stops the run. */
const DEEPEST_STACK = 1024;

/**
 * Returns true if a run may behave differently under another energy limit. It can then reach an instruction that reads
 * or forwards the remaining energy (GAS, calls, creations), on any path that the input and constants allow. Other runs
 * take the same energy under every limit, or run out of it.
 */
export function mayObserveLimit({ code: hex, data, callValue }: CodeRun): boolean {
  const bytes = hexToBytes(hex);
  const code: Code = { bytes, jumpTargets: jumpTargetsOf(bytes), data: hexToBytes(data), callValue };
  const visits = new Map<number, number>();
  const known = new Set<string>();
  const paths: Path[] = [{ at: 0, stack: [] }];
  let steps = 0;
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const visited = (visits.get(path.at) ?? 0) + 1;
    visits.set(path.at, visited);
    const start = visited > VISITS ? { ...path, stack: path.stack.map((it) => targetOnly(code, it)) } : path;
    const key = `${start.at} ${start.stack.join()}`;
    if (known.has(key)) continue;
    known.add(key);
    const block = follow(code, start);
    steps += block.steps + start.stack.length / 16;
    if (block.end === "observer" || steps > MOST_STEPS) return true;
    paths.push(...block.next);
  }
  return false;
}

function targetOnly({ jumpTargets }: Code, value: Word): Word {
  return value !== undefined && jumpTargets.has(Number(value)) ? value : undefined;
}

function jumpTargetsOf(bytes: Uint8Array): ReadonlySet<number> {
  const targets = new Set<number>();
  for (let at = 0; at < bytes.length; at += 1) {
    const instruction = bytes[at] ?? 0;
    if (instruction === 0x5b) targets.add(at);
    if (instruction >= 0x60 && instruction <= 0x7f) at += instruction - 0x5f;
  }
  return targets;
}

interface Block {
  readonly end: "observer" | "paths";
  readonly next: readonly Path[];
  readonly steps: number;
}

/** Follows code up to its next branch or end. */
function follow(code: Code, { at: start, stack: before }: Path): Block {
  const stack = [...before];
  let steps = 0;
  for (let at = start; at < code.bytes.length; at += 1) {
    steps += 1;
    const instruction = code.bytes[at] ?? 0;
    if (instruction === 0x56 || instruction === 0x57) return { ...branch(code, at, stack), steps };
    if (ENDS.has(instruction) || stack.length > DEEPEST_STACK) break;
    if (instruction === 0x5b && at > start) return { end: "paths", next: [{ at, stack }], steps };
    if (instruction >= 0x5f && instruction <= 0x7f) {
      const size = instruction - 0x5f;
      stack.push(wordOf(code.bytes, at + 1, size));
      at += size;
    } else if (!applyTo(stack, instruction, code, at)) return { end: "observer", next: [], steps };
  }
  return { end: "paths", next: [], steps };
}

/** STOP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, 0xfe, 0xff]);

/** JUMP and JUMPI. An unknown target may be any jump target. */
function branch({ bytes, jumpTargets }: Code, at: number, stack: Word[]): Omit<Block, "steps"> {
  const target = stack.pop();
  const condition = bytes[at] === 0x56 ? 1n : stack.pop();
  const next: Path[] = condition === undefined || condition === 0n ? [{ at: at + 1, stack: [...stack] }] : [];
  if (condition === 0n) return { end: "paths", next };
  if (target === undefined) return { end: "observer", next: [] };
  if (jumpTargets.has(Number(target))) next.push({ at: Number(target), stack });
  return { end: "paths", next };
}

/** Applies an instruction to a stack. Returns false for observers of the limit and unknown instructions. */
function applyTo(stack: Word[], instruction: number, code: Code, at: number): boolean {
  if (instruction >= 0x80 && instruction <= 0x8f) {
    stack.push(stack.at(0x7f - instruction));
    return true;
  }
  if (instruction >= 0x90 && instruction <= 0x9f) {
    swap(stack, instruction - 0x8f);
    return true;
  }
  const effect = EFFECTS.get(instruction);
  if (effect === undefined) return false;
  const operands = Array.from({ length: effect.takes }, () => stack.pop());
  if (effect.gives > 0) stack.push(resultOf(instruction, operands, code, at));
  return true;
}

function swap(stack: Word[], depth: number): void {
  while (stack.length <= depth) stack.unshift(undefined);
  const [top, other] = [stack.at(-1), stack.at(-1 - depth)];
  stack[stack.length - 1] = other;
  stack[stack.length - 1 - depth] = top;
}

function resultOf(instruction: number, operands: readonly Word[], code: Code, at: number): Word {
  const environment = ENVIRONMENT.get(instruction);
  if (environment !== undefined) return environment(code, at);
  const [first, second = 0n] = operands;
  const compute = COMPUTED.get(instruction);
  if (compute === undefined || operands.some((it) => it === undefined) || first === undefined) return undefined;
  return BigInt.asUintN(256, compute(first, second, code));
}

/** Reads a word of bytes, padded with zeros at the end. */
function wordOf(bytes: Uint8Array, at: number, size: number): bigint {
  let word = 0n;
  for (let index = at; index < at + size; index += 1) word = (word << 8n) | BigInt(bytes[index] ?? 0);
  return word;
}

const ENVIRONMENT: ReadonlyMap<number, (code: Code, at: number) => bigint> = new Map([
  [0x34, ({ callValue }: Code) => callValue],
  [0x36, ({ data }: Code) => BigInt(data.length)],
  [0x38, ({ bytes }: Code) => BigInt(bytes.length)],
  [0x58, (_: Code, at: number) => BigInt(at)],
]);

const flag = (isTrue: boolean): bigint => (isTrue ? 1n : 0n);

/** Operations of dispatchers, masks and loops over the input. */
const COMPUTED: ReadonlyMap<number, (first: bigint, second: bigint, code: Code) => bigint> = new Map([
  [0x01, (a: bigint, b: bigint) => a + b],
  [0x02, (a: bigint, b: bigint) => a * b],
  [0x03, (a: bigint, b: bigint) => a - b],
  [0x04, (a: bigint, b: bigint) => (b === 0n ? 0n : a / b)],
  [0x06, (a: bigint, b: bigint) => (b === 0n ? 0n : a % b)],
  [0x10, (a: bigint, b: bigint) => flag(a < b)],
  [0x11, (a: bigint, b: bigint) => flag(a > b)],
  [0x12, (a: bigint, b: bigint) => flag(BigInt.asIntN(256, a) < BigInt.asIntN(256, b))],
  [0x13, (a: bigint, b: bigint) => flag(BigInt.asIntN(256, a) > BigInt.asIntN(256, b))],
  [0x14, (a: bigint, b: bigint) => flag(a === b)],
  [0x15, (a: bigint) => flag(a === 0n)],
  [0x16, (a: bigint, b: bigint) => a & b],
  [0x17, (a: bigint, b: bigint) => a | b],
  [0x18, (a: bigint, b: bigint) => a ^ b],
  [0x19, (a: bigint) => ~a],
  [0x1b, (a: bigint, b: bigint) => (a > 255n ? 0n : b << a)],
  [0x1c, (a: bigint, b: bigint) => (a > 255n ? 0n : b >> a)],
  [0x35, (a: bigint, _: bigint, { data }: Code) => (a < BigInt(data.length) ? wordOf(data, Number(a), 32) : 0n)],
]);

interface StackEffect {
  readonly takes: number;
  readonly gives: number;
}

/** Number of words that each instruction pops and pushes, for those that neither end a run nor observe the limit. */
const EFFECTS: ReadonlyMap<number, StackEffect> = new Map(
  Object.entries({
    "0 0": [0x5b],
    "0 1": [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, ...range(0x41, 0x48), 0x4a, 0x58, 0x59, 0xd2, 0xd3, 0xd9],
    "1 0": [0x50],
    "1 1": [0x15, 0x19, 0x1e, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c, 0xd4],
    "2 0": [0x52, 0x53, 0x55, 0x5d, 0xa0],
    "2 1": [...range(0x01, 0x07), 0x0a, 0x0b, ...range(0x10, 0x14), ...range(0x16, 0x18), ...range(0x1a, 0x1d), 0x20],
    "3 0": [0x37, 0x39, 0x3e, 0x5e, 0xa1],
    "3 1": [0x08, 0x09, 0xd5, 0xde, 0xdf],
    "4 0": [0x3c, 0xa2],
    "4 1": [0xd8],
    "5 0": [0xa3],
    "6 0": [0xa4],
    // TRON: TOKENBALANCE, UNFREEZE, FREEZEEXPIRETIME, FREEZEBALANCEV2, UNFREEZEBALANCEV2
    "02 1": [0xd1, 0xd6, 0xd7, 0xda, 0xdb],
    // TRON: CANCELALLUNFREEZEV2, WITHDRAWEXPIREUNFREEZE
    "00 1": [0xdc, 0xdd],
  }).flatMap(([effect, instructions]) => {
    const [takes = 0, gives = 0] = effect.split(" ").map(Number);
    return instructions.map((it) => [it, { takes, gives }] as const);
  }),
);

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
