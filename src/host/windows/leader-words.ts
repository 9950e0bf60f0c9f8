import { isProven, proofOf } from "./leader-key.ts";

/** No line of either side is longer: who says more is a stranger. */
const LONGEST_LINE = 160;

/** What a follower says first, once: a number of its own that nobody used before. */
export function helloLine(key: string, nonce: string): string {
  return `${nonce} ${proofOf(key, `follow ${nonce}`)}\n`;
}

/** The follower's number; undefined when a stranger speaks. */
export function readHello(key: string, line: string): string | undefined {
  const [nonce = "", proof = ""] = line.split(" ");
  return nonce !== "" && isProven(key, `follow ${nonce}`, proof) ? nonce : undefined;
}

/** What the leader says to this follower for the `count`-th time. */
export function beatLine(key: string, nonce: string, count: number): string {
  return `${count} ${proofOf(key, `lead ${nonce} ${count}`)}\n`;
}

/** The count of a beat that is meant for this follower; undefined when a stranger speaks. */
export function readBeat(key: string, nonce: string, line: string): number | undefined {
  const [count = "", proof = ""] = line.split(" ");
  return isProven(key, `lead ${nonce} ${count}`, proof) ? Number(count) : undefined;
}

/** Puts together lines from what comes piece by piece. @returns false for a line that is too long */
export function lineReader(take: (line: string) => boolean): (piece: Buffer) => boolean {
  let rest = "";
  return (piece) => {
    rest += piece.subarray(0, 100 * LONGEST_LINE).toString("latin1");
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    return rest.length <= LONGEST_LINE && lines.every((line) => line.length <= LONGEST_LINE && take(line));
  };
}
