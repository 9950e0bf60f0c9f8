import { sha256 } from "./hash.ts";

const HASH_LENGTH = 32;

/**
 * The root of java-tron's Merkle tree: pairs are hashed together, an odd last one moves up unchanged (MerkleTree.java).
 *
 * @param leaves - hashes of 32 bytes; none gives 32 zero bytes
 */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  while (level.length > 1) level = nextLevel(level);
  return level[0] ?? new Uint8Array(HASH_LENGTH);
}

function nextLevel(level: readonly Uint8Array[]): readonly Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = level.slice(index, index + 2);
    if (left !== undefined) parents.push(right === undefined ? left : sha256(Uint8Array.of(...left, ...right)));
  }
  return parents;
}
