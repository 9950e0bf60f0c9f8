import { outOfHeap } from "../chain/halt.ts";

/** No array of Java is longer, whatever memory a node has. */
const LONGEST_ARRAY = 2 ** 31 - 3;

/** Returns a length that an array can have. @throws {Halt} it ends the transaction */
export function checkedLength(length: number): number {
  if (length > LONGEST_ARRAY) throw outOfHeap();
  return length;
}
