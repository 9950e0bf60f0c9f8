const VARINT = 0;
const LENGTH_DELIMITED = 2;

/**
 * One number field of a protobuf message; a zero is left out, as proto3 does.
 *
 * @param value - 0 to 2^63 - 1
 */
export function numberField(field: number, value: number | bigint): Buffer {
  const number = BigInt(value);
  return number === 0n ? Buffer.alloc(0) : Buffer.from([...varint(tag(field, VARINT)), ...varint(number)]);
}

/** One field of bytes, or of a message; without bytes it is left out unless it is an element of a list. */
export function bytesField(field: number, bytes: Uint8Array, element = false): Buffer {
  if (bytes.length === 0 && !element) return Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from([...varint(tag(field, LENGTH_DELIMITED)), ...varint(BigInt(bytes.length))]),
    bytes,
  ]);
}

function tag(field: number, kind: number): bigint {
  return BigInt(field * 8 + kind);
}

/** Seven bits a byte, the lowest first. */
function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
