/**
 * Whether the case of the 40 hex digits of an address is the checksum of EIP-55. TronWeb's `toChecksumAddress` has the
 * same one behind 41. Digits in lower or in upper case alone have no checksum and pass.
 */
export function hasRightCase(digits: string): boolean {
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak256(Buffer.from(lower, "ascii")).toString("hex");
  const checked = [...lower].map((digit, index) => ((hash[index] ?? "0") >= "8" ? digit.toUpperCase() : digit));
  return checked.join("") === digits;
}

const RATE = 136;
const ROUNDS = 24;

/**
 * Keccak-256 of less than 136 bytes, in a few lines instead of a package: addresses are read at the start, and no library
 * of cryptography is loaded then. Whatever is signed or derived is hashed by the library.
 */
export function keccak256(bytes: Uint8Array): Buffer {
  if (bytes.length >= RATE) throw new RangeError("keccak256 of more than one block");
  const block = Buffer.alloc(RATE);
  block.set(bytes);
  block[bytes.length] = 0x01;
  block.writeUInt8((block[RATE - 1] ?? 0) | 0x80, RATE - 1);
  const lanes = Array.from({ length: 25 }, (_, at) => (at < RATE / 8 ? block.readBigUInt64LE(8 * at) : 0n));
  const mixed = permute(lanes);
  const result = Buffer.alloc(32);
  for (let at = 0; at < 4; at++) result.writeBigUInt64LE(laneAt(mixed, at), 8 * at);
  return result;
}

/** Keccak-f[1600] (FIPS 202, section 3.3). Lane (x, y) is at x + 5y. */
function permute(start: readonly bigint[]): readonly bigint[] {
  let lanes = start;
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    lanes = chi(rhoAndPi(theta(lanes)));
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    lanes = lanes.with(0, laneAt(lanes, 0) ^ constant);
  }
  return lanes;
}

function theta(lanes: readonly bigint[]): readonly bigint[] {
  const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ laneAt(lanes, x + y), 0n));
  return lanes.map((lane, at) => lane ^ laneAt(columns, (at + 4) % 5) ^ rotated(laneAt(columns, (at + 1) % 5), 1));
}

function rhoAndPi(lanes: readonly bigint[]): readonly bigint[] {
  const result = [...lanes];
  let [x, y] = [1, 0];
  for (let step = 0; step < ROUNDS; step++) {
    const lane = laneAt(lanes, x + 5 * y);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    result[x + 5 * y] = rotated(lane, (((step + 1) * (step + 2)) / 2) % 64);
  }
  return result;
}

function chi(lanes: readonly bigint[]): readonly bigint[] {
  const inRow = (at: number, distance: number): bigint => laneAt(lanes, at - (at % 5) + ((at + distance) % 5));
  return lanes.map((lane, at) => lane ^ (~inRow(at, 1) & inRow(at, 2) & MASK));
}

const MASK = 2n ** 64n - 1n;

function rotated(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;
}

function laneAt(lanes: readonly bigint[], at: number): bigint {
  return lanes[at] ?? 0n;
}
