/**
 * Returns true if the case of the 40 hex digits is the EIP-55 checksum. TronWeb's `toChecksumAddress` appends the same
 * one to 41. Digits in one case only have no checksum and pass.
 */
export function hasRightCase(digits: string): boolean {
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak256(Buffer.from(lower)).toString("hex");
  return [...digits].every((digit, at) => digit === (hash.charAt(at) > "7" ? digit.toUpperCase() : lower[at]));
}

const RATE = 136;

/**
 * Keccak-256 of less than 136 bytes, in a few lines instead of a package: addresses are read at the start, and no library
 * of cryptography is loaded then. Whatever is signed or derived is hashed by the library.
 */
export function keccak256(bytes: Uint8Array): Buffer {
  if (bytes.length >= RATE) throw new RangeError();
  const lanes = new BigUint64Array(25);
  const block = Buffer.from(lanes.buffer);
  block.set(bytes);
  block.writeUInt8(1, bytes.length);
  block.writeUInt8(block.readUInt8(RATE - 1) | 0x80, RATE - 1);
  permute(lanes);
  return block.subarray(0, 32);
}

/** Keccak-f[1600] (FIPS 202, section 3.3). Lane (x, y) is at x + 5y; the array cuts each lane to 64 bits. */
function permute(lanes: BigUint64Array): void {
  const lane = (at: number): bigint => lanes[at] ?? 0n;
  const rotated = (value: bigint, by: number): bigint => (value << BigInt(by)) | (value >> BigInt(64 - by));
  for (let round = 0, register = 1; round < 24; round++) {
    const column = lanes.slice(0, 5).map((_, x) => [5, 10, 15, 20].reduce((sum, y) => sum ^ lane(x + y), lane(x)));
    lanes.forEach((value, at) => {
      lanes[at] = value ^ (column[(at + 4) % 5] ?? 0n) ^ rotated(column[(at + 1) % 5] ?? 0n, 1);
    });
    for (let step = 0, x = 1, y = 0, moved = lane(1); step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = lane(x + 5 * y);
      lanes[x + 5 * y] = rotated(moved, (((step + 1) * (step + 2)) / 2) % 64);
      moved = next;
    }
    const before = lanes.slice();
    const inRow = (at: number, x: number): bigint => before[at - (at % 5) + ((at + x) % 5)] ?? 0n;
    before.forEach((value, at) => {
      lanes[at] = value ^ (~inRow(at, 1) & inRow(at, 2));
    });
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) lanes[0] = lane(0) ^ (1n << BigInt(2 ** bit - 1));
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}
