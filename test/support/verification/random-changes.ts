import type { dice } from "../random/dice.ts";
import { type Change, changesAt } from "./structural-changes.ts";
import { waysIn } from "./wire-message.ts";

type Roll = ReturnType<typeof dice>;

/** Changes bytes at random: flips bits, removes, repeats or inserts pieces, or several of these. */
export function randomChange(original: Uint8Array, other: Uint8Array, roll: Roll): Change {
  const [name, change] = WAYS[roll(WAYS.length)] ?? WAYS[0];
  return { name, bytes: () => change(original, other, roll) };
}

type Way = readonly [name: string, change: (original: Uint8Array, other: Uint8Array, roll: Roll) => Uint8Array];

const WAYS: readonly [Way, ...Way[]] = [
  ["bits flipped", flipped],
  ["a byte set", (original, _other, roll) => original.with(roll(original.length), roll(256))],
  ["a piece taken out", (original, _other, roll) => spliced(original, new Uint8Array(), roll)],
  ["a piece put in", (original, _other, roll) => inserted(original, noise(1 + roll(12), roll), roll)],
  ["a piece replaced", (original, _other, roll) => spliced(original, noise(1 + roll(12), roll), roll)],
  ["a piece doubled", (original, _other, roll) => inserted(original, pieceOf(original, roll), roll)],
  ["a piece of another transaction", (original, other, roll) => spliced(original, pieceOf(other, roll), roll)],
  ["the beginning of one, the end of another", crossed],
  ["several structural changes", changedAgain],
  ["bits flipped", flipped],
];

function flipped(original: Uint8Array, _other: Uint8Array, roll: Roll): Uint8Array {
  const bytes = Uint8Array.from(original);
  for (let left = 1 + roll(4); left > 0; left -= 1) {
    const at = roll(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
  }
  return bytes;
}

function crossed(original: Uint8Array, other: Uint8Array, roll: Roll): Uint8Array {
  return Buffer.concat([original.subarray(0, roll(original.length)), other.subarray(roll(other.length))]);
}

/** One structural change on top of the other. */
function changedAgain(original: Uint8Array, _other: Uint8Array, roll: Roll): Uint8Array {
  let bytes = original;
  for (let left = 2 + roll(2); left > 0; left -= 1) {
    const ways = waysIn(bytes);
    const changes = [...changesAt(bytes, ways[roll(ways.length)] ?? [])];
    bytes = changes[roll(changes.length)]?.bytes() ?? bytes;
  }
  return bytes;
}

function inserted(original: Uint8Array, piece: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(original.length + 1);
  return Buffer.concat([original.subarray(0, at), piece, original.subarray(at)]);
}

function spliced(original: Uint8Array, piece: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(original.length);
  return Buffer.concat([original.subarray(0, at), piece, original.subarray(at + 1 + roll(30))]);
}

function pieceOf(bytes: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(bytes.length);
  return bytes.subarray(at, at + 1 + roll(40));
}

function noise(length: number, roll: Roll): Uint8Array {
  return Uint8Array.from({ length }, () => roll(256));
}
