const VARINT = 0;

const LENGTH_DELIMITED = 2;

/**
 * Encodes a number field of a protobuf message; a zero is omitted, as in proto3.
 *
 * @param value - 0 to 2^63 - 1
 */
export function numberField(field: number, value: number | bigint): Buffer {
  if (Number(value) === 0) return Buffer.alloc(0);
  const bytes: number[] = [];
  appendVarint(bytes, tag(field, VARINT));
  appendVarint(bytes, value);
  return Buffer.from(bytes);
}

/** Encodes a field of bytes or of a message; an empty one is omitted unless it is an element of a list. */
export function bytesField(field: number, bytes: Uint8Array, element = false): Buffer {
  if (bytes.length === 0 && !element) return Buffer.alloc(0);
  const head: number[] = [];
  appendVarint(head, tag(field, LENGTH_DELIMITED));
  appendVarint(head, bytes.length);
  const encoded = Buffer.allocUnsafe(head.length + bytes.length);
  encoded.set(head);
  encoded.set(bytes, head.length);
  return encoded;
}

function tag(field: number, kind: number): number {
  return field * 8 + kind;
}

const GROUP = 0x80;

/** Varint: seven bits per byte, the lowest first. */
function appendVarint(bytes: number[], value: number | bigint): void {
  let rest = value;
  for (; typeof rest === "bigint" && rest > Number.MAX_SAFE_INTEGER; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | GROUP);
  }
  let small = Number(rest);
  for (; small >= GROUP; small = Math.floor(small / GROUP)) bytes.push((small % GROUP) | GROUP);
  bytes.push(small);
}
