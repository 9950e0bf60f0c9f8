import { dice } from "./dice.ts";

/** Contracts that programs call, by what they do with the energy they are given. Addresses are hex of 20 bytes. */
export interface Callees {
  /** Stores a word: it burns everything where it is called statically. */
  readonly writer: string;
  /** Ends by INVALID and burns everything. */
  readonly invalid: string;
  /** Returns its input. */
  readonly echo: string;
}

/** Runtime code of the callees. */
export const CALLEE_CODE: Callees = { writer: "60015f5500", invalid: "fe", echo: "365f5f37365ff3" };

/**
 * Runtime code of a random program, the same for the same seed. Half of the programs only compute and store. The others
 * also call code that burns everything, give bad input to precompiles, read the energy left and branch on all of it.
 */
export function burningProgram(seed: number, callees: Callees): string {
  const random = dice(seed * 7_919);
  const isPlain = random(2) === 0;
  let code = "";
  for (let count = 2 + random(5); count > 0; count -= 1) {
    const statement = isPlain || random(3) === 0 ? plainStatement(random) : observer(random, callees);
    code += statement;
    if (statement.endsWith(LEAVES_WORD)) code = withBranch(code.slice(0, -LEAVES_WORD.length), random);
  }
  return `${code}00`;
}

type Random = (bound: number) => number;

/** Not code: the mark of a statement that leaves a word on the stack. */
const LEAVES_WORD = "?";

function plainStatement(random: Random): string {
  const slot = random(4).toString(16).padStart(2, "0");
  switch (random(4)) {
    case 0:
      return `6001600${random(4)}55`;
    case 1:
      return `60${slot}54${LEAVES_WORD}`;
    case 2:
      return `5f5f20${LEAVES_WORD}`;
    default:
      return `61${size(random, 2)}5f2050`;
  }
}

function observer(random: Random, callees: Callees): string {
  switch (random(6)) {
    case 0:
      return `${staticCall(callees.writer, random)}${LEAVES_WORD}`;
    case 1:
      return `${staticCall(callees.invalid, random)}${LEAVES_WORD}`;
    case 2:
      return `${staticCall(callees.echo, random)}${LEAVES_WORD}`;
    case 3: // Points that are not on the curve: the precompile 0x06 burns everything.
      return `60ff5f52${staticCall("6".padStart(40, "0"), random)}${LEAVES_WORD}`;
    case 4: // Whether the energy left is above a number.
      return `62${size(random, 3)}5a11${LEAVES_WORD}`;
    default: // The energy left modulo a small number.
      return `60${(2 + random(6)).toString(16).padStart(2, "0")}5a06${LEAVES_WORD}`;
  }
}

/** With all energy, or with so much of it. Input are the first 128 bytes of memory. */
function staticCall(address: string, random: Random): string {
  const energy = random(2) === 0 ? "5a" : `62${size(random, 3)}`;
  return `5f5f60805f73${address}${energy}fa`;
}

/** Consumes a word: more work if it is 0, or if it is not, or nothing. */
function withBranch(code: string, random: Random): string {
  if (random(3) === 0) return `${code}50`;
  const head = code + (random(2) === 0 ? "" : "15");
  const body = random(4) === 0 ? `5f5ffd` : work(random);
  const target = head.length / 2 + 4 + body.length / 2;
  return `${head}61${target.toString(16).padStart(4, "0")}57${body}5b`;
}

function work(random: Random): string {
  return `61${size(random, 2)}5f2050`.repeat(1 + random(3)) + (random(2) === 0 ? "6001600955" : "");
}

function size(random: Random, bytes: number): string {
  return random(random(2) === 0 ? 256 ** bytes / 64 : 4_000)
    .toString(16)
    .padStart(2 * bytes, "0");
}
